import Type from 'typebox'
import { known } from '../../api/platform/kernel/known.ts'
import { returnDeposit } from '../../api/platform/records/ledger/deposits.ts'
import { findOrigin } from '../../api/platform/work/rows/case-links.ts'
import { worker } from '../platform/worker.ts'

/** Posts that the deposit of the case that this one follows from was paid back. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, submission, submissions, case: { id } }) {
    const paid = submissions.findLast(({ formKey }) => formKey === 'finance/deposit-refund-payment')
    if (paid?.data['outcome'] !== 'paid') throw new Error('nobody has paid the refund')
    const origin = known(await findOrigin(trx, id), 'the case with the deposit')
    await returnDeposit(trx, { origin, caseId: id, amount: Number(submission['amount']), by: paid.by })
    return {}
  },
})
