import Type from 'typebox'
import { lockStay } from '../../api/hostel/stays.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/** Enters that the room is free again, and what has to be settled or refunded. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ damaged: Type.Boolean() }),
  async run({ trx, registers, facts, submission, submissions, case: { reference }, now }) {
    const taken = known(
      submissions.findLast(({ formKey }) => formKey === 'hostel/vacating'),
      'the answer about the room',
    )
    const damaged = taken.data['outcome'] === 'damaged'
    const stay = await lockStay(trx, registers, reference)
    const dated = await registers.change(stay, { vacated_on: dayInColombo(now) }, taken.by)
    await registers.setStatus(dated, 'Vacated', taken.by)
    const intake = await registers.item('hostel/intake', known(textAt(submission, '/intake'), 'the intake'))
    await facts(damaged ? { charge: taken.data['charge'] ?? null } : { toRefund: intake.data['deposit'] ?? null })
    return { damaged }
  },
})
