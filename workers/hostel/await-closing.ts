import Type from 'typebox'
import { dayInColombo, endOfDay } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/**
 * Whether the last day for applications is over, as the intake says now and nobody is about to change; if not, the end
 * of this day, to look again.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ intakeOver: Type.Boolean(), lookAgainAt: Type.String({ format: 'date-time' }) }),
  async run({ registers, submission, now }) {
    const { data, status } = await registers.item('hostel/intake', known(textAt(submission, '/intake'), 'the intake'))
    const today = dayInColombo(now)
    return {
      intakeOver: status !== 'Awaiting Approval' && String(data['closes']) < today,
      lookAgainAt: endOfDay(today),
    }
  },
})
