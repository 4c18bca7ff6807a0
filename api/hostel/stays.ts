import { type Transaction, sql } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { known } from '../platform/kernel/known.ts'
import type { registers } from '../platform/records/registers/registers.ts'
import { findAnyItem, findItemWith } from '../platform/work/rows/items.ts'
import { type Bed, type Candidate, suits } from './rooms.ts'

export const APPLICATIONS = 'hostel/hostel-application'

/** The register of places, one entry for each room that was given. */
export const STAYS = 'hostel/stay'

/**
 * An intake and those before it whose stays overlap, also through others that overlap both: they share the beds, and whose
 * last day for applications is earlier comes first; then whose stay begins earlier, then by name. `list` is the place in
 * this order. While a change of an intake waits for approval, its days are those that were last approved.
 */
const listsOf = (intake: string) => sql`
  with recursive approved as (
    select o.id, o.title, d.data ->> 'closes' as closes, d.data ->> 'from' as "from", d.data ->> 'until' as until
    from register_item o cross join lateral (select case when o.status <> 'Awaiting Approval' then o.data else (
      select v.data from register_item_version v where v.item_id = o.id and v.status = 'Active'
      order by v.version desc limit 1) end as data) d
    where o.register = 'hostel/intake' and d.data is not null),
  linked as (select a.* from approved a where a.id = ${intake}
    union select a.* from approved a join linked l on a."from" <= l.until and l."from" <= a.until)
  select o.id, o.title, row_number() over (order by o.closes, o."from", o.title)::int as list
  from linked o join approved i on i.id = ${intake}
  where (o.closes, o."from", o.title) <= (i.closes, i."from", i.title)`

/**
 * The applications of an intake, and of those before it, that wait for a room, of active students who have none. A student
 * may have several.
 */
export async function candidatesOf(
  trx: Transaction<DB>,
  { intake, sex }: { intake: string; sex: string },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select c.reference, c.requester_id as student, l.list, (c.facts ->> 'special')::boolean as special, (c.facts ->> 'points')::int as points,
      (c.subject ->> 'km')::int as km, coalesce((c.subject ->> 'year')::int, 0) as year
    from flow_case c join (${listsOf(intake)}) l on c.data ->> 'intake' = l.id::text
    where c.flow = ${APPLICATIONS} and c.state = 'running' and c.withdrawn_at is null
      and c.status in ('approved', 'waiting list') and c.data ->> 'sex' = ${sex}
      and exists (select from account a join register_item p on p.id = a.record_id
        where a.id = c.requester_id and p.register = 'platform/student' and p.status = 'active'
          and not exists (select from register_item s
            where s.register = ${STAYS} and s.status = 'Taken' and s.data ->> 'student' = p.id::text))`.execute(trx)
  return rows
}

/** Statuses of an application whose place in the list is not settled: it may still be corrected, appealed or decided. */
const UNSETTLED = ['submitted', 'returned', 'not eligible', 'appealed', 'eligible']

/**
 * Why the list of an intake is not complete, if it is not: it still takes applications, a change of its days waits for
 * approval, or some applications are not settled, of it or of an intake before it whose stays overlap.
 */
export async function whyIncomplete(
  trx: Transaction<DB>,
  intake: { id: string; status: string; data: JsonObject },
  now: Date,
): Promise<Pick<FieldError, 'code' | 'values'> | undefined> {
  if (intake.status === 'Awaiting Approval') return { code: 'hostel.intake-awaits' }
  const closes = String(intake.data['closes'])
  if (dayInColombo(now) <= closes) return { code: 'hostel.intake-open', values: { until: closes } }
  const { rows } = await sql<{ id: string; title: string; count: number }>`
    select l.id, l.title, count(*)::int as count
    from flow_case c join (${listsOf(intake.id)}) l on c.data ->> 'intake' = l.id::text
    where c.flow = ${APPLICATIONS} and c.state in ('starting', 'running') and c.withdrawn_at is null
      and c.status = any(${UNSETTLED})
    group by l.id, l.title, l.list order by l.list desc limit 1`.execute(trx)
  const [{ id, title, count } = { id: '', title: '', count: 0 }] = rows
  if (count === 0) return undefined
  return id === intake.id
    ? { code: 'hostel.list-incomplete', values: { count } }
    : { code: 'hostel.earlier-incomplete', values: { count, intake: title } }
}

/** The free beds for students of one sex. */
export async function freeBeds(trx: Transaction<DB>, sex: string): Promise<Bed[]> {
  const { rows } = await sql<Bed>`
    select h.id as hostel, h.data ->> 'code' as "hostelCode", r.id as room, r.title as "roomNumber",
      (r.data ->> 'floor')::int as floor, bed, (r.data ->> 'accessible')::boolean as accessible,
      (r.data ->> 'year')::int as year
    from register_item r join register_item h on h.id::text = r.data ->> 'hostel'
      cross join generate_series(1, (r.data ->> 'capacity')::int) as bed
    where r.register = 'hostel/room' and r.status = 'Active' and h.status = 'Active' and h.data ->> 'sex' = ${sex}
      and not exists (select from register_item s where s.register = ${STAYS} and s.status = 'Taken'
        and s.data ->> 'room' = r.id::text and (s.data ->> 'bed')::int = bed)`.execute(trx)
  return rows
}

/** The entry of the room that was given to an application, if it is not back yet. */
export const findStay = (trx: Transaction<DB>, reference: string): Promise<string | undefined> =>
  findItemWith(trx, STAYS, { field: 'case_reference', value: reference, status: 'Taken' })

/** The room of an application, locked. */
export async function lockStay(
  trx: Transaction<DB>,
  on: Pick<ReturnType<typeof registers>, 'lock'>,
  reference: string,
) {
  return on.lock(STAYS, known(await findStay(trx, reference), `the room of ${reference}`))
}

/** What the room of a resident has to suit: an accepted disability, and the year of study. */
async function needsOf(trx: Transaction<DB>, stay: JsonObject): Promise<Pick<Candidate, 'special' | 'year'>> {
  const { rows } = await sql<Pick<Candidate, 'special' | 'year'>>`
    select coalesce((c.facts ->> 'special')::boolean, false) as special,
      coalesce((c.subject ->> 'year')::int, (p.data ->> 'year')::int, 0) as year
    from register_item p left join flow_case c on c.flow = ${APPLICATIONS} and c.reference = ${stay['case_reference']}
    where p.id::text = ${stay['student']}`.execute(trx)
  return known(rows[0], 'the student of the place')
}

/** Whether the room of one place suits the student of the other, both ways. */
export async function canSwap(trx: Transaction<DB>, one: JsonObject, two: JsonObject): Promise<boolean> {
  const fits = async (of: JsonObject, to: JsonObject) => {
    const { data } = known(await findAnyItem(trx, String(to['room'])), 'the room')
    const room = {
      accessible: data['accessible'] === true,
      year: typeof data['year'] === 'number' ? data['year'] : null,
    }
    return suits(room, await needsOf(trx, of))
  }
  return (await fits(one, two)) && fits(two, one)
}
