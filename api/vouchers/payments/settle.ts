import type { Kysely, Transaction } from 'kysely'
import { dayInColombo } from '../../platform/kernel/colombo.ts'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import { documents } from '../../platform/records/documents/documents.ts'
import type { registers } from '../../platform/records/registers/registers.ts'
import { reverseSpending } from '../votes/spend.ts'
import { CHEQUE } from './cheques.ts'
import type { SettlementForm } from './forms.ts'

/** The register of payment batches for the bank. */
export const BATCHES = 'vouchers/payment-batch'

interface SettleContext {
  trx: Transaction<DB>
  registers: ReturnType<typeof registers>
  now: Date
}

/** Records that the cheque was handed over, or that the bank confirmed the transfer. */
export async function settlePayment(
  context: SettleContext,
  caseId: string,
  form: SettlementForm,
  by: string,
): Promise<void> {
  await end(context, caseId, {
    state: 'settled',
    ended_by: by,
    ended_on: form.settled_on ?? dayInColombo(context.now),
    note: form.received_by ?? null,
    bank_reference: form.bank_reference ?? null,
  })
}

/**
 * Takes a payment back. The voucher holds its money again, the cheque number stays used, and the cheque document is
 * void. Throws `vouchers.transfer-at-bank` if only the bank could return it.
 */
export async function takePaymentBack(
  context: SettleContext,
  caseId: string,
  { outcome, reason, bank_reference }: SettlementForm,
  by: string,
): Promise<void> {
  const { trx, registers: items, now } = context
  const payment = await paymentUnderWay(trx, caseId)
  if (!payment) throw new Error('the voucher has no payment that could be taken back')
  const batch = await items.lock(BATCHES, payment.batch_id)
  const refused = endRefused(payment, batch, outcome)
  if (refused?.code === 'vouchers.transfer-at-bank')
    throw new BusinessError('vouchers.transfer-at-bank', refused.values)
  if (refused) throw new Error(`the payment ${payment.number} cannot end so: ${refused.code}`)
  const reversal = await reverseSpending(trx, caseId, payment.entry_key)
  await end(context, caseId, {
    state: outcome === 'void' ? 'voided' : 'returned',
    reversal_key: reversal,
    ended_by: by,
    ended_on: dayInColombo(now),
    note: reason ?? null,
    bank_reference: outcome === 'void' ? null : (bank_reference ?? null),
  })
  if (payment.method === 'cheque') await documents(trx).end({ caseId, kind: CHEQUE, number: payment.number, by })
}

/** The open payment of a voucher; undefined if there is none. */
export async function paymentUnderWay(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('voucher_payment')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('state', '=', 'issued')
    .executeTakeFirst()
}

/**
 * Why a payment cannot end this way: a transfer can be voided until its batch is sent, and be returned only after that.
 */
export function endRefused(
  { method }: { method: string },
  batch: { status: string; title: string },
  outcome: SettlementForm['outcome'],
): { code: string; values: { batch: string } } | undefined {
  const values = { batch: batch.title }
  if (method === 'cheque')
    return outcome === 'return_payment' ? { code: 'vouchers.cheque-not-returned', values } : undefined
  const sent = batch.status === 'Sent'
  if (outcome === 'void') return sent ? { code: 'vouchers.transfer-at-bank', values } : undefined
  return sent ? undefined : { code: 'vouchers.transfer-not-at-bank', values }
}

async function end(
  { trx, now }: SettleContext,
  caseId: string,
  how: {
    state: string
    reversal_key?: string
    ended_by: string
    ended_on: string
    note: string | null
    bank_reference: string | null
  },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('voucher_payment')
    .set({ ...how, ended_at: now })
    .where('case_id', '=', caseId)
    .where('state', '=', 'issued')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('the voucher has no payment that is under way')
}
