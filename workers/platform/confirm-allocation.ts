import Type from 'typebox'
import { worker } from './worker.ts'

/** Makes the claimed slots of a case final. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ allocations, case: { id } }) {
    // The diagram promises that there is a slot. A case without one has lost it, and a person has to look into it.
    if ((await allocations.confirm(id)) === 0) throw new Error('the case has no slot to confirm')
    return {}
  },
})
