import Type from 'typebox'
import { moneyFacts, settlementFor, type CancellationTerms } from '../../api/resource-reservation/money.ts'
import { worker } from '../platform/worker.ts'

/**
 * Works out what a booking gets back if its cancellation is accepted, so that whoever decides sees it in money: the same
 * sum that is settled afterwards. A booking that was never billed has nothing to get back.
 */
export default worker({
  input: Type.Object({ refundPercent: Type.Integer({ minimum: 0, maximum: 100 }) }),
  output: Type.Object({}),
  async run({ trx, case: found, variables: { refundPercent }, facts }) {
    const known = await moneyFacts(trx, found.id)
    const settled = settlementFor(known, { percentBack: refundPercent, damages: 0 })
    if (!settled) return {}
    const { noticeHours } = known.cancellation!
    const { hireBack, difference, refundDue: refund, differenceCharged } = settled
    const hire = hireBack + Math.max(0, -difference)
    const deposit = known.invoice!.deposit - differenceCharged
    const cancellationTerms: CancellationTerms = { noticeHours, refundPercent, hire, deposit, refund }
    await facts({ cancellationTerms: { ...cancellationTerms } })
    return {}
  },
})
