import Type from 'typebox'
import { worker } from './worker.ts'

/**
 * Ends what follows from the case by links with `ends`. `linkedLeft` holds, separated by commas, the names of the links
 * by which a case goes on all the same, or was carried out.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ linkedLeft: Type.String() }),
  async run({ endLinked }) {
    return { linkedLeft: (await endLinked()).join(', ') }
  },
})
