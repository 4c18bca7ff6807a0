import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'

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
  state: 'received' | 'paid' | 'returned' | 'back'
}

/**
 * What students paid and were paid, newest first, from the entries of the ledger that move money on a bank account of
 * the university: the lines of paid runs, the payments that the bank returned, and the cases of `flows`, whose
 * requester pays or is paid. Sums of all rows are therefore those of the ledger.
 */
export async function listStudentPayments(
  db: Kysely<DB>,
  {
    student = null,
    from = null,
    until = null,
    flows,
    limit,
  }: { student?: string | null; from?: string | null; until?: string | null; flows: readonly string[]; limit: number },
): Promise<StudentPayment[]> {
  const { rows } = await sql<StudentPayment>`
    with moved as (
      select e.id as entry, e.at, l.case_id, l.student_id, null::bigint as received, l.total as paid,
        case when l.state = 'returned' then 'returned' else 'paid' end as state
      from run r join ledger_entry e on e.key = r.entry_key
      join run_line l on l.case_id = r.case_id and l.state in ('included', 'returned')
      where ${student}::uuid is null or l.student_id = ${student}::uuid
      union all
      select e.id, e.at, l.case_id, l.student_id, null, -l.total, 'back'
      from run_line l join ledger_entry e on e.key = l.reversal_key
      where ${student}::uuid is null or l.student_id = ${student}::uuid
      union all
      select e.id, e.at, c.id, a.record_id, nullif(greatest(sum(l.amount), 0), 0), nullif(greatest(-sum(l.amount), 0), 0),
        case when sum(l.amount) > 0 then 'received' else 'paid' end
      from flow_case c join account a on a.id = c.requester_id
      join register_item i on i.id = a.record_id and i.register = 'platform/student'
      join ledger_entry e on e.case_id = c.id
      join ledger_line l on l.entry_id = e.id and split_part(l.account_id, ':', 1) = 'bank'
      where c.flow = any(${[...flows]}::text[]) and (${student}::uuid is null or a.record_id = ${student}::uuid)
      group by e.id, e.at, c.id, a.record_id having sum(l.amount) <> 0)
    select "caseId", reference, flow, subject, day, student, number, received, paid, state from (
      select m.case_id as "caseId", c.reference, c.flow, c.subject,
        to_char(m.at at time zone 'Asia/Colombo', 'YYYY-MM-DD') as day, s.title as student,
        s.data ->> 'reg_no' as number, m.received::float8 as received, m.paid::float8 as paid, m.state, m.at, m.entry
      from moved m join flow_case c on c.id = m.case_id join register_item s on s.id = m.student_id) payment
    where day between coalesce(${from}, '0001-01-01') and coalesce(${until}, '9999-12-31')
    order by at desc, entry desc, student limit ${limit}`.execute(db)
  return rows
}
