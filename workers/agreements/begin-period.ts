import Type from 'typebox'
import { AGREEMENTS, NO_NEXT, inForce } from '../../api/agreements/periods.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/** Lets the next period of an agreement take the place of the present one. One that was ended, or runs longer, stays. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ registers, submission }) {
    const id = known(textAt(submission, '/agreement'), 'the agreement')
    const agreement = await registers.lock(AGREEMENTS, id)
    const next = textAt(agreement.data, '/next_until')
    if (next === undefined) return {}
    const goesOn = agreement.status !== 'Ended' && String(agreement.data['until']) < next
    await registers.change(agreement, goesOn ? inForce(agreement.data) : NO_NEXT, null)
    return {}
  },
})
