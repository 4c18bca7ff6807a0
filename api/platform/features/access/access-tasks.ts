import type { TaskList } from 'graphile-worker'
import { announce } from '../../kernel/db/changed.ts'
import { listTurningSubstitutions } from '../../people/substitutes/repository.ts'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { listTurningGrants } from '../../people/access/grant-rows.ts'
import { SETTLE_ACCESS } from '../../people/access/dated.ts'
import { beginAccessChange, settleAccess } from '../../work/access/settle.ts'
import { principalsOf } from '../../people/access/units.ts'
import { scopeOf } from './grants.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [SETTLE_ACCESS]: { at: string }
    }
  }
}

/** The queue task that settles access when a dated grant begins or ends. */
export function accessTasks({ db, library, definitions }: AccessDependencies): TaskList {
  return {
    async [SETTLE_ACCESS]({ at }) {
      const settled = await db.transaction().execute(async (trx) => {
        await beginAccessChange(trx)
        const grants = await listTurningGrants(trx, at)
        const substitutions = await listTurningSubstitutions(trx, at)
        const shift = {
          accounts: [...new Set([...grants.map((grant) => grant.account_id), ...substitutions.flat()])],
          principals: grants.flatMap((grant) => principalsOf(grant.role, scopeOf(grant))),
        }
        return settleAccess(trx, shift, { definitions, roles: library.roles })
      })
      await announce(db, settled)
    },
  }
}
