import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Notes what the student pays for the damage, and what is left of the deposit. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, facts, submissions, case: { id } }) {
    const settled = known(
      submissions.findLast(({ formKey }) => formKey === 'hostel/settlement'),
      'the settlement',
    )
    const charge = settled.data['outcome'] === 'charged' ? Number(settled.data['charge']) : 0
    const { facts: agreed } = await getCaseContent(trx, id)
    await facts({ charge, toRefund: Math.max(0, Number(agreed['deposit']) - charge) })
    return {}
  },
})
