import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { amountInWords } from '../../forms/platform/derived.ts'
import { dayInColombo } from '../platform/calendar/colombo.ts'
import type { DB, JsonObject } from '../platform/db/database.generated.ts'
import { documents } from '../platform/documents/documents.ts'
import { BusinessError, type FieldError } from '../platform/errors.ts'
import type { DeskInput } from '../platform/flows/rules.ts'
import type { numbers } from '../platform/numbers/numbers.ts'
import type { Item, registers } from '../platform/registers/registers.ts'
import type { Voucher } from './voucher.ts'
import { votes } from './votes.ts'

/** What the desk that pays answers: `vouchers/pay`. */
export interface PaymentForm {
  method: 'cheque' | 'transfer'
  bank_account: string
  cheque_no?: string
}

/** What the desk behind it answers: `vouchers/settle`. */
export interface SettlementForm {
  outcome: 'settle' | 'void' | 'return_payment'
  settled_on?: string
  received_by?: string
  bank_reference?: string
  reason?: string
}

/** What the case says of its payment. */
interface PaymentFact {
  number: string
  method: string
  cheque: string | null
  batch: string
  amount: number
  /** Day in Colombo. */
  on: string
  state: string
}

/** The part of a worker's context that a payment needs. */
interface Context {
  trx: Transaction<DB>
  registers: ReturnType<typeof registers>
  numbers: ReturnType<typeof numbers>
  now: Date
}

/** Nobody has signed a cheque that is about to be printed. */
const chequeSignatures = ['first', 'second'].map((which) => ({
  title: `vouchers.document.${which}-signature`,
  name: null,
  on: null,
}))
const BATCHES = 'vouchers/payment-batch'
const ACCOUNTS = 'vouchers/bank-account'

/** The payment of a voucher that is under way; undefined while there is none. */
async function paymentUnderWay(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('voucher_payment')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('state', '=', 'issued')
    .executeTakeFirst()
}

async function chequeUsed(db: Kysely<DB>, bankAccount: string, number: string): Promise<boolean> {
  const row = await db
    .selectFrom('voucher_payment')
    .select('id')
    .where('bank_account_id', '=', bankAccount)
    .where('cheque_number', '=', number)
    .executeTakeFirst()
  return row !== undefined
}

/** The cheque behind the last one that was used of an account; the first of its book where none was. */
async function nextCheque(db: Kysely<DB>, { id, data }: Item): Promise<string> {
  const { last } = await db
    .selectFrom('voucher_payment')
    .select((eb) => eb.fn.max('cheque_number').as('last'))
    .where('bank_account_id', '=', id)
    .executeTakeFirstOrThrow()
  // A new book begins behind the old one, or wherever the account says that it does.
  const next = Math.max(Number(data['first_cheque']), last === null ? 0 : Number(last) + 1)
  return String(next).padStart(6, '0')
}

/**
 * Payments of vouchers. Guarantees, held by the database as well: one payment of a voucher counts at a time, a cheque's
 * number is used once per account, a payment is what its entry in the ledger moved, and lies in a batch that was open.
 */
export function payments({ trx, registers: own, numbers, now }: Context) {
  const today = dayInColombo(now)

  /** The open batch of an account and method, locked; a new one where there is none. The account is locked before. */
  async function openBatch(bankAccount: string, method: PaymentForm['method'], by: string): Promise<Item> {
    const query = { status: 'Open', filters: { method, bank_account: bankAccount }, limit: 1 }
    const [there] = (await own.list(BATCHES, query)).items
    if (there) {
      const locked = await own.lock(BATCHES, there.id)
      if (locked.status === 'Open') return locked
    }
    const year = today.slice(0, 4)
    const number = `PB-${year}-${String(await numbers.next(BATCHES, year)).padStart(4, '0')}`
    return own.create(BATCHES, { number, method, bank_account: bankAccount, opened_on: today }, by)
  }

  return {
    /**
     * Pays a voucher: spends what it has committed and notes the cheque or the transfer, in the batch that is open.
     * A cheque is issued as a paper, to be printed.
     * Throws `vouchers.cheque-used` when the cheque's number is used already.
     */
    async pay(
      { id: caseId, reference }: { id: string; reference: string },
      voucher: Voucher,
      form: PaymentForm,
      by: string,
    ): Promise<PaymentFact> {
      const { payee, total } = voucher
      const account = await own.lock(ACCOUNTS, form.bank_account)
      const cheque = form.method === 'cheque' ? (form.cheque_no ?? (await nextCheque(trx, account))) : null
      if (cheque !== null && (await chequeUsed(trx, account.id, cheque)))
        throw new BusinessError('vouchers.cheque-used', { number: cheque })
      const batch = await openBatch(account.id, form.method, by)
      const to = await own.item('vouchers/payee', payee)
      const entry = await votes(trx).spend(caseId, total, account.id)
      const year = today.slice(0, 4)
      const number = `PAY-${year}-${String(await numbers.next('vouchers/payment', year)).padStart(6, '0')}`
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
          method: form.method,
          cheque_number: cheque,
          amount: total,
          entry_key: entry,
          issued_by: by,
          issued_at: now,
        })
        .execute()
      if (cheque !== null)
        await documents(trx).issue({
          caseId,
          kind: 'vouchers/cheque',
          number,
          by,
          data: {
            ...{ reference, cheque, account: account.title, issuedOn: today, payee: to.title },
            ...{ amount: total, words: amountInWords(total), signatures: chequeSignatures },
          },
        })
      return { number, method: form.method, cheque, batch: batch.title, amount: total, on: today, state: 'issued' }
    },

    /** Notes that the cheque was handed over, or the transfer confirmed by the bank. */
    async settle(caseId: string, form: SettlementForm, by: string): Promise<void> {
      await end(caseId, {
        state: 'settled',
        ended_by: by,
        ended_on: form.settled_on ?? today,
        note: form.received_by ?? form.bank_reference ?? null,
      })
    },

    /** Takes the payment back; the voucher then holds its money again, and the number of the cheque stays used. */
    async takeBack(caseId: string, form: SettlementForm, by: string): Promise<void> {
      const payment = await paymentUnderWay(trx, caseId)
      if (!payment) throw new Error('the voucher has no payment that could be taken back')
      const reversal = await votes(trx).unspend(caseId, payment.entry_key)
      await end(caseId, {
        state: form.outcome === 'void' ? 'voided' : 'returned',
        reversal_key: reversal,
        ended_by: by,
        ended_on: today,
        note: form.reason ?? null,
      })
    },
  }

  async function end(
    caseId: string,
    how: { state: string; reversal_key?: string; ended_by: string; ended_on: string; note: string | null },
  ): Promise<void> {
    const { numUpdatedRows } = await trx
      .updateTable('voucher_payment')
      .set({ ...how, ended_at: now })
      .where('case_id', '=', caseId)
      .where('state', '=', 'issued')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Error('the voucher has no payment that is under way')
  }
}

/** What the desk that pays must answer beyond its form. */
export async function checkPayment({ data, current, trx }: DeskInput): Promise<FieldError[]> {
  if (data['outcome'] !== 'pay') return []
  const { method, bank_account: account, cheque_no: cheque } = data as unknown as PaymentForm
  if (method === 'cheque' && cheque !== undefined && (await chequeUsed(trx, account, cheque)))
    return [{ field: '/cheque_no', code: 'vouchers.cheque-used', values: { number: cheque } }]
  const payee = await trx
    .selectFrom('register_item')
    .select(['status', 'data'])
    .where('id', '=', String(current['payee']))
    .executeTakeFirstOrThrow()
  if (payee.status !== 'Active') return [{ field: '/method', code: 'vouchers.payee-out-of-use' }]
  const known = payee.data as JsonObject
  if (method === 'transfer' && ['bank', 'branch', 'account_number'].some((name) => known[name] === undefined))
    return [{ field: '/method', code: 'vouchers.payee-without-account' }]
  return []
}

/** What the desk that hands over or confirms must answer beyond its form. */
export function checkSettlement({ data, facts, now }: DeskInput): FieldError[] {
  const day = data['settled_on']
  if (data['outcome'] !== 'settle' || typeof day !== 'string') return []
  if (day > dayInColombo(now)) return [{ field: '/settled_on', code: 'vouchers.settled-in-future' }]
  const paid = facts['payment'] as unknown as PaymentFact | undefined
  if (paid && day < paid.on)
    return [{ field: '/settled_on', code: 'vouchers.settled-before-payment', values: { day: paid.on } }]
  return []
}
