import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { worker } from '../platform/worker.ts'

/** Notes when and where the applicant is interviewed, for the call letter and the page of the application. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ facts, submissions }) {
    const planned = submissions.findLast(({ formKey }) => formKey === 'recruitment/interview-schedule')
    const { at, place } = known(planned, 'the answer that schedules the interview').data
    await facts({ interviewAt: String(at), interviewPlace: String(place) })
    return {}
  },
})
