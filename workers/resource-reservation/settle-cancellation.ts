import Type from 'typebox'
import { settle } from '../../api/resource-reservation/settling.ts'
import { worker } from '../platform/worker.ts'

/**
 * Settles a cancelled booking: refunds the given share of hire and amenities, and the deposit. Returns the refund in
 * cents; 0 if nothing was paid.
 */
export default worker({
  input: Type.Object({ refundPercent: Type.Integer({ minimum: 0, maximum: 100 }) }),
  output: Type.Object({ refundDue: Type.Integer({ minimum: 0, 'x-unit': 'LKR cents' }) }),
  run: (context) => settle(context, { kind: 'credit-note', percentBack: context.variables.refundPercent, damages: [] }),
})
