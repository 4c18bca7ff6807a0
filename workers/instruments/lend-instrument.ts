import Type from 'typebox'
import { BORROWERS, INSTRUMENTS, LOANS } from '../../api/instruments/loans.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { holdDeposit } from '../../api/platform/records/ledger/deposits.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Enters the loan, and that the instrument is lent, in the condition in which it was handed over. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submission, submissions, case: { id, requesterId, reference }, now }) {
    const handed = submissions.findLast(({ formKey }) => formKey === 'instruments/hand-over')
    if (handed?.data['outcome'] !== 'handed-over') throw new Error('no desk has handed the instrument over')
    const own = known(await findOwnEntry(trx, requesterId), 'the entry of the borrower')
    const borrower = known(BORROWERS[own.register], 'the field of the borrower')
    const due_on = known(textAt(submission, '/until'), 'the last day of the loan')
    const condition = known(textAt(handed.data, '/condition'), 'the condition of the instrument')
    const instrument = await registers.lock(
      INSTRUMENTS,
      known(textAt(submission, '/instrument'), 'the instrument of the loan'),
    )
    if (instrument.status !== 'In Stock') throw new Error(`the instrument is ${instrument.status}`)
    const { deposit } = (await getCaseContent(trx, id)).facts
    const { receipt } = handed.data
    await registers.create(
      LOANS,
      {
        case_reference: reference,
        instrument: instrument.id,
        [borrower]: own.id,
        lent_on: dayInColombo(now),
        due_on,
        condition_out: condition,
        ...(typeof deposit === 'number' && { deposit }),
        ...(receipt !== undefined && { receipt }),
      },
      handed.by,
      { status: 'Open' },
    )
    const noted = await registers.change(instrument, { condition }, handed.by)
    await registers.setStatus(noted, 'Lent', handed.by)
    if (typeof deposit === 'number') await holdDeposit(trx, { caseId: id, amount: deposit, by: handed.by })
    await facts({ dueOn: due_on, conditionOut: condition, receipt: receipt ?? null })
    return {}
  },
})
