import type { Transaction } from 'kysely'
import { dayInColombo } from '../../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../platform/kernel/errors.ts'
import type { DeskInput } from '../../platform/model/deployed/rules.ts'
import type { Item } from '../../platform/records/registers/item.ts'
import { chequeNumber } from './cheques.ts'
import type { PaymentFact, PaymentForm, SettlementForm } from './forms.ts'
import { anotherHasChanged, certifiedPayee, present } from './payee.ts'
import { endRefused, paymentUnderWay } from './settle.ts'
import { checkedAs } from '../../platform/model/forms/checked-as.ts'

/** Checks the answer of the paying desk beyond its form. */
export async function checkPayment(input: DeskInput): Promise<FieldError[]> {
  const { data, current, trx, caseId } = input
  if (data['outcome'] !== 'pay') return []
  const { method, bank_account: account, cheque_no: cheque } = checkedAs<PaymentForm>(data)
  const payee = await trx
    .selectFrom('register_item')
    .select(['status', 'data'])
    .where('id', '=', String(current['payee']))
    .executeTakeFirstOrThrow()
  if (payee.status !== 'Active') return [{ field: '/method', code: 'vouchers.payee-out-of-use' }]
  const known = checkedAs<JsonObject>(payee.data)
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
  return { id, data: checkedAs<JsonObject>(data) }
}

/** The error of an act, at the field it concerns. */
async function told(field: string, act: () => Promise<unknown>): Promise<FieldError[]> {
  try {
    await act()
    return []
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    return [{ field, code: error.code, values: error.values }]
  }
}

/** Checks the answer of the certifying desk beyond its form. */
export async function checkCertificate(input: DeskInput): Promise<FieldError[]> {
  if (input.data['outcome'] !== 'certify') return []
  // Locks the payee: a change in progress waits and is not part of what is certified.
  await present(input.trx, String(input.current['payee']))
  await anotherHasChanged(input)
  return []
}

/** Checks the answer of the desk that hands over or confirms a payment beyond its form. */
export async function checkSettlement({ data, facts, now, trx, caseId }: DeskInput): Promise<FieldError[]> {
  const form = checkedAs<SettlementForm>(data)
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this flow's workers write this fact
  const paid = facts['payment'] as PaymentFact | undefined
  if (paid && day < paid.on)
    return [{ field: '/settled_on', code: 'vouchers.settled-before-payment', values: { day: paid.on } }]
  return []
}
