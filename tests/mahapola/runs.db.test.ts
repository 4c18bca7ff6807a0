import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import type { JobHelpers } from 'graphile-worker'
import { sql } from 'kysely'
import { extractText, getDocumentProxy } from 'unpdf'
import { oweLine, settleReturned } from '../../api/platform/features/runs/acts.ts'
import { numberCheques } from '../../api/platform/features/runs/cheques.ts'
import { runPaper } from '../../api/platform/features/runs/papers.ts'
import { studentMailTasks } from '../../api/platform/features/runs/student-mails.ts'
import { runSheet } from '../../api/platform/features/runs/sheets.ts'
import type { BankColumn } from '../../api/platform/model/definitions/run.ts'
import { loadReports } from '../../api/platform/model/definitions/report.ts'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { personOf } from '../../api/platform/people/persons/person.ts'
import { findCaseRow } from '../../api/platform/work/rows/cases.ts'
import { lockRun, setBankFileTaken } from '../../api/platform/work/rows/runs.ts'
import { listLineEvents, moveLine } from '../../api/platform/work/rows/run-lines.ts'
import { reverseLine } from '../../api/platform/work/runs/pay.ts'
import { anAccount, anItem } from '../platform/kit/rows.ts'
import { FLOW, type RunWorld, VALUE, runWorld } from './run-world.ts'

let world: RunWorld
beforeAll(async () => {
  world = await runWorld()
})
afterAll(() => world.database.drop())

const MONTHS = ['2026-10', '2026-11', '2026-12']

async function aRun(count = 3, month = '2026-10') {
  const scheme = await world.aScheme()
  await world.students(scheme, count, MONTHS)
  const caseId = await world.prepare(scheme, month)
  return { scheme, caseId, lines: await world.lines(caseId) }
}

const setStatus = (id: string, status: string) =>
  world.db.updateTable('register_item').set({ status }).where('id', '=', id).execute()

/** Signs these lines of a run, or all. */
const signAll = async (caseId: string, some?: string[]) =>
  world.sign(caseId, some ?? (await world.lines(caseId)).map(({ id }) => id))

const runOf = (caseId: string) =>
  world.db.selectFrom('run').selectAll().where('case_id', '=', caseId).executeTakeFirstOrThrow()

/** Somebody who sees the case of a run, with a role. */
async function readerOf(caseId: string, role?: string) {
  const { db, library, person: id } = world
  const grants = role === undefined ? [] : [{ role, scopeKind: null, scopeId: null }]
  const row = (await findCaseRow(db, caseId))!
  const reader = personOf({ id, username: 'x', name: 'X', email: 'x@example.lk', post: null }, grants, {})
  const deps = {
    db,
    library,
    definitions: definitionStore(db),
    cases: { check: async () => row, list: () => Promise.reject(new Error('no list is read')) },
  }
  return { deps, reader, row }
}

/** A desk's answer that agrees to a run. */
async function agreedBy(caseId: string, desk: string): Promise<void> {
  const { db, person } = world
  const of = (await findCaseRow(db, caseId))!
  const task = {
    id: randomUUID(),
    case_id: caseId,
    process_definition_id: FLOW,
    desk,
    name: 'AR',
    created_at: new Date(),
  }
  await db.insertInto('task').values(task).execute()
  const data = JSON.stringify({ outcome: 'approve' })
  await db
    .insertInto('submission')
    .values({
      ...{
        id: randomUUID(),
        case_id: caseId,
        task_id: task.id,
        form_key: 'mahapola/decision',
        form_hash: of.flow_hash,
      },
      ...{ data, submitted_by: person, effect: 'done' },
    })
    .execute()
}

test('a scheme has one run a month, and a second preparer is told so; a rejected run does not count', async () => {
  const { scheme, caseId } = await aRun()
  await expect(world.prepare(scheme, '2026-10')).rejects.toMatchObject({
    fields: [{ field: '/month', code: 'platform.run-exists', values: { reference: expect.any(String) } }],
  })
  await world.reject(caseId)
  expect(await world.prepare(scheme, '2026-10')).not.toBe(caseId)
})

test('students who cannot be paid are left out with the reason, and the others are paid', async () => {
  const scheme = await world.aScheme()
  await world.students(scheme, 4, MONTHS)
  const students = await sql<{ id: string; recipient: string }>`
    select s.id, r.id as recipient from register_item r join register_item s on s.id = (r.data ->> 'student')::uuid
    where r.register = 'mahapola/recipient' and r.data ->> 'scheme' = ${scheme} order by s.title`.execute(world.db)
  const [suspended, absent, incomplete] = students.rows
  const item = (id: string) => world.db.updateTable('register_item').where('id', '=', id)
  await setStatus(suspended!.id, 'suspended')
  await item(incomplete!.recipient)
    .set({ data: sql`data || '{"documents_complete": false}'` })
    .execute()
  await sql`update register_item set data = data || '{"attendance": "Absent"}'
    where register = 'mahapola/attendance' and data ->> 'recipient' = ${absent!.recipient}`.execute(world.db)
  const caseId = await world.prepare(scheme, '2026-10')
  expect((await world.lines(caseId)).map(({ state, reason }) => [state, reason])).toEqual([
    ['left-out', 'student-not-active'],
    ['left-out', 'not-attended'],
    ['left-out', 'document-missing'],
    ['included', null],
  ])
  expect(await runOf(caseId)).toMatchObject({ lines: 1 })
})

test('a month is paid by the newest value that is not of a later month', async () => {
  const scheme = await world.aScheme()
  await world.students(scheme, 1, MONTHS)
  await anItem(world.db, 'mahapola/installment-value', { data: { scheme, from: '2026-11', amount: VALUE + 100_000 } })
  await anItem(world.db, 'mahapola/installment-value', { data: { scheme, from: '2026-12', amount: VALUE + 200_000 } })
  const paid = async (month: string) => (await world.lines(await world.prepare(scheme, month))).map((one) => one.amount)
  expect([await paid('2026-10'), await paid('2026-11')]).toEqual([[VALUE], [VALUE + 100_000]])
})

test('the total follows every line, and nothing else writes it', async () => {
  const { caseId, lines } = await aRun()
  expect(Number((await runOf(caseId)).total)).toBe(3 * VALUE)
  await world.move(caseId, lines[0]!.id, 'hold')
  await world.move(caseId, lines[1]!.id, 'strike')
  // Neither is signed from a sheet that is older.
  await expect(
    sql`update run_line set signature = 'signed', signed_by = ${world.person}, signed_at = now(), signed_how = 'sheet'
    where id = ${lines[0]!.id}`.execute(world.db),
  ).rejects.toThrow('is not signed by sheet')
  expect(await world.sign(caseId, [lines[0]!.id, lines[1]!.id])).toEqual([])
  expect(Number((await runOf(caseId)).total)).toBe(VALUE)
  await world.move(caseId, lines[0]!.id, 'release')
  expect(Number((await runOf(caseId)).total)).toBe(2 * VALUE)
  await expect(sql`update run set total = 1 where case_id = ${caseId}`.execute(world.db)).rejects.toThrow('permission')
  await expect(sql`update run_line set amount = 1 where case_id = ${caseId}`.execute(world.db)).rejects.toThrow(
    'permission',
  )
})

test('a run is paid once, as the ledger posted it and without unsigned lines; then its lines are final', async () => {
  const { caseId, lines } = await aRun()
  await world.sign(caseId, [lines[0]!.id, lines[1]!.id])
  expect(await world.pay(caseId)).toEqual({ lines: 2, total: 2 * VALUE, inactive: 0, unsigned: 1 })
  expect((await world.lines(caseId))[2]).toMatchObject({ state: 'left-out', reason: 'not-signed' })
  await expect(world.pay(caseId)).rejects.toThrow('it is paid')
  await expect(world.move(caseId, lines[0]!.id, 'hold')).rejects.toThrow('does not become')
  expect(await world.sign(caseId, [lines[2]!.id])).toEqual([])
})

test('amounts that the ledger has not posted are refused', async () => {
  const { caseId } = await aRun()
  await sql`update run_line set signature = 'signed', signed_by = ${world.person}, signed_at = now(), signed_how = 'sheet'
    where case_id = ${caseId}`.execute(world.db)
  const key = `run:${caseId}`
  await expect(
    sql`update run set state = 'paid', entry_key = ${key}, paid_at = now() where case_id = ${caseId}`.execute(world.db),
  ).rejects.toThrow('is not what its entry moved')
})

test('the next run pays returned payments again, once', async () => {
  const { scheme, caseId, lines } = await aRun()
  await signAll(caseId)
  await world.pay(caseId)
  expect(await world.giveBack(caseId, lines[0]!.id)).toBe(true)
  expect(await world.giveBack(caseId, lines[0]!.id)).toBe(false)
  expect(await runOf(caseId)).toMatchObject({ state: 'paid' })

  const rejected = await world.prepare(scheme, '2026-11')
  expect((await world.lines(rejected))[0]).toMatchObject({ amount: VALUE, arrears: VALUE, total: 2 * VALUE })
  await world.reject(rejected)
  const next = await world.prepare(scheme, '2026-11')
  expect((await world.lines(next))[0]).toMatchObject({ arrears: VALUE })
  const last = await world.prepare(scheme, '2026-12')
  expect((await world.lines(last))[0]).toMatchObject({ arrears: 0 })
  // Striking the line frees its arrears for a later run.
  await world.move(next, (await world.lines(next))[0]!.id, 'strike')
  await world.reject(last)
  const later = await world.prepare(scheme, '2026-12')
  expect((await world.lines(later))[0]).toMatchObject({ arrears: VALUE })
})

test('who was suspended after the run was prepared is left out when it is paid, and the others are paid', async () => {
  const { caseId, lines } = await aRun()
  await signAll(caseId)
  await setStatus(lines[0]!.student_id, 'suspended')
  // The database refuses it as long as the line counts.
  await expect(
    sql`update run set state = 'paid', entry_key = 'x', paid_at = now() where case_id = ${caseId}`.execute(world.db),
  ).rejects.toThrow('pays somebody who is no longer active')
  expect(await world.pay(caseId)).toEqual({ lines: 2, total: 2 * VALUE, inactive: 1, unsigned: 0 })
  expect((await world.lines(caseId))[0]).toMatchObject({ state: 'left-out', reason: 'student-not-active' })
})

test('a month that was held back, not signed or without a certified account is owed until a later run pays it, once', async () => {
  const scheme = await world.aScheme()
  await world.students(scheme, 4, MONTHS)
  const students = await sql<{ id: string }>`
    select s.id from register_item r join register_item s on s.id = (r.data ->> 'student')::uuid
    where r.register = 'mahapola/recipient' and r.data ->> 'scheme' = ${scheme} order by s.title`.execute(world.db)
  const account = sql`register = 'platform/student-account' and data ->> 'student' = ${students.rows[2]!.id}`
  await sql`update register_item set status = 'New' where ${account}`.execute(world.db)
  const first = await world.prepare(scheme, '2026-10')
  const [held, unsigned, uncertified, paid] = await world.lines(first)
  expect(uncertified).toMatchObject({ state: 'left-out', reason: 'account-not-certified' })
  await signAll(first, [held!.id, paid!.id])
  await world.move(first, held!.id, 'hold')
  // Nothing is owed before the others are paid: the line may still be released.
  const early = await world.prepare(scheme, '2026-11')
  expect((await world.lines(early)).map(({ arrears }) => arrears)).toEqual([0, 0, 0, 0])
  await world.reject(early)
  await world.pay(first)

  await sql`update register_item set status = 'Certified' where ${account}`.execute(world.db)
  const second = await world.prepare(scheme, '2026-11')
  const owed = await world.lines(second)
  expect(owed.map(({ arrears }) => arrears)).toEqual([VALUE, VALUE, VALUE, 0])
  // Unsigned once more: both months are owed now, and are paid together.
  await signAll(second, [owed[0]!.id, owed[2]!.id, owed[3]!.id])
  expect(await world.pay(second)).toMatchObject({ lines: 3, total: 5 * VALUE, unsigned: 1 })
  const third = await world.prepare(scheme, '2026-12')
  expect((await world.lines(third)).map(({ arrears }) => arrears)).toEqual([0, 2 * VALUE, 0, 0])
  expect(unsigned!.student_id).toBe((await world.lines(third))[1]!.student_id)
})

test('a bank account of two students is asked about, and their desk does not agree before that is answered', async () => {
  const { db } = world
  const scheme = await world.aScheme()
  await world.students(scheme, 3, MONTHS)
  await sql`update register_item a set data = a.data || jsonb_build_object('account_number', '7777 8888')
    from register_item r join register_item s on s.id = (r.data ->> 'student')::uuid
    where r.register = 'mahapola/recipient' and r.data ->> 'scheme' = ${scheme} and s.data ->> 'reg_no' <> 'S/2'
      and a.register = 'platform/student-account' and a.data ->> 'student' = s.id::text`.execute(db)
  const caseId = await world.prepare(scheme, '2026-10')
  const lines = await world.lines(caseId)
  expect(lines.map(({ question_open, shared_with }) => [question_open, shared_with])).toEqual([
    [true, ['S/3']],
    [false, null],
    [true, ['S/1']],
  ])
  expect(await listLineEvents(db, lines[0]!.id)).toMatchObject([
    { kind: 'questioned', how: 'shared-account', text: 'S/3', by: null },
  ])
  const decides = async (outcome: string) => {
    const id = randomUUID()
    const row = {
      id,
      case_id: caseId,
      process_definition_id: FLOW,
      desk: 'userTask_decideByAR',
      name: 'AR',
      created_at: new Date(),
    }
    await db.insertInto('task').values(row).execute()
    await sql`update task set state = 'accepted', outcome = ${outcome}, decided_by = ${world.person}, decided_at = now(),
      command_id = gen_random_uuid() where id = ${id}`.execute(db)
  }
  await expect(decides('approve')).rejects.toThrow('has an open question')
  await decides('return')
  await world.move(caseId, lines[0]!.id, 'hold')
  await world.move(caseId, lines[2]!.id, 'hold')
  await decides('approve')
})

test('leading zeros hide no shared account, and who joins later puts the question to the line that was there', async () => {
  const { db } = world
  const { scheme, caseId } = await aRun(2)
  const accounts = await sql<{ id: string; code: string; number: string }>`
    select a.id, s.data ->> 'reg_no' as code, a.data ->> 'account_number' as number from register_item r
      join register_item a on a.register = 'platform/student-account' and a.data ->> 'student' = r.data ->> 'student'
      join register_item s on s.id::text = r.data ->> 'student'
    where r.register = 'mahapola/recipient' and r.data ->> 'scheme' = ${scheme} order by 2`.execute(db)
  const [first, second] = accounts.rows
  const numbered = (id: string, number: string, status: string) =>
    sql`update register_item set status = ${status}, data = data || jsonb_build_object('account_number', ${number}::text)
      where id = ${id}`.execute(db)
  // The second one was left out, and comes back with the first one's number, written without zeros.
  await numbered(second!.id, second!.number, 'New')
  await world.reject(caseId)
  const run = await world.prepare(scheme, '2026-10')
  const shared = async () =>
    (await world.lines(run)).map(({ question_open, shared_with }) => [question_open, shared_with])
  expect(await shared()).toEqual([
    [false, null],
    [false, null],
  ])
  await numbered(second!.id, first!.number.replace(/^0+/, ''), 'Certified')
  await world.refresh(run)
  expect(await shared()).toEqual([
    [true, [second!.code]],
    [true, [first!.code]],
  ])
  const [line] = await world.lines(run)
  expect(await listLineEvents(db, line!.id)).toHaveLength(1)
  // Nobody has joined since.
  await world.refresh(run)
  expect(await listLineEvents(db, line!.id)).toHaveLength(1)
})

test('the cheques of a paid run are numbered once, by name, with numbers that nobody has used', async () => {
  const { db } = world
  const scheme = await world.aScheme()
  await world.students(scheme, 3, MONTHS)
  const caseId = await world.prepare(scheme, '2026-10', 'cheque')
  const [first, , last] = await world.lines(caseId)
  const { deps, reader } = await readerOf(caseId, 'Bursar')
  const number = (from: string, torn: string[] = []) => numberCheques(deps, reader, { caseId, first: from, torn })
  await expect(number('000101')).rejects.toMatchObject({ code: 'platform.run-pays-no-cheques' })
  await signAll(caseId)
  await world.pay(caseId)
  await world.giveBack(caseId, last!.id)
  await sql`insert into cheque_number values (${world.paidFrom}, '000102')`.execute(world.database.owner.db)
  await expect(number('000101')).rejects.toMatchObject({
    fields: [{ field: '/first', code: 'platform.run-cheque-used', values: { number: '000102', last: '000102' } }],
  })
  // The book begins with 101, which is the next number; a hundred may be skipped.
  for (const typed of ['000100', '000202'])
    await expect(number(typed)).rejects.toMatchObject({
      fields: [{ code: 'platform.run-cheque-outside-book', values: { from: '000101', until: '000201' } }],
    })
  await expect(number('999999')).rejects.toMatchObject({ fields: [{ code: 'platform.run-cheques-beyond' }] })
  // The database refuses a list that does not foot.
  await expect(
    sql`insert into run_cheque (line_id, case_id, bank_account_id, number, amount, by_account)
      values (${first!.id}, ${caseId}, ${world.paidFrom}, '000201', 1, ${world.person})`.execute(db),
  ).rejects.toThrow('not what the run pays')
  await expect(number('000103', ['000106'])).rejects.toMatchObject({
    fields: [
      { field: '/torn', code: 'platform.run-cheque-torn-outside', values: { number: '000106', last: '000104' } },
    ],
  })
  await number('000103', ['000104'])
  expect((await world.lines(caseId)).map(({ cheque }) => cheque)).toEqual(['000103', '000105', null])
  const { rows: used } = await sql`select number from cheque_number where number = '000104'
    and bank_account_id = ${world.paidFrom}`.execute(db)
  expect(used).toHaveLength(1)
  await expect(number('000203')).rejects.toMatchObject({ code: 'platform.run-cheques-numbered' })
  const paper = await runPaper(deps, reader, { caseId, paper: 'cheque-list' }, 'en')
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(paper.content)), { mergePages: true })
  for (const words of ['000103', '000105', '10,100.00']) expect(text).toContain(words)
  const cashBook = (await loadReports(['vouchers/cash-book'])).get('vouchers/cash-book')
  const book = await cashBook!.rows({
    ...{ db, flows: world.library.flows, titleOf: String, today: '2026-11-25', limit: 10 },
    filter: { bank_account: world.paidFrom, from: '2000-01-01', until: '2099-12-31' },
  })
  const of = await findCaseRow(db, caseId)
  const shown = book.filter(({ voucher }) => (voucher as { text: string }).text === of!.reference)
  expect(shown.map(({ cheque, out, back }) => [cheque, out, back])).toEqual([
    [null, null, VALUE],
    ['000103–000105', 3 * VALUE, null],
  ])
  await expect(sql`delete from cheque_number`.execute(db)).rejects.toThrow('permission')
})

test('each student is asked to sign once, also who declines mails, and who was not reached when it failed', async () => {
  const { db, library } = world
  const { caseId, lines } = await aRun()
  const accounts = await Promise.all(lines.map(() => anAccount(db)))
  for (const [at, id] of accounts.entries())
    await db
      .updateTable('account')
      .set({ record_id: lines[at]!.student_id, ...(at < 2 && { mail_tasks: false }) })
      .where('id', '=', id)
      .execute()
  // The second one was asked before it failed.
  await db.updateTable('run_line').set({ asked_to_sign_at: new Date() }).where('id', '=', lines[1]!.id).execute()
  await agreedBy(caseId, 'userTask_decideByAR')
  const tasks = studentMailTasks({ db, definitions: definitionStore(db), library, publicUrl: 'http://localhost' })
  const ask = () => tasks['mail-signatures']!({ case: caseId }, {} as JobHelpers)
  const told = async () => {
    const { rows } = await sql<{ notified: number; mailed: number }>`
      select (select count(*)::int from notification n where n.account_id = a.id) as notified,
        (select count(*)::int from mail m where m.recipient_id = a.id) as mailed
      from unnest(${accounts}::uuid[]) with ordinality a (id, n) order by n`.execute(db)
    return rows.map(({ notified, mailed }) => [notified, mailed])
  }
  await ask()
  const once = await told()
  expect(once.map(([notified]) => notified)).toEqual([1, 0, 1])
  expect(once.map(([, mailed]) => mailed)).toEqual([0, 0, 1])
  await ask()
  expect(await told()).toEqual(once)
})

test('a transfer comes back only once the bank has got the file', async () => {
  const { caseId, lines } = await aRun(1)
  const [line] = lines
  await signAll(caseId)
  await world.pay(caseId)
  const returned = () =>
    world.db.transaction().execute(async (trx) => {
      const run = (await lockRun(trx, caseId))!
      const reversal_key = await reverseLine(trx, run, { line: line!.id, amount: VALUE })
      const to = { state: 'returned', reason: 'R', bank_reference: 'R', reversal_key } as const
      const event = { line: line!.id, caseId, kind: 'returned', by: world.person } as const
      return moveLine(trx, event, ['included'], to)
    })
  await expect(returned()).rejects.toThrow('has not got the file')
  await setBankFileTaken(world.db, caseId)
  expect(await returned()).toBe(true)
})

test('nobody acts on a line of their own', async () => {
  const { caseId, lines } = await aRun()
  const [line] = lines
  await sql`update account set record_id = ${line!.student_id} where id = ${world.person}`.execute(world.db)
  await expect(world.move(caseId, line!.id, 'hold')).rejects.toThrow('nobody acts on a line of their own')
  await sql`update account set record_id = null where id = ${world.person}`.execute(world.db)
})

test('the file for the bank has the columns of the manifest', async () => {
  const { caseId, lines } = await aRun(1)
  const account = lines[0]!.paid_to['account']
  await signAll(caseId)
  await world.pay(caseId)
  const { deps: plain, reader, row } = await readerOf(caseId, 'Finance MA')
  const { library } = world
  const flow = library.flows.get(FLOW)!
  const fileOf = async (bankFile: BankColumn[]) => {
    const manifest = { ...flow.manifest, run: { ...flow.manifest.run!, bankFile } }
    const deps = { ...plain, library: { ...library, flows: new Map(library.flows).set(FLOW, { ...flow, manifest }) } }
    const { content } = await runSheet(deps, reader, { caseId, sheet: 'bank-file', format: 'csv' })
    return content.toString().replace('\uFEFF', '').trim().split(/\r?\n/)
  }
  expect(await fileOf(flow.manifest.run!.bankFile!)).toEqual([
    'line,bank,branch,account,name,amount,reference',
    `1,9001,007,${account},A,5050.00,${row.reference} S/1`,
  ])
  const slips: BankColumn[] = [
    { head: 'Amount', value: 'amount' },
    { head: 'Account', value: 'account' },
    { head: 'Student', value: 'code' },
  ]
  expect(await fileOf(slips)).toEqual(['Amount,Account,Student', `5050.00,${account},S/1`])
})

/** The students of a scheme with their entries as recipients, by name. */
async function recipientsOf(scheme: string) {
  const { rows } = await sql<{ student: string; recipient: string }>`
    select s.id as student, r.id as recipient from register_item r
      join register_item s on s.id = (r.data ->> 'student')::uuid
    where r.register = 'mahapola/recipient' and r.data ->> 'scheme' = ${scheme} order by s.title`.execute(world.db)
  return rows
}

const write = (id: string, more: object) =>
  sql`update register_item set data = data || ${JSON.stringify(more)}::jsonb where id = ${id}`.execute(world.db)

test('who is no recipient any more when the run is paid is left out, and the database pays nobody such', async () => {
  const { scheme, caseId } = await aRun()
  await signAll(caseId)
  const [first] = await recipientsOf(scheme)
  await setStatus(first!.recipient, 'Inactive')
  await expect(
    sql`update run set state = 'paid', entry_key = 'x', paid_at = now() where case_id = ${caseId}`.execute(world.db),
  ).rejects.toThrow('pays somebody who is no longer active')
  expect(await world.pay(caseId)).toEqual({ lines: 2, total: 2 * VALUE, inactive: 1, unsigned: 0 })
  expect((await world.lines(caseId))[0]).toMatchObject({ state: 'left-out', reason: 'no-recipient' })
})

test('whose bank account was changed after the run was prepared is left out, also once it is certified again', async () => {
  const accountOf = async (student: string) => {
    const { rows } = await sql<{ id: string }>`select id from register_item
      where register = 'platform/student-account' and data ->> 'student' = ${student}`.execute(world.db)
    return rows[0]!.id
  }
  const { caseId, lines } = await aRun()
  await signAll(caseId)
  await setStatus(await accountOf(lines[0]!.student_id), 'To Certify')
  await sql`update register_item set version = version + 1 where id = ${await accountOf(lines[1]!.student_id)}`.execute(
    world.db,
  )
  await expect(
    sql`update run set state = 'paid', entry_key = 'x', paid_at = now() where case_id = ${caseId}`.execute(world.db),
  ).rejects.toThrow('pays somebody who is no longer active')
  expect(await world.pay(caseId)).toEqual({ lines: 1, total: VALUE, inactive: 2, unsigned: 0 })
  const left = { state: 'left-out', reason: 'account-not-certified' }
  expect((await world.lines(caseId)).slice(0, 2)).toMatchObject([left, left])
})

test('a month that was left out because a document came late can be owed after all, and the next run pays it', async () => {
  const scheme = await world.aScheme()
  await world.students(scheme, 3, MONTHS)
  const [late, absent] = await recipientsOf(scheme)
  await write(late!.recipient, { documents_complete: false })
  await sql`update register_item set data = data || '{"attendance": "Absent"}'
    where register = 'mahapola/attendance' and data ->> 'recipient' = ${absent!.recipient}
      and data ->> 'month' = '2026-10'`.execute(world.db)
  const caseId = await world.prepare(scheme, '2026-10')
  const [missing, away] = await world.lines(caseId)
  expect([missing!.reason, away!.reason]).toEqual(['document-missing', 'not-attended'])
  const { deps, reader } = await readerOf(caseId, 'SSW AR')
  const owe = (line: string, as = reader) => oweLine(deps, as, { caseId, line, reason: 'It came by post' })
  await expect(owe(missing!.id)).rejects.toMatchObject({ code: 'platform.run-line-final' })
  await signAll(caseId)
  await world.pay(caseId)
  await write(late!.recipient, { documents_complete: true })
  const { reader: finance } = await readerOf(caseId, 'Bursar')
  await expect(owe(missing!.id, finance)).rejects.toMatchObject({ code: 'platform.not-allowed' })
  // Who was absent is owed nothing.
  await expect(owe(away!.id)).rejects.toMatchObject({ code: 'platform.run-line-final' })
  await expect(sql`update run_line set owed_at = now() where id = ${away!.id}`.execute(world.db)).rejects.toThrow(
    'run_line_owed_is_left_out',
  )
  await owe(missing!.id)
  await expect(owe(missing!.id)).rejects.toMatchObject({ code: 'platform.run-line-final' })
  const next = await world.prepare(scheme, '2026-11')
  expect((await world.lines(next)).map(({ arrears, owed }) => [arrears, owed])).toEqual([
    [VALUE, [{ month: '2026-10', state: 'left-out', reason: 'document-missing', amount: VALUE }]],
    [0, []],
    [0, []],
  ])
})

test('a payment that came back by mistake was paid after all, once somebody else says so, and can come back again', async () => {
  const { scheme, caseId, lines } = await aRun()
  const [line] = lines
  await signAll(caseId)
  await world.pay(caseId)
  await world.giveBack(caseId, line!.id)
  const { deps, reader } = await readerOf(caseId, 'Bursar')
  const settle = () => settleReturned(deps, reader, { caseId, line: line!.id, reason: 'The wrong line' })
  await expect(settle()).rejects.toMatchObject({ code: 'platform.run-return-own' })
  await expect(world.settle(caseId, line!.id, world.person)).rejects.toThrow('does not take it back')

  const next = await world.prepare(scheme, '2026-11')
  const another = { ...reader, id: await anAccount(world.db) }
  const settleAs = () => settleReturned(deps, another, { caseId, line: line!.id, reason: 'The wrong line' })
  await expect(settleAs()).rejects.toMatchObject({ code: 'platform.run-line-taken-up' })
  await expect(world.settle(caseId, line!.id)).rejects.toThrow('is paid again')
  await world.reject(next)
  // The database wants the money back before the line.
  await expect(
    sql`update run_line set state = 'included', reason = null, reversal_key = null where id = ${line!.id}`.execute(
      world.db,
    ),
  ).rejects.toThrow('is not what the ledger moved')
  await settleAs()
  expect(await runOf(caseId)).toMatchObject({ returned: '0', total: String(3 * VALUE) })
  expect((await world.lines(await world.prepare(scheme, '2026-11')))[0]).toMatchObject({ arrears: 0 })

  expect(await world.giveBack(caseId, line!.id)).toBe(true)
  expect((await world.lines(await world.prepare(scheme, '2026-12')))[0]).toMatchObject({ arrears: VALUE })
})

test('two schemes of a flow pay a student one month once, and what one owes the other does not pay', async () => {
  const { scheme: one, caseId: first } = await aRun(2)
  const [student] = await recipientsOf(one)
  const other = await world.aScheme()
  await world.students(other, 2, MONTHS)
  const [entry] = await recipientsOf(other)
  // The second scheme has the first one's student, as after a change from one to the other.
  await write(entry!.recipient, { student: student!.student })
  const prepares = async (scheme: string) => {
    const caseId = await world.prepare(scheme, '2026-10')
    const line = (await world.lines(caseId)).find(({ student_id }) => student_id === student!.student)
    return { caseId, line: line! }
  }
  const second = await prepares(other)
  expect(second.line).toMatchObject({ state: 'left-out', reason: 'other-scheme' })
  await world.reject(second.caseId)
  // The first is rejected, so the second pays; then the first does not.
  await world.reject(first)
  const paid = await prepares(other)
  await signAll(paid.caseId)
  await world.pay(paid.caseId)
  const back = await prepares(one)
  expect(back.line).toMatchObject({ state: 'left-out', reason: 'other-scheme' })
  await world.reject(back.caseId)
  await world.giveBack(paid.caseId, paid.line.id)
  const owed = await prepares(one)
  expect(owed.line).toMatchObject({ state: 'left-out', reason: 'other-scheme' })
  // However it was prepared, the database does not pay it.
  const { db: owner } = world.database.owner
  const setOncePer = (flow: string | null) =>
    sql`update run set once_per = ${flow} where case_id = ${owed.caseId}`.execute(owner)
  await setOncePer(null)
  await world.refresh(owed.caseId)
  await setOncePer(FLOW)
  await signAll(owed.caseId)
  await expect(world.pay(owed.caseId)).rejects.toThrow('another scheme pays')
  expect(await runOf(owed.caseId)).toMatchObject({ state: 'open' })
})

test('what bars this month alone does not hold back what is owed of a former one', async () => {
  const { scheme, caseId, lines } = await aRun(2)
  await signAll(caseId)
  await world.pay(caseId)
  await world.giveBack(caseId, lines[0]!.id)
  await sql`update register_item set data = data || '{"attendance": "Absent"}' where register = 'mahapola/attendance'
    and data ->> 'recipient' in (select id::text from register_item where register = 'mahapola/recipient'
      and data ->> 'scheme' = ${scheme}) and data ->> 'month' = '2026-11'`.execute(world.db)
  const next = await world.prepare(scheme, '2026-11')
  expect(
    (await world.lines(next)).map(({ state, reason, amount, arrears }) => [state, reason, amount, arrears]),
  ).toEqual([
    ['included', null, 0, VALUE],
    ['left-out', 'not-attended', VALUE, 0],
  ])
})

test('a run that pays nobody says why', async () => {
  const scheme = await world.aScheme()
  await world.students(scheme, 2, ['2026-11'])
  await expect(world.prepare(scheme, '2026-10')).rejects.toMatchObject({
    fields: [
      { field: '/month', code: 'platform.run-empty' },
      { field: '/month', code: 'platform.run.left-out.attendance-missing' },
    ],
  })
})

test('the annexure sums per faculty and bank together, too', async () => {
  const { caseId } = await aRun(2)
  await signAll(caseId)
  await world.pay(caseId)
  const { deps, reader } = await readerOf(caseId)
  const { content } = await runSheet(deps, reader, { caseId, sheet: 'annexure', format: 'csv' })
  const both = content
    .toString()
    .split(/\r?\n/)
    .filter((row) => row.startsWith('Faculty and bank,'))
  expect(both).toHaveLength(1)
  expect(both[0]).toContain(`,2,${(2 * VALUE) / 100}.00,`)
})
