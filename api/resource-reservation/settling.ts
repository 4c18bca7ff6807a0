import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import { ledger } from '../platform/records/ledger/ledger.ts'
import { type Settlement, type SettlementFact, accounts, entryKeys, moneyFacts, settlementFor } from './money.ts'
import { type PaperContext, issuePaper } from './papers.ts'

/** Damage from a report, and its cost in cents. */
export type Damage = {
  description: string
  amount: number
}

/** The part of a worker's context that settling needs. */
interface Context extends PaperContext {
  facts(patch: JsonObject): Promise<void>
  text(key: string, values?: Record<string, string | number>): string
}

interface Terms {
  /** Kind of document: `credit-note` for a cancellation, `settlement` after the event. */
  kind: 'credit-note' | 'settlement'
  percentBack: number
  damages: readonly Damage[]
}

/** Settles a paid booking once: posts it, issues the document, stores the fact, and returns the refund. */
export async function settle(context: Context, terms: Terms): Promise<{ refundDue: number }> {
  const { trx, case: found } = context
  const known = await moneyFacts(trx, found.id)
  const { invoice } = known
  const damages = terms.damages.reduce((sum, { amount }) => sum + amount, 0)
  const settled = settlementFor(known, { percentBack: terms.percentBack, damages })
  if (!invoice || !settled) return { refundDue: 0 }
  if (!known.payment) throw new Error('the invoice of the booking is not paid')
  await book(trx, found.id, invoice.deposit, settled)

  const paper = await issuePaper(context, {
    kind: terms.kind,
    facts: known,
    by: null,
    data: {
      invoice: invoice.number,
      lines: linesOf(context, terms, invoice, settled),
      refundDue: settled.refundDue,
      owed: settled.owed > 0 ? settled.owed : null,
    },
  })
  const fact: SettlementFact = { ...settled, ...paper }
  await context.facts({ settlement: fact })
  return { refundDue: settled.refundDue }
}

async function book(trx: Transaction<DB>, caseId: string, deposit: number, settled: Settlement): Promise<void> {
  const income = settled.hireBack + Math.max(0, -settled.difference) - settled.differenceCharged
  // Without a deposit or refund there is nothing to post.
  if (deposit === 0 && income === 0) return
  const books = ledger(trx)
  await books.open(accounts.refund(caseId), 'liability', { caseId })
  await books.open(accounts.damages, 'income')
  await books.post({
    key: entryKeys.settlement(caseId),
    kind: 'settlement',
    caseId,
    lines: [
      { account: accounts.deposit(caseId), amount: deposit },
      { account: accounts.income, amount: income },
      { account: accounts.damages, amount: -settled.damagesCharged },
      { account: accounts.refund(caseId), amount: -settled.refundDue },
    ],
  })
}

/** The lines of the document; they add up to the refund. */
function linesOf(
  { text }: Pick<Context, 'text'>,
  { percentBack, damages }: Terms,
  invoice: { hire: number; deposit: number },
  { difference, differenceCharged, hireBack, refundDue }: Settlement,
): { description: string; amount: number }[] {
  const word = (key: string, values: Record<string, string | number> = {}) =>
    text(`resource-reservation.document.line.${key}`, values)
  const hire = invoice.hire + Math.min(difference, differenceCharged)
  const lines = [
    {
      description: word('hire-credit', { percent: percentBack, amount: rupees(hire) }),
      amount: hireBack,
    },
    { description: word('deposit'), amount: invoice.deposit },
    { description: word(difference < 0 ? 'less-time' : 'more-time'), amount: -difference },
    ...damages.map(({ description, amount }) => ({ description: word('damage', { description }), amount: -amount })),
  ].filter(({ amount }) => amount !== 0)
  const rest = refundDue - lines.reduce((sum, { amount }) => sum + amount, 0)
  return rest === 0 ? lines : [...lines, { description: word('not-covered'), amount: rest }]
}
