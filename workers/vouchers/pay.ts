import Type from 'typebox'
import type { PaymentForm } from '../../api/vouchers/payments/forms.ts'
import { payVoucher } from '../../api/vouchers/payments/pay.ts'
import { voucherOf } from '../../api/vouchers/payments/voucher.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/** Pays a voucher as the desk decided: spends its commitment, by cheque or transfer. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: [
    'vouchers.cheque-used',
    'vouchers.cheque-outside-book',
    'vouchers.cheque-book-out',
    'vouchers.payee-changed',
  ],
  async run(context) {
    const sent = context.submissions.findLast(({ formKey }) => formKey === 'vouchers/pay')
    if (sent?.data['outcome'] !== 'pay') throw new Error('no desk has decided how to pay the voucher')
    const form = checkedAs<PaymentForm>(sent.data)
    const payment = await payVoucher(context, context.case, voucherOf(context.submission), form, sent.by)
    await context.facts({ payment: { ...payment } })
    return {}
  },
})
