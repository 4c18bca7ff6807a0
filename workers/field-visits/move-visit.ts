import Type from 'typebox'
import { withoutConsents } from '../../api/field-visits/consents.ts'
import { endOfDay } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { getCaseRow, saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Moves a visit to the days that were asked for. Consents were for the days of before. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ visitBegins: Type.String(), visitEnds: Type.String(), moveBy: Type.String() }),
  async run({ trx, submission, submissions, case: { id } }) {
    const { data } = known(
      submissions.findLast(({ formKey }) => formKey === 'field-visits/move'),
      'the days that were asked for',
    )
    const days = { from: String(data['from']), until: String(data['until']) }
    const { subject } = await getCaseRow(trx, id)
    await saveCaseContent(trx, id, {
      data: { ...withoutConsents(submission), ...days },
      subject: { ...subject, ...days },
    })
    return {
      visitBegins: endOfDay(days.from, -1),
      visitEnds: endOfDay(days.until),
      moveBy: endOfDay(days.from, -2),
    }
  },
})
