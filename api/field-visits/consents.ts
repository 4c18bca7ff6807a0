import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'

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
  const plain = (reg_no: string) => reg_no.normalize('NFKC').trim().toLowerCase()
  const { rows } = await sql<{ reg_no: string }>`
    select u.value as reg_no from register_unique u join register_item i on i.id = u.item_id and i.status = 'active'
    where u.register = 'platform/student' and u.field = '/reg_no'
      and u.value = any(${participants.map(({ reg_no }) => plain(reg_no))}::text[])`.execute(db)
  const known = new Set(rows.map(({ reg_no }) => reg_no))
  return participants.flatMap(({ reg_no }, row) =>
    known.has(plain(reg_no)) ? [] : [{ field: `/participants/${row}/reg_no`, code: 'field-visits.no-such-student' }],
  )
}

/** What is wrong with consents that are noted later: other students, or a new consent without its form. */
export function notedErrors(visit: JsonObject, noted: JsonObject): FieldError[] {
  const [before, after] = [participantsOf(visit) ?? [], participantsOf({ overnight: 'yes', ...noted }) ?? []]
  const who = (participants: readonly Participant[]) =>
    participants.map(({ reg_no, name }) => `${reg_no} ${name}`).join()
  if (who(before) !== who(after)) return [{ field: '/participants', code: 'platform.not-as-given' }]
  const isNew = after.some(({ consent }, row) => consent === 'given' && before[row]?.consent !== 'given')
  return isNew && noted['consents'] === undefined ? [{ field: '/consents', code: 'field-visits.consents-needed' }] : []
}

/** The students of a visit once it is on other days, for which nobody has given consent. */
export function withoutConsents(visit: JsonObject): JsonObject {
  const participants = participantsOf(visit)
  return participants === undefined
    ? {}
    : { participants: participants.map((one) => ({ ...one, consent: 'none' as const })) }
}
