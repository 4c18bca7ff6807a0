import { join } from 'node:path'
import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { at } from '../../api/platform/model/definitions/register.ts'
import { findLine, canBeOwed, listLines, moveLine, signRunLines } from '../../api/platform/work/rows/run-lines.ts'
import { lockRun, setBankFileTaken } from '../../api/platform/work/rows/runs.ts'
import { payRun, reverseLine, settleLine } from '../../api/platform/work/runs/pay.ts'
import { prepareRun, refreshRun } from '../../api/platform/work/runs/prepare.ts'
import { freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'

const root = join(import.meta.dirname, '../..')
export const FLOW = 'mahapola/monthly-installment'
const NOW = new Date('2026-11-25T10:00:00+05:30')
const FIRST_MONTH = '2026-01'
export const VALUE = 505_000

export type RunWorld = Awaited<ReturnType<typeof runWorld>>

/** A new database with students, their accounts, a scheme and a paying account; and operations on runs. */
export async function runWorld() {
  const library = loadLibrary(root)
  const database = await freshDatabase()
  const { db } = database
  const run = library.flows.get(FLOW)!.manifest.run!
  const agrees = library.flows.get(FLOW)!.manifest.agreement!.by
  const person = await anAccount(db)
  const colleague = await anAccount(db)
  const bank = await anItem(db, 'vouchers/bank', { data: { code: '9001' } })
  const branch = await anItem(db, 'vouchers/branch', { data: { code: '9001-007' } })
  const paidFrom = await anItem(db, 'vouchers/bank-account', { data: { first_cheque: 101 } })

  /** What each run was prepared with. */
  const asked = new Map<string, JsonObject>()

  /** How many students have an account number of their own. */
  let numbered = 0

  const inTransaction = <T>(act: (trx: Transaction<DB>) => Promise<T>): Promise<T> => db.transaction().execute(act)

  async function aScheme(): Promise<string> {
    const scheme = await anItem(db, 'mahapola/scheme', { data: { method: 'transfer' } })
    await anItem(db, 'mahapola/installment-value', { data: { scheme, from: FIRST_MONTH, amount: VALUE } })
    return scheme
  }

  /** Students of a scheme with documents, account and attendance in some months, inserted by a few statements. */
  async function students(scheme: string, count: number, months: readonly string[]): Promise<void> {
    const before = numbered
    numbered += count
    await sql`
      with student as (
        insert into register_item (id, register, status, title, data)
        select gen_random_uuid(), 'platform/student', 'active', 'Student ' || n, jsonb_build_object('reg_no', 'S/' || n)
        from generate_series(1, ${count}::integer) n returning id),
      account as (
        insert into register_item (id, register, status, title, data)
        select gen_random_uuid(), 'platform/student-account', 'Certified', 'Account', jsonb_build_object('student', id,
          'account_name', 'A', 'bank', ${bank}::text, 'branch', ${branch}::text, 'account_number',
          '0001 ' || (22223332 + ${before}::integer + row_number() over ())::text)
        from student),
      recipient as (
        insert into register_item (id, register, status, title, data)
        select gen_random_uuid(), 'mahapola/recipient', 'Active', 'R', jsonb_build_object('student', id,
          'scheme', ${scheme}::text, 'from', ${FIRST_MONTH}::text, 'documents_complete', true)
        from student returning id)
      insert into register_item (id, register, status, title, data)
      select gen_random_uuid(), 'mahapola/attendance', 'Active', m, jsonb_build_object('month', m, 'recipient', id,
        'attendance', 'Present')
      from recipient cross join unnest(${[...months]}::text[]) m`.execute(db)
  }

  async function prepare(scheme: string, month: string, method = 'transfer'): Promise<string> {
    const caseId = await aCase(db, person, { flow: FLOW })
    const data: JsonObject = { scheme, month, bank_account: paidFrom, method }
    asked.set(caseId, data)
    await inTransaction((trx) => prepareRun(trx, askedOf(caseId, data)))
    return caseId
  }

  const askedOf = (caseId: string, data: JsonObject) => {
    const read = (pointer: string) => (pointer.includes('#') ? data['method'] : at(data, pointer))
    return { caseId, run, read, registers: library.registers, agrees, by: person }
  }

  /** The case is sent again as it was: those who were left out, and newcomers, are prepared again. */
  const refresh = (caseId: string) => inTransaction((trx) => refreshRun(trx, askedOf(caseId, asked.get(caseId) ?? {})))

  const question = (caseId: string, line: string) =>
    inTransaction(async (trx) => {
      await lockRun(trx, caseId)
      const event = { line, caseId, kind: 'questioned', by: person, text: 'Is it right?' } as const
      return moveLine(trx, event, ['included', 'held'], { question_open: true })
    })

  const lines = (caseId: string) => listLines(db, caseId)

  /** An act of a desk or a counter on a line; false if its state has changed meanwhile. */
  function move(caseId: string, line: string, act: 'hold' | 'release' | 'strike'): Promise<boolean> {
    const from = act === 'release' ? (['held'] as const) : (['included'] as const)
    const state = ({ hold: 'held', release: 'included', strike: 'struck' } as const)[act]
    const kind = ({ hold: 'held', release: 'released', strike: 'struck' } as const)[act]
    const reason = act === 'release' ? null : 'Asked for'
    return inTransaction(async (trx) => {
      await lockRun(trx, caseId)
      return moveLine(trx, { line, caseId, kind, by: person, text: reason }, from, { state, reason })
    })
  }

  const sign = (caseId: string, some: readonly string[]) =>
    inTransaction(async (trx) => {
      await lockRun(trx, caseId)
      return signRunLines(trx, caseId, person, { lines: some, codes: [], how: 'sheet', except: null })
    })

  const pay = (caseId: string) => inTransaction((trx) => payRun(trx, { caseId, now: NOW, run }))

  function giveBack(caseId: string, line: string): Promise<boolean> {
    return inTransaction(async (trx) => {
      const of = await lockRun(trx, caseId)
      const found = await findLine(trx, caseId, line)
      if (of?.state !== 'paid' || found?.state !== 'included') return false
      await setBankFileTaken(trx, caseId)
      const reversal_key = await reverseLine(trx, of, { line, amount: found.total })
      const to = { state: 'returned', reason: 'Closed', bank_reference: 'R-1', reversal_key } as const
      return moveLine(trx, { line, caseId, kind: 'returned', by: person, text: 'Closed' }, ['included'], to)
    })
  }

  /** Somebody else says that what came back was paid after all. */
  function settle(caseId: string, line: string, by = colleague): Promise<boolean> {
    return inTransaction(async (trx) => {
      const of = await lockRun(trx, caseId)
      const found = await findLine(trx, caseId, line)
      if (of?.state !== 'paid' || found?.state !== 'returned') return false
      await settleLine(trx, of, { line, amount: found.total })
      const to = { state: 'included', reason: null, reversal_key: null } as const
      return moveLine(trx, { line, caseId, kind: 'settled', by, text: 'The wrong line' }, ['returned'], to)
    })
  }

  /** The month is owed after all. */
  function owe(caseId: string, line: string): Promise<boolean> {
    return inTransaction(async (trx) => {
      const of = await lockRun(trx, caseId)
      const found = await findLine(trx, caseId, line)
      if (of?.state !== 'paid' || !found || !canBeOwed(found)) return false
      const event = { line, caseId, kind: 'owed', by: person, text: 'It came late' } as const
      return moveLine(trx, event, ['left-out'], { owed_at: NOW })
    })
  }

  /** Enters for a student that documents are missing, or complete. */
  async function completes(scheme: string, nth: number): Promise<'complete' | 'missing'> {
    const { rows } = await sql<{ complete: boolean }>`
      update register_item set data = data || jsonb_build_object('documents_complete', not (data ->> 'documents_complete')::boolean)
      where id = (select id from register_item
        where register = 'mahapola/recipient' and data ->> 'scheme' = ${scheme} order by data ->> 'student' offset ${nth} limit 1)
      returning (data ->> 'documents_complete')::boolean as complete`.execute(db)
    return rows[0]?.complete ? 'complete' : 'missing'
  }

  /** Suspends a student of a scheme, or lets them back. */
  async function suspends(scheme: string, nth: number): Promise<'suspended' | 'back'> {
    const { rows } = await sql<{ status: string }>`
      update register_item set status = case status when 'active' then 'suspended' else 'active' end
      where id = (select (data ->> 'student')::uuid from register_item
        where register = 'mahapola/recipient' and data ->> 'scheme' = ${scheme} order by data ->> 'student' offset ${nth} limit 1)
      returning status`.execute(db)
    return rows[0]?.status === 'active' ? 'back' : 'suspended'
  }

  /** Ends a case without a payment, as the engine's feed does. */
  async function reject(caseId: string): Promise<void> {
    await db.updateTable('flow_case').set({ state: 'ended', ended_at: NOW }).where('id', '=', caseId).execute()
  }

  return {
    library,
    database,
    db,
    person,
    paidFrom,
    aScheme,
    students,
    prepare,
    refresh,
    question,
    lines,
    move,
    sign,
    pay,
    giveBack,
    settle,
    owe,
    completes,
    suspends,
    reject,
  }
}
