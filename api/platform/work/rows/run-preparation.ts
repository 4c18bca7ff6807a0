import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { RunAttendance, RunDefinition } from '../../model/definitions/run.ts'
import { type RegisterDefinition, inUse, pathOf } from '../../model/definitions/register.ts'
import { type Registers, field, includes, listedIn, used } from './listings.ts'

/** What a run pays, with the values that its manifest names. */
export interface Preparation {
  caseId: string
  run: RunDefinition
  schemeId: string
  month: string
  method: 'transfer' | 'cheque'
  /** The same amount in cents for everybody, if no register holds it. */
  fixedAmount?: number | null
}

/** At most this many students with the same bank account are named. */
const SHARING_NAMED = 6

type Source = { [name: string]: RawBuilder<unknown> }

/**
 * Prepares the lines of a run in one statement: everybody the month is for, with their present amount and account, or
 * the reason why they are left out. A line whose bank account another student has too, be it an existing one, gets a
 * question, with their registration numbers.
 */
export async function insertLines(
  trx: Transaction<DB>,
  preparation: Preparation,
  registers: Registers,
  { later }: { later: boolean },
): Promise<void> {
  const { caseId, run, schemeId, method } = preparation
  const students = referredTo(registers, run.recipients.register, run.recipients.student)
  const source = sources(preparation, registers)
  // PostgreSQL has no statistics on the data of entries. It would expect one row each and loop over thousands for each
  // of thousands.
  await sql`set local enable_nestloop = off`.execute(trx)
  await sql`
    with recipient as (${source['recipient']}),
      value as (${source['value']}),
      attendance as (${source['attendance']}),
      elsewhere as (${source['elsewhere']}),
      account as (${source['account']}),
      shared as (${sharedAccounts(students)}),
      arrears as (
        select l.student_id, sum(run_line_owes(r.state, l)) as amount from run_line l join run r using (case_id)
        where r.scheme_id = ${schemeId}::uuid and l.state in ('returned', 'held', 'left-out')
          and run_line_owes(r.state, l) > 0
          and not exists (select from run_arrears a where a.returned_id = l.id and not a.released)
        group by l.student_id),
      -- Who is no recipient any more, or not at present, still gets what is owed.
      payee as (
        select coalesce(p.student_id, arrears.student_id) as student_id, p.id as recipient_id, p.complete,
          coalesce(case when p.id is not null then coalesce(p.own, value.amount) end, 0) as amount,
          coalesce(arrears.amount, 0) as arrears, p.pause
        from (select * from recipient where pause is null or student_id not in (select student_id from arrears)) p
          full join arrears using (student_id) left join value on true),
      judged as (${judgedPayees({ run, method }, students)}),
      prepared as (
        select *, coalesce(data #>> ${pathOf(students.codeField ?? '/')}::text[], '') as code from judged),
      added as (
        insert into run_line (case_id, student_id, recipient_id, name, code, faculty_id, amount, arrears, paid_to, state, reason,
          changed_at, shared_with, question_open)
        select ${caseId}::uuid, student_id, case when amount > 0 then recipient_id end, name, code,
          (data ->> 'faculty')::uuid, amount, case when reason is null then arrears else 0 end,
          case when ${method === 'transfer'}::boolean then coalesce(paid_to, '{}') else '{}' end,
          case when reason is null then 'included' else 'left-out' end, reason,
          case when ${later}::boolean and reason is null then clock_timestamp() end,
          case when asks then array_remove(codes, code) end, asks
        from prepared, lateral (select reason is null and ${method === 'transfer'}::boolean and codes is not null as asks) a
        on conflict (case_id, student_id) do nothing returning id, shared_with),
      -- A line that was there already is asked about, too, if somebody has its account who did not before.
      joined as (
        update run_line l set shared_with = array_remove(shared.codes, l.code), question_open = true, question_desk = null
        from shared where l.case_id = ${caseId}::uuid and l.state = 'included' and shared.bank = l.paid_to ->> 'bank'
          and shared.account = ${significant(sql`l.paid_to ->> 'account'`)}
          and not array_remove(shared.codes, l.code) <@ coalesce(l.shared_with, '{}')
        returning l.id, l.shared_with)
    insert into run_line_event (line_id, case_id, kind, how, text)
    select id, ${caseId}::uuid, 'questioned', 'shared-account', array_to_string(shared_with, ', ')
    from (select * from added union all select * from joined) asked where shared_with is not null`.execute(trx)
  await sql`set local enable_nestloop = on`.execute(trx)
}

/** Marks the arrears that the lines of this run pay. */
export async function takeUpArrears(trx: Transaction<DB>, caseId: string): Promise<void> {
  await sql`
    insert into run_arrears (returned_id, line_id)
    select back.id, line.id from run_line line join run of_line on of_line.case_id = line.case_id
      join run_line back on back.student_id = line.student_id
      join run of_back on of_back.case_id = back.case_id and of_back.scheme_id = of_line.scheme_id
    where line.case_id = ${caseId}::uuid and line.arrears > 0 and run_line_owes(of_back.state, back) > 0
      and not exists (select from run_arrears a where a.line_id = line.id)
      and not exists (select from run_arrears a where a.returned_id = back.id and not a.released)`.execute(trx)
}

/** Deletes the lines that were left out, so that they are prepared again. */
export async function forgetLeftOut(trx: Transaction<DB>, caseId: string): Promise<void> {
  await trx.deleteFrom('run_line').where('case_id', '=', caseId).where('state', '=', 'left-out').execute()
}

/** The run of a scheme and month that counts, with its case. */
export async function findRunOf(db: Kysely<DB>, schemeId: string, month: string) {
  return db
    .selectFrom('run')
    .innerJoin('flow_case as c', 'c.id', 'run.case_id')
    .innerJoin('account as a', 'a.id', 'run.prepared_by')
    .select(['c.id', 'c.reference', 'a.name as by'])
    .where('scheme_id', '=', schemeId)
    .where('month', '=', month)
    .where('run.state', '<>', 'void')
    .executeTakeFirst()
}

/** The sources of a run, each as a select. */
function sources(preparation: Preparation, registers: Registers): Source {
  const { run, schemeId, month } = preparation
  const { recipients, attendance, account } = run
  const ofScheme = (pointer: string | undefined) =>
    pointer === undefined ? sql`true` : sql`${field(pointer)} = ${schemeId}`
  const inUseOf = (register: string) => used(register, registers)
  const { paused } = recipients
  const definition = registerNamed(registers, recipients.register)
  const active = inUse(definition)
  const toCertify = definition.certified ? definition.statuses[1] : undefined
  const listed = [active, toCertify, paused?.status].filter((status) => status !== undefined)
  return {
    recipient: sql`
      select distinct on (${field(recipients.student)}) i.id, (${field(recipients.student)})::uuid as student_id,
        ${recipients.complete === undefined ? sql`true` : sql`coalesce((${field(recipients.complete)})::boolean, false)`} as complete,
        ${recipients.amount === undefined ? sql`null::bigint` : sql`(${field(recipients.amount)})::bigint`} as own,
        case when i.status = ${active} then null when i.status = ${toCertify ?? null} then 'not-certified'
          else ${paused ? sql`coalesce(${field(paused.reason)}, 'paused')` : sql`'paused'`} end as pause
      from register_item i where i.register = ${recipients.register}
        and i.status = any(${listed}::text[]) and ${ofScheme(recipients.scheme)}
        and ${includes(recipients, month)}
      order by ${field(recipients.student)}, i.status <> ${active}, i.created_at, i.id`,
    value: valueOf(preparation, inUseOf, ofScheme),
    attendance: attendance
      ? sql`select distinct on (1) ${field(attendance.recipient)} as recipient, ${attended(attendance)} as attended
          from register_item i where ${inUseOf(attendance.register)} and left(${lookup(attendance.month)}, 7) = ${month}
          order by 1, i.changed_at desc`
      : sql`select null as recipient, null::boolean as attended where false`,
    elsewhere: sql.join(
      [claimedBySchemes(preparation), ...(run.unless ?? []).map((one) => listedIn(one, registers, month))],
      sql` union `,
    ),
    account: account
      ? accountsOf(account, registers)
      : sql`select null as student, null::jsonb as paid_to, false as certified where false`,
  }
}

/** Whose month another scheme of the flow pays or owes, if of these one alone pays a student in a month. */
function claimedBySchemes({ caseId }: Preparation): RawBuilder<unknown> {
  return sql`
    select l.student_id::text as person from run own join run r on r.once_per = own.once_per and r.month = own.month
      join run_line l on l.case_id = r.case_id
    where own.case_id = ${caseId}::uuid and r.state <> 'void' and r.case_id <> own.case_id and run_line_claims(l)`
}

/** Whether an entry `i` records enough attendance; null if it does not say. Compared without rounding. */
function attended(attendance: RunAttendance): RawBuilder<unknown> {
  if ('is' in attendance) return sql`${field(attendance.attended)} = ${attendance.is}`
  const { present, held, least } = attendance
  return sql`100 * (${field(present)})::integer >= (${lookup(least)})::integer * (${field(held)})::integer`
}

function valueOf(
  { run: { amount }, month, fixedAmount = null }: Preparation,
  inUseOf: (register: string) => RawBuilder<unknown>,
  ofScheme: (pointer: string | undefined) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if ('at' in amount) return sql`select ${fixedAmount}::bigint as amount`
  return sql`select (${field(amount.value)})::bigint as amount from register_item i
    where ${inUseOf(amount.register)} and ${ofScheme(amount.scheme)} and left(${field(amount.from)}, 7) <= ${month}
    order by left(${field(amount.from)}, 7) desc, i.created_at desc limit 1`
}

/** The accounts of students as banks write them: codes without our prefix, the number without spaces. */
function accountsOf(account: NonNullable<RunDefinition['account']>, registers: Registers): RawBuilder<unknown> {
  const codeAt = (pointer: string) =>
    pathOf(known(referredTo(registers, account.register, pointer).codeField, `the codes of ${pointer}`))
  const certified = sql`i.status = ${inUse(registerNamed(registers, account.register))}`
  return sql`
    select distinct on (1) ${field(account.student)} as student, ${certified} as certified,
      jsonb_build_object('account', regexp_replace(${field(account.number)}, '[ -]', '', 'g'), 'name', ${field(account.name)},
        'bank', bank.data #>> ${codeAt(account.bank)}::text[], 'bankName', bank.title,
        'branch', right(branch.data #>> ${codeAt(account.branch)}::text[], 3), 'branchName', branch.title,
        'item', i.id, 'version', i.version) as paid_to
    from register_item i join register_item bank on bank.id = (${field(account.bank)})::uuid
      join register_item branch on branch.id = (${field(account.branch)})::uuid
    where i.register = ${account.register} order by 1, (${certified}) desc, i.changed_at desc`
}

/**
 * Each payee with their account, and the reason why they are left out. What this month alone bars, for good, does not
 * hold back what is owed of former ones: the line then pays these. Who lacks attendance or a document waits with both,
 * because this month can still be owed.
 */
function judgedPayees(
  { run, method }: Pick<Preparation, 'run' | 'method'>,
  students: RegisterDefinition,
): RawBuilder<unknown> {
  return sql`
    select payee.student_id, payee.recipient_id, case when not (barred and arrears > 0) then amount else 0 end as amount,
      payee.arrears, s.title as name, s.data, account.paid_to, shared.codes, case
      when s.status <> ${inUse(students)} then 'student-not-active'
      when payee.pause is not null then payee.pause
      when payee.complete is false then 'document-missing'
      when recipient_id is not null and elsewhere.person is not null and arrears = 0 then 'other-scheme'
      when ${run.attendance !== undefined}::boolean and recipient_id is not null and attendance.attended is null
          and elsewhere.person is null
        then 'attendance-missing'
      when recipient_id is not null and not attendance.attended and arrears = 0
        then ${run.attendance && 'least' in run.attendance ? 'attendance-too-low' : 'not-attended'}
      when payee.amount + payee.arrears = 0 then 'no-value'
      when ${method === 'transfer'}::boolean and account.paid_to is null then 'no-account'
      when ${method === 'transfer'}::boolean and not account.certified then 'account-not-certified'
    end as reason
    from payee join register_item s on s.id = payee.student_id
      left join attendance on attendance.recipient = payee.recipient_id::text
      left join elsewhere on elsewhere.person = payee.student_id::text
      left join account on account.student = payee.student_id::text
      left join shared on shared.bank = account.paid_to ->> 'bank'
        and shared.account = ${significant(sql`account.paid_to ->> 'account'`)},
      lateral (select recipient_id is not null
        and (elsewhere.person is not null or coalesce(not attendance.attended, false)) as barred) b`
}

/** An account number without leading zeros: banks write one number with and without them. */
function significant(number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ltrim(${number}, '0')`
}

/** Each account that several students have certified, with the first of their registration numbers. */
function sharedAccounts(students: RegisterDefinition): RawBuilder<unknown> {
  return sql`
    select paid_to ->> 'bank' as bank, ${significant(sql`paid_to ->> 'account'`)} as account,
      (array_agg(s.data #>> ${pathOf(students.codeField ?? '/')}::text[] order by s.title, s.id))[1:${sql.lit(SHARING_NAMED)}] as codes
    from account join register_item s on s.id = account.student::uuid
    where account.certified group by 1, 2 having count(*) > 1`
}

/** The statuses of students who may be paid, of their entries as recipients, and of their bank accounts. */
export function payableStatuses({ recipients: { register, student }, account }: RunDefinition, registers: Registers) {
  return {
    accountStatus: account ? inUse(registerNamed(registers, account.register)) : null,
    payableStatus: inUse(referredTo(registers, register, student)),
    recipientStatus: inUse(registerNamed(registers, register)),
  }
}

/** The register that a field of another register's entries refers to. */
function referredTo(registers: Registers, register: string, pointer: string): RegisterDefinition {
  const [name] = pathOf(pointer)
  const property = name === undefined ? undefined : registers.get(register)?.item.properties?.[name]
  const named = property?.['x-register']
  if (named === undefined) throw new Error(`${register}${pointer} names no register`)
  return registerNamed(registers, named)
}

function registerNamed(registers: Registers, name: string): RegisterDefinition {
  return known(registers.get(name), `the register ${name}`)
}

/** Like `field`, or with `#` a field of the entry that a field of `i` names. */
function lookup(pointer: string): RawBuilder<string> {
  const [own = '', further] = pointer.split('#')
  if (further === undefined) return field(own)
  const path =
    further === '/title' ? sql`named.title` : sql`named.data #>> ${pathOf(further.replace('/data', ''))}::text[]`
  return sql<string>`(select ${path} from register_item named where named.id = (${field(own)})::uuid)`
}
