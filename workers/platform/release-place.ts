import Type from 'typebox'
import { releasePlace } from '../../api/platform/work/rows/places.ts'
import { worker } from './worker.ts'

/** Gives back the place of a case, which the next on the waiting list gets. A case may have none. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, case: { id } }) {
    await releasePlace(trx, id)
    return {}
  },
})
