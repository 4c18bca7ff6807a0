import Type from 'typebox'
import { accounts, entryKeys, moneyFacts } from '../../api/resource-reservation/money.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { worker } from '../platform/worker.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'

/** The part of the refund form that the case keeps. */
interface RefundForm {
  method: string
  reference: string
  paid_on: string
}

/** Posts that finance has paid the refund to the booker. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, case: found, submissions, facts }) {
    const sent = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/refund')
    if (!sent) throw new Error('the case has no refund form')
    const books = ledger(trx)
    const amount = await books.balance(accounts.refund(found.id))
    if (amount === 0) throw new Error('nothing is due back to the booker')
    await books.post({
      key: entryKeys.refund(found.id),
      kind: 'refund',
      caseId: found.id,
      lines: [
        { account: accounts.refund(found.id), amount },
        { account: accounts.bank, amount: -amount },
      ],
    })
    const { settlement } = await moneyFacts(trx, found.id)
    const { method, reference, paid_on: paidOn } = checkedAs<RefundForm>(sent.data)
    await facts({ settlement: { ...settlement, refund: { method, reference, paidOn, amount } } })
    return {}
  },
})
