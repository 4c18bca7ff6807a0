import Type from 'typebox'
import type { InvoiceLine } from '../../api/resource-reservation/invoice-lines.ts'
import {
  type InvoiceFact,
  accounts,
  bankAccount,
  entryKeys,
  moneyFacts,
  totalsOf,
} from '../../api/resource-reservation/money.ts'
import { issuePaper } from '../../api/resource-reservation/papers.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/** Posts what finance has billed, and issues the invoice under the next number of the year. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const { trx, case: found, submissions } = context
    const sent = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/invoice')
    if (!sent) throw new Error('the case has no invoice form')
    const lines = checkedAs<InvoiceLine[]>(sent.data['lines'])
    const { total, hire, deposit } = totalsOf(lines)

    const books = ledger(trx)
    await books.open(accounts.receivable(found.id), 'asset', { caseId: found.id })
    await books.open(accounts.deposit(found.id), 'liability', { caseId: found.id })
    await books.open(accounts.income, 'income', { overdraft: true })
    await books.post({
      key: entryKeys.invoice(found.id),
      kind: 'invoice',
      caseId: found.id,
      lines: [
        { account: accounts.receivable(found.id), amount: total },
        { account: accounts.income, amount: -hire },
        { account: accounts.deposit(found.id), amount: -deposit },
      ],
    })

    const due = String(sent.data['due'])
    const paper = await issuePaper(context, {
      kind: 'invoice',
      facts: await moneyFacts(trx, found.id),
      by: sent.by,
      data: {
        lines: sent.data['lines'],
        total,
        due,
        remarks: sent.data['remarks'] ?? null,
        bank: (await bankAccount(trx)) ?? null,
      },
    })
    const invoice: InvoiceFact = { ...paper, total, hire, deposit, due }
    await context.facts({ invoice: { ...invoice } })
    return {}
  },
})
