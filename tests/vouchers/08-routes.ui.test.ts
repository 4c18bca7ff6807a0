import { afterAll, beforeAll, expect, test } from '@jest/globals'
import screens from '../../forms/vouchers/screens.json' with { type: 'json' }
import english from '../../forms/vouchers/texts.staff.en.json' with { type: 'json' }
import { openBrowser, type Visitor, type Visitors } from '../platform/kit/browser.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { VOUCHER, aVoucher, agree, clerk, desks, pays } from './voucher.ts'

/** Where a voucher stands that a page is opened with, by what has been done to it. */
type Stage = 'prepared' | 'edit' | 'issues' | 'answer' | 'corrected' | 'finance' | 'books' | 'certify' | 'pay' | 'paid'

/**
 * Every route of the sources: who opens it here, who may not, and what it shows: the columns of a list, the buttons of a
 * desk, or words.
 */
const table: Record<
  string,
  { by: string; not?: string; at?: Stage; columns?: string[]; buttons?: string[]; words?: string }
> = {
  all_voucher_requests: {
    by: 'ma.western-music',
    not: 'student.nuwan',
    columns: ['Reference', 'Status', 'Payee', 'Total', 'Requested by', 'With', 'Sent'],
    buttons: ['New voucher'],
  },
  'EditVoucher/{id}': { by: 'ma.western-music', not: 'book.keeper', at: 'edit', buttons: ['Send again'] },
  all_voucher_requests_for_cra: {
    by: 'book.keeper',
    not: 'ma.western-music',
    at: 'books',
    columns: ['Reference', 'Payee', 'Kind of payment', 'Total', 'Status', 'With'],
  },
  all_voucher_requests_for_fma: { by: 'finance', not: 'book.keeper', at: 'finance', words: 'payee' },
  new_request: { by: 'ma.western-music', not: 'student.nuwan', words: 'Amounts by vote' },
  'previouse_details/{id}': {
    by: 'finance',
    not: 'student.nuwan',
    at: 'prepared',
    columns: ['Reference', 'Status', 'Kind of payment', 'Invoice number', 'Total', 'Sent'],
  },
  vote_number: { by: 'deputy.bursar', not: 'finance', words: 'Budget' },
  payee_registration: { by: 'finance', not: 'ma.western-music', words: 'Account number' },
  'payee_view/{id}': { by: 'finance', not: 'student.nuwan', at: 'prepared', words: 'payee' },
  'confirm_recommend_approve/{id}': {
    by: 'hod.western-music',
    not: 'finance',
    at: 'prepared',
    buttons: ['Confirm', 'Request edit…', 'Reject…'],
  },
  'finance_MA/{id}': {
    by: 'finance',
    not: 'book.keeper',
    at: 'finance',
    buttons: ['Checked', 'Attachment issues…', 'Request edit…', 'Reject…'],
  },
  issues_identified_by_MA: {
    by: 'ma.western-music',
    not: 'book.keeper',
    at: 'issues',
    columns: ['Reference', 'Payee', 'Total', 'Requested by', 'With'],
  },
  'issues_identified_by_MA/View/{id}': {
    by: 'ma.western-music',
    not: 'book.keeper',
    at: 'answer',
    buttons: ['Send answers', 'Correct the voucher…'],
  },
  request_edit: {
    by: 'ma.western-music',
    not: 'book.keeper',
    at: 'edit',
    columns: ['Reference', 'Payee', 'Total', 'Requested by', 'Sent'],
  },
  'request_edit/view/{id}': { by: 'hod.western-music', not: 'book.keeper', at: 'edit', words: 'Request Edit' },
  'Resubmit/{id}': { by: 'ma.western-music', not: 'book.keeper', at: 'edit', buttons: ['Send again'] },
  ResubmitNewVoucher: { by: 'ma.western-music', not: 'book.keeper', at: 'edit', words: 'payee' },
  confirm_issue_view: { by: 'hod.western-music', not: 'finance', at: 'issues', words: 'payee' },
  'confirm_issue/{id}': {
    by: 'hod.western-music',
    not: 'finance',
    at: 'issues',
    buttons: ['Confirm', 'No issues…', 'Reject…'],
  },
  'confirm_issue_reject/{id}': {
    by: 'hod.western-music',
    not: 'finance',
    at: 'issues',
    buttons: ['No issues', 'Cancel'],
  },
  resubmit_request: {
    by: 'finance',
    not: 'student.nuwan',
    at: 'corrected',
    columns: ['Reference', 'Payee', 'Total', 'Requested by', 'With'],
  },
  resubmit_confirm_recommend_approve: { by: 'hod.western-music', not: 'finance', at: 'corrected', words: 'payee' },
  'view_request/{id}': { by: 'ma.western-music', not: 'student.nuwan', at: 'prepared', words: 'payee' },
  'Resubmit_view_request/{id}': { by: 'hod.western-music', not: 'student.nuwan', at: 'corrected', words: 'changed' },
  all_vouchers_finance: {
    by: 'bursar',
    not: 'ma.western-music',
    at: 'finance',
    columns: ['Reference', 'Status', 'Payee', 'Kind of payment', 'Total', 'Requested by', 'With'],
  },
  checkedbyFinanceMA: { by: 'book.keeper', not: 'finance', at: 'books', words: 'payee' },
  'bookkeeper/{id}': { by: 'book.keeper', at: 'books', buttons: ['Checked', 'Request edit…', 'Reject…'] },
  checkedbyFinanceMAforBursar: { by: 'deputy.bursar', not: 'book.keeper', at: 'certify', words: 'payee' },
  'bursarcertify/{id}': {
    by: 'bursar',
    not: 'book.keeper',
    at: 'certify',
    buttons: ['Certify', 'Request edit…', 'Reject…'],
  },
  all_vouchers_finance_view: {
    by: 'shroff',
    not: 'ma.western-music',
    at: 'paid',
    columns: ['Reference', 'Payee', 'Invoice number', 'Total', 'Status', 'Sent'],
  },
  finance_certified: { by: 'assistant.bursar', not: 'shroff', at: 'pay', words: 'payee' },
  'finance/{id}': { by: 'assistant.bursar', not: 'shroff', at: 'pay', buttons: ['Pay…', 'Reject…'] },
  finance_paid: {
    by: 'shroff',
    not: 'ma.western-music',
    at: 'paid',
    columns: ['Reference', 'Payee', 'Total', 'Status', 'With', 'Sent'],
  },
  'finance_paid_view/{id}': {
    by: 'shroff',
    not: 'ma.western-music',
    at: 'paid',
    buttons: ['Settle…', 'Void the cheque…', 'Came back from the bank…'],
  },
}

/** A voucher with its payee, by id and by name. */
type Placed = Case & { payee: string; name: string }

const stages = new Map<Stage, Placed>()
const visitors = new Map<string, Visitor>()
let browser: Visitors

beforeAll(async () => {
  const who = await clerk()
  const begin = async (): Promise<Placed> => {
    const data = await aVoucher()
    const voucher = await who.submit(VOUCHER, data)
    const { subject } = await who.get(`/api/cases/${voucher.id}`)
    return { ...voucher, payee: String(data.payee), name: subject.payee }
  }
  const [head, finance] = [await as('hod.western-music'), await as('finance')]
  const upTo = async (stage: Stage, desk: string) => {
    const voucher = await begin()
    await agree(voucher, { upTo: desk })
    stages.set(stage, voucher)
    return voucher
  }
  await upTo('prepared', desks.confirm)
  const back = await upTo('edit', desks.confirm)
  await head.decides(back, 'return', { reason: 'Which room?' }, desks.confirm)
  const again = await upTo('corrected', desks.confirm)
  await head.decides(again, 'return', { reason: 'Which room?' }, desks.confirm)
  const task = await who.task(again, desks.edit)
  const { data } = await who.get(`/api/cases/${again.id}`)
  await who.ok('POST', `/api/tasks/${task.id}/complete`, { data: { ...data, purpose: 'For room 12.' } })
  for (const stage of ['issues', 'answer'] as const) {
    const voucher = await upTo(stage, desks.checkByFinanceMA)
    const issues = [{ kind: 'document', issue: 'No receipt.' }]
    await finance.decides(voucher, 'issues', { issues }, desks.checkByFinanceMA)
    if (stage === 'answer') await head.decides(voucher, 'confirm', {}, desks.confirmIssues)
  }
  await upTo('finance', desks.checkByFinanceMA)
  await upTo('books', desks.checkByBookKeeper)
  await upTo('certify', desks.certify)
  await upTo('pay', desks.pay)
  await pays(await upTo('paid', desks.pay))
  // The desks are there before anybody looks.
  await Promise.all([
    who.task(back, desks.edit),
    head.task(again, desks.checkCorrections),
    head.task(stages.get('issues')!, desks.confirmIssues),
    who.task(stages.get('answer')!, desks.answerIssues),
    as('assistant.bursar').then((one) => one.task(stages.get('pay')!, desks.pay)),
    as('shroff').then((one) => one.task(stages.get('paid')!, desks.settle)),
  ])
  browser = await openBrowser()
}, 600_000)
afterAll(() => browser?.close())

async function of(username: string): Promise<Visitor> {
  const there = visitors.get(username)
  if (there) return there
  const visitor = await browser.arrives()
  await visitor.signsIn(username, '/myprofile')
  visitors.set(username, visitor)
  return visitor
}

test('the table has every route of the area, and each is of its own', () => {
  expect(screens.map(({ route }) => route.replace('/vouchers/', '')).filter((route) => route in table)).toEqual(
    Object.keys(table),
  )
  expect(Object.keys(table)).toHaveLength(34)
  const kinds = screens.map(({ page, parameters, roles, guard }) => JSON.stringify({ page, parameters, roles, guard }))
  const twice = screens.filter((_, at) => kinds.indexOf(kinds[at]!) !== at)
  expect(twice.map(({ route }) => route)).toEqual([])
})

test.each(Object.entries(table))('%s', async (route, { by, not, at: stage, columns, buttons = [], words }) => {
  const voucher = stages.get(stage ?? 'prepared')!
  const id = /payee_view|previouse/.test(route) ? voucher.payee : voucher.id
  const path = `/vouchers/${route.replace('{id}', id)}`
  const visitor = await of(by)
  const { page } = visitor
  // What the page before showed must not be taken for this one.
  await page.evaluate(() => document.querySelectorAll('h1').forEach((heading) => heading.setAttribute('data-left', '')))
  await visitor.goes(path)
  const main = page.getByRole('main')
  await main.locator('h1:visible:not([data-left])').first().waitFor()
  if (columns) {
    await main.getByRole('link', { name: voucher.reference }).waitFor()
    const heads = await main.getByRole('columnheader').allTextContents()
    expect(heads.map((head) => head.trim()).filter(Boolean)).toEqual(columns)
    const screen = screens.find((one) => one.route === `/vouchers/${route}`)!
    await main.getByRole('heading', { level: 1, name: english[screen.title as keyof typeof english] }).waitFor()
  }
  for (const name of buttons) await main.getByRole('button', { name, exact: true }).waitFor()
  if (words)
    await main
      .getByText(words === 'payee' ? voucher.name : words)
      .first()
      .waitFor()
  expect(visitor.troubles()).toEqual([])
  if (not === undefined) return
  const stranger = await of(not)
  await stranger.goes(path)
  await stranger.page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
  expect(stranger.troubles()).toEqual([])
})
