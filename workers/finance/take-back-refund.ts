import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { takeDepositBack } from '../../api/platform/records/ledger/deposits.ts'
import { findOrigin } from '../../api/platform/work/rows/case-links.ts'
import { worker } from '../platform/worker.ts'

/** Posts that a payment of the refund came back: the deposit is held again. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, submission, submissions, case: { id } }) {
    const told = known(
      submissions.findLast(({ formKey }) => formKey === 'finance/refund-came-back'),
      'who has said that it came back',
    )
    const origin = known(await findOrigin(trx, id), 'the case with the deposit')
    await takeDepositBack(trx, { origin, caseId: id, amount: Number(submission['amount']), by: told.by })
    return {}
  },
})
