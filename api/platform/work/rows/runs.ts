import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { pathOf } from '../../model/definitions/register.ts'
import type { RunDefinition } from '../../model/definitions/run.ts'

/** A run as its rows describe it. */
export interface RunRow {
  case_id: string
  scheme_id: string
  month: string
  method: 'transfer' | 'cheque'
  paid_from: string
  signing: boolean
  state: 'open' | 'paid' | 'void'
  lines: number
  total: number
  returned: number
  paid_at: Date | null
  /** When the file for the bank was first taken. */
  bank_file_at: Date | null
}

/** An event of a line. */
export interface LineEvent {
  line: string
  caseId: string
  kind:
    | 'questioned'
    | 'answered'
    | 'withdrawn'
    | 'held'
    | 'released'
    | 'struck'
    | 'signed'
    | 'left-out'
    | 'returned'
    | 'owed'
    | 'settled'
  /** Null: the system. */
  by: string | null
  text?: string | null
  how?: string | null
}

/** Runs; the database maintains their sums and enforces their rules. */
const runs = (db: Kysely<DB>) =>
  db
    .selectFrom('run')
    .select([
      'case_id',
      'scheme_id',
      'month',
      'method',
      'paid_from',
      'signing',
      'state',
      'lines',
      'total',
      'returned',
      'paid_at',
      'bank_file_at',
    ])

export async function createRun(
  db: Kysely<DB>,
  given: {
    caseId: string
    schemeId: string
    month: string
    method: RunRow['method']
    paidFrom: string
    signing: boolean
    /** The status of students who may be paid, and that of their entries as recipients. */
    payableStatus: string
    recipientStatus: string
    /** The status of bank accounts that are paid; null if the flow pays to none. */
    accountStatus: string | null
    /** Whether of the flow's schemes one alone pays a student in a month. */
    oncePerMonth: boolean
    /** Whether attendance holds back a month that has not begun. */
    attended: boolean
    /** By desk the outcome with which it agrees. */
    agrees: Readonly<Record<string, string>>
    by: string
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('run')
    .values({
      case_id: given.caseId,
      scheme_id: given.schemeId,
      month: given.month,
      method: given.method,
      paid_from: given.paidFrom,
      signing: given.signing,
      payable_status: given.payableStatus,
      recipient_status: given.recipientStatus,
      account_status: given.accountStatus,
      attended: given.attended,
      once_per: given.oncePerMonth ? sql`(select flow from flow_case where id = ${given.caseId}::uuid)` : null,
      agrees: JSON.stringify(given.agrees),
      prepared_by: given.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findRun(db: Kysely<DB>, caseId: string): Promise<RunRow | undefined> {
  const row = await runs(db).where('case_id', '=', caseId).executeTakeFirst()
  return row && rowOf(row)
}

/**
 * Locks a scheme and then its runs until the transaction ends: one run of a scheme is prepared at a time, or two would
 * pay the same arrears, and nothing comes back from a bank or is struck between the sum of the arrears and their list.
 */
export async function lockScheme(db: Kysely<DB>, schemeId: string): Promise<void> {
  await db
    .selectFrom('register_item')
    .select('id')
    .where('id', '=', schemeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await db
    .selectFrom('run')
    .select('case_id')
    .where('scheme_id', '=', schemeId)
    .orderBy('case_id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Takes turns with the other schemes of the flow, if of these one alone pays a student in a month: preparations do not
 * miss each other's lines. Callers hold the locks of their scheme.
 */
export async function lockMonth(db: Kysely<DB>, caseId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('run-month:' || once_per || ':' || month, 0))
    from run where case_id = ${caseId}::uuid and once_per is not null`.execute(db)
}

/** The run, locked until the transaction ends. */
export async function lockRun(db: Kysely<DB>, caseId: string): Promise<RunRow | undefined> {
  const row = await runs(db).where('case_id', '=', caseId).forNoKeyUpdate().executeTakeFirst()
  return row && rowOf(row)
}

export async function setRunPaidFrom(db: Kysely<DB>, caseId: string, paidFrom: string): Promise<void> {
  await db.updateTable('run').set({ paid_from: paidFrom }).where('case_id', '=', caseId).execute()
}

/** Notes that the file for the bank was taken; the first time counts. */
export async function setBankFileTaken(db: Kysely<DB>, caseId: string): Promise<void> {
  await db
    .updateTable('run')
    .set({ bank_file_at: new Date() })
    .where('case_id', '=', caseId)
    .where('method', '=', 'transfer')
    .where('bank_file_at', 'is', null)
    .execute()
}

export async function setRunPaid(db: Kysely<DB>, caseId: string, entryKey: string, at: Date): Promise<void> {
  await db
    .updateTable('run')
    .set({ state: 'paid', entry_key: entryKey, paid_at: at })
    .where('case_id', '=', caseId)
    .execute()
}

/**
 * Leaves out the lines of a run that cannot be paid now: of students who are no longer active, whose entry as a
 * recipient is out of use (with the reason in its field, if any), or whose bank account is not as it was certified, and
 * where signatures are needed those without one. Returns how many lack a signature, and how many the rest.
 */
export async function leaveOutUnpaid(
  db: Kysely<DB>,
  caseId: string,
  paused: RunDefinition['recipients']['paused'],
): Promise<{ inactive: number; unsigned: number }> {
  const pause = paused
    ? sql`case when p.status = ${paused.status} then coalesce(p.data #>> ${pathOf(paused.reason)}::text[], 'paused') end`
    : sql`null::text`
  const { rows } = await sql<{ reason: string }>`
    with unpaid as (
      select l.id, case when s.status <> r.payable_status then 'student-not-active'
        when p.status <> r.recipient_status then coalesce(${pause}, 'no-recipient')
        when not run_line_is_payable(l, r) then 'account-not-certified' else 'not-signed' end as reason
      from run_line l join run r using (case_id) join register_item s on s.id = l.student_id
        left join register_item p on p.id = l.recipient_id
      where case_id = ${caseId}::uuid and l.state = 'included'
        and (not run_line_is_payable(l, r) or (r.signing and l.signature = 'pending'))),
    left_out as (
      update run_line l set state = 'left-out', reason = u.reason from unpaid u where u.id = l.id
      returning l.id, l.reason)
    insert into run_line_event (line_id, case_id, kind, text)
    select id, ${caseId}::uuid, 'left-out', reason from left_out returning text as reason`.execute(db)
  const unsigned = rows.filter(({ reason }) => reason === 'not-signed').length
  return { inactive: rows.length - unsigned, unsigned }
}

export async function noteLine(db: Kysely<DB>, event: LineEvent): Promise<void> {
  await db
    .insertInto('run_line_event')
    .values({
      line_id: event.line,
      case_id: event.caseId,
      kind: event.kind,
      by_account: event.by,
      text: event.text ?? null,
      how: event.how ?? null,
    })
    .execute()
}

/** When a person last changed a line of the run. */
export async function lastLineChange(db: Kysely<DB>, caseId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('run_line')
    .select((eb) => eb.fn.max('changed_at').as('at'))
    .where('case_id', '=', caseId)
    .executeTakeFirst()
  return row?.at ?? null
}

function rowOf(
  row: Omit<RunRow, 'total' | 'returned'> & {
    total: string | number | bigint
    returned: string | number | bigint
  },
): RunRow {
  return { ...row, total: Number(row.total), returned: Number(row.returned) }
}
