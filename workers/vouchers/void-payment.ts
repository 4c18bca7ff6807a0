import Type from 'typebox'
import type { SettlementForm } from '../../api/vouchers/payments/forms.ts'
import { takePaymentBack } from '../../api/vouchers/payments/settle.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/** Takes a payment back that did not reach the payee. The voucher holds its money again and can be paid again. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['vouchers.transfer-at-bank'],
  async run(context) {
    const sent = context.submissions.findLast(({ formKey }) => formKey === 'vouchers/settle')
    if (!sent || sent.data['outcome'] === 'settle') throw new Error('no desk has cancelled the payment')
    await takePaymentBack(context, context.case.id, checkedAs<SettlementForm>(sent.data), sent.by)
    await context.facts({ payment: null })
    return {}
  },
})
