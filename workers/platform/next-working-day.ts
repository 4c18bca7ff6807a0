import Type from 'typebox'
import { workingDays } from '../../api/platform/records/calendar/working-days.ts'
import { worker } from './worker.ts'

/** Counts the deadlines from today again, for a path that reaches a desk after a delay. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({
    workday1: Type.String({ format: 'date-time' }),
    workday3: Type.String({ format: 'date-time' }),
  }),
  async run({ trx, now }) {
    const days = workingDays(trx, now)
    return { workday1: await days.endOf(1), workday3: await days.endOf(3) }
  },
})
