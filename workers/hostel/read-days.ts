import Type from 'typebox'
import { findStay, lockStay } from '../../api/hostel/stays.ts'
import { dayAway, endOfDay } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/** Days before the end of the stay on which the student is reminded. */
const REMINDED_DAYS_BEFORE = 14

const Moment = Type.String({ format: 'date-time' })

/**
 * The days of the intake as they were last approved; they may be others than when the student applied. Who lives in a
 * room stays until then.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ waitingEnds: Moment, stayEnds: Moment, remindAt: Moment }),
  async run({ trx, registers, submission, case: { reference } }) {
    const id = known(textAt(submission, '/intake'), 'the intake')
    const intake = known(await registers.certified('hostel/intake', id), 'the approved intake')
    const [from, until] = [String(intake['from']), String(intake['until'])]
    if ((await findStay(trx, reference)) !== undefined) {
      const stay = await lockStay(trx, registers, reference)
      const moved = stay.data['from'] !== from || stay.data['until'] !== until
      // Both days together: a year that is moved may begin after its former end.
      if (stay.status === 'Taken' && moved) await registers.change(stay, { from, until }, null)
    }
    return {
      waitingEnds: endOfDay(String(intake['places_until'])),
      stayEnds: endOfDay(until),
      remindAt: endOfDay(dayAway(until, -REMINDED_DAYS_BEFORE)),
    }
  },
})
