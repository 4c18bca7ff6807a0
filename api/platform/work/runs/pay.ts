import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { ledger } from '../../records/ledger/ledger.ts'
import type { RunDefinition } from '../../model/definitions/run.ts'
import { countReturns } from '../rows/run-lines.ts'
import { type RunRow, findRun, leaveOutUnpaid, lockRun, setRunPaid } from '../rows/runs.ts'
import { known } from '../../kernel/known.ts'

/** Result of paying a run. */
export interface PaidRun {
  lines: number
  /** In cents. */
  total: number
  /** Lines left out because the student is no longer active, no recipient, or without a certified account. */
  inactive: number
  /** Lines left out because they were not signed. */
  unsigned: number
}

/** The ledger account of a university bank account, as vouchers use it too. */
const bankOf = (account: string) => `bank:${account}`
const spentOn = (scheme: string) => `instalments:${scheme}`

/**
 * Pays the run of a case, once only. Who is no longer active, no recipient any more, has no certified account, or has
 * not signed is left out, and one ledger entry moves the rest. Throws `platform.run-empty` if no line is left. Callers must hold the lock of the case.
 */
export async function payRun(
  trx: Transaction<DB>,
  { caseId, now, run: { recipients } }: { caseId: string; now: Date; run: Pick<RunDefinition, 'recipients'> },
): Promise<PaidRun> {
  const run = await lockRun(trx, caseId)
  if (run?.state !== 'open') throw new Error(`the case has no run to pay: it is ${run?.state ?? 'not there'}`)
  const { inactive, unsigned } = await leaveOutUnpaid(trx, caseId, recipients.paused)
  const { lines, total } = known(await findRun(trx, caseId), 'the run')
  if (total === 0) throw new BusinessError('platform.run-empty', { month: run.month })
  const key = `run:${caseId}`
  await post(trx, run, { key, kind: 'instalments-paid', amount: total })
  await setRunPaid(trx, caseId, key, now)
  await audit(trx).record({
    actor: 'system:runs',
    action: 'run.paid',
    caseId,
    object: `run:${caseId}`,
    payload: { month: run.month, lines, total, inactive, unsigned },
  })
  return { lines, total, inactive, unsigned }
}

/** Reverses the payment of a line; returns the key of the ledger entry. */
export async function reverseLine(
  trx: Transaction<DB>,
  run: RunRow,
  { line, amount }: { line: string; amount: number },
): Promise<string> {
  const earlier = await countReturns(trx, line)
  const key = `run:${run.case_id}:returned:${line}${earlier === 0 ? '' : `:${earlier + 1}`}`
  await post(trx, run, { key, kind: 'instalment-returned', amount: -amount })
  return key
}

/** Takes back the reversal of a payment that was made after all. */
export async function settleLine(
  trx: Transaction<DB>,
  run: RunRow,
  { line, amount }: { line: string; amount: number },
): Promise<void> {
  const key = `run:${run.case_id}:settled:${line}:${await countReturns(trx, line)}`
  await post(trx, run, { key, kind: 'instalment-settled', amount })
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
