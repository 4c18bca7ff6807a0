import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mayOpen } from '../../forms/platform/may-open.ts'
import screens from '../../forms/vouchers/screens.json' with { type: 'json' }
import english from '../../forms/vouchers/texts.staff.en.json' with { type: 'json' }
import { openBrowser, type Visitor, type Visitors } from '../platform/kit/browser.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { LITTLE, SMALL, VOUCHER, aPayee, aVote, aVoucher, agree, clerk, desks, edits, pays } from './voucher.ts'

/** The state of the voucher that a page opens, by what has been done to it. */
type Stage = 'prepared' | 'edit' | 'issues' | 'answer' | 'corrected' | 'finance' | 'books' | 'certify' | 'pay' | 'paid'
const every: Stage[] = [
  ...(['prepared', 'edit', 'issues', 'answer', 'corrected', 'finance', 'books', 'certify', 'pay', 'paid'] as const),
]

interface Row {
  /** Opens it here. */
  by: string
  /** Somebody who may not; without one, everybody signed in may. */
  not?: string
  /** A list: it shows these vouchers and no others. */
  shows?: Stage[]
  /** A page of one voucher in this state. */
  at?: Stage
  /** The outcomes there; none if the form itself is sent again. */
  answers?: string[]
}

/** Every route of the sources. */
const table: Record<string, Row> = {
  all_voucher_requests: { by: 'ma.western-music', not: 'student.nuwan', shows: every },
  'EditVoucher/{id}': { by: 'ma.western-music', not: 'book.keeper', at: 'edit', answers: [] },
  all_voucher_requests_for_cra: {
    by: 'book.keeper',
    not: 'ma.western-music',
    shows: ['finance', 'books', 'certify', 'pay'],
  },
  all_voucher_requests_for_fma: { by: 'finance', not: 'book.keeper', shows: ['finance'] },
  new_request: { by: 'ma.western-music', not: 'student.nuwan' },
  'previouse_details/{id}': { by: 'finance', not: 'student.nuwan', shows: every },
  vote_number: { by: 'deputy.bursar', not: 'finance' },
  payee_registration: { by: 'finance', not: 'ma.western-music' },
  'payee_view/{id}': { by: 'finance', not: 'student.nuwan' },
  'confirm_recommend_approve/{id}': {
    by: 'hod.western-music',
    not: 'finance',
    at: 'prepared',
    answers: ['confirm', 'return', 'reject'],
  },
  'finance_MA/{id}': {
    by: 'finance',
    not: 'book.keeper',
    at: 'finance',
    answers: ['check', 'issues', 'return', 'reject'],
  },
  issues_identified_by_MA: { by: 'ma.western-music', not: 'book.keeper', shows: ['issues', 'answer'] },
  'issues_identified_by_MA/View/{id}': {
    by: 'ma.western-music',
    not: 'book.keeper',
    at: 'answer',
    answers: ['answer', 'correct'],
  },
  request_edit: { by: 'ma.western-music', not: 'book.keeper', shows: ['edit'] },
  'request_edit/view/{id}': { by: 'hod.western-music', not: 'book.keeper', at: 'edit' },
  'Resubmit/{id}': { by: 'ma.western-music', not: 'book.keeper', at: 'edit', answers: [] },
  ResubmitNewVoucher: { by: 'ma.western-music', not: 'book.keeper', shows: ['edit'] },
  confirm_issue_view: { by: 'hod.western-music', not: 'finance', shows: ['issues'] },
  'confirm_issue/{id}': {
    by: 'hod.western-music',
    not: 'finance',
    at: 'issues',
    answers: ['confirm', 'dismiss', 'reject'],
  },
  'confirm_issue_reject/{id}': {
    by: 'hod.western-music',
    not: 'finance',
    at: 'issues',
    answers: ['confirm', 'dismiss', 'reject'],
  },
  resubmit_request: { by: 'finance', not: 'student.nuwan', shows: ['corrected'] },
  resubmit_confirm_recommend_approve: { by: 'hod.western-music', not: 'finance', shows: ['corrected'] },
  'view_request/{id}': { by: 'ma.western-music', not: 'student.nuwan', at: 'prepared' },
  'Resubmit_view_request/{id}': {
    by: 'hod.western-music',
    not: 'student.nuwan',
    at: 'corrected',
    answers: ['confirm', 'return', 'reject'],
  },
  all_vouchers_finance: {
    by: 'bursar',
    not: 'ma.western-music',
    shows: ['issues', 'answer', 'finance', 'books', 'certify', 'pay', 'paid'],
  },
  checkedbyFinanceMA: { by: 'book.keeper', not: 'finance', shows: ['books'] },
  'bookkeeper/{id}': { by: 'book.keeper', at: 'books', answers: ['check', 'return', 'reject'] },
  checkedbyFinanceMAforBursar: { by: 'deputy.bursar', not: 'book.keeper', shows: ['certify'] },
  'bursarcertify/{id}': { by: 'bursar', not: 'book.keeper', at: 'certify', answers: ['certify', 'return', 'reject'] },
  all_vouchers_finance_view: { by: 'shroff', not: 'ma.western-music', shows: every },
  finance_certified: { by: 'assistant.bursar', not: 'shroff', shows: ['pay'] },
  'finance/{id}': { by: 'assistant.bursar', not: 'shroff', at: 'pay', answers: ['pay', 'certify_again', 'reject'] },
  finance_paid: { by: 'shroff', not: 'ma.western-music', shows: ['paid'] },
  'finance_paid_view/{id}': {
    by: 'shroff',
    not: 'ma.western-music',
    at: 'paid',
    answers: ['settle', 'void', 'return_payment'],
  },
}

const stages = new Map<Stage, Case>()
const visitors = new Map<string, Visitor>()
let payee: { id: string; title: string }
let browser: Visitors

beforeAll(async () => {
  const [who, head, finance, admin] = await Promise.all(
    [(await clerk()).username, 'hod.western-music', 'finance', 'admin'].map(as),
  )
  const [id, vote] = await Promise.all([aPayee(), aVote()])
  payee = await admin!.get(`/api/registers/vouchers/payee/items/${id}`)
  const upTo = async (stage: Stage, desk: string) => {
    const voucher = await who!.submit(VOUCHER, await aVoucher({ payee: id, vote }, LITTLE))
    await agree(voucher, { upTo: desk, chain: SMALL })
    stages.set(stage, voucher)
    return voucher
  }
  const returned = async (stage: Stage) => {
    const voucher = await upTo(stage, desks.confirm)
    await head!.decides(voucher, 'return', { reason: 'Which room?' }, desks.confirm)
    return voucher
  }
  const withIssues = async (stage: Stage) => {
    const voucher = await upTo(stage, desks.checkByFinanceMA)
    const issues = [{ kind: 'document', issue: 'No receipt.' }]
    await finance!.decides(voucher, 'issues', { issues }, desks.checkByFinanceMA)
    return voucher
  }
  const at = async (username: string, stage: Stage, desk: string) => (await as(username)).task(stages.get(stage)!, desk)
  const made = await Promise.allSettled([
    upTo('prepared', desks.confirm),
    returned('edit').then((voucher) => who!.task(voucher, desks.edit)),
    returned('corrected').then(async (voucher) => {
      await edits(who!, voucher, { purpose: 'For room 12.' })
      await head!.task(voucher, desks.checkCorrections)
    }),
    withIssues('issues').then((voucher) => head!.task(voucher, desks.confirmIssues)),
    withIssues('answer').then(async (voucher) => {
      await head!.decides(voucher, 'confirm', {}, desks.confirmIssues)
      await who!.task(voucher, desks.answerIssues)
    }),
    upTo('finance', desks.checkByFinanceMA).then(() => at('finance', 'finance', desks.checkByFinanceMA)),
    upTo('books', desks.checkByBookKeeper).then(() => at('book.keeper', 'books', desks.checkByBookKeeper)),
    upTo('certify', desks.certify).then(() => at('bursar', 'certify', desks.certify)),
    upTo('pay', desks.pay).then(() => at('assistant.bursar', 'pay', desks.pay)),
    upTo('paid', desks.pay).then(async (voucher) => {
      await pays(voucher)
      await at('shroff', 'paid', desks.settle)
    }),
  ])
  for (const one of made) if (one.status === 'rejected') throw one.reason
  browser = await openBrowser()
}, 180_000)
afterAll(() => browser?.close())

const screenOf = (route: string) => screens.find((one) => one.route === `/vouchers/${route}`)!
const meOf = async (username: string) => (await as(username)).get('/api/me')

test('the table has every route of the area, each its own page', () => {
  expect(screens.map(({ route }) => route.replace('/vouchers/', '')).filter((route) => route in table)).toEqual(
    Object.keys(table),
  )
  expect(Object.keys(table)).toHaveLength(34)
  const kinds = screens.map(({ page, parameters, roles, guard }) => JSON.stringify({ page, parameters, roles, guard }))
  const twice = screens.filter((_, at) => kinds.indexOf(kinds[at]!) !== at)
  expect(twice.map(({ route }) => route)).toEqual([])
})

test.each(Object.entries(table))(
  '%s is for its own, and has its own',
  async (route, { by, not, shows, at: stage, answers }) => {
    const screen = screenOf(route)
    expect({ by, open: mayOpen(await meOf(by), screen) }).toEqual({ by, open: true })
    if (not !== undefined) expect({ not, open: mayOpen(await meOf(not), screen) }).toEqual({ not, open: false })
    const person = await as(by)
    if (shows) {
      const { flow, desk, statuses, item } = screen.parameters as {
        flow: string
        desk?: string
        statuses?: string[]
        item?: true
      }
      const query = new URLSearchParams({ flow, limit: '50' })
      if (statuses) query.set('status', statuses.join())
      if (desk) query.set('desk', desk)
      if (item) query.set('item', payee.id)
      else query.set('search', payee.title)
      const { items } = await person.get(`/api/${screen.page === 'inbox' ? 'tasks' : 'cases'}?${query.toString()}`)
      const there = items.map(({ reference }: Case) => reference).toSorted()
      expect(there).toEqual(shows.map((one) => stages.get(one)!.reference).toSorted())
    }
    if (stage === undefined) return
    const voucher = stages.get(stage)!
    const { waitsWith } = await person.get(`/api/cases/${voucher.id}`)
    if (!answers) return
    const { desks: own } = screen.parameters as { desks: string[] }
    const { taskId } = waitsWith.find(({ desk }: { desk: string }) => own.includes(desk))
    const { form, blockedBy } = await person.get(`/api/tasks/${taskId}`)
    expect(blockedBy).toBeNull()
    expect((form.schema.properties.outcome?.oneOf ?? []).map((one: { const: string }) => one.const)).toEqual(answers)
    // A page grants nothing: people without access to the voucher are refused by the API as well.
    const stranger = await as(not ?? 'finance')
    const refused = await stranger.send('POST', `/api/tasks/${taskId}/complete`, { data: { outcome: answers[0] } })
    expect([403, 404]).toContain(refused.status)
  },
)

test('the Book Keeper’s page shows a second reader the permitted parts of the voucher, and others nothing', async () => {
  const { id } = stages.get('books')!
  const screen = screenOf('bookkeeper/{id}')
  for (const [username, status] of [
    ['finance', 200],
    ['ma.administration', 404],
    ['student.nuwan', 404],
    // Auditors read each voucher that the reports link to.
    ['auditor', 200],
  ] as const) {
    expect(mayOpen(await meOf(username), screen)).toBe(true)
    expect({ username, status: (await (await as(username)).send('GET', `/api/cases/${id}`)).status }).toEqual({
      username,
      status,
    })
  }
})

async function of(username: string): Promise<Visitor> {
  const there = visitors.get(username)
  if (there) return there
  const visitor = await browser.arrives({ stays: true })
  await visitor.signsIn(username, '/myprofile')
  visitors.set(username, visitor)
  return visitor
}

/** Content per kind of page: columns of a list, buttons, and texts. */
test.each<{ route: string; by: string; columns?: string[]; buttons?: string[]; words?: string }>([
  {
    route: 'all_voucher_requests',
    by: 'ma.western-music',
    columns: ['Reference', 'Status', 'Payee', 'Total', 'Requested by', 'With', 'Sent'],
    buttons: ['New voucher', 'Export'],
  },
  {
    route: 'issues_identified_by_MA',
    by: 'ma.western-music',
    columns: ['Reference', 'Payee', 'Total', 'Requested by', 'With'],
  },
  { route: 'ResubmitNewVoucher', by: 'ma.western-music', words: 'payee' },
  { route: 'EditVoucher/{id}', by: 'ma.western-music', buttons: ['Send again'] },
  {
    route: 'issues_identified_by_MA/View/{id}',
    by: 'ma.western-music',
    buttons: ['Send answers', 'Correct the voucher…'],
  },
  {
    route: 'previouse_details/{id}',
    by: 'finance',
    columns: ['Reference', 'Status', 'Kind of payment', 'Invoice number', 'Total', 'Sent'],
    buttons: ['Export'],
  },
  { route: 'payee_registration', by: 'finance', words: 'Account number' },
  { route: 'payee_view/{id}', by: 'finance', words: 'payee' },
  {
    route: 'finance_MA/{id}',
    by: 'finance',
    buttons: ['Checked', 'Attachment issues…', 'Request edit…', 'Reject…'],
  },
  {
    route: 'all_vouchers_finance',
    by: 'finance',
    columns: ['Reference', 'Status', 'Payee', 'Kind of payment', 'Total', 'Requested by', 'With'],
    buttons: ['Export'],
  },
  { route: 'confirm_issue_reject/{id}', by: 'hod.western-music', buttons: ['No issues', 'Cancel'] },
  { route: 'Resubmit_view_request/{id}', by: 'hod.western-music', words: 'changed' },
])('$route as shown', async ({ route, by, columns, buttons = [], words }) => {
  const { at: stage, shows } = table[route]!
  const id = /payee_view|previouse/.test(route) ? payee.id : stage === undefined ? '' : stages.get(stage)!.id
  const visitor = await of(by)
  const { page } = visitor
  // Wide enough for all columns: narrower pages leave out the last.
  await page.setViewportSize({ width: 1920, height: 900 })
  // The previous page's content must not be taken for this one.
  await page.evaluate(() => document.querySelectorAll('h1').forEach((heading) => heading.setAttribute('data-left', '')))
  const search = columns && id === '' ? `?search=${encodeURIComponent(payee.title)}` : ''
  await visitor.goes(`/vouchers/${route.replace('{id}', id)}${search}`)
  const main = page.getByRole('main')
  await main.locator('h1:visible:not([data-left])').first().waitFor()
  if (columns) {
    const { title } = screenOf(route)
    await main.getByRole('heading', { level: 1, name: english[title as keyof typeof english] }).waitFor()
    const wanted = shows!.map((one) => stages.get(one)!.reference).toSorted()
    await until(`${route} shows ${wanted.join()}`, async () => {
      const there = await main.getByRole('link', { name: /^PV-/ }).allTextContents()
      if (there.toSorted().join() !== wanted.join()) throw new Error(`it shows ${there.join()}`)
      return true
    })
    const heads = await main.getByRole('columnheader').allTextContents()
    expect(heads.map((head) => head.trim()).filter(Boolean)).toEqual(columns)
    expect(await main.getByRole('button', { name: 'Export', exact: true }).count()).toBe(
      buttons.includes('Export') ? 1 : 0,
    )
  }
  for (const name of buttons) await main.getByRole('button', { name, exact: true }).waitFor()
  if (words)
    await main
      .getByText(words === 'payee' ? payee.title : words)
      .first()
      .waitFor()
  expect(visitor.troubles()).toEqual([])
})

test('a page that is not for its reader says so', async () => {
  const visitor = await of('ma.western-music')
  await visitor.goes(`/vouchers/finance_MA/${stages.get('finance')!.id}`)
  await visitor.page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
  expect(visitor.troubles()).toEqual([])
})
