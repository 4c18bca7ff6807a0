import type { Kysely } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject, JsonValue } from '../platform/kernel/db/database.generated.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { BANK } from '../platform/records/ledger/ledger.ts'
import { itemInUse } from '../platform/records/registers/in-use.ts'
import type { InvoiceLine } from './invoice-lines.ts'
import type { TimeChange } from './time-change.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'

const code = (name: string) => `resource-reservation.${name}`

/** Days after which an unpaid booking lapses; must match the diagram's timer. */
const DAYS_TO_PAY = 14

/** The ledger accounts of bookings: those of a case by its id, and the shared ones. */
export const accounts = {
  /** What the booker was billed and has not paid. */
  receivable: (caseId: string) => `receivable:${caseId}`,
  /** The deposit that the university holds. */
  deposit: (caseId: string) => `deposit:${caseId}`,
  /** The refund that is due and not paid yet. */
  refund: (caseId: string) => `refund:${caseId}`,
  bank: BANK,
  income: 'income:resource-reservation',
  damages: 'damages:resource-reservation',
} as const

/** Keys of a case's ledger entries; each is posted once. */
export const entryKeys = {
  invoice: (caseId: string) => `booking:${caseId}:invoice`,
  payment: (caseId: string) => `booking:${caseId}:payment`,
  void: (caseId: string) => `booking:${caseId}:void`,
  settlement: (caseId: string) => `booking:${caseId}:settlement`,
  refund: (caseId: string) => `booking:${caseId}:refund`,
} as const

/** Facts of a case about money; all amounts in cents. */
export interface MoneyFacts {
  /** A requested change of time, until it is decided. */
  requestedTime?: TimeChange
  /** The last granted change of time, with its difference to the hire and amenities first agreed. */
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
  /** Hire and amenities in the total. */
  hire: number
  deposit: number
  documentId: string
  /** Due day. */
  due: string
}

/** The final settlement; `refund` exists once it is paid. */
export type SettlementFact = Settlement & {
  number: string
  documentId: string
  refund?: { method: string; reference: string; paidOn: string; amount: number }
}

/** The totals of an invoice. */
export function totalsOf(lines: readonly InvoiceLine[]): { total: number; hire: number; deposit: number } {
  const sum = (of: readonly InvoiceLine[]) => of.reduce((all, { amount }) => all + amount, 0)
  const deposit = sum(lines.filter(({ kind }) => kind === 'deposit'))
  const total = sum(lines)
  return { total, hire: total - deposit, deposit }
}

/** The settlement of a paid booking. */
export type Settlement = {
  /** Difference of hire and amenities to what was paid, after a change of time. */
  difference: number
  /** Refund of hire and amenities. */
  hireBack: number
  /** The part of difference and damages that the deposit pays. */
  differenceCharged: number
  damagesCharged: number
  refundDue: number
  /** What the deposit does not cover: recorded, but not posted. */
  owed: number
}

/**
 * Settles a paid booking: the refunded share of hire and amenities (0 after the event), the difference for a change of
 * time, and damages. Charges come out of the deposit, the difference first, and never exceed it; the rest of the
 * deposit is refunded. The refund never exceeds the payment, because finance may have billed less than the list prices
 * of the difference.
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

/** The refund of a cancellation, as the decider sees it; all amounts in cents. */
export interface CancellationTerms {
  /** Whole hours between the request and the start of the booking. */
  noticeHours: number
  /** Refunded share of hire and amenities. */
  refundPercent: number
  /** Refund of hire and amenities, including a change of time. */
  hire: number
  /** Refund of the deposit. */
  deposit: number
  refund: number
}

/** The refund of a paid booking under these terms; undefined if nothing was billed. */
export function settlementFor(
  { invoice, timeChange }: MoneyFacts,
  { percentBack, damages }: { percentBack: number; damages: number },
): Settlement | undefined {
  return invoice && settlementOf({ invoice, difference: timeChange?.difference ?? 0, percentBack, damages })
}

/** The money facts of a case. */
export async function moneyFacts(db: Kysely<DB>, caseId: string): Promise<MoneyFacts & JsonObject> {
  const { facts } = await db.selectFrom('flow_case').select('facts').where('id', '=', caseId).executeTakeFirstOrThrow()
  return moneyFactsIn(facts)
}

/** The money facts in the facts of a case. */
export function moneyFactsIn(facts: JsonValue): MoneyFacts & JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only rules and workers of this flow write them
  return facts as MoneyFacts & JsonObject
}

/** The active bank account for bookings. */
export function bankAccount(db: Kysely<DB>): Promise<JsonObject | undefined> {
  return itemInUse(db, 'resource-reservation/bank-account')
}

/** Checks of answers about money beyond their forms. */
export const moneyChecks: NonNullable<Rules['answers']> = {
  'resource-reservation/invoice': { check: checkInvoice },
  'resource-reservation/payment-slip': {
    check: ({ data, facts, now }) => {
      const { invoice } = moneyFactsIn(facts)
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
  const lines = checkedAs<InvoiceLine[]>(data['lines'])
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
