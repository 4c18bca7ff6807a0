import Type from 'typebox'
import { STAYS, findStay } from '../../api/hostel/stays.ts'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/** Gives each of two students of one hostel the bed of the other. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['hostel.swap-impossible'],
  async run({ trx, registers, submission, submissions }) {
    const decided = submissions.findLast(({ formKey }) => formKey === 'hostel/swap-decision')
    if (decided?.data['outcome'] !== 'approve') throw new Error('no desk has approved the swap')
    const own = known(textAt(submission, '/stay'), 'the place of the student')
    const other = await findStay(trx, String(submission['other']))
    if (other === undefined) throw new BusinessError('hostel.swap-impossible')
    // In one order, so that two swaps never wait for each other.
    const locked = []
    for (const id of [own, other].toSorted()) locked.push(await registers.lock(STAYS, id))
    const [one, two] = locked
    if (!one || !two || locked.some((stay) => stay.status !== 'Taken'))
      throw new BusinessError('hostel.swap-impossible')
    if (one.data['hostel'] !== two.data['hostel']) throw new BusinessError('hostel.swap-impossible')
    // A bed has one student at any moment: the first leaves theirs before the second gets it.
    const moving = await registers.setStatus(one, 'Moving', decided.by)
    await registers.change(two, bedOf(one.data), decided.by)
    const moved = await registers.change(moving, bedOf(two.data), decided.by)
    await registers.setStatus(moved, 'Taken', decided.by)
    return {}
  },
})

/** The fields of a place that say which bed it is. */
function bedOf({ room, room_name, bed }: JsonObject): JsonObject {
  return { room: room ?? null, room_name: room_name ?? null, bed: bed ?? null }
}
