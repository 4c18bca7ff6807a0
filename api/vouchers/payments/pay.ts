import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { dayInColombo } from '../../platform/kernel/colombo.ts'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import type { numbers } from '../../platform/records/numbers/numbers.ts'
import type { Item } from '../../platform/records/registers/item.ts'
import type { registers } from '../../platform/records/registers/registers.ts'
import { spendHeld } from '../votes/spend.ts'
import type { Voucher } from './voucher.ts'
import { chequeNumber, issueCheque } from './cheques.ts'
import type { PaymentFact, PaymentForm } from './forms.ts'
import { bankDetails, certifiedPayee, present } from './payee.ts'
import { BATCHES } from './settle.ts'

const ACCOUNTS = 'vouchers/bank-account'

/** The part of a worker's context that a payment needs. */
interface PayContext {
  trx: Transaction<DB>
  registers: ReturnType<typeof registers>
  numbers: ReturnType<typeof numbers>
  now: Date
}

/**
 * Pays a voucher: spends its commitment and records the cheque or transfer in the open batch.
 * A cheque is issued as a document to print. Throws `vouchers.cheque-used`, `vouchers.cheque-outside-book`,
 * `vouchers.cheque-book-out` or `vouchers.payee-changed`.
 *
 * Guarantees, which the database enforces too: a voucher has at most one payment that counts; a cheque number is used
 * once per account; a payment equals its ledger entry, goes to the certified payee, and belongs to a batch that was
 * open; what the bank has is never void.
 */
export async function payVoucher(
  context: PayContext,
  { id: caseId, reference }: { id: string; reference: string },
  { payee, total }: Voucher,
  { method, bank_account, cheque_no }: PaymentForm,
  by: string,
): Promise<PaymentFact> {
  const { trx, registers: items, numbers: series, now } = context
  const account = await items.lock(ACCOUNTS, bank_account)
  const cheque = method === 'cheque' ? await chequeNumber(trx, account, cheque_no) : null
  const batch = await openBatch(context, account.id, method, by)
  const to = await certifiedPayee(trx, caseId, payee)
  const entry = await spendHeld(trx, caseId, total, account.id)
  const today = dayInColombo(now)
  const number = await series.written('vouchers/payment', 'PAY-{yyyy}-{sequence:6}', now)
  await trx
    .insertInto('voucher_payment')
    .values({
      id: uuid(),
      case_id: caseId,
      number,
      payee_id: payee,
      payee_version: to.version,
      bank_account_id: account.id,
      batch_id: batch.id,
      method,
      cheque_number: cheque,
      amount: total,
      paid_to: JSON.stringify({ name: to.name, ...to.account }),
      paid_from: JSON.stringify(await bankDetails(account.data, (id) => present(trx, id))),
      entry_key: entry,
      issued_by: by,
      issued_at: now,
    })
    .execute()
  if (cheque !== null) {
    const printed = { reference, cheque, account: account.title, issuedOn: today, payee: to.name, amount: total }
    await issueCheque(trx, { caseId, number, by }, printed)
  }
  return { number, method, cheque, batch: batch.title, amount: total, on: today, state: 'issued' }
}

/** The open batch of an account and method, locked; creates one if needed. Lock the account first. */
async function openBatch(
  { registers: items, numbers: series, now }: PayContext,
  bankAccount: string,
  method: PaymentForm['method'],
  by: string,
): Promise<Item> {
  const query = { status: 'Open', filters: { method, bank_account: bankAccount }, limit: 1 }
  const [there] = (await items.list(BATCHES, query)).items
  if (there) {
    const locked = await items.lock(BATCHES, there.id)
    if (locked.status === 'Open') return locked
  }
  const today = dayInColombo(now)
  const number = await series.written(BATCHES, 'PB-{yyyy}-{sequence:4}', now)
  return items.create(BATCHES, { number, method, bank_account: bankAccount, opened_on: today }, by)
}
