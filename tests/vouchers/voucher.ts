import { randomBytes } from 'node:crypto'
import { paymentVoucher } from '../../processes/vouchers/payment-voucher.generated.ts'
import { day } from '../platform/kit/days.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'

export const { desks, flow: VOUCHER } = paymentVoucher

/**
 * The desks of a Western Music voucher over Rs. 25,000 and up to Rs. 500,000: the people, their agreeing outcomes, and
 * the status on arrival.
 */
export const CHAIN = [
  [desks.confirm, 'hod.western-music', 'confirm', 'Prepared'],
  [desks.recommendByDean, 'dean.music', 'recommend', 'Confirmed'],
  [desks.approveByRegistrar, 'registrar', 'approve', 'Recommended'],
  [desks.checkByFinanceMA, 'finance', 'check', 'Approved'],
  [desks.checkByBookKeeper, 'book.keeper', 'check', 'Checked by Finance MA'],
  [desks.certify, 'bursar', 'certify', 'Checked by Bookkeeper'],
] as const

/** The desks of one of up to Rs. 25,000, which the Dean approves. */
export const SMALL = [CHAIN[0], [desks.approveByDean, 'dean.music', 'approve', 'Confirmed'], ...CHAIN.slice(3)] as const

/** An amount that the Dean may approve. */
export const LITTLE = 2_000_000

export const clerk = () => as('ma.western-music')

const YEAR = new Date().getFullYear()
const run = () => randomBytes(4).toString('hex')

/** A payee of its own, so that no other test pays it. */
export async function aPayee(): Promise<string> {
  const code = run()
  const data = { code: `P-${code}`, name: `Supplier ${code}`, kind: 'supplier' }
  return (await (await as('finance')).ok('POST', '/api/registers/vouchers/payee/items', { data })).id
}

/** A payee with its own bank account, and its name. */
export async function aPayeeWithAccount(): Promise<{ id: string; name: string }> {
  const code = run()
  const name = `Transfers ${code}`
  const [bank, branch] = await Promise.all([item('vouchers/bank', 'Demonstration'), item('vouchers/branch', 'Kandy')])
  const data = { code: `T-${code}`, name, kind: 'supplier', bank, branch, account_number: '0021 4455 6677' }
  return { id: (await (await as('finance')).ok('POST', '/api/registers/vouchers/payee/items', { data })).id, name }
}

/** A new bank account of the university, so that its batches contain no other test's payments. */
export async function aBankAccount(): Promise<string> {
  const [bank, branch] = await Promise.all([item('vouchers/bank', 'Demonstration'), item('vouchers/branch', 'Kandy')])
  const account_number = String(Number.parseInt(run(), 16)).padStart(10, '0')
  const data = { name: `Account ${account_number}`, bank, branch, account_number, first_cheque: 1 }
  return (await (await as('bursar')).ok('POST', '/api/registers/vouchers/bank-account/items', { data })).id
}

/** Sends a refused answer, and returns the codes by field. */
export async function refusals(who: Person, of: Case, desk: string, data: object): Promise<Record<string, string>> {
  const task = await who.task(of, desk)
  const { status, body } = await who.send('POST', `/api/tasks/${task.id}/complete`, { data })
  if (status < 400) throw new Error(`${desk} of ${of.reference} was not refused: ${status}`)
  const told: { field: string; code: string }[] =
    body.errors.length > 0 ? body.errors : [{ field: '', code: body.code }]
  return Object.fromEntries(told.map(({ field, code }) => [field, code]))
}

export async function changesPayee(who: Person, id: string, change: object): Promise<void> {
  const at = `/api/registers/vouchers/payee/items/${id}`
  const { data, version } = await who.get(at)
  await who.ok('PUT', at, { data: { ...data, ...change } }, { 'if-match': `"${version}"` })
}

/** Sends a batch to the bank and returns its id. */
export async function sendsBatch(who: Person, number: string): Promise<string> {
  const at = '/api/registers/vouchers/payment-batch/items'
  const { items } = await who.get(`${at}?search=${number}`)
  const { version } = await who.get(`${at}/${items[0].id}`)
  await who.ok('POST', `${at}/${items[0].id}/status`, { status: 'Sent' }, { 'if-match': `"${version}"` })
  return items[0].id
}

/** A new vote with this many cents. */
export async function aVote(budget = 100_000_000): Promise<string> {
  const number = `T${run().toUpperCase()}`
  const data = { number, title: `Vote ${number}`, year: YEAR, budget }
  return (await (await as('bursar')).ok('POST', '/api/registers/vouchers/vote/items', { data })).id
}

/** The balances of a vote, in cents. */
export async function balance(vote: string): Promise<{ available: number; committed: number; spent: number }> {
  const rows = await asOwner<{ id: string; balance: string }>(
    'select id, abs(balance) as balance from app.ledger_account where id like $1',
    [`vote:${vote}:%`],
  )
  const of = (part: string) => Number(rows.find(({ id }) => id === `vote:${vote}:${part}`)?.balance ?? 0)
  return { available: of('available'), committed: of('committed'), spent: of('spent') }
}

const found = new Map<string, Promise<string>>()
/** The id of an item of seed or demo data, by a word of its title. */
function item(register: string, search: string): Promise<string> {
  const key = `${register} ${search}`
  const known =
    found.get(key) ??
    as('admin').then(async (admin) => {
      const { items } = await admin.get(`/api/registers/${register}/items?search=${encodeURIComponent(search)}`)
      return items[0].id as string
    })
  found.set(key, known)
  // A look-up that failed because a part was down may be retried.
  known.catch(() => found.delete(key))
  return known
}

export const bankAccount = () => item('vouchers/bank-account', '')

/** A voucher as the clerk of Western Music writes it: Rs. 300,000 on a new vote and to a new payee. */
export async function aVoucher(more: Record<string, unknown> = {}, amount = 30_000_000) {
  const [department, section, title, payee, vote] = await Promise.all([
    item('platform/department', 'Western'),
    item('vouchers/section', 'Academic'),
    item('vouchers/title', 'Goods'),
    more['payee'] === undefined ? aPayee() : Promise.resolve(more['payee']),
    more['vote'] === undefined ? aVote() : Promise.resolve(more['vote']),
  ])
  const { vote: _, ...rest } = more
  return {
    asked_for: 'department',
    ...{ department, section, title, payee },
    invoice_no: `INV-${run()}`,
    invoice_date: `${YEAR}-01-15`,
    purpose: 'Strings and reeds for the practice rooms.',
    lines: [{ vote: String(vote), description: 'Strings', amount }],
    ...rest,
  }
}

/** A picture that somebody has uploaded. */
export const aFile = (who: Person): Promise<string> => uploads(who, 'invoice.png', PIXEL)

/** Lets the desks agree in order, from one up to, but not including, another. */
export async function agree(
  of: Case,
  { from, upTo, chain = CHAIN }: { from?: string; upTo?: string; chain?: typeof CHAIN | typeof SMALL } = {},
): Promise<void> {
  let begun = from === undefined
  for (const [desk, username, outcome] of chain) {
    begun ||= desk === from
    if (desk === upTo) return
    if (begun) await (await as(username)).decides(of, outcome, {}, desk)
  }
}

/** Sends a returned voucher again with the given changes. */
export async function edits(who: Person, of: Case, change: Record<string, unknown>): Promise<void> {
  const task = await who.task(of, desks.edit)
  const { data } = await who.get(`/api/cases/${of.id}`)
  await who.ok('POST', `/api/tasks/${task.id}/complete`, { data: { ...data, ...change } })
}

/** Pays by cheque at the desk after the certificate. */
export async function pays(of: Case, more: object = {}): Promise<void> {
  const data = { method: 'cheque', bank_account: await bankAccount(), ...more }
  await (await as('assistant.bursar')).decides(of, 'pay', data, desks.pay)
}

/** Hands the cheque over. */
export async function settles(of: Case): Promise<void> {
  const settled_on = day(0)
  await (await as('shroff')).decides(of, 'settle', { settled_on, received_by: 'K. Silva' }, desks.settle)
}
