import Type from 'typebox'
import { INSTRUMENTS, lockLoan } from '../../api/instruments/loans.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { settleDeposit } from '../platform/settle-deposit.ts'
import { worker } from '../platform/worker.ts'

/** Enters what the borrower pays for damage or loss, and what is left of the deposit; or that the instrument was found. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const { trx, registers, facts, submission, submissions, now } = context
    const { id, reference } = context.case
    const settled = known(
      submissions.findLast(({ formKey }) => formKey.endsWith('-settlement')),
      'the settlement',
    )
    const { outcome, condition = null } = settled.data
    const charge = outcome === 'charged' ? Number(settled.data['charge']) : 0
    const deposit = Number((await getCaseContent(trx, id)).facts['deposit'] ?? 0)
    const found = outcome === 'found' || outcome === 'found-damaged'
    const loan = await lockLoan(trx, registers, reference)
    if (found) {
      const instrument = await registers.lock(INSTRUMENTS, known(textAt(submission, '/instrument'), 'the instrument'))
      const noted = await registers.change(instrument, { condition }, settled.by)
      await registers.setStatus(noted, outcome === 'found' ? 'In Stock' : 'In Repair', settled.by)
    }
    const entered = await registers.change(
      loan,
      found ? { returned_on: dayInColombo(now), condition_back: condition } : { charge },
      settled.by,
    )
    // Found damaged, it stays open until the damage is settled.
    if (outcome === 'found-damaged') {
      await facts({ conditionBack: condition })
      return {}
    }
    await registers.setStatus(entered, found ? 'Returned' : 'Settled', settled.by)
    await facts({
      ...(found ? { conditionBack: condition } : { charge }),
      toPay: Math.max(0, charge - deposit) || null,
    })
    const taken = known(
      submissions.findLast(({ formKey }) => formKey === 'instruments/return'),
      'the answer about the return',
    )
    await settleDeposit(context, { deposit, charge, taken })
    return {}
  },
})
