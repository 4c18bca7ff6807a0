import Type from 'typebox'
import { worker } from '../platform/worker.ts'

/** Notes which bursary the table gives, with its reason, for the eligibility list. */
export default worker({
  input: Type.Object({ eligibility: Type.String() }),
  output: Type.Object({}),
  async run({ variables: { eligibility }, facts }) {
    await facts({ eligibility })
    return {}
  },
})
