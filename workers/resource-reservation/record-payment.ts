import Type from 'typebox'
import { accounts, entryKeys, moneyFacts } from '../../api/resource-reservation/money.ts'
import { issuePaper } from '../../api/resource-reservation/papers.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { worker } from '../platform/worker.ts'

/** Posts the payment that finance has found on the university's account, and issues the receipt. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const { trx, case: found, submissions } = context
    const slip = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/payment-slip')
    const check = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/payment-check')
    if (!slip || !check) throw new Error('the case has no payment that was checked')
    const known = await moneyFacts(trx, found.id)
    const amount = Number(slip.data['amount'])
    if (amount !== known.invoice?.total)
      throw new Error(`${amount} cents were paid for an invoice of ${known.invoice?.total}`)

    const books = ledger(trx)
    await books.open(accounts.bank, 'asset')
    await books.post({
      key: entryKeys.payment(found.id),
      kind: 'payment',
      caseId: found.id,
      lines: [
        { account: accounts.bank, amount },
        { account: accounts.receivable(found.id), amount: -amount },
      ],
    })

    const receipt = String(check.data['receipt_no'])
    const paidOn = String(slip.data['paid_on'])
    const paper = await issuePaper(context, {
      kind: 'receipt',
      facts: known,
      by: check.by,
      data: {
        invoice: known.invoice.number,
        paidOn,
        bankReference: slip.data['bank_reference'] ?? null,
        receiptNo: receipt,
        amount,
      },
    })
    await context.facts({ payment: { receipt, paidOn, amount, ...paper } })
    return {}
  },
})
