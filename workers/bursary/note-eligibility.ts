import Type from 'typebox'
import { bursaryOf, findScheme, valueOn } from '../../api/bursary/recipients.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { worker } from '../platform/worker.ts'

/**
 * Notes which bursary the table gives, with its reason, for the eligibility list; and its name and value of today for
 * the agreement, so that guarantors know what they sign for.
 */
export default worker({
  input: Type.Object({ eligibility: Type.String() }),
  output: Type.Object({}),
  async run({ trx, variables: { eligibility }, facts, now }) {
    const bursary = bursaryOf(eligibility)
    if (bursary === 'Not eligible') {
      await facts({ eligibility })
      return {}
    }
    const bursaryValue = await valueOn(trx, await findScheme(trx, bursary), dayInColombo(now).slice(0, 7))
    await facts({ eligibility, bursary, ...(bursaryValue !== undefined && { bursaryValue }) })
    return {}
  },
})
