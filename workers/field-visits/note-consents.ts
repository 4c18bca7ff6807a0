import Type from 'typebox'
import { CONSENTS } from '../../api/field-visits/consents.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Notes which parents have given their consent by now; none that was given for days of before a move. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, submission, submissions, facts, case: { id } }) {
    const last = submissions.findLastIndex(({ formKey }) => formKey === CONSENTS)
    const { data } = known(submissions[last], 'the consents that were noted')
    const isForOtherDays = submissions
      .slice(last)
      .some(({ formKey, data: answer }) => formKey === 'field-visits/move-decision' && answer['outcome'] === 'approve')
    if (!isForOtherDays)
      await saveCaseContent(trx, id, { data: { ...submission, participants: data['participants'] ?? null } })
    await facts({ noted: submissions.filter(({ formKey }) => formKey === CONSENTS).length })
    return {}
  },
})
