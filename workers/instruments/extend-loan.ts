import Type from 'typebox'
import { lockLoan } from '../../api/instruments/loans.ts'
import { endOfDay } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Days before the last day on which the borrower is reminded. */
const REMINDED_DAYS_BEFORE = 3

/** Enters the later last day that was asked for; the timers of the loan follow it. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({
    dueAt: Type.String({ format: 'date-time' }),
    remindAt: Type.String({ format: 'date-time' }),
  }),
  async run({ trx, registers, facts, submissions, case: { id, reference, subject } }) {
    const asked = submissions.findLast(({ formKey }) => formKey === 'instruments/extension-request')
    const until = known(textAt(asked?.data ?? {}, '/until'), 'the day that was asked for')
    await registers.change(await lockLoan(trx, registers, reference), { due_on: until }, known(asked, 'the request').by)
    await saveCaseContent(trx, id, { subject: { ...subject, until } })
    await facts({ dueOn: until, newDueOn: null })
    return { dueAt: endOfDay(until), remindAt: endOfDay(until, -REMINDED_DAYS_BEFORE) }
  },
})
