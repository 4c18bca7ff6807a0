import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Route } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { aVoucher, clerk, VOUCHER } from '../vouchers/voucher.ts'
import { aBooking, aRoom, BOOKING, type Hall } from '../resource-reservation/booking.ts'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { looks } from './kit/looks.ts'
import { anAssistant, as, type Case, type Person } from './kit/people.ts'
import { whileLocked } from './kit/owner.ts'
import { until } from './kit/poll.ts'

const HEAD = 'hod.western-music'
/** The requests, oldest first; the head may not decide their own. */
const asked = [
  ['student.nuwan', 'Evening of ragas'],
  ['student.selvi', 'Choir rehearsal'],
  [HEAD, 'Faculty concert'],
  ['student.nuwan', 'String quartet'],
] as const

let visitors: Visitors
let visitor: Visitor
let person: Person
/** Rooms that nobody else books: a list filtered by one contains only this file's requests. */
let room: Hall, other: Hall
const cases = new Map<string, Case>()

beforeAll(async () => {
  person = await as(HEAD)
  ;[room, other] = [await aRoom(), await aRoom()]
  for (const [who, event] of asked) cases.set(event, await (await as(who)).submit(BOOKING, aBooking(room, { event })))
  await (await as('student.selvi')).submit(BOOKING, aBooking(other, { event: 'Film night' }))
  await until('all that is asked is in the inbox', async () => (await inRoom()).length === asked.length)
  for (const { id } of (await person.get('/api/inbox/views')).items) await person.ok('DELETE', `/api/inbox/views/${id}`)
  await person.ok('PATCH', '/api/inbox/choice', {
    startView: null,
    density: 'comfortable',
    grouping: 'none',
    columns: { [BOOKING]: ['event', 'resource'] },
  })
  visitors = await openBrowser()
  visitor = await visitors.arrives()
  await visitor.signsIn(HEAD, '/inbox')
})

afterAll(() => visitors?.close())

afterEach(async () => {
  const { page } = visitor
  // The bookings of two tasks differ only in their event.
  expect(await page.evaluate(() => document.body.innerText.match(/\bplatform\.[a-z][\w.-]*/g) ?? [])).toEqual([])
  expect(visitor.troubles()).toEqual([])
  // Closes what a failed test left open.
  await visitor.opens('/inbox')
})

const flowOf = `flow=${BOOKING}`
const listOf = (hall: Hall, more = '') => `/inbox?queue=open&${flowOf}&filter.resource=${hall.id}${more}`

async function inRoom(): Promise<{ id: string; title: string }[]> {
  const { items } = await person.get(`/api/tasks?queue=open&${flowOf}&filter.resource=${room.id}&limit=50`)
  return items
}

const rows = ({ page }: Visitor) => page.locator('main [data-row]')
const row = ({ page }: Visitor, event: string, { title } = room) =>
  page.getByRole('link', { name: new RegExp(`${title}.*${event}`) })
const box = ({ page }: Visitor, event: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^Select ${room.title}.*${event}`) })

/** The list at an address, once it has this many rows. */
async function lists(who: Visitor, path: string, count: number): Promise<void> {
  await who.goes(path)
  await who.page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${count} tasks?$`) })
    .waitFor()
  await until(`${count} rows`, async () => (await rows(who).count()) === count)
}

const card = ({ page }: Visitor) => page.getByRole('complementary', { name: 'Many tasks at once' })

/** The event of each row. */
const events = async (who: Visitor) => {
  const titles = await rows(who).locator('> span:first-child > span:first-child').allTextContents()
  return titles.map((title) => /“(.+)”/.exec(title)?.[1])
}

describe('a filtered list', () => {
  test('appears in the address bar and in chips, each of which can be removed alone', async () => {
    const { page } = visitor
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await page.getByRole('button', { name: /^Filter/ }).click()
    const panel = page.getByRole('dialog', { name: 'Filter' })
    const choose = async (label: string, words: string, typed = words) => {
      await panel.getByLabel(label, { exact: true }).click()
      if (typed) await page.keyboard.type(typed)
      await page.locator('.ant-select-item-option').filter({ hasText: words }).click()
    }
    await choose('Kind of request', 'Resource booking', '')
    await choose('Resource', room.title)
    await choose('Requester', 'Nuwan Jayawardena', 'Nuwan')
    await panel.getByLabel('At least').fill('9000')
    await panel.getByRole('button', { name: 'Show 2 tasks' }).click()
    await panel.waitFor({ state: 'hidden' })
    await until('the two are shown', async () => (await rows(visitor).count()) === 2)
    expect(await events(visitor)).toEqual(['String quartet', 'Evening of ragas'])
    const query = new URL(page.url()).searchParams
    expect(Object.fromEntries(query)).toEqual({
      queue: 'open',
      flow: BOOKING,
      'filter.resource': room.id,
      requester: (await as('student.nuwan')).id,
      amountFrom: '900000',
    })
    const chips = page.getByRole('list', { name: 'Active filters' })
    expect(await chips.getByRole('listitem').allTextContents()).toEqual([
      'Kind of request: Resource booking',
      `Resource: ${room.title}`,
      'Requester: Nuwan Jayawardena',
      'At least: Rs. 9,000.00',
    ])
    await visitor.picture('inbox-filtered')

    await chips.getByRole('button', { name: 'Remove Requester: Nuwan Jayawardena' }).click()
    await until('all of the room', async () => (await rows(visitor).count()) === 4)
    await page.getByLabel('Search', { exact: true }).fill('choir')
    await page.keyboard.press('Enter')
    await until('what has the words', async () => (await rows(visitor).count()) === 1)
    await page.reload()
    await row(visitor, 'Choir rehearsal').waitFor()
    expect(await rows(visitor).count()).toBe(1)
  })

  test('is counted with the filter in every queue, and keeps it in the next', async () => {
    const { page } = visitor
    const queue = (name: string) => page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name })
    const says = (name: string, count: number) =>
      until(
        `${name} says ${count}`,
        async () => (await queue(name).innerText()).replace(/\s+/g, ' ') === `${name} ${count}`,
      )
    await lists(visitor, listOf(room, '&search=choir'), 1)
    await says('Open', 1)
    await says('Overdue', 0)
    await lists(visitor, listOf(room), 4)
    await says('Open', 4)
    await queue('Done by me').click()
    await until('the other queue', async () => new URL(page.url()).searchParams.get('queue') === 'done')
    expect(new URL(page.url()).searchParams.get('filter.resource')).toBe(room.id)
    await says('Open', 4)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await until('all there is', async () => Number(/\d+/.exec(await queue('Open').innerText())?.[0]) > 4)
  })

  test('is sorted and grouped, and shows the chosen columns on every device', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room), 4)
    await page.getByRole('button', { name: 'Sorted by: Newest' }).click()
    await page.getByRole('menuitem', { name: 'Oldest' }).click()
    await until('the oldest first', async () => (await events(visitor))[0] === 'Evening of ragas')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitem', { name: 'By requester' }).click()
    await page.getByRole('heading', { name: /^Nuwan Jayawardena\s*2$/ }).waitFor()
    expect(await events(visitor)).toEqual(['Evening of ragas', 'String quartet', 'Choir rehearsal', 'Faculty concert'])
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitem', { name: /^Event Name.*chosen/ }).click()
    await page.getByRole('menuitem', { name: 'Compact' }).click()
    await until('the choice on the server', async () => {
      const { density, grouping, columns } = await person.get('/api/inbox/choice')
      return density === 'compact' && grouping === 'requester' && !columns[BOOKING]?.includes('event')
    })
    await visitor.picture('inbox-columns')

    const elsewhere = await visitors.arrives()
    await elsewhere.signsIn(HEAD)
    await elsewhere.opens(listOf(room))
    await row(elsewhere, 'Evening of ragas').waitFor()
    await elsewhere.page.locator('[data-density=compact]').waitFor()
    const text = await row(elsewhere, 'Evening of ragas').textContent()
    expect(text).toContain('Resource ')
    expect(text).not.toContain('Event Name')
    await elsewhere.page.getByRole('heading', { name: /^Nuwan Jayawardena\s*2$/ }).waitFor()
    // The address takes precedence over the saved choice.
    await elsewhere.opens(listOf(room, '&group=none'))
    await row(elsewhere, 'Evening of ragas').waitFor()
    await elsewhere.page.getByRole('heading', { name: /^Nuwan Jayawardena/ }).waitFor({ state: 'hidden' })
    expect(elsewhere.troubles()).toEqual([])
    await elsewhere.page.context().close()
    await person.ok('PATCH', '/api/inbox/choice', {
      density: 'comfortable',
      grouping: 'none',
      columns: { [BOOKING]: ['event', 'resource'] },
    })
  })

  test('is saved under a name, shared, opened by default, changed and deleted', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room, '&sort=created&group=requester'), 4)
    await page.getByRole('button', { name: 'Save as a view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Name').fill('The room')
    await dialog.getByLabel('Shared with').click()
    await page.locator('.ant-select-item-option').filter({ hasText: /^HOD$/ }).click()
    await dialog.getByLabel('Open the inbox with this view').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const view = page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: /^The room/ })
    expect(await view.getAttribute('aria-current')).toBe('true')

    await visitor.opens('/inbox')
    await page.waitForURL((at) => at.searchParams.get('filter.resource') === room.id)
    await until('the oldest first', async () => (await events(visitor))[0] === 'Evening of ragas')
    await visitor.picture('inbox-view')

    // Sorting and grouping are kept on every device.
    const elsewhere = await visitors.arrives()
    await elsewhere.signsIn(HEAD)
    await elsewhere.opens('/inbox')
    await elsewhere.page.getByRole('heading', { name: /^Nuwan Jayawardena\s*2$/ }).waitFor()
    expect(await events(elsewhere)).toEqual(await events(visitor))
    expect(elsewhere.troubles()).toEqual([])
    await elsewhere.page.context().close()

    // A head of another department holds the same role, and sees their own tasks.
    const colleague = await as('hod.indigenous-dance')
    const shared = (await colleague.get('/api/inbox/views')).items.find((each: any) => each.name === 'The room')
    expect(shared).toMatchObject({ own: false, sharedWith: 'HOD', query: { sort: 'created' } })

    await page.getByRole('button', { name: 'Sorted by: Oldest' }).click()
    await page.getByRole('menuitem', { name: 'Newest' }).click()
    await page.getByRole('button', { name: 'Save changes to The room' }).click()
    await reads(page, 'The room is saved')
    const more = page.getByRole('button', { name: 'More about The room' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the view The room?' })
    await question.getByText('Everybody who holds the role HOD loses it too.').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await view.waitFor({ state: 'detached' })
    await visitor.opens('/inbox')
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await row(visitor, 'Film night', other).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect((await person.get('/api/inbox/views')).items).toEqual([])
  })

  test('says so if the search stopped early', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room), 4)
    const address = /\/api\/tasks\?.*search=concert/
    await page.route(address, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), narrow: true } })
    })
    const hint = page.getByText(/^The list is too long to search all of it\./)
    expect(await hint.count()).toBe(0)
    await page.getByLabel('Search', { exact: true }).fill('concert')
    await page.keyboard.press('Enter')
    await hint.waitFor()
    await row(visitor, 'Faculty concert').waitFor()
    await visitor.picture('inbox-narrow')
    await expectAccessible(page)
    await page.unroute(address)
  })

  test('is downloaded as a file', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room, '&search=Choir'), 1)
    for (const [words, ending, begins] of [
      ['As CSV', 'csv', 'Reference,'],
      ['As an Excel sheet', 'xlsx', 'PK'],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: words }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(new RegExp(`^inbox-\\d{4}-\\d\\d-\\d\\d\\.${ending}$`))
      const content = readFileSync(await download.path())
      expect(content.toString('latin1').replace(/^\W+/, '').startsWith(begins)).toBe(true)
      if (ending === 'csv') expect(content.toString()).toMatch(/Choir rehearsal/)
      if (ending === 'csv') expect(content.toString()).not.toMatch(/Evening of ragas/)
    }
  })
})

test('keys move, open, select and search, are all listed, and single letters can be turned off', async () => {
  const { page } = visitor
  await lists(visitor, listOf(room), 4)
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const at = (event: string) => until(`the focus on ${event}`, async () => (await focused()).includes(event))
  await page.keyboard.press('j')
  await at('String quartet')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await at('Choir rehearsal')
  await page.keyboard.press('k')
  await at('Faculty concert')
  await page.keyboard.press('x')
  expect(await box(visitor, 'Faculty concert').isChecked()).toBe(true)
  await page.getByRole('status').filter({ hasText: '1 selected' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  expect(await box(visitor, 'Faculty concert').isChecked()).toBe(false)

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const open = (event: string) => page.getByRole('region', { name: 'The open task' }).getByText(event).first().waitFor()
  await open('Choir rehearsal')
  expect(await row(visitor, 'Choir rehearsal').getAttribute('aria-current')).toBe('true')
  // Two fast keys: the second comes before the next task is drawn, and does not affect the previous one.
  const before = new URL(page.url()).searchParams.get('task')
  await page.evaluate(async () => {
    const press = (key: string) =>
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    press('u')
    await Promise.resolve()
    press('a')
  })
  await open('Evening of ragas')
  expect((await person.get(`/api/tasks/${before}`)).task.state).toBe('open')
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'The open task' }).waitFor({ state: 'detached' })
  await at('Evening of ragas')

  await page.keyboard.press('/')
  await page.keyboard.type('jxk')
  expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('jxk')
  await page.getByLabel('Search', { exact: true }).fill('')
  await box(visitor, 'String quartet').focus()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  for (const what of ['Next row', 'Open the next task', 'Select or deselect the row', 'Reject', 'Show all keys'])
    await help.getByText(what, { exact: true }).waitFor()
  await visitor.picture('inbox-keys')
  await expectAccessible(page)
  await help.getByRole('switch').click()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.keyboard.press('x')
  await page.keyboard.press('?')
  expect(await box(visitor, 'String quartet').isChecked()).toBe(false)
  expect(await help.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Keyboard' }).click()
  await help.getByRole('switch').click()
  await page.keyboard.press('Escape')
})

test('a phone shows list and task one after the other, with large targets and nothing too wide', async () => {
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.signsIn(HEAD)
  await phone.opens(listOf(room))
  await row(phone, 'Choir rehearsal').waitFor()
  await box(phone, 'Choir rehearsal').tap()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await phone.picture('inbox-list')
  expect(await tooWide(phone)).toEqual([])
  expect(await tooSmall(phone)).toEqual([])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear', exact: true }).tap()
  await page.getByRole('button', { name: /^Filter/ }).tap()
  await page.getByRole('dialog', { name: 'Filter' }).getByLabel('At least').waitFor()
  await phone.picture('inbox-filter')
  expect(await tooWide(phone)).toEqual([])
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Show 4 tasks/ }).tap()
  await row(phone, 'Choir rehearsal').tap()
  await page.getByRole('region', { name: 'The open task' }).getByText('Choir rehearsal').first().waitFor()
  expect(await row(phone, 'Choir rehearsal').isVisible()).toBe(false)
  await page.goBack()
  await row(phone, 'Choir rehearsal').waitFor()
  expect(phone.troubles()).toEqual([])
  await page.context().close()
})

test('all queues are accessible with a screen reader', async () => {
  const { page } = visitor
  for (const name of [
    'Open',
    'With me',
    'With colleagues',
    'Due soon',
    'Overdue',
    'Later',
    'Waiting for others',
    'Done by me',
  ]) {
    const queue = page
      .getByRole('navigation', { name: 'Queues' })
      .getByRole('link', { name: new RegExp(`^${name}\\s*\\d+\\+?$`) })
    await queue.click()
    await page
      .getByRole('region', { name, exact: true })
      .getByRole('status')
      .filter({ hasText: /tasks?$/ })
      .waitFor()
    await expectAccessible(page)
  }
  await lists(visitor, listOf(room, '&search=nothing-like-this'), 0)
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await expectAccessible(page)
})

describe('several tasks at once', () => {
  test('are stopped on another page: completed tasks stay completed, the rest is unchanged', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room), 4)
    for (const event of ['String quartet', 'Choir rehearsal', 'Evening of ragas']) await box(visitor, event).click()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Take: 3 tasks' })
    await dialog.getByText('All 3 can be done.').waitFor()
    // Somebody else views the second one.
    const [first, second] = (await inRoom()).filter(({ title }) => !title.includes('Faculty concert'))
    await whileLocked('select from app.task where id = $1 for no key update', [second!.id], async () => {
      await dialog.getByRole('button', { name: 'Take (3)' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await visitor.goes('/cases')
      await card(visitor).getByText('Take: 1 of 3').waitFor()
      await looks(visitor, 'bulk-elsewhere')
      await card(visitor).getByRole('button', { name: 'Stop' }).click()
      await card(visitor).getByText('Stopped after 1 of 3').waitFor()
    })
    await card(visitor).getByText('2 were left as they are.').waitFor()
    await card(visitor).getByRole('button', { name: 'Results' }).click()
    const answers = page.getByRole('dialog', { name: 'The result for each task' })
    await until('two are left', async () => (await answers.getByText('Left as it is', { exact: true }).count()) === 2)
    await page.keyboard.press('Escape')
    await card(visitor).getByRole('button', { name: 'Close' }).click()
    const mine = await person.get(`/api/tasks?queue=mine&${flowOf}&filter.resource=${room.id}&limit=50`)
    expect(mine.items.map(({ id }: { id: string }) => id)).toEqual([first!.id])
    await person.ok('POST', `/api/tasks/${first!.id}/release`)
  })

  test('are assigned to a colleague', async () => {
    const desk = await aRoom()
    const [student, ma, colleague] = [await as('student.nuwan'), await as('ma.western-music'), await anAssistant()]
    const bookings = await Promise.all([1, 2].map(() => student.submit(BOOKING, aBooking(desk))))
    for (const booking of bookings) {
      await person.decides(booking, 'approve', {}, resourceBooking.desks.approveByHead)
      await ma.task(booking, resourceBooking.desks.checkByMA)
    }
    const assistant = await visitors.arrives()
    const { page } = assistant
    await assistant.signsIn('ma.western-music')
    await lists(assistant, listOf(desk), 2)
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click()
    await page.getByRole('button', { name: 'Give to…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Give to somebody: 2 tasks' })
    expect(await dialog.getByRole('button', { name: /^Give to somebody/ }).isDisabled()).toBe(true)
    await dialog.getByLabel('Assign to').fill(colleague)
    await page.locator('.ant-select-item-option').filter({ hasText: colleague }).click()
    await dialog.getByText('All 2 can be done.').waitFor()
    await looks(assistant, 'inbox-give')
    await dialog.getByRole('button', { name: 'Give to somebody (2)' }).click()
    const held = `/api/tasks?queue=group&${flowOf}&filter.resource=${desk.id}&limit=50`
    await until('the colleague has both', async () => {
      const { items } = await ma.get(held)
      return items.filter((each: any) => each.assignee.name === colleague).length === 2
    })
    await card(assistant).getByText('Done: 2 of 2').waitFor()
    await assistant.goes(`/inbox?queue=group&${flowOf}&filter.resource=${desk.id}`)
    await reads(page, `with ${colleague}`)
    expect(assistant.troubles()).toEqual([])
    await page.context().close()
  })

  test('are claimed up to the task clicked with Shift, and released', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room), 4)
    await box(visitor, 'String quartet').click()
    await box(visitor, 'Choir rehearsal').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').last().waitFor()
    await box(visitor, 'Faculty concert').click()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Take: 2 tasks' })
    await dialog.getByText('All 2 can be done.').waitFor()
    await dialog.getByRole('button', { name: 'Take (2)' }).click()
    await reads(page, 'Done: 2 of 2')
    await card(visitor).getByRole('button', { name: 'Close' }).click()
    await row(visitor, 'String quartet').getByText('with you').waitFor()
    await row(visitor, 'Choir rehearsal').getByText('with you').waitFor()

    await box(visitor, 'String quartet').click()
    await box(visitor, 'Evening of ragas').click()
    await page.getByRole('button', { name: 'Take 1 of 2' }).waitFor()
    await page.getByRole('button', { name: 'Give back 1 of 2' }).waitFor()
    await box(visitor, 'Evening of ragas').click()
    await box(visitor, 'Choir rehearsal').click()
    await page.getByRole('button', { name: 'Give back', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Give back (2)' }).click()
    await reads(page, 'Done: 2 of 2')
    await card(visitor).getByRole('button', { name: 'Close' }).click()
    await row(visitor, 'String quartet').getByText('with you').waitFor({ state: 'detached' })
  })

  test('of different desks say on each button how many of them it applies to', async () => {
    const { page } = visitor
    const word = `Mixed${Date.now()}`
    await (await as('student.selvi')).submit(BOOKING, aBooking(other, { event: word }))
    await (await clerk()).submit(VOUCHER, await aVoucher({ invoice_no: word }))
    await until('both wait', async () => (await person.get(`/api/tasks?queue=open&search=${word}`)).items.length === 2)
    await lists(visitor, `/inbox?queue=open&search=${word}`, 2)
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click()
    const bar = page.getByRole('region', { name: 'With what is selected' })
    await bar.getByRole('button', { name: /^(Approve|Confirm) 1 of 2$/ }).waitFor()
    await bar.getByRole('button', { name: 'Take', exact: true }).waitFor()
    await looks(visitor, 'inbox-mixed')
  })

  test('are decided except for the one that cannot be, which is named with its reason; the page may be left meanwhile', async () => {
    const { page } = visitor
    await lists(visitor, listOf(room), 4)
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await visitor.picture('inbox-selected')
    await expectAccessible(page)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject: 4 tasks' })
    await dialog.getByText('1 of 4 cannot be done and is left as it is').waitFor()
    await dialog.getByText(/Faculty concert/).waitFor()
    await dialog.getByText('You cannot decide your own request').waitFor()
    await visitor.picture('inbox-bulk')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Reject (3)' }).click()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel(/Reason/).fill('The room is closed for repairs')
    // The reader leaves before the list has been read again.
    const held: Route[] = []
    await page.route('**/api/tasks?*', (route) => void held.push(route))
    await dialog.getByRole('button', { name: 'Reject (3)' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await visitor.goes('/cases')
    await page.getByRole('heading', { name: 'My cases', level: 1 }).waitFor()
    await Promise.all(held.splice(0).map((route) => route.abort('aborted')))
    await page.unroute('**/api/tasks?*')
    // Removed rows stay while the list is open; reopened afterwards, it shows what is left.
    await reads(page, 'Done: 3 of 3')
    await lists(visitor, listOf(room), 1)
    await page.getByRole('button', { name: 'Results' }).click()
    const answers = page.getByRole('dialog', { name: 'The result for each task' })
    await until('an answer for each', async () => (await answers.getByText('Done', { exact: true }).count()) === 3)
    await visitor.picture('inbox-answers')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await card(visitor).getByRole('button', { name: 'Close' }).click()
    await page.getByText('Done: 3 of 3').waitFor({ state: 'detached' })
    for (const event of ['Evening of ragas', 'Choir rehearsal', 'String quartet'])
      await until(`${event} is rejected`, async () => {
        const { status } = await person.get(`/api/cases/${cases.get(event)!.id}`)
        return status.key === 'rejected'
      })
    expect(await events(visitor)).toEqual(['Faculty concert'])
  })
})

/** Controls of the list that are smaller than a finger. */
function tooSmall({ page }: Visitor): Promise<string[]> {
  return page
    .locator('main :is(a, button, label:has(input[type=checkbox]), input:not([type=checkbox]))')
    .evaluateAll((all) =>
      all
        .map((each) => ({ each, box: each.getBoundingClientRect() }))
        .filter(({ box: { width, height } }) => width > 1 && height > 1 && (width < 43.5 || height < 43.5))
        // The field is as high as its wrapper.
        .filter(({ each }) => !each.matches('.ant-input-affix-wrapper *'))
        .map(({ each, box: { width, height } }) => `${each.outerHTML.slice(0, 120)}: ${width} × ${height}`),
    )
}

/** Elements that make the page scroll sideways. */
function tooWide({ page }: Visitor): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`${scrollWidth} > ${clientWidth}`] : []
  })
}

/** A request for an otherwise unused room, waiting at the desk. */
async function alone(event: string): Promise<{ hall: Hall; task: string }> {
  const hall = await aRoom()
  const booking = await (await as('student.selvi')).submit(BOOKING, aBooking(hall, { event }))
  return { hall, task: (await person.task(booking)).id }
}

test('tasks put off wait in a separate list, say until when, and come back', async () => {
  const { page } = visitor
  const { hall, task } = await alone('Choir rehearsal')
  const queue = (name: string) => `/inbox?queue=${name}&${flowOf}&filter.resource=${hall.id}`
  await person.ok('POST', `/api/tasks/${task}/claim`)
  await lists(visitor, queue('mine'), 1)
  await row(visitor, 'Choir rehearsal', hall).click()
  await page.locator('[data-more]').click()
  await page.getByRole('menuitem', { name: 'Tomorrow' }).click()
  await page
    .getByText(/^Put off until .*\.$/)
    .first()
    .waitFor()
  await lists(visitor, queue('later'), 1)
  await row(visitor, 'Choir rehearsal', hall)
    .getByText(/^back on /)
    .waitFor()
  await visitor.picture('inbox-later')
  await expectAccessible(page)
  await row(visitor, 'Choir rehearsal', hall).click()
  await page.locator('[data-more]').click()
  await page.getByRole('menuitem', { name: 'Bring it back now' }).click()
  await until('it is back', async () => (await person.get(`/api/tasks/${task}`)).task.followUpAt === null)
  // A list that opens again does not show its cached rows.
  await lists(visitor, queue('mine'), 1)
  await lists(visitor, queue('later'), 0)
})

test('a substitute sees tasks of the absent person in the list, and whose they are', async () => {
  const { hall } = await alone('Choir rehearsal')
  const dean = await as('dean.music')
  const { name } = await person.get('/api/me')
  const now = Date.now()
  const span = { from: new Date(now).toISOString(), until: new Date(now + 3_600_000).toISOString() }
  const { id } = await person.ok('POST', '/api/substitutions', { substitute: dean.id, ...span })
  await dean.ok('POST', `/api/substitutions/${id}/accept`)
  const substitute = await visitors.arrives({ width: NARROW })
  try {
    await substitute.signsIn('dean.music')
    await lists(substitute, listOf(hall), 1)
    await row(substitute, 'Choir rehearsal', hall).getByText(`for ${name}`).waitFor()
    await substitute.picture('inbox-substitute')
    await expectAccessible(substitute.page)
  } finally {
    await person.ok('POST', `/api/substitutions/${id}/end`)
  }
  const left = async () => (await dean.get(`/api/tasks?queue=open&filter.resource=${hall.id}&limit=50`)).items
  expect(await left()).toEqual([])
  expect(substitute.troubles()).toEqual([])
  await substitute.page.context().close()
})
