import Type from 'typebox'
import { INSTRUMENTS, lockLoan } from '../../api/instruments/loans.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { settleDeposit } from '../platform/settle-deposit.ts'
import { worker } from '../platform/worker.ts'

/** The status of the instrument by what the desk found. */
const BECOMES: Readonly<Record<string, string>> = { returned: 'In Stock', damaged: 'In Repair', lost: 'Lost' }

/** Enters in what condition the instrument came back, or that it is lost. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ returnedAs: Type.String() }),
  async run(context) {
    const { trx, registers, facts, submission, submissions, now } = context
    const { id, reference } = context.case
    const taken = known(
      submissions.findLast(({ formKey }) => formKey === 'instruments/return'),
      'the answer about the return',
    )
    const { outcome, condition } = taken.data
    const status = known(BECOMES[String(outcome)], 'the status of the instrument')
    const instrument = await registers.lock(INSTRUMENTS, known(textAt(submission, '/instrument'), 'the instrument'))
    const noted = condition === undefined ? instrument : await registers.change(instrument, { condition }, taken.by)
    await registers.setStatus(noted, status, taken.by)
    const loan = await lockLoan(trx, registers, reference)
    const back = outcome === 'lost' ? {} : { returned_on: dayInColombo(now), condition_back: condition ?? null }
    const entered = await registers.change(loan, back, taken.by)
    // Until damage or loss is settled, the loan stays open.
    if (outcome === 'returned') await registers.setStatus(entered, 'Returned', taken.by)
    const { deposit } = (await getCaseContent(trx, id)).facts
    await facts({ conditionBack: condition ?? null, newDueOn: null })
    if (outcome === 'returned') await settleDeposit(context, { deposit: Number(deposit ?? 0), charge: 0, taken })
    return { returnedAs: String(outcome) }
  },
})
