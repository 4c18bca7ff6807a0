import type { FieldError } from '../platform/kernel/errors.ts'
import { dayAway, dayInColombo } from '../platform/kernel/colombo.ts'
import { known } from '../platform/kernel/known.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { DeskInput, RuleInput, Rules } from '../platform/model/deployed/rules.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { titleWithUnique } from '../platform/records/registers/unique.ts'
import { getCaseRow } from '../platform/work/rows/cases.ts'
import { findAnyItem } from '../platform/work/rows/items.ts'
import { BORROWERS, LOANS, isLate } from './loans.ts'

/** Who borrows has an entry of their own and nothing overdue; the category limits the time. */
const rules: Rules = {
  async check({ data, items, now, requester, trx }) {
    const own = await findOwnEntry(trx, requester.id)
    if (!own || !(own.register in BORROWERS)) return [{ field: '/instrument', code: 'instruments.no-entry' }]
    if (await isLate(trx, requester.id)) return [{ field: '/instrument', code: 'instruments.loan-overdue' }]
    return tooLong(
      await categoryOf(trx, known(items.get('/instrument'), 'the instrument').data),
      data,
      dayInColombo(now),
    )
  },
  async derive({ items, requester, trx }) {
    const own = known(await findOwnEntry(trx, requester.id), 'the entry of the borrower')
    const category = await categoryOf(trx, known(items.get('/instrument'), 'the instrument').data)
    const student = BORROWERS[own.register] === 'student'
    return {
      facts: {
        borrower: own.title,
        borrowerNumber: textAt(own.data, student ? '/reg_no' : '/employee_id') ?? null,
        deposit: (student && category['deposit']) || null,
      },
      variables: { byHead: category['by_head'] === true },
    }
  },
  acts: {
    extend: {
      async check({ data, current, facts, now, trx }) {
        const due = dueOn({ current, facts })
        if (String(data['until']) <= due)
          return [{ field: '/until', code: 'instruments.too-soon', values: { day: due } }]
        const instrument = await findAnyItem(trx, String(current['instrument']))
        return tooLong(await categoryOf(trx, instrument?.data ?? {}), data, dayInColombo(now))
      },
      derive: ({ data }) => ({ facts: { newDueOn: data['until'] ?? null }, variables: {} }),
    },
  },
  answers: {
    'instruments/hand-over': {
      async check(input) {
        if (input.data['outcome'] !== 'handed-over') return []
        const instrument = await instrumentOf(input)
        const { current, facts, now, data } = input
        const refused = await mayNotBorrow(input)
        if (refused) return [{ field: '/barcode', code: refused }]
        if (instrument.status !== 'In Stock') return [{ field: '/barcode', code: 'instruments.not-in-stock' }]
        if (data['condition'] === 'unusable') return [{ field: '/condition', code: 'instruments.unusable' }]
        if (String(current['until']) < dayInColombo(now))
          return [{ field: '/barcode', code: 'instruments.last-day-over' }]
        if (facts['deposit'] && !data['receipt']) return [{ field: '/receipt', code: 'instruments.receipt-missing' }]
        return [...anotherThan(instrument.data, data), ...(await isOwnReceipt(input))]
      },
    },
    'instruments/return': {
      check: async (input) => [...isUsable(input), ...(await isScanned(input))],
    },
    'instruments/extension-decision': { check: stillLent },
    'instruments/damage-settlement': { check: isPaid },
    'instruments/loss-settlement': {
      check: async (input) => [...isPaid(input), ...isUsable(input), ...(await isScanned(input))],
    },
  },
}

export default rules

type Data = RuleInput['data']

/** Why the borrower gets no instrument now: since the request they have left, or have something overdue. */
async function mayNotBorrow({ trx, caseId }: DeskInput): Promise<string | undefined> {
  const { requester_id: requester } = await getCaseRow(trx, caseId)
  const own = await findOwnEntry(trx, requester)
  if (own?.status !== 'active' && own?.status !== 'Active') return 'instruments.borrower-left'
  return (await isLate(trx, requester)) ? 'instruments.loan-overdue' : undefined
}

/** The last day of a loan, as it was extended. */
const dueOn = ({ current, facts }: Pick<DeskInput, 'current' | 'facts'>) => String(facts['dueOn'] ?? current['until'])

/** A loan that is over already is returned, not extended. */
function stillLent({ data, current, facts, now }: DeskInput): FieldError[] {
  const isOver = data['outcome'] === 'extend' && dueOn({ current, facts }) < dayInColombo(now)
  return isOver ? [{ field: '/outcome', code: 'instruments.last-day-over' }] : []
}

async function categoryOf(trx: RuleInput['trx'], instrument: Data): Promise<Data> {
  return known(await findAnyItem(trx, String(instrument['category'])), 'the category of the instrument').data
}

async function instrumentOf({ trx, current }: DeskInput) {
  return known(await findAnyItem(trx, String(current['instrument'])), 'the instrument of the loan')
}

function tooLong(category: Data, { until }: Data, today: string): FieldError[] {
  const days = Number(category['days'])
  return String(until) <= dayAway(today, days)
    ? []
    : [{ field: '/until', code: 'instruments.too-long', values: { days } }]
}

/** A receipt is that of one deposit, so that it is refunded once. */
async function isOwnReceipt({ trx, data }: DeskInput): Promise<FieldError[]> {
  if (data['receipt'] === undefined) return []
  const used = await titleWithUnique(trx, LOANS, { field: '/receipt', value: data['receipt'] })
  return used === undefined ? [] : [{ field: '/receipt', code: 'instruments.receipt-used' }]
}

/** An instrument that is brought or handed out is the one of the loan. */
async function isScanned(input: DeskInput): Promise<FieldError[]> {
  return input.data['barcode'] === undefined ? [] : anotherThan((await instrumentOf(input)).data, input.data)
}

function anotherThan(instrument: Data, { barcode: scanned }: Data): FieldError[] {
  const barcode = String(instrument['barcode'])
  if (String(scanned).toUpperCase() === barcode.toUpperCase()) return []
  return [{ field: '/barcode', code: 'instruments.another-instrument', values: { barcode } }]
}

/** What comes back into stock can be lent again. */
function isUsable({ data }: DeskInput): FieldError[] {
  const stocked = data['outcome'] === 'returned' || data['outcome'] === 'found'
  return stocked && data['condition'] === 'unusable' ? [{ field: '/condition', code: 'instruments.unusable' }] : []
}

/** What the deposit does not cover is paid before it counts as settled. */
function isPaid({ data, facts }: DeskInput): FieldError[] {
  const open = data['outcome'] === 'charged' && Number(data['charge']) > Number(facts['deposit'] ?? 0)
  return open && !data['receipt'] ? [{ field: '/receipt', code: 'instruments.receipt-missing' }] : []
}
