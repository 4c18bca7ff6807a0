import Type from 'typebox'
import { at } from '../../api/platform/model/definitions/register.ts'
import { takePlace } from '../../api/platform/work/rows/places.ts'
import { worker } from './worker.ts'

/**
 * Takes a place of the entry that the manifest names under `places`. If none is free, or others wait, the case gets a
 * number on the waiting list, and its diagram waits for `message_placeFreed`.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ placed: Type.Boolean() }),
  async run({ trx, library, submission, facts, case: { id, flow } }) {
    const places = library.flows.get(flow)?.manifest.places
    const item = places && at(submission, places.of)
    if (!places || typeof item !== 'string') throw new Error(`${flow} has no places`)
    const { placed, number } = await takePlace(trx, id, { item, field: places.number.slice(1) })
    if (number !== null) await facts({ waitingNumber: number })
    return { placed }
  },
})
