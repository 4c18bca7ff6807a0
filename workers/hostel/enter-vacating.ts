import Type from 'typebox'
import { lockStay } from '../../api/hostel/stays.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { settleDeposit } from '../platform/settle-deposit.ts'
import { worker } from '../platform/worker.ts'

/** Enters that the room is free again, and what has to be settled or refunded. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ damaged: Type.Boolean() }),
  async run(context) {
    const { trx, registers, facts, submissions, now } = context
    const { id, reference } = context.case
    const taken = known(
      submissions.findLast(({ formKey }) => formKey === 'hostel/vacating'),
      'the answer about the room',
    )
    const damaged = taken.data['outcome'] === 'damaged'
    const stay = await lockStay(trx, registers, reference)
    const dated = await registers.change(stay, { vacated_on: dayInColombo(now) }, taken.by)
    await registers.setStatus(dated, 'Vacated', taken.by)
    const { facts: agreed } = await getCaseContent(trx, id)
    if (damaged) await facts({ charge: taken.data['charge'] ?? null })
    else await settleDeposit(context, { deposit: Number(agreed['deposit'] ?? 0), charge: 0, taken })
    return { damaged }
  },
})
