import { type Kysely, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import type { Resource } from './booking.ts'
import { accounts } from './money.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'

const REGISTER = 'resource-reservation/resource'
const FLOW = 'resource-reservation/resource-booking'

/** Units by kind and id. */
export type Units = { kind: string; id: string }[]

/** The resources and the days of a report, in Colombo, both included. */
export interface Reported {
  resources: string[]
  from: string
  until: string
}

// Sums over bookings. Every statement starts from the resources or their cases, by index.

const span = ({ from, until }: Reported) =>
  sql`tstzrange(${from}::date::timestamp at time zone 'Asia/Colombo', (${until}::date + 1)::timestamp at time zone 'Asia/Colombo')`
const monthOf = (moment: string) => sql<string>`to_char(${sql.ref(moment)} at time zone 'Asia/Colombo', 'YYYY-MM')`

/** The bookings of the resources, each with its resource. */
const bookings = (db: Kysely<DB>, { resources }: Reported) =>
  db
    .selectFrom('case_item as i')
    .innerJoin('flow_case as c', 'c.id', 'i.case_id')
    .where('i.path', '=', '/resource')
    .where('c.flow', '=', FLOW)
    .where((eb) => eb('i.item_id', '=', eb.fn.any(eb.val(resources))))

/** Resources of these units by name, or all if none are given. */
export async function listResources(
  db: Kysely<DB>,
  { units, resource, limit }: { units: Units | undefined; resource?: string; limit: number },
) {
  let query = db.selectFrom('register_item').select(['id', 'title', 'data']).where('register', '=', REGISTER)
  if (resource) query = query.where('id', '=', resource)
  if (units) query = query.where((eb) => eb.or(units.map(({ kind, id }) => eb(sql<string>`data ->> ${kind}`, '=', id))))
  const rows = await query.orderBy('title').orderBy('id').limit(limit).execute()
  return rows.map(({ id, title, data }) => ({ id, title, data: checkedAs<Resource>(data) }))
}

/** Confirmed bookings and their hours, by resource and month; a part also counts bookings of its whole. */
export async function listUse(db: Kysely<DB>, wanted: Reported) {
  const { rows } = await sql<{ resource: string; month: string; bookings: number; booked: number }>`
    select a.item_id as resource, to_char(m.first, 'YYYY-MM') as month, count(*)::integer as bookings,
      (sum(extract(epoch from upper(a.booked * m.span * ${span(wanted)})
        - lower(a.booked * m.span * ${span(wanted)}))) / 3600)::float8 as booked
    from generate_series(date_trunc('month', ${wanted.from}::date::timestamp), ${wanted.until}::date::timestamp, '1 month')
        as months (first)
      cross join lateral (select first, tstzrange(first at time zone 'Asia/Colombo',
        (first + interval '1 month') at time zone 'Asia/Colombo') as span) m
      join app.allocation a on a.during && (m.span * ${span(wanted)}) and a.booked && (m.span * ${span(wanted)})
    where a.item_id = any (${wanted.resources}) and a.exclusive and a.state = 'final' and a.purpose = 'booking'
    group by 1, 2`.execute(db)
  return rows
}

/** Income and refunds in cents, by resource and month of the entry. */
export async function listIncome(db: Kysely<DB>, wanted: Reported) {
  return bookings(db, wanted)
    .innerJoin('ledger_entry as e', 'e.case_id', 'c.id')
    .innerJoin('ledger_line as l', 'l.entry_id', 'e.id')
    .where('l.account_id', 'in', [accounts.income, accounts.damages])
    .where(sql<boolean>`e.at <@ ${span(wanted)}`)
    .groupBy(['i.item_id', sql`2`])
    .orderBy(sql`2`)
    .select([
      'i.item_id as resource',
      monthOf('e.at').as('month'),
      sql<number>`coalesce(-sum(l.amount) filter (where l.account_id = ${accounts.income}), 0)::float8`.as('hire'),
      sql<number>`coalesce(-sum(l.amount) filter (where l.account_id = ${accounts.damages}), 0)::float8`.as('damages'),
    ])
    .execute()
}

/** Rejected bookings: their number, and the latest with the reason. */
export async function listRejections(db: Kysely<DB>, wanted: Reported, limit: number) {
  const rows = await bookings(db, wanted)
    .innerJoin('task as t', 't.case_id', 'c.id')
    .innerJoin('account as who', 'who.id', 't.decided_by')
    .leftJoin('submission as s', (on) => on.onRef('s.task_id', '=', 't.id').on('s.effect', '=', 'done'))
    .where('t.outcome', '=', 'reject')
    .where('t.state', '=', 'done')
    .where(sql<boolean>`t.decided_at <@ ${span(wanted)}`)
    .orderBy('t.decided_at', 'desc')
    .limit(limit)
    .select([
      's.id as id',
      'c.id as caseId',
      'c.reference',
      sql<string>`coalesce(c.subject ->> 'event', '')`.as('event'),
      'i.item_id as resource',
      't.name as desk',
      'who.name as by',
      't.decided_at as at',
      sql<string | null>`s.data ->> 'reason'`.as('reason'),
      sql<number>`(count(*) over ())::integer`.as('count'),
    ])
    .execute()
  return {
    count: rows[0]?.count ?? 0,
    items: rows.map(({ id, caseId, reference, event, resource, desk, by, at, reason }) => ({
      ...{ id: id ?? caseId, caseId, reference, event, resource, desk, by, reason },
      at: known(at, 'when a task was decided').toISOString(),
    })),
  }
}

/** How long desks took, in hours, by resource and month of the decision. */
export async function listLeadTimes(db: Kysely<DB>, wanted: Reported) {
  const hours = sql<number>`extract(epoch from t.decided_at - t.created_at)::float8 / 3600`
  return bookings(db, wanted)
    .innerJoin('task as t', 't.case_id', 'c.id')
    .where('t.state', '=', 'done')
    .where('t.decided_at', 'is not', null)
    .where(sql<boolean>`t.decided_at <@ ${span(wanted)}`)
    .groupBy(['t.desk', 'i.item_id', sql`4`])
    .orderBy('t.desk')
    .select([
      't.desk as desk',
      sql<string>`max(t.name)`.as('name'),
      'i.item_id as resource',
      monthOf('t.decided_at').as('month'),
      sql<number>`count(*)::integer`.as('decided'),
      sql<number>`percentile_cont(0.5) within group (order by ${hours})`.as('median'),
      sql<number>`max(${hours})`.as('slowest'),
    ])
    .execute()
}
