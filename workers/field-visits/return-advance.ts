import Type from 'typebox'
import { findAdvance, isReceiptUsed } from '../../api/field-visits/advance.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { returnAdvance } from '../../api/platform/records/ledger/advances.ts'
import { worker } from '../platform/worker.ts'

/** Posts what came back of the advance of a visit that does not take place. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['field-visits.receipt-used'],
  async run({ trx, submissions, case: { id } }) {
    const { data, by } = known(
      submissions.findLast(({ formKey }) => formKey === 'field-visits/advance-settlement'),
      'the settlement of the advance',
    )
    if (data['outcome'] !== 'returned') throw new Error('nobody has said that the advance is back')
    const voucher = known(await findAdvance(trx, id), 'the voucher of the advance')
    const [amount, receipt] = [Number(data['amount']), String(data['receipt'])]
    // It was entered at another desk, and posted, meanwhile.
    if (await isReceiptUsed(trx, receipt)) throw new BusinessError('field-visits.receipt-used')
    if (amount > 0) await returnAdvance(trx, { caseId: id, paidBy: voucher.id, amount, receipt, by })
    return {}
  },
})
