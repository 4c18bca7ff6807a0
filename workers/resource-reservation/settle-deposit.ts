import Type from 'typebox'
import { type Damage, settle } from '../../api/resource-reservation/settling.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/**
 * Settles the deposit after the event: deducts the difference for a change of time and the reported damages, and
 * refunds the rest. Returns the refund in cents.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ refundDue: Type.Integer({ minimum: 0, 'x-unit': 'LKR cents' }) }),
  async run(context) {
    const report = context.submissions.findLast(({ formKey }) => formKey === 'resource-reservation/post-report')
    if (!report) throw new Error('the case has no report')
    const damages = checkedAs<Damage[]>(report.data['damages'] ?? [])
    return settle(context, { kind: 'settlement', percentBack: 0, damages })
  },
})
