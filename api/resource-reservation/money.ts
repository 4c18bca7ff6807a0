import type { Kysely } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { itemInUse } from '../platform/records/registers/in-use.ts'
import type { InvoiceLine } from './invoice-lines.ts'

const code = (name: string) => `resource-reservation.${name}`

/** Days after which an unpaid booking lapses; the diagram's timer says the same. */
const DAYS_TO_PAY = 14

/** The accounts of bookings: those of a case by its id, and those that all share. */
export const accounts = {
  /** What the booker has been billed and has not paid. */
  receivable: (caseId: string) => `receivable:${caseId}`,
  /** The deposit that the university keeps for the booker. */
  deposit: (caseId: string) => `deposit:${caseId}`,
  /** What has been found to be due back to the booker, and is not paid back yet. */
  refund: (caseId: string) => `refund:${caseId}`,
  bank: 'bank',
  income: 'income:resource-reservation',
  damages: 'damages:resource-reservation',
} as const

/** Keys of the entries of a case; each is posted once. */
export const entryKeys = {
  invoice: (caseId: string) => `booking:${caseId}:invoice`,
  payment: (caseId: string) => `booking:${caseId}:payment`,
  void: (caseId: string) => `booking:${caseId}:void`,
  settlement: (caseId: string) => `booking:${caseId}:settlement`,
  refund: (caseId: string) => `booking:${caseId}:refund`,
} as const

/** What the facts of a case say about its money; all amounts in cents. */
export interface MoneyFacts {
  /** The last change of time that was granted: by how much hire and amenities differ from what was agreed at first. */
  timeChange?: { difference: number }
  invoice?: InvoiceFact
  payment?: { receipt: string; number: string; paidOn: string; amount: number; documentId: string }
  cancellation?: { noticeHours: number }
  cancellationTerms?: CancellationTerms
  settlement?: SettlementFact
}

/** The invoice of a booking. */
export interface InvoiceFact {
  number: string
  total: number
  /** Hire and amenities of the total. */
  hire: number
  deposit: number
  documentId: string
  /** Day by which it is to be paid. */
  due: string
}

/** What is found at the end; `refund` is there once it is paid back. */
export type SettlementFact = Settlement & {
  number: string
  documentId: string
  refund?: { method: string; reference: string; paidOn: string; amount: number }
}

/** What an invoice comes to. */
export function totalsOf(lines: readonly InvoiceLine[]): { total: number; hire: number; deposit: number } {
  const sum = (of: readonly InvoiceLine[]) => of.reduce((all, { amount }) => all + amount, 0)
  const deposit = sum(lines.filter(({ kind }) => kind === 'deposit'))
  const total = sum(lines)
  return { total, hire: total - deposit, deposit }
}

/** How the money of a paid booking is settled. */
export type Settlement = {
  /** By how much hire and amenities have become more (or less) than was paid, by a change of time. */
  difference: number
  /** Hire and amenities that go back. */
  hireBack: number
  /** Of the difference and the damages, what the deposit pays. */
  differenceCharged: number
  damagesCharged: number
  refundDue: number
  /** What the deposit does not cover: noted, not booked. */
  owed: number
}

/**
 * Settles a paid booking: the share of hire and amenities that goes back (0 after the event), more or less for a
 * change of time, and damages. What is charged comes out of the deposit, the difference first, and never exceeds it;
 * all that is left of the deposit goes back. Never does more go back than was paid: finance may have billed less than
 * the list price that the difference is reckoned by.
 */
export function settlementOf(of: {
  invoice: Pick<InvoiceFact, 'hire' | 'deposit'>
  difference: number
  percentBack: number
  damages: number
}): Settlement {
  const { invoice, percentBack, damages } = of
  const difference = Math.max(of.difference, -invoice.hire)
  const differenceCharged = Math.min(Math.max(0, difference), invoice.deposit)
  const hireBack = Math.round(((invoice.hire + Math.min(difference, differenceCharged)) * percentBack) / 100)
  const damagesCharged = Math.min(damages, invoice.deposit - differenceCharged)
  const charged = differenceCharged + damagesCharged
  return {
    difference,
    hireBack,
    differenceCharged,
    damagesCharged,
    refundDue: hireBack + Math.max(0, -difference) + invoice.deposit - charged,
    owed: Math.max(0, difference) + damages - charged,
  }
}

/** What a cancellation gives back, as the decider is shown it; all amounts in cents. */
export interface CancellationTerms {
  /** Whole hours between the request and the start of the booking. */
  noticeHours: number
  /** Share of hire and amenities that goes back. */
  refundPercent: number
  /** What goes back of hire and amenities, a change of time counted in. */
  hire: number
  /** What goes back of the deposit. */
  deposit: number
  refund: number
}

/** What a paid booking would get back if it were settled like this; undefined where nothing was billed. */
export function settlementFor(
  { invoice, timeChange }: MoneyFacts,
  { percentBack, damages }: { percentBack: number; damages: number },
): Settlement | undefined {
  return invoice && settlementOf({ invoice, difference: timeChange?.difference ?? 0, percentBack, damages })
}

/** The money facts of a case. */
export async function moneyFacts(db: Kysely<DB>, caseId: string): Promise<MoneyFacts & JsonObject> {
  const { facts } = await db.selectFrom('flow_case').select('facts').where('id', '=', caseId).executeTakeFirstOrThrow()
  return facts as MoneyFacts & JsonObject
}

/** The bank account in use that bookings are paid to. */
export function bankAccount(db: Kysely<DB>): Promise<JsonObject | undefined> {
  return itemInUse(db, 'resource-reservation/bank-account')
}

/** What the answers about money must fulfil beyond their forms. */
export const moneyChecks: NonNullable<Rules['answers']> = {
  'resource-reservation/invoice': { check: checkInvoice },
  'resource-reservation/payment-slip': {
    check: ({ data, facts, now }) => {
      const { invoice } = facts as MoneyFacts & JsonObject
      const differs = data['amount'] !== invoice?.total
      const total = rupees(invoice?.total ?? 0)
      return [
        ...(differs ? [{ field: '/amount', code: code('payment-differs'), values: { total } }] : []),
        ...notInFuture('/paid_on', data['paid_on'], now),
      ]
    },
  },
  'resource-reservation/refund': { check: ({ data, now }) => notInFuture('/paid_on', data['paid_on'], now) },
}

async function checkInvoice({ data, now, trx }: DeskInput): Promise<FieldError[]> {
  const lines = data['lines'] as InvoiceLine[]
  const wrong: FieldError[] = lines.flatMap(({ quantity, unit_price, amount }, row) => {
    const right = quantity * unit_price
    const field = `/lines/${row}/amount`
    return right === amount ? [] : [{ field, code: code('line-amount-differs'), values: { amount: rupees(right) } }]
  })
  if (totalsOf(lines).total === 0) wrong.push({ field: '/lines', code: code('invoice-nothing-due') })
  const due = String(data['due'])
  const last = dayInColombo(now.getTime() + DAYS_TO_PAY * 86_400_000)
  if (due < dayInColombo(now)) wrong.push({ field: '/due', code: code('due-in-past') })
  if (due > last) wrong.push({ field: '/due', code: code('due-too-late'), values: { last } })
  if (!(await bankAccount(trx))) wrong.push({ field: '/lines', code: code('bank-account-missing') })
  return wrong
}

function notInFuture(field: string, day: unknown, now: Date): FieldError[] {
  return String(day) > dayInColombo(now) ? [{ field, code: code('paid-in-future') }] : []
}
