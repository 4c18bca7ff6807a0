import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { recordOf } from '../../kernel/objects.ts'
import { containing } from '../../kernel/like.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'
import { type LineEvent, noteLine } from './runs.ts'

export const lineStates = ['included', 'held', 'struck', 'left-out', 'returned'] as const
export type LineState = (typeof lineStates)[number]
/** State as people see it: an included line of a paid run is `paid`. */
export type ShownState = LineState | 'paid'

export function shownState(line: LineState, run: string): ShownState {
  return line === 'included' && run === 'paid' ? 'paid' : line
}

/** A line of a run. */
export interface LineRow {
  id: string
  case_id: string
  student_id: string
  name: string
  code: string
  faculty: string | null
  amount: number
  arrears: number
  total: number
  paid_to: JsonObject
  state: LineState
  reason: string | null
  question_open: boolean
  /** The desk that asked; null: the run itself, when it was prepared. */
  question_desk: string | null
  /** Registration numbers of other students with the same bank account. */
  shared_with: string[] | null
  changed_at: Date | null
  signature: 'pending' | 'signed'
  signed_at: Date | null
  signed_how: string | null
  bank_reference: string | null
  /** Number of its cheque. */
  cheque: string | null
  /** When somebody said that the month is owed after all, though the run left it out. */
  owed_at: Date | null
  /** Whether anything but a signature happened to it. */
  has_history: boolean
  /** What the arrears are of, by month. */
  owed: OwedMonth[]
}

/** A line of a former month that a line pays: why it was not paid then. */
export interface OwedMonth {
  month: string
  state: LineState
  /** Of a line that was left out the code of the reason, else what was written. */
  reason: string | null
  amount: number
}

/** Filter for the lines of a run; a line has to match all conditions. */
export interface LineFilter {
  state?: LineState
  signature?: 'pending' | 'signed'
  /** Only lines with an unanswered question. */
  questioned?: boolean
  changed?: boolean
  search?: string
}

/** How many lines of a run are in each state. */
export interface LineCounts {
  states: Record<LineState, number>
  /** Of the included lines. */
  signed: number
  questioned: number
  /** Of the included lines: those with the bank account of another student. */
  shared: number
  changed: number
  leftOut: { reason: string; count: number }[]
}

const columns = sql`l.id, l.case_id, l.student_id, l.name, l.code, f.title as faculty, l.amount::float8 as amount,
  l.arrears::float8 as arrears, l.total::float8 as total, l.paid_to, l.state, l.reason, l.question_open, l.question_desk,
  l.shared_with, l.changed_at,
  l.signature, l.signed_at, l.signed_how, l.bank_reference,
  (select q.number from run_cheque q where q.line_id = l.id) as cheque, l.owed_at,
  exists (select from run_line_event e where e.line_id = l.id and e.kind <> 'signed') as has_history,
  case when l.arrears > 0 then (
    select json_agg(json_build_object('month', br.month, 'state', b.state, 'reason', b.reason,
      'amount', run_line_owes(br.state, b)) order by br.month)
    from run_arrears a join run_line b on b.id = a.returned_id join run br on br.case_id = b.case_id
    where a.line_id = l.id) else '[]' end as owed`

/** A page of lines by name, after a given line. */
export async function pageOfLines(
  db: Kysely<DB>,
  caseId: string,
  filter: LineFilter,
  { after, limit }: { after?: readonly [name: string, id: string] | undefined; limit: number },
): Promise<{ rows: LineRow[]; count: number }> {
  const wanted = matching(caseId, filter)
  const { rows } = await sql<LineRow>`
    select ${columns} from run_line l left join register_item f on f.id = l.faculty_id
    where ${wanted} and ${after ? sql`(l.name, l.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`}
    order by l.name, l.id limit ${limit}`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select from run_line l where ${wanted} limit ${COUNT_LIMIT + 1}) as found`.execute(
    db,
  )
  return { rows, count: known(counted.rows[0], 'the count').count }
}

/** All lines in a state, by name. */
export async function listLines(db: Kysely<DB>, caseId: string, state?: LineState): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select ${columns} from run_line l left join register_item f on f.id = l.faculty_id
    where ${matching(caseId, state ? { state } : {})} order by l.name, l.id`.execute(db)
  return rows
}

export async function findLine(db: Kysely<DB>, caseId: string, id: string): Promise<LineRow | undefined> {
  return (await findLines(db, caseId, [id]))[0]
}

/** These lines of a run, by name. */
export async function findLines(db: Kysely<DB>, caseId: string, ids: readonly string[]): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select ${columns} from run_line l left join register_item f on f.id = l.faculty_id
    where l.case_id = ${caseId}::uuid and l.id = any(${ids}::uuid[]) order by l.name, l.id`.execute(db)
  return rows
}

export async function countLines(db: Kysely<DB>, caseId: string): Promise<LineCounts> {
  const { rows } = await sql<{
    state: LineState
    reason: string
    count: number
    signed: number
    questioned: number
    shared: number
    changed: number
  }>`
    select state, case when state = 'left-out' then reason else '' end as reason, count(*)::int as count,
      (count(*) filter (where state = 'included' and signature = 'signed'))::int as signed,
      (count(*) filter (where question_open))::int as questioned,
      (count(*) filter (where state = 'included' and shared_with is not null))::int as shared,
      (count(*) filter (where changed_at is not null))::int as changed
    from run_line where case_id = ${caseId}::uuid group by 1, 2 order by 2`.execute(db)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    states: recordOf(lineStates, (state) => sum((row) => (row.state === state ? row.count : 0))),
    signed: sum((row) => row.signed),
    questioned: sum((row) => row.questioned),
    shared: sum((row) => row.shared),
    changed: sum((row) => row.changed),
    leftOut: rows.filter(({ state }) => state === 'left-out').map(({ reason, count }) => ({ reason, count })),
  }
}

/** How many lines that the run pays have an open question of this desk, or of the run itself. */
export async function countQuestionsOf(db: Kysely<DB>, caseId: string, desk: string): Promise<number> {
  const row = await db
    .selectFrom('run_line')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('case_id', '=', caseId)
    .where('state', '=', 'included')
    .where('question_open', '=', true)
    .where((eb) =>
      eb.or([
        eb('question_desk', '=', desk),
        // Those of the run itself, unless it was prepared before questions held a decision.
        eb.and([
          eb('question_desk', 'is', null),
          eb.exists(sql`(select from run r where r.case_id = ${caseId}::uuid and r.agrees <> '{}')`),
        ]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The events of a line, oldest first. */
export async function listLineEvents(db: Kysely<DB>, line: string) {
  return db
    .selectFrom('run_line_event as e')
    .leftJoin('account as a', 'a.id', 'e.by_account')
    .select(['e.kind', 'e.text', 'e.how', 'e.at', 'e.by_account as byId', 'a.name as by'])
    .where('e.line_id', '=', line)
    .orderBy('e.id')
    .execute()
}

/** Moves a line from one of some states to another and logs it; false if it is in none of them. */
export async function moveLine(
  db: Kysely<DB>,
  event: LineEvent,
  from: readonly LineState[],
  to: {
    state?: LineState
    reason?: string | null
    question_open?: boolean
    question_desk?: string | null
    reversal_key?: string | null
    bank_reference?: string
    owed_at?: Date
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('run_line')
    .set(to)
    .where('id', '=', event.line)
    .where('case_id', '=', event.caseId)
    .where('state', 'in', [...from])
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await noteLine(db, event)
  return true
}

/** Reasons why a run leaves out a month that can be owed after all: what was missing may have come later. */
const reasonsToOwe: readonly unknown[] = ['attendance-missing', 'document-missing', 'not-certified', 'no-recipient']

/** Whether a month that a paid run has left out can be owed after all. */
export function canBeOwed({ state, reason, owed_at, amount }: LineRow): boolean {
  return state === 'left-out' && reasonsToOwe.includes(reason) && owed_at === null && amount > 0
}

/** Whether another scheme of the flow pays or owes the month of a line, if of these one alone may. */
export async function isClaimedElsewhere(db: Kysely<DB>, line: string): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`
    select r.once_per is not null and run_month_is_claimed(r.once_per, r.month, r.case_id, l.student_id) as claimed
    from run_line l join run r using (case_id) where l.id = ${line}::uuid`.execute(db)
  return known(rows[0], 'the line').claimed
}

/** Whether a later run pays what a line owes. */
export async function isTakenUp(db: Kysely<DB>, line: string): Promise<boolean> {
  const row = await db
    .selectFrom('run_arrears')
    .select('line_id')
    .where('returned_id', '=', line)
    .where('released', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/** How often the bank has returned a line. */
export async function countReturns(db: Kysely<DB>, line: string): Promise<number> {
  const { count } = await db
    .selectFrom('run_line_event')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('line_id', '=', line)
    .where('kind', '=', 'returned')
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface Signatures {
  lines: readonly string[]
  codes: readonly string[]
  how: string
  /** A student whose line is not signed. */
  except: string | null
}

/** A line that was signed just now; `total` in cents. */
export interface SignedLine {
  id: string
  name: string
  code: string
  total: number
}

/**
 * Signs the lines that are not signed, without those of `except`; returns them by name. Lines that are held back are signed
 * by students themselves, not from the sheet, which may be older.
 */
export async function signRunLines(
  db: Kysely<DB>,
  caseId: string,
  by: string,
  { lines, codes, how, except }: Signatures,
): Promise<SignedLine[]> {
  const { rows } = await sql<SignedLine>`
    with signed as (
      update run_line set signature = 'signed', signed_by = ${by}::uuid, signed_at = clock_timestamp(), signed_how = ${how}
      where case_id = ${caseId}::uuid and signature = 'pending'
        and (state = 'included' or state = 'held' and ${how} <> 'sheet') and (id = any(${[...lines]}::uuid[]) or sign_code = any(${[...codes]}::text[]))
        and student_id is distinct from ${except}::uuid
      returning id, name, code, total),
    noted as (
      insert into run_line_event (line_id, case_id, kind, by_account, how)
      select id, ${caseId}::uuid, 'signed', ${by}::uuid, ${how} from signed)
    select id, name, code, total::float8 as total from signed order by name, id`.execute(db)
  return rows
}

/** The lines with these ids or codes that are not signed. */
export async function listUnsigned(
  db: Kysely<DB>,
  caseId: string,
  { lines, codes }: Pick<Signatures, 'lines' | 'codes'>,
): Promise<(LineRow & { sign_code: string })[]> {
  const { rows } = await sql<LineRow & { sign_code: string }>`
    select ${columns}, l.sign_code from run_line l left join register_item f on f.id = l.faculty_id
    where l.case_id = ${caseId}::uuid and l.signature = 'pending'
      and (l.id = any(${[...lines]}::uuid[]) or l.sign_code = any(${[...codes]}::text[]))
    order by l.name, l.id`.execute(db)
  return rows
}

/** Some years of three schemes. */
const MAX_OWN_LINES = 240

/** Lines of a student, with the content of their QR codes; newest month first. */
export async function listLinesOfStudent(db: Kysely<DB>, student: string) {
  const { rows } = await sql<
    LineRow & {
      sign_code: string
      month: string
      scheme: string
      run_state: string
      signing: boolean
      reference: string
    }
  >`
    select ${columns}, l.sign_code, r.month, s.title as scheme, r.state as run_state, r.signing, c.reference
    from run_line l join run r on r.case_id = l.case_id join register_item s on s.id = r.scheme_id
      join flow_case c on c.id = r.case_id left join register_item f on f.id = l.faculty_id
    where l.student_id = ${student}::uuid and r.state <> 'void' order by r.month desc, l.id limit ${MAX_OWN_LINES}`.execute(
    db,
  )
  return rows
}

function matching(caseId: string, { state, signature, questioned, changed, search }: LineFilter): RawBuilder<boolean> {
  const like = search === undefined ? undefined : containing(search)
  const wanted = [
    sql`l.case_id = ${caseId}::uuid`,
    ...(state === undefined ? [] : [sql`l.state = ${state}`]),
    ...(signature === undefined ? [] : [sql`l.signature = ${signature} and l.state in ('included', 'held')`]),
    ...(questioned ? [sql`l.question_open`] : []),
    ...(changed ? [sql`l.changed_at is not null`] : []),
    ...(like === undefined ? [] : [sql`(l.name ilike ${like} or l.code ilike ${like})`]),
  ]
  return sql<boolean>`${sql.join(wanted, sql` and `)}`
}
