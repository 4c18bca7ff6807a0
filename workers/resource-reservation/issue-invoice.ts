import Type from 'typebox'
import type { InvoiceLine } from '../../api/resource-reservation/invoice-lines.ts'
import {
  type InvoiceFact,
  aboutBooking,
  accounts,
  bankAccount,
  entryKeys,
  moneyFacts,
  numberOf,
  totalsOf,
} from '../../api/resource-reservation/money.ts'
import { documents } from '../../api/platform/documents/documents.ts'
import { dayInColombo } from '../../api/platform/calendar/colombo.ts'
import { ledger } from '../../api/platform/ledger/ledger.ts'
import { worker } from '../platform/worker.ts'

/** Books what finance has billed, and issues the invoice under the next number of the year. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, case: found, submission, submissions, numbers, facts, now }) {
    const sent = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/invoice')
    if (!sent) throw new Error('the case has no invoice form')
    const lines = sent.data['lines'] as unknown as InvoiceLine[]
    const { total, hire, deposit } = totalsOf(lines)
    const known = await moneyFacts(trx, found.id)

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

    const year = dayInColombo(now).slice(0, 4)
    const number = numberOf('INV', year, await numbers.next('resource-reservation/invoice', year))
    const due = String(sent.data['due'])
    const documentId = await documents(trx).issue({
      caseId: found.id,
      kind: 'resource-reservation/invoice',
      number,
      by: sent.by,
      data: {
        ...aboutBooking({ reference: found.reference, subject: found.subject, submission, facts: known, now }),
        lines: sent.data['lines'],
        total,
        due,
        remarks: sent.data['remarks'] ?? null,
        bank: (await bankAccount(trx)) ?? null,
      },
    })
    const invoice: InvoiceFact = { number, total, hire, deposit, documentId, due }
    await facts({ invoice: { ...invoice } })
    return {}
  },
})
