import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { at, textAt } from '../platform/model/definitions/register.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { DEFERMENTS } from './deferments.ts'
import { naming } from '../platform/records/registers/naming.ts'

/** Facts that say that the register was changed. */
const EFFECTS = ['/newName', '/deferredYear']

const rules: Rules = {
  async check({ data, requester, trx }) {
    const year = textAt(data, '/deferred_year')
    if (year === undefined || !(await hasDeferred(trx, requester.id, year))) return []
    return [{ field: '/deferred_year', code: 'students.year-deferred' }]
  },

  answers: {
    'students/request-settling': {
      // A rejected request has changed nothing; one that is completed without its letter has.
      check({ data, facts }) {
        const hasEffect = EFFECTS.some((fact) => textAt(facts, fact) !== undefined)
        const outcome = at(data, '/outcome')
        if (outcome === 'reject' && hasEffect) return [{ field: '/outcome', code: 'students.request-took-effect' }]
        const changesNothing = outcome === 'complete' && !hasEffect
        return changesNothing ? [{ field: '/outcome', code: 'students.request-without-effect' }] : []
      },
    },
  },
}

export default rules

/** Whether a deferment of this year that is in use names the entry of this account. */
async function hasDeferred(trx: Transaction<DB>, account: string, year: string): Promise<boolean> {
  const own = await findOwnEntry(trx, account)
  if (!own) return false
  const found = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', DEFERMENTS)
    .where('status', '=', 'Active')
    .where('id', 'in', naming(['/student'], [own.id]))
    .where(sql<string>`data ->> 'academic_year'`, '=', year)
    .executeTakeFirst()
  return found !== undefined
}
