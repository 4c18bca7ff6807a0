import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { settleDeposit } from '../platform/settle-deposit.ts'
import { worker } from '../platform/worker.ts'

/** Notes what the student pays for the damage, and what is left of the deposit. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const { trx, facts, submissions } = context
    const settled = known(
      submissions.findLast(({ formKey }) => formKey === 'hostel/settlement'),
      'the settlement',
    )
    const charge = settled.data['outcome'] === 'charged' ? Number(settled.data['charge']) : 0
    const taken = known(
      submissions.findLast(({ formKey }) => formKey === 'hostel/vacating'),
      'the answer about the room',
    )
    const { facts: agreed } = await getCaseContent(trx, context.case.id)
    await facts({ charge })
    await settleDeposit(context, { deposit: Number(agreed['deposit'] ?? 0), charge, taken })
    return {}
  },
})
