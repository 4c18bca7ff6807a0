import { chargeDeposit, holdDeposit } from '../../api/platform/records/ledger/deposits.ts'
import { areaOf } from '../../api/platform/model/definitions/manifest.ts'
import type { WorkerContext, WorkerSubmission } from './worker.ts'

/** What is settled of the deposit of a case; in cents. */
interface Settled {
  deposit: number
  charge: number
  /** Who took the thing back, and so does not pay the deposit out. */
  taken: WorkerSubmission
}

/**
 * Keeps what is charged of the deposit of a case, and begins the refund of what is left (`linked` of the manifest, by
 * the name `refund`).
 */
export async function settleDeposit(
  { trx, begin, facts, case: { id, flow } }: Pick<WorkerContext<unknown>, 'trx' | 'begin' | 'facts' | 'case'>,
  { deposit, charge, taken }: Settled,
): Promise<void> {
  const left = Math.max(0, deposit - charge)
  await facts({ toRefund: left || null })
  if (deposit === 0) return
  const { by } = taken
  const area = areaOf(flow)
  // Deposits that were taken before the ledger had them.
  await holdDeposit(trx, { caseId: id, amount: deposit, by })
  if (charge > 0) await chargeDeposit(trx, { caseId: id, amount: Math.min(charge, deposit), by, area })
  if (left > 0) await begin('refund', { id: by, actedAs: taken.actedAs ?? `user:${by}` })
}
