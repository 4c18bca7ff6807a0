import Type from 'typebox'
import type { SettlementForm } from '../../api/vouchers/payments/forms.ts'
import { settlePayment } from '../../api/vouchers/payments/settle.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'
import { known } from '../../api/platform/kernel/known.ts'

/** Records that the payee has the money: the cheque was handed over, or the bank confirmed the transfer. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const sent = context.submissions.findLast(({ formKey }) => formKey === 'vouchers/settle')
    if (sent?.data['outcome'] !== 'settle') throw new Error('no desk has settled the voucher')
    const form = checkedAs<SettlementForm>(sent.data)
    await settlePayment(context, context.case.id, form, sent.by)
    const on = known(form.settled_on, 'the day of the settlement')
    await context.facts({ settled: { on, receivedBy: form.received_by ?? null } })
    return {}
  },
})
