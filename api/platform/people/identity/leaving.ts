import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { findOwnEntry } from './accounts.ts'
import { clearOut } from './clear-out.ts'
import type { registers } from '../../records/registers/registers.ts'
import { endGrants, isAdministratorLeft, listGrants } from '../access/grant-rows.ts'
import { endHolder, listPostsOf } from '../access/holder-rows.ts'
import { settleAt } from '../access/dated.ts'
import { known } from '../../kernel/known.ts'

/** Why, for which case and when a person leaves. */
export interface Leave {
  caseId: string
  reason: string
  at: Date
}

/**
 * Ends a person's rights when they leave. Roles and posts end at a moment, and the job of that moment settles the
 * tasks, as for every dated change. It therefore locks only its case.
 */
export function leaving(trx: Transaction<DB>, dependencies: { registers: ReturnType<typeof registers> }) {
  return {
    /** Throws if no administrator would remain. */
    async end(accountId: string, { caseId, reason, at }: Leave): Promise<void> {
      if (!(await isAdministratorLeft(trx, { account: accountId })))
        throw new Error('the last administrator cannot leave: appoint another one first')
      const posts = (await listPostsOf(trx, accountId)).filter(({ state }) => state !== 'ended')
      for (const { id } of posts) await endHolder(trx, id, at, null, reason)
      const grants = (await listGrants(trx, accountId)).filter(({ state }) => state !== 'ended')
      await endGrants(
        trx,
        grants.map(({ id }) => id),
        at,
        null,
        reason,
      )
      await settleAt(trx, [at])
      await clearOut(trx, accountId, { by: 'system:workers', reason })
      await trx
        .updateTable('account')
        .set((eb) => ({ active: false, version: eb('version', '+', 1), changed_at: at }))
        .where('id', '=', accountId)
        .execute()
      const entry = await findOwnEntry(trx, accountId)
      if (entry) await outOfUse(entry)
      await audit(trx).record({
        actor: 'system:workers',
        action: 'account.left',
        caseId,
        object: `account:${accountId}`,
        payload: {
          posts: posts.map(({ post_id }) => post_id),
          grants: grants.map(({ role, scope_kind, scope_id }) => ({ role, kind: scope_kind, id: scope_id })),
          entry: entry?.id ?? null,
          reason,
        },
      })
    },
  }

  /** Sets an entry to the last status of its register, which means that the person has left. */
  async function outOfUse(entry: { id: string; register: string; version: number }): Promise<void> {
    const { statuses } = dependencies.registers.definitionOf(entry.register)
    const last = known(statuses.at(-1), `the last status of ${entry.register}`)
    await dependencies.registers.setStatus(entry, last, null)
  }
}
