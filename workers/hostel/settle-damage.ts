import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/** Notes what the student pays for the damage, and what is left of the deposit. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ registers, facts, submission, submissions }) {
    const settled = known(
      submissions.findLast(({ formKey }) => formKey === 'hostel/settlement'),
      'the settlement',
    )
    const charge = settled.data['outcome'] === 'charged' ? Number(settled.data['charge']) : 0
    const intake = await registers.item('hostel/intake', known(textAt(submission, '/intake'), 'the intake'))
    await facts({ charge, toRefund: Math.max(0, Number(intake.data['deposit']) - charge) })
    return {}
  },
})
