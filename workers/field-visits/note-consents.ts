import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Notes which parents have given their consent by now. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, submission, submissions, case: { id } }) {
    const { data } = known(
      submissions.findLast(({ formKey }) => formKey === 'field-visits/consents'),
      'the consents that were noted',
    )
    await saveCaseContent(trx, id, { data: { ...submission, participants: data['participants'] ?? null } })
    return {}
  },
})
