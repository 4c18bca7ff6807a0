import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { type PaidPayee } from '../../model/definitions/manifest.ts'
import { pathOf } from '../../model/definitions/register.ts'
import { beginningWith } from '../../kernel/like.ts'

/** Money between the university and a student that the ledger has moved. */
export interface StudentPayment {
  caseId: string
  reference: string
  flow: string
  subject: JsonObject
  /** Day in Colombo. */
  day: string
  student: string
  /** Registration number. */
  number: string
  /** What the student paid, in cents, or null. */
  received: number | null
  /** What the student was paid, in cents, or null; negative when the bank returned it. */
  paid: number | null
  state: 'received' | 'paid' | 'returned' | 'back' | 'cancelled'
}

/** Which payments are listed; null means all. */
interface PaymentsAsked {
  student?: string | null
  /** First and last day in Colombo. */
  from?: string | null
  until?: string | null
  /** How the reference of the case begins. */
  reference?: string | null
  flows: readonly string[]
  /** Flows that pay register entries, some of which are students. */
  payees?: readonly ({ flow: string } & PaidPayee)[]
  limit: number
}

/**
 * What students paid and were paid, newest first, from the entries of the ledger that move money on a bank account of
 * the university: the lines of paid runs, the payments that the bank returned, and the cases of `flows`, whose
 * requester pays or is paid, and those that pay a student as a payee. Sums of all rows are therefore those of the ledger.
 *
 * Each part is filtered and limited by itself, so that a list costs what it shows and not what the ledger has.
 */
export async function listStudentPayments(
  db: Kysely<DB>,
  { student = null, from = null, until = null, reference = null, flows, payees = [], limit }: PaymentsAsked,
): Promise<StudentPayment[]> {
  const only = (condition: RawBuilder<unknown>, value: string | null) => (value === null ? sql`true` : condition)
  const ofStudent = only(sql`s.id = ${student}::uuid`, student)
  const asked = sql`${ofStudent}
    and ${only(sql`e.at >= ${from}::date::timestamp at time zone 'Asia/Colombo'`, from)}
    and ${only(sql`e.at < (${until}::date + 1)::timestamp at time zone 'Asia/Colombo'`, until)}
    and ${only(sql`c.reference like ${beginningWith((reference ?? '').toUpperCase())}`, reference)}`
  const columns = sql`c.id as "caseId", c.reference, c.flow, c.subject, s.title as student,
    s.data ->> 'reg_no' as number, e.at, e.id as entry`
  const newest = sql`order by e.at desc, e.id desc, s.title limit ${limit}`
  const ofBank = sql`select sum(l.amount) as amount from ledger_line l
    where l.entry_id = e.id and split_part(l.account_id, ':', 1) = 'bank'`
  const { rows } = await sql<StudentPayment>`
    with payee as (${casesOfPayees(payees)}),
    payment as (
      (select ${columns}, null::bigint as received, l.total as paid,
        case when l.state = 'returned' then 'returned' else 'paid' end as state
      from ledger_entry e join run r on r.entry_key = e.key
        join run_line l on l.case_id = r.case_id and l.state in ('included', 'returned')
        join flow_case c on c.id = r.case_id join register_item s on s.id = l.student_id
      where ${asked} ${newest})
      union all
      (select ${columns}, null, -l.total, 'back'
      from ledger_entry e join run_line l on l.reversal_key = e.key
        join flow_case c on c.id = l.case_id join register_item s on s.id = l.student_id
      where l.reversal_key is not null and ${asked} ${newest})
      union all
      (select ${columns}, case when not came.back then nullif(greatest(moved.amount, 0), 0) end,
        case when came.back then -moved.amount else nullif(greatest(-moved.amount, 0), 0) end,
        case when came.back then 'back' when moved.amount > 0 then 'received' else 'paid' end
      from ledger_entry e join flow_case c on c.id = e.case_id and c.flow = any(${[...flows]}::text[])
        join account a on a.id = c.requester_id
        join register_item s on s.id = a.record_id and s.register = 'platform/student'
        cross join lateral (${ofBank}) moved
        cross join lateral (select e.kind = 'payment-came-back' as back) came
      where moved.amount <> 0 and ${asked} ${newest})
      union all
      (select ${columns}, null, -moved.amount, case when moved.amount > 0 then 'cancelled' else 'paid' end
      from payee join flow_case c on c.id = payee.case_id join ledger_entry e on e.case_id = c.id
        -- The two forms of an NIC are one number; students have the long one.
        join register_unique u on u.register = 'platform/student' and u.field in ('/reg_no', '/nic') and u.value in (payee.number,
          regexp_replace(payee.number, '^([0-9]{5})([0-9]{4})[vx]$', '19\\10\\2'))
        join register_item s on s.id = u.item_id
        cross join lateral (${ofBank}) moved
      where moved.amount <> 0 and ${asked} ${newest}))
    select "caseId", reference, flow, subject, to_char(at at time zone 'Asia/Colombo', 'YYYY-MM-DD') as day, student,
      number, received::float8 as received, paid::float8 as paid, state
    from payment order by at desc, entry desc, student limit ${limit}`.execute(db)
  return rows
}

/**
 * The cases that pay a payee, with the payee's number. The payee as the case names it: a later change of the entry
 * changes no statement. Normalised as `register_unique`.
 */
function casesOfPayees(payees: NonNullable<PaymentsAsked['payees']>): RawBuilder<unknown> {
  const paid = payees.map(({ flow, item, number, when }) => {
    const value = (pointer: string) => sql`p.data #>> ${pathOf(pointer)}::text[]`
    return sql`select c.id as case_id, lower(trim(normalize(${value(number)}, NFKC))) as number
      from flow_case c join case_item i on i.case_id = c.id and i.path = ${item}
        join register_item_version p on p.item_id = i.item_id and p.version = i.item_version
          and ${value(when.field)} = ${when.is}
      where c.flow = ${flow}`
  })
  const none = sql`select null::uuid as case_id, '' as number where false`
  return paid.length > 0 ? sql.join(paid, sql` union all `) : none
}
