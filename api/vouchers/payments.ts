import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { amountInWords } from '../../forms/platform/derived.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { documents } from '../platform/records/documents/documents.ts'
import { BusinessError, type FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput } from '../platform/model/deployed/rules.ts'
import type { numbers } from '../platform/records/numbers/numbers.ts'
import type { Item } from '../platform/records/registers/item.ts'
import type { registers } from '../platform/records/registers/registers.ts'
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
const CHEQUE = 'vouchers/cheque'
const BATCHES = 'vouchers/payment-batch'
const ACCOUNTS = 'vouchers/bank-account'

/** Numbers that may be left out, for leaves of the book that are torn or given out of turn: further on it is a slip. */
const MOST_SKIPPED = 100
const LAST_CHEQUE = 999_999
/** What of a payee decides who gets the money. */
const PAID_TO = ['name', 'bank', 'branch', 'account_number'] as const
/** The forms by which a bursar answers for a payee, each with the outcome `certify`. */
const CERTIFICATES = ['vouchers/certify', 'vouchers/certify-payee']

/** The payment of a voucher that is under way; undefined while there is none. */
async function paymentUnderWay(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('voucher_payment')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('state', '=', 'issued')
    .executeTakeFirst()
}

/**
 * The number of an account's next cheque: the lowest of its book that is unused, or the one that was typed. Throws
 * `vouchers.cheque-used`, `vouchers.cheque-outside-book` or `vouchers.cheque-book-out`.
 */
async function chequeNumber(db: Kysely<DB>, { id, data }: Pick<Item, 'id' | 'data'>, typed?: string): Promise<string> {
  const first = Number(data['first_cheque'])
  const { rows } = await sql<{ next: number; taken: boolean }>`
    with used as (select cheque_number::integer as n from voucher_payment
      where bank_account_id = ${id}::uuid and cheque_number >= ${sixDigits(first)})
    select case when exists (select from used where n = ${first}::integer)
        then (select min(n) + 1 from used where not exists (select from used as behind where behind.n = used.n + 1))
        else ${first}::integer end as next,
      exists (select from voucher_payment
        where bank_account_id = ${id}::uuid and cheque_number = ${typed ?? null}) as taken`.execute(db)
  const { next, taken } = rows[0]!
  if (taken) throw new BusinessError('vouchers.cheque-used', { number: typed! })
  if (typed === undefined && next > LAST_CHEQUE) throw new BusinessError('vouchers.cheque-book-out')
  const furthest = Math.min(next + MOST_SKIPPED, LAST_CHEQUE)
  if (typed !== undefined && (Number(typed) < first || Number(typed) > furthest))
    throw new BusinessError('vouchers.cheque-outside-book', { from: sixDigits(first), until: sixDigits(furthest) })
  return typed ?? sixDigits(next)
}

function sixDigits(number: number): string {
  return String(number).padStart(6, '0')
}

/** An item of a register as it is now, which it stays until the transaction ends. */
async function present(db: Kysely<DB>, id: string): Promise<JsonObject> {
  const row = await db
    .selectFrom('register_item')
    .select('data')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
  return row.data as JsonObject
}

/** An item of a register as it was when somebody last certified the voucher. */
async function certified(db: Kysely<DB>, caseId: string, id: string): Promise<{ version: number; data: JsonObject }> {
  const row = await db
    .selectFrom('register_item_version')
    .select(['version', 'data'])
    .where('item_id', '=', id)
    .where('at', '<=', (eb) =>
      eb
        .selectFrom('submission')
        .select((of) => of.fn.max('at').as('at'))
        .where('case_id', '=', caseId)
        .where('effect', '<>', 'void')
        .where('form_key', 'in', CERTIFICATES)
        .where(sql`data ->> 'outcome'`, '=', 'certify'),
    )
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new Error(`nobody has certified the voucher with ${id}`)
  return { version: row.version, data: row.data as JsonObject }
}

/**
 * The payee of a voucher as somebody has last certified it, locked, and its account. Throws `vouchers.payee-changed` when
 * by now it is called otherwise or has another account, or its bank or branch another code.
 */
async function certifiedPayee(
  db: Kysely<DB>,
  caseId: string,
  payee: string,
): Promise<{ version: number; name: string; account: JsonObject }> {
  const now = await present(db, payee)
  const { version, data } = await certified(db, caseId, payee)
  const name = String(data['name'])
  const account = await bankDetails(data, async (id) => (await certified(db, caseId, id)).data)
  const isSame = PAID_TO.every((field) => now[field] === data[field])
  if (!isSame || !isDeepStrictEqual(await bankDetails(now, (id) => present(db, id)), account))
    throw new BusinessError('vouchers.payee-changed', { payee: name })
  return { version, name, account }
}

/** An account in the words of the bank: codes without what belongs to us, the number without blanks. */
async function bankDetails(
  { bank, branch, account_number: account }: JsonObject,
  read: (id: string) => Promise<JsonObject>,
): Promise<JsonObject> {
  const codeOf = async (id: JsonObject[string]): Promise<string | undefined> =>
    typeof id === 'string' ? String((await read(id))['code']) : undefined
  const [bankCode, branchCode] = [await codeOf(bank), await codeOf(branch)]
  return {
    ...(bankCode !== undefined && { bank: bankCode }),
    ...(branchCode !== undefined && { branch: branchCode.slice(-3) }),
    ...(typeof account === 'string' && { account: account.replaceAll(/[ -]/g, '') }),
  }
}

/** Why a payment cannot end so: a transfer can be void until its batch is sent, and comes back only after that. */
function endRefused(
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

/**
 * Payments of vouchers. Guarantees, held by the database as well: one payment of a voucher counts at a time, a cheque's
 * number is used once per account, a payment is what its entry in the ledger moved, goes to whom it was certified, and
 * lies in a batch that was open; what the bank has is never void.
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
     * A cheque is issued as a paper, to be printed. Throws `vouchers.cheque-used`, `vouchers.cheque-outside-book`,
     * `vouchers.cheque-book-out` or `vouchers.payee-changed`.
     */
    async pay(
      { id: caseId, reference }: { id: string; reference: string },
      voucher: Voucher,
      form: PaymentForm,
      by: string,
    ): Promise<PaymentFact> {
      const { payee, total } = voucher
      const account = await own.lock(ACCOUNTS, form.bank_account)
      const cheque = form.method === 'cheque' ? await chequeNumber(trx, account, form.cheque_no) : null
      const batch = await openBatch(account.id, form.method, by)
      const to = await certifiedPayee(trx, caseId, payee)
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
          paid_to: JSON.stringify({ name: to.name, ...to.account }),
          paid_from: JSON.stringify(await bankDetails(account.data, (id) => present(trx, id))),
          entry_key: entry,
          issued_by: by,
          issued_at: now,
        })
        .execute()
      if (cheque !== null)
        await documents(trx).issue({
          caseId,
          kind: CHEQUE,
          number,
          by,
          data: {
            ...{ reference, cheque, account: account.title, issuedOn: today, payee: to.name },
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
        note: form.received_by ?? null,
        bank_reference: form.bank_reference ?? null,
      })
    },

    /**
     * Takes the payment back; the voucher then holds its money again, the number of the cheque stays used, and its paper
     * is void. Throws `vouchers.transfer-at-bank` where only the bank could give it back.
     */
    async takeBack(caseId: string, form: SettlementForm, by: string): Promise<void> {
      const payment = await paymentUnderWay(trx, caseId)
      if (!payment) throw new Error('the voucher has no payment that could be taken back')
      const { outcome } = form
      const batch = await own.lock(BATCHES, payment.batch_id)
      const refused = endRefused(payment, batch, outcome)
      if (refused?.code === 'vouchers.transfer-at-bank')
        throw new BusinessError('vouchers.transfer-at-bank', refused.values)
      if (refused) throw new Error(`the payment ${payment.number} cannot end so: ${refused.code}`)
      const reversal = await votes(trx).unspend(caseId, payment.entry_key)
      await end(caseId, {
        state: outcome === 'void' ? 'voided' : 'returned',
        reversal_key: reversal,
        ended_by: by,
        ended_on: today,
        note: form.reason ?? null,
        bank_reference: outcome === 'void' ? null : (form.bank_reference ?? null),
      })
      if (payment.method === 'cheque') await documents(trx).end({ caseId, kind: CHEQUE, number: payment.number, by })
    },
  }

  async function end(
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
}

/** What the desk that pays must answer beyond its form. */
export async function checkPayment(input: DeskInput): Promise<FieldError[]> {
  const { data, current, trx, caseId } = input
  if (data['outcome'] !== 'pay') return []
  const { method, bank_account: account, cheque_no: cheque } = data as unknown as PaymentForm
  const payee = await trx
    .selectFrom('register_item')
    .select(['status', 'data'])
    .where('id', '=', String(current['payee']))
    .executeTakeFirstOrThrow()
  if (payee.status !== 'Active') return [{ field: '/method', code: 'vouchers.payee-out-of-use' }]
  const known = payee.data as JsonObject
  if (method === 'transfer' && ['bank', 'branch', 'account_number'].some((name) => known[name] === undefined))
    return [{ field: '/method', code: 'vouchers.payee-without-account' }]
  await anotherHasChanged(input)
  return [
    ...(await told('/method', () => certifiedPayee(trx, caseId, String(current['payee'])))),
    ...(method === 'cheque'
      ? await told('/cheque_no', async () => chequeNumber(trx, await accountOfBank(trx, account), cheque))
      : []),
  ]
}

async function accountOfBank(trx: Transaction<DB>, id: string): Promise<Pick<Item, 'id' | 'data'>> {
  const { data } = await trx.selectFrom('register_item').select('data').where('id', '=', id).executeTakeFirstOrThrow()
  return { id, data: data as JsonObject }
}

/** What an act would be refused for, at the field that it is about. */
async function told(field: string, act: () => Promise<unknown>): Promise<FieldError[]> {
  try {
    await act()
    return []
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    return [{ field, code: error.code, values: error.values }]
  }
}

/** What who certifies must answer beyond the form. */
export async function checkCertificate(input: DeskInput): Promise<FieldError[]> {
  if (input.data['outcome'] !== 'certify') return []
  // What is being changed now waits, and is no part of what is certified.
  await present(input.trx, String(input.current['payee']))
  await anotherHasChanged(input)
  return []
}

/**
 * Nobody answers for a payee whom they have themselves given another name or account since the voucher was begun, however
 * often it was sent again: that takes the word of somebody else. Throws `vouchers.payee-changed-by-you`.
 */
async function anotherHasChanged({ current, trx, caseId, by }: DeskInput): Promise<void> {
  const facets = sql.raw(PAID_TO.map((field) => `v.data -> '${field}'`).join(', '))
  const before = sql.raw(PAID_TO.map((field) => `earlier.data -> '${field}'`).join(', '))
  const { rows } = await sql`
    select from flow_case c
    join register_item_version v on v.item_id = ${String(current['payee'])}::uuid and v.at > c.created_at
    join register_item_version earlier on earlier.item_id = v.item_id and earlier.version = v.version - 1
    where c.id = ${caseId}::uuid and v.changed_by = ${by}::uuid and (${facets}) is distinct from (${before}) limit 1`.execute(
    trx,
  )
  if (rows.length > 0) throw new BusinessError('vouchers.payee-changed-by-you')
}

/** What the desk that hands over or confirms must answer beyond its form. */
export async function checkSettlement({ data, facts, now, trx, caseId }: DeskInput): Promise<FieldError[]> {
  const form = data as unknown as SettlementForm
  const payment = await paymentUnderWay(trx, caseId)
  if (payment) {
    const batch = await trx
      .selectFrom('register_item')
      .select(['status', 'title'])
      .where('id', '=', payment.batch_id)
      .executeTakeFirstOrThrow()
    const refused = endRefused(payment, batch, form.outcome)
    if (refused) return [{ field: form.outcome === 'settle' ? '/settled_on' : '/reason', ...refused }]
    if (payment.method === 'cheque' && form.outcome === 'settle' && form.received_by === undefined)
      return [{ field: '/received_by', code: 'platform.field-required' }]
  }
  const day = form.settled_on
  if (form.outcome !== 'settle' || day === undefined) return []
  if (day > dayInColombo(now)) return [{ field: '/settled_on', code: 'vouchers.settled-in-future' }]
  const paid = facts['payment'] as unknown as PaymentFact | undefined
  if (paid && day < paid.on)
    return [{ field: '/settled_on', code: 'vouchers.settled-before-payment', values: { day: paid.on } }]
  return []
}
