import Type from 'typebox'
import { worker } from './worker.ts'

/** Makes the slots that a case has claimed its own for good. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ allocations, case: { id } }) {
    // Whoever draws this step promises that there is a slot; a case without one has lost it, and a person has to look.
    if ((await allocations.confirm(id)) === 0) throw new Error('the case has no slot to confirm')
    return {}
  },
})
