import Type from 'typebox'
import { worker } from './worker.ts'

/** Releases all slots of a case; a case may have none. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ allocations, case: { id } }) {
    await allocations.release(id)
    return {}
  },
})
