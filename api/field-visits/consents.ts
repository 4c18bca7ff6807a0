import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../platform/kernel/errors.ts'
import type { ActInput } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { plain } from '../platform/records/registers/values.ts'

/** A student of a visit with a night, and whether a parent has given consent. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface could not be stored as JSON
type Participant = { reg_no: string; name: string; guardian?: string; consent: 'given' | 'none' }

/** The students of a visit by name; undefined if it needs no consents, or was asked for before they were named. */
function participantsOf(visit: JsonObject): Participant[] | undefined {
  return visit['overnight'] === 'yes' ? checkedAs<{ participants?: Participant[] }>(visit).participants : undefined
}

const consentsOf = (participants: readonly Participant[]) =>
  participants.filter(({ consent }) => consent === 'given').length

/** How many students may go at most: all of them, or those with a consent. */
export function mostStudents(visit: JsonObject): { students: number; consents?: number } {
  const participants = participantsOf(visit)
  const students = Number(visit['students'])
  return participants === undefined ? { students } : { students, consents: consentsOf(participants) }
}

/** What is wrong with the students of a request. */
export async function participantErrors(db: Kysely<DB>, visit: JsonObject): Promise<FieldError[]> {
  const participants = participantsOf(visit)
  if (participants === undefined) return []
  const students = Number(visit['students'])
  const listed = participants.length
  if (listed !== students)
    return [{ field: '/participants', code: 'field-visits.students-not-listed', values: { listed, students } }]
  if (consentsOf(participants) > 0 && visit['consents'] === undefined)
    return [{ field: '/consents', code: 'field-visits.consents-needed' }]
  const numbers = participants.map(({ reg_no }) => plain(reg_no))
  const { rows } = await sql<{ reg_no: string }>`
    select u.value as reg_no from register_unique u join register_item i on i.id = u.item_id and i.status = 'active'
    where u.register = 'platform/student' and u.field = '/reg_no'
      and u.value = any(${numbers}::text[])`.execute(db)
  const known = new Set(rows.map(({ reg_no }) => reg_no))
  return numbers.flatMap((number, row) => {
    const at = (code: string) => [{ field: `/participants/${row}/reg_no`, code }]
    if (numbers.indexOf(number) < row) return at('field-visits.student-twice')
    return known.has(number) ? [] : at('field-visits.no-such-student')
  })
}

/** What is wrong with consents that are noted later: others are not noted yet, or a new one is without its form. */
export async function notedErrors({ trx, caseId, current, facts, data }: ActInput): Promise<FieldError[]> {
  const { sent } = await trx
    .selectFrom('submission')
    .select((eb) => eb.fn.countAll<string>().as('sent'))
    .where('case_id', '=', caseId)
    .where('form_key', '=', CONSENTS)
    .where('effect', '<>', 'void')
    .executeTakeFirstOrThrow()
  if (Number(sent) > Number(facts['noted'])) throw new BusinessError('platform.act-not-possible')
  const [before, after] = [participantsOf(current) ?? [], participantsOf({ ...current, ...data }) ?? []]
  const isNew = after.some(({ consent }, row) => consent === 'given' && before[row]?.consent !== 'given')
  return isNew && data['consents'] === undefined ? [{ field: '/consents', code: 'field-visits.consents-needed' }] : []
}

/** The form with which consents are noted. */
export const CONSENTS = 'field-visits/consents'

/** A visit once it is on other days, for which nobody has given consent. */
export function withoutConsents({ consents, ...visit }: JsonObject): JsonObject {
  const participants = participantsOf(visit)
  return participants === undefined
    ? { ...visit, ...(consents !== undefined && { consents }) }
    : { ...visit, participants: participants.map((one) => ({ ...one, consent: 'none' as const })) }
}
