import Type from 'typebox'
import { worker } from './worker.ts'

/** Frees whatever slots a case has; a case without slots is fine. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ allocations, case: { id } }) {
    await allocations.release(id)
    return {}
  },
})
