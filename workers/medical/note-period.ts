import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry, getPerson } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/** Notes the days that the doctor has certified, and who they are about, for the certificate. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, facts, submissions, case: { requesterId } }) {
    const { data } = known(
      submissions.findLast(({ formKey }) => formKey === 'medical/certification'),
      'the decision of a doctor',
    )
    const entry = await findOwnEntry(trx, requesterId)
    const number = entry && (textAt(entry.data, '/reg_no') ?? textAt(entry.data, '/employee_id'))
    const holder = (entry && textAt(entry.data, '/full_name')) ?? (await getPerson(trx, requesterId)).name
    await facts({
      holder,
      holderNumber: number ?? null,
      unfitFrom: known(textAt(data, '/unfit_from'), 'the first day'),
      unfitUntil: known(textAt(data, '/unfit_until'), 'the last day'),
    })
    return {}
  },
})
