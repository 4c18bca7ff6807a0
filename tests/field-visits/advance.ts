import { randomUUID } from 'node:crypto'
import { day } from '../platform/kit/days.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'

/** The desks of a voucher. */
export const vouchers = {
  confirm: 'userTask_confirm',
  approveByDean: 'userTask_approveByDean',
  checkByFinanceMA: 'userTask_checkByFinanceMA',
  checkByBookKeeper: 'userTask_checkByBookKeeper',
  certify: 'userTask_certify',
  pay: 'userTask_pay',
  settle: 'userTask_settle',
} as const

/** An amount, in cents, that the Dean may approve. */
export const LITTLE = 2_000_000

/** The desks of such a voucher of Western Music until it is certified. */
const CHAIN = [
  [vouchers.confirm, 'hod.western-music', 'confirm'],
  [vouchers.approveByDean, 'dean.music', 'approve'],
  [vouchers.checkByFinanceMA, 'finance', 'check'],
  [vouchers.checkByBookKeeper, 'book.keeper', 'check'],
  [vouchers.certify, 'bursar', 'certify'],
] as const

const adds = async (who: Person, register: string, data: object): Promise<string> =>
  (await who.ok('POST', `/api/registers/vouchers/${register}/items`, { data })).id
const named = async (who: Person, register: string, search: string): Promise<string> =>
  (await who.get(`/api/registers/vouchers/${register}/items?search=${search}`)).items[0].id

/** What a clerk adds to the voucher of an advance: papers, a new payee and a new vote. */
export async function ofAdvance(amount: number): Promise<{ vote: string; data: object }> {
  const [finance, bursar] = await Promise.all([as('finance'), as('bursar')])
  const code = randomUUID().slice(0, 8).toUpperCase()
  const year = new Date().getFullYear()
  const vote = await adds(bursar, 'vote', { number: `T${code}`, title: `Vote ${code}`, year, budget: 100_000_000 })
  const data = {
    payee: await adds(finance, 'payee', { code: `P-${code}`, name: `Supplier ${code}`, kind: 'supplier' }),
    ...{ section: await named(bursar, 'section', 'Academic'), title: await named(bursar, 'title', 'Goods') },
    ...{ invoice_no: `INV-${code}`, invoice_date: `${year}-01-15` },
    lines: [{ vote, description: 'Advance', amount }],
  }
  return { vote, data }
}

/** Lets the desks agree in order, up to, but not including, one. */
export async function agree(of: Case, upTo?: string): Promise<void> {
  for (const [desk, username, outcome] of CHAIN) {
    if (desk === upTo) return
    await (await as(username)).decides(of, outcome, {}, desk)
  }
}

/** Pays by cheque, and hands it over. */
export async function pays(of: Case): Promise<void> {
  const [assistant, shroff] = await Promise.all([as('assistant.bursar'), as('shroff')])
  const cheque = { method: 'cheque', bank_account: await named(await as('bursar'), 'bank-account', '') }
  await assistant.decides(of, 'pay', cheque, vouchers.pay)
  await shroff.decides(of, 'settle', { settled_on: day(0), received_by: 'K. Silva' }, vouchers.settle)
}
