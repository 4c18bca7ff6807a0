import Type from 'typebox'
import { worker } from '../platform/worker.ts'
import { HOUR_MS } from '../../api/platform/kernel/units.ts'

/** The whole hours between the request to cancel and the start of the booking; 0 if it has begun. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ noticeHours: Type.Integer({ minimum: 0 }) }),
  async run({ submission, submissions, facts, now }) {
    // The time of the request counts: a retry of this step must not shorten the notice.
    const asked = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/cancellation-request')
    const notice = Date.parse(String(submission['from'])) - (asked?.at ?? now).getTime()
    const noticeHours = Math.max(0, Math.floor(notice / HOUR_MS))
    await facts({ cancellation: { noticeHours } })
    return { noticeHours }
  },
})
