import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import type { registers } from '../platform/records/registers/registers.ts'
import { naming } from '../platform/records/registers/naming.ts'

type Registers = ReturnType<typeof registers>

/** The register of places that students have in subjects with limited places. */
export const SEATS = 'students/subject-registration-seat'

/** The register of what students are registered for, one entry per academic year. */
export const REGISTRATIONS = 'students/subject-registration'

/** What an entry by hand says of its source, and one of a case does not. */
export const NO_SOURCE = { source: null, source_on: null }

/** The field of a place that names its set-up: that of a subject registration, or of a registration. */
export type SeatSetup = 'setup' | 'registration_setup'

export interface Seat {
  id: string
  subject: string
  student: string
  number: number
}

/** The places of each subject of a set-up that has a limit; of two limits of one subject the smaller counts. */
export function placesOf(limits: readonly { subject: string; places: number }[] = []): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const one of limits) places.set(one.subject, Math.min(one.places, places.get(one.subject) ?? one.places))
  return places
}

/** The numbers of the places that are free. Those above a limit that was lowered count as well, as long as they are taken. */
export function freeNumbers(places: number, taken: readonly Pick<Seat, 'number'>[]): number[] {
  const used = new Set(taken.map(({ number }) => number))
  const numbers = Array.from({ length: places }, (_, at) => at + 1).filter((number) => !used.has(number))
  return numbers.slice(0, Math.max(0, places - taken.length))
}

/** The places that are taken in the subjects of a set-up. */
export async function seatsTaken(trx: Transaction<DB>, setup: string): Promise<Seat[]> {
  return trx
    .selectFrom('register_item')
    .select([
      'id',
      sql<string>`data ->> 'subject'`.as('subject'),
      sql<string>`data ->> 'student'`.as('student'),
      sql<number>`(data ->> 'number')::int`.as('number'),
    ])
    .where('register', '=', SEATS)
    .where('status', '=', 'Taken')
    .where('id', 'in', naming(['/setup', '/registration_setup'], [setup]))
    .execute()
}

/** The places that a student has in subjects of an academic year, in whichever batch. */
export async function seatsOf(
  trx: Transaction<DB>,
  student: string,
  academicYear: string,
): Promise<{ id: string; subject: string; setup: string }[]> {
  const { rows } = await sql<{ id: string; subject: string; setup: string }>`
    select s.id, s.data ->> 'subject' as subject, u.id as setup
    from register_reference r join register_item s on s.id = r.item_id
      join register_item u on u.id = coalesce(s.data ->> 'setup', s.data ->> 'registration_setup')::uuid
    where r.target_id = ${student}::uuid and r.path = '/student' and s.register = ${SEATS} and s.status = 'Taken'
      and u.data ->> 'academic_year' = ${academicYear}`.execute(trx)
  return rows
}

/** Gives back the places that a student has in an academic year, unless one stays. */
export async function releaseSeats(
  { trx, registers }: { trx: Transaction<DB>; registers: Registers },
  { student, academicYear, by }: { student: string; academicYear: string; by: string | null },
  stays: (seat: { subject: string; setup: string }) => boolean,
): Promise<void> {
  for (const seat of await seatsOf(trx, student, academicYear))
    if (!stays(seat)) await registers.setStatus(await registers.lock(SEATS, seat.id), 'Released', by)
}

/** A student does not study in an academic year: they are registered for nothing in it, and have no places. */
export async function leaveYear(
  on: { trx: Transaction<DB>; registers: Registers },
  of: { student: string; academicYear: string; by: string | null },
): Promise<void> {
  const { trx, registers } = on
  const entry = await registeredFor(trx, of.student, of.academicYear)
  if (entry) await registers.setStatus(await registers.lock(REGISTRATIONS, entry.id), 'Cancelled', of.by)
  await releaseSeats(on, of, () => false)
}

/** The subjects for which a student is registered in an academic year, with the id of that entry. */
export async function registeredFor(
  trx: Transaction<DB>,
  student: string,
  academicYear: string,
): Promise<{ id: string; subjects: string[] } | undefined> {
  return trx
    .selectFrom('register_item')
    .select(['id', sql<string[]>`array(select jsonb_array_elements(data -> 'subjects') ->> 'subject')`.as('subjects')])
    .where('register', '=', REGISTRATIONS)
    .where('status', '=', 'Active')
    .where('id', 'in', naming(['/student'], [student]))
    .where(sql<string>`data ->> 'academic_year'`, '=', academicYear)
    .executeTakeFirst()
}

/** The codes of all subjects for which a student was registered in academic years that began before this. */
export async function codesRegistered(
  trx: Transaction<DB>,
  student: string,
  { before }: { before: string },
): Promise<Set<string>> {
  const { rows } = await sql<{ code: string }>`
    select s.data ->> 'code' as code from register_item r
      cross join jsonb_array_elements(r.data -> 'subjects') as row
      join register_item s on s.id = (row ->> 'subject')::uuid
      join register_item y on y.id = (r.data ->> 'academic_year')::uuid
    where r.register = ${REGISTRATIONS} and r.status = 'Active' and r.id in ${naming(['/student'], [student])}
      and y.data ->> 'starts_on' < (select data ->> 'starts_on' from register_item where id = ${before}::uuid)`.execute(
    trx,
  )
  return new Set(rows.map(({ code }) => code))
}
