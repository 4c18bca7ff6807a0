import Type from 'typebox'
import type { InvoiceLine } from '../../api/resource-reservation/invoice-lines.ts'
import { entryKeys, moneyFacts } from '../../api/resource-reservation/money.ts'
import { issuePaper } from '../../api/resource-reservation/papers.ts'
import { settle } from '../../api/resource-reservation/settling.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/**
 * Cancels the invoice of a booking that ends unconfirmed: reverses its entry and issues a credit note. Without an open
 * invoice it does nothing. Opens an incident if money may have arrived: a payment slip that was not returned may mean
 * that it is on its way, and a posted payment has to be refunded in full.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const { trx, case: found, submissions, text, log } = context
    const known = await moneyFacts(trx, found.id)
    if (!known.invoice || known['voided'] || known.settlement) return {}
    const alert = async (kind: string, message: string) => {
      log.warn(
        { case: found.id, incident: kind, invoice: known.invoice?.number },
        'refund to check; an incident is open',
      )
      await trx
        .insertInto('incident')
        .values({ id: `${kind}:${found.id}`, case_id: found.id, kind, message })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    if (known.payment) {
      await settle(context, { kind: 'credit-note', percentBack: 100, damages: [] })
      await alert(
        'paid-unconfirmed',
        `refund in full: invoice ${known.invoice.number} is paid, and its booking ended unconfirmed`,
      )
      return {}
    }

    const books = ledger(trx)
    const billed = await books.linesOf(entryKeys.invoice(found.id))
    if (!billed) throw new Error('the invoice is not in the ledger')
    await books.post({
      key: entryKeys.void(found.id),
      kind: 'credit-note',
      caseId: found.id,
      lines: billed.map(({ account, amount }) => ({ account, amount: -amount })),
    })

    const invoiceForm = submissions.findLast(({ formKey }) => formKey === 'resource-reservation/invoice')
    const lines = checkedAs<InvoiceLine[]>(invoiceForm?.data['lines'] ?? [])
    const voided = await issuePaper(context, {
      kind: 'credit-note',
      facts: known,
      by: null,
      data: {
        invoice: known.invoice.number,
        reason: text('resource-reservation.document.voided'),
        lines: lines.map(({ description, amount }) => ({ description, amount })),
        total: known.invoice.total,
      },
    })
    await context.facts({ voided })

    const money = (key: string) =>
      key === 'resource-reservation/payment-slip' || key === 'resource-reservation/payment-check'
    const last = submissions.findLast(({ formKey }) => money(formKey))
    if (last && last.data['outcome'] !== 'return')
      await alert(
        'slip-unsettled',
        `check for a payment to refund: invoice ${known.invoice.number} was cancelled, but its payment slip was not returned`,
      )
    return {}
  },
})
