import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { at, textAt } from '../platform/model/definitions/register.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import { lookUp } from '../platform/model/definitions/named.ts'
import { findAnyItem } from '../platform/work/rows/items.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { DEFERMENTS } from './deferments.ts'
import { naming } from '../platform/records/registers/naming.ts'

/** Facts that say that the register was changed. */
const EFFECTS = ['/newName', '/deferredYear']

/** The first day of the academic year in which a student begins. */
const BEGINNING = '/intake#/data/academic_year#/data/starts_on'

/** The medium of a student's programme. */
const MEDIUM = '/programme#/data/medium#/title'

const rules: Rules = {
  async check({ data, items, requester, now, trx }) {
    const own = await findOwnEntry(trx, requester.id)
    const wrongMedium = await otherMedium(trx, own?.data, textAt(data, '/medium'))
    if (wrongMedium) return [wrongMedium]
    const year = textAt(data, '/deferred_year')
    if (year === undefined) return []
    const code =
      own && (await hasDeferred(trx, own.id, year))
        ? 'students.year-deferred'
        : await whyNoYear(trx, own?.data, items.get('/deferred_year')?.data, dayInColombo(now))
    return code === undefined ? [] : [{ field: '/deferred_year', code }]
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

/** The error of a medium that is not the one of the student's programme, as far as the register knows it. */
async function otherMedium(
  trx: Transaction<DB>,
  student: JsonObject | undefined,
  asked: string | undefined,
): Promise<FieldError | undefined> {
  if (asked === undefined) return undefined
  const medium = await lookUp(MEDIUM, student, (id) => findAnyItem(trx, id))
  if (typeof medium !== 'string' || medium.toLowerCase() === asked) return undefined
  return { field: '/medium', code: 'students.medium-differs', values: { medium } }
}

/** Why nobody can defer this year, or not this student: it is over, or it was before their studies. */
async function whyNoYear(
  trx: Transaction<DB>,
  student: JsonObject | undefined,
  year: JsonObject | undefined,
  today: string,
): Promise<string | undefined> {
  if ((textAt(year, '/ends_on') ?? today) < today) return 'students.year-over'
  const begun = await lookUp(BEGINNING, student, (id) => findAnyItem(trx, id))
  const isEarlier = typeof begun === 'string' && (textAt(year, '/starts_on') ?? begun) < begun
  return isEarlier ? 'students.year-before-studies' : undefined
}

/** Whether a deferment of this year that is in use names this student. */
async function hasDeferred(trx: Transaction<DB>, student: string, year: string): Promise<boolean> {
  const found = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', DEFERMENTS)
    .where('status', '=', 'Active')
    .where('id', 'in', naming(['/student'], [student]))
    .where(sql<string>`data ->> 'academic_year'`, '=', year)
    .executeTakeFirst()
  return found !== undefined
}
