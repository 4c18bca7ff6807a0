import Type from 'typebox'
import { moneyFacts, settlementFor, type CancellationTerms } from '../../api/resource-reservation/money.ts'
import { worker } from '../platform/worker.ts'
import { known } from '../../api/platform/kernel/known.ts'

/**
 * Calculates the refund if the cancellation is accepted, for the person who decides; the settlement pays the same sum.
 * A booking that was never billed has no refund.
 */
export default worker({
  input: Type.Object({ refundPercent: Type.Integer({ minimum: 0, maximum: 100 }) }),
  output: Type.Object({}),
  async run({ trx, case: found, variables: { refundPercent }, facts }) {
    const money = await moneyFacts(trx, found.id)
    const settled = settlementFor(money, { percentBack: refundPercent, damages: 0 })
    if (!settled) return {}
    const { noticeHours } = known(money.cancellation, 'the request to cancel the booking')
    const { hireBack, difference, refundDue: refund, differenceCharged } = settled
    const hire = hireBack + Math.max(0, -difference)
    const deposit = known(money.invoice, 'the invoice that is settled').deposit - differenceCharged
    const cancellationTerms: CancellationTerms = { noticeHours, refundPercent, hire, deposit, refund }
    await facts({ cancellationTerms: { ...cancellationTerms } })
    return {}
  },
})
