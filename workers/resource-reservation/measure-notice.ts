import Type from 'typebox'
import { worker } from '../platform/worker.ts'

const HOUR = 3_600_000

/** Measures how many whole hours before its start the booking was asked to be cancelled; 0 when it has begun. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ noticeHours: Type.Integer({ minimum: 0 }) }),
  async run({ submission, submissions, facts, now }) {
    // The booker's moment counts, not ours: a step that has to be repeated must not shorten the notice.
    const asked = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/cancellation-request')
    const notice = Date.parse(String(submission['from'])) - (asked?.at ?? now).getTime()
    const noticeHours = Math.max(0, Math.floor(notice / HOUR))
    await facts({ cancellation: { noticeHours } })
    return { noticeHours }
  },
})
