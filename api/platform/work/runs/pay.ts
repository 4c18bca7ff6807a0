import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { ledger } from '../../records/ledger/ledger.ts'
import { type RunRow, findRun, leaveOutUnsigned, lockRun, setRunPaid } from '../rows/runs.ts'

/** What a run came to when it was paid. */
export interface PaidRun {
  lines: number
  /** In cents. */
  total: number
  /** Who had not signed, and was left out. */
  unsigned: number
}

/** The money of an account of the university, as vouchers move it too. */
const bankOf = (account: string) => `bank:${account}`
const spentOn = (scheme: string) => `instalments:${scheme}`

/**
 * Pays the run of a case, once for good: who has not signed is left out, and one entry of the ledger moves what the
 * others get. Throws `platform.run-empty` where nobody is left. Callers hold the lock of the case.
 */
export async function payRun(trx: Transaction<DB>, { caseId, now }: { caseId: string; now: Date }): Promise<PaidRun> {
  const run = await lockRun(trx, caseId)
  if (run?.state !== 'open') throw new Error(`the case has no run to pay: it is ${run?.state ?? 'not there'}`)
  const unsigned = run.signing ? await leaveOutUnsigned(trx, caseId) : 0
  const { lines, total } = (await findRun(trx, caseId))!
  if (total === 0) throw new BusinessError('platform.run-empty', { month: run.month })
  const key = `run:${caseId}`
  await post(trx, run, { key, kind: 'instalments-paid', amount: total })
  await setRunPaid(trx, caseId, key, now)
  await audit(trx).record({
    actor: 'system:runs',
    action: 'run.paid',
    caseId,
    object: `run:${caseId}`,
    payload: { month: run.month, lines, total, unsigned },
  })
  return { lines, total, unsigned }
}

/** Moves back what a line got; gives the key of the entry. */
export async function reverseLine(
  trx: Transaction<DB>,
  run: RunRow,
  { line, amount }: { line: string; amount: number },
): Promise<string> {
  const key = `run:${run.case_id}:returned:${line}`
  await post(trx, run, { key, kind: 'instalment-returned', amount: -amount })
  return key
}

async function post(
  trx: Transaction<DB>,
  { case_id: caseId, paid_from: bank, scheme_id: scheme, month }: RunRow,
  { key, kind, amount }: { key: string; kind: string; amount: number },
): Promise<void> {
  const books = ledger(trx)
  await books.open(bankOf(bank), 'asset', { overdraft: true })
  await books.open(spentOn(scheme), 'expense')
  await books.post({
    key,
    kind,
    caseId,
    memo: month,
    lines: [
      { account: bankOf(bank), amount: -amount },
      { account: spentOn(scheme), amount },
    ],
  })
}
