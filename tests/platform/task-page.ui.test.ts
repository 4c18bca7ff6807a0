import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { aBooking, aFreeRoom, BOOKING, type Hall } from '../resource-reservation/booking.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { looks } from './kit/looks.ts'
import { as, type Case, type Person } from './kit/people.ts'
import { until } from './kit/poll.ts'

const { desks } = resourceBooking

let visitors: Visitors
let student: Person, head: Person, ma: Person, second: Person
let room: Hall

beforeAll(async () => {
  ;[student, head, ma, second] = await Promise.all([
    as('student.nuwan'),
    as('hod.western-music'),
    as('ma.western-music'),
    as('admin'),
  ])
  room = await aFreeRoom()
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

/** Visitors of one test; an open page would react to the next one. */
const present: Visitor[] = []
afterEach(async () => {
  await Promise.all(present.splice(0).map(({ page }) => page.context().close()))
})

async function aRequest(): Promise<Case & { task: string }> {
  const { id, reference } = await student.submit(BOOKING, aBooking(room))
  const task = await head.task({ id, reference }, desks.approveByHead)
  return { id, reference, task: task.id }
}

/** A signed-in person in a browser of their own who views a task. */
async function opens(
  username: string,
  path: string,
  device: Parameters<Visitors['arrives']>[0] = {},
): Promise<Visitor> {
  const visitor = await visitors.arrives(device)
  present.push(visitor)
  await visitor.signsIn(username, path)
  await visitor.page.getByRole('heading', { level: 1 }).first().waitFor()
  return visitor
}

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const reason = ({ page }: Visitor) => page.getByLabel('Reason')

const draftKept = (person: Person, task: string, words: string) =>
  until(`a draft with ${words}`, async () => {
    const { draft } = await person.get(`/api/tasks/${task}`)
    return draft?.data.reason === words
  })

test('input is saved and found on another device, and two differing devices ask their reader', async () => {
  const { task } = await aRequest()
  const atDesk = await opens('hod.western-music', `/tasks/${task}`)
  await press(atDesk, 'Reject…')
  await reason(atDesk).fill('The hall is')
  await draftKept(head, task, 'The hall is')
  await reads(atDesk.page, /^Draft of \d\d:\d\d/)
  await looks(atDesk, 'task-draft')

  // Saved on the server although the page was left at once.
  await reason(atDesk).fill('The hall is being painted')
  await atDesk.goes('/cases')
  await draftKept(head, task, 'The hall is being painted')

  const atHome = await opens('hod.western-music', `/tasks/${task}`, { width: NARROW })
  await reads(atHome.page, /^Draft of/)
  expect(await reason(atHome).inputValue()).toBe('The hall is being painted')

  // Both are open now; the one without the other's draft is not overwritten, and overwrites nothing.
  await atDesk.goes(`/tasks/${task}`)
  await reason(atDesk).waitFor()
  const saved = (version: number) => ({ data: { outcome: 'reject', reason: 'From the telephone' }, version })
  const { draft } = await head.get(`/api/tasks/${task}`)
  await atDesk.page.context().setOffline(true)
  await reason(atDesk).fill('From the desk')
  await reads(atDesk.page, 'The draft could not be saved yet.')
  await head.ok('PUT', `/api/tasks/${task}/draft`, saved(draft.version))
  atDesk.expects(409, `/api/tasks/${task}/draft`)
  await atDesk.page.context().setOffline(false)
  await reads(atDesk.page, 'A later draft of this was saved on another device')
  expect(await reason(atDesk).inputValue()).toBe('From the desk')
  await looks(atDesk, 'task-draft-changed')
  await press(atDesk, 'Keep this one')
  await draftKept(head, task, 'From the desk')
  await until('the telephone follows', async () => (await reason(atHome).inputValue()) === 'From the desk')

  await press(atHome, 'Discard')
  await atHome.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await atHome.page.getByText(/^Draft of/).waitFor({ state: 'hidden' })
  expect((await head.get(`/api/tasks/${task}`)).draft).toBeNull()
  expect([
    ...atDesk.troubles().filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED')),
    ...atHome.troubles(),
  ]).toEqual([])
})

test('two people at the same task see each other, and the slower one keeps their input', async () => {
  const { task, reference } = await aRequest()
  const slow = await opens('hod.western-music', `/tasks/${task}`)
  const fast = await opens('admin', `/tasks/${task}`)
  const nameOf = async (person: Person) => (await person.get('/api/me')).name as string
  const [slowName, fastName] = [await nameOf(head), await nameOf(second)]
  await reads(slow.page, `${fastName} is looking at this too`)
  await reads(fast.page, `${slowName} is looking at this too`)

  await press(slow, 'Reject…')
  await reason(slow).fill('Two lines that took\na while to write')
  await reads(fast.page, `${slowName} is typing a decision`)
  await looks(fast, 'task-looking')

  // Their input is saved a moment later, possibly too late.
  slow.expects(409, `/api/tasks/${task}/draft`)
  await press(fast, 'Approve')
  await reads(slow.page, `${fastName} has decided this already`)
  const typed = slow.page.getByRole('region', { name: 'What you had typed' })
  await typed.getByText('Two lines that took').waitFor()
  await looks(slow, 'task-faster')
  await typed.getByRole('button', { name: 'Copy it' }).click()
  const copied = await slow.page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('Two lines that took\na while to write')

  // It is there after a reload, too.
  await slow.opens(`/tasks/${task}`)
  await typed.getByText('a while to write').waitFor()

  // Of two concurrent answers one is refused, and keeps its input as well.
  const other = await aRequest()
  await slow.goes(`/tasks/${other.task}`)
  await reads(slow.page, other.reference)
  await press(slow, 'Reject…')
  await reason(slow).fill('Not while the floor is wet')
  await slow.page.route('**/complete', async (route) => {
    await second.ok('POST', `/api/tasks/${other.task}/complete`, { data: { outcome: 'approve' } })
    await route.continue()
  })
  slow.expects(409, `/api/tasks/${other.task}/complete`)
  slow.expects(409, `/api/tasks/${other.task}/draft`)
  await press(slow, 'Reject')
  await reads(slow.page, `${fastName} has decided this already`)
  await typed.getByText('Not while the floor is wet').waitFor()
  await slow.page.unroute('**/complete')
  expect(reference).not.toBe(other.reference)
  expect([...slow.troubles(), ...fast.troubles()]).toEqual([])
})

test('a decision can be undone for a while: on another device, on the next task, after a reload; and by a key', async () => {
  const [one, two] = [await aRequest(), await aRequest()]
  // Decided elsewhere with a long delay, because this machine may be slow.
  const notBefore = new Date(Date.now() + 55_000).toISOString()
  await head.ok('POST', `/api/tasks/${one.task}/complete`, { data: { outcome: 'approve' }, notBefore })
  const visitor = await opens('hod.western-music', `/inbox?task=${two.task}`, { hesitates: true })
  const { page } = visitor
  const undo = page.getByRole('region', { name: 'Decisions that can still be taken back' })
  await undo.getByRole('button', { name: `Undo: Approve, ${one.reference}` }).waitFor()
  await press(visitor, 'Reject…')
  await reason(visitor).fill('Too loud at night')
  await press(visitor, 'Reject')
  // The list opens the next task, and the undo button stays.
  await undo.getByRole('button', { name: `Undo: Reject, ${two.reference}` }).waitFor()
  await page.waitForURL((at) => at.searchParams.get('task') !== two.task)
  expect(await undo.getByRole('status').textContent()).toMatch(new RegExp(`Reject: ${two.reference}`))
  await visitor.opens('/cases')
  await undo.getByRole('button', { name: `Undo: Reject, ${two.reference}` }).click()
  await page.waitForURL(`**/tasks/${two.task}`)
  // Its input is there again.
  await until('the reason is back', async () => (await reason(visitor).inputValue()) === 'Too loud at night')
  expect((await head.get(`/api/tasks/${two.task}`)).task.state).toMatch(/open|held/)

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('z')
  await page.waitForURL(`**/tasks/${one.task}`)
  await undo.waitFor({ state: 'hidden' })
  const { submissions } = await head.get(`/api/cases/${one.id}`)
  expect(submissions.at(-1)).toMatchObject({ effect: 'void', voidReason: 'undone' })
  expect(visitor.troubles()).toEqual([])
})

test('several undoable decisions are stacked; those of one bulk act are undone at once', async () => {
  const tasks = [await aRequest(), await aRequest(), await aRequest()].map(({ task }) => task)
  const notBefore = new Date(Date.now() + 58_000).toISOString()
  const { id } = await head.ok('POST', '/api/bulk', { kind: 'complete', outcome: 'approve', tasks, notBefore })
  await until('all have had their turn', async () => (await head.get(`/api/bulk/${id}`)).done === 3)
  const visitor = await opens('hod.western-music', '/inbox', { hesitates: true })
  const undo = visitor.page.getByRole('region', { name: 'Decisions that can still be taken back' })
  await undo.getByText('2 more can be undone').waitFor()
  expect(await undo.getByRole('button', { name: /^Undo/ }).count()).toBe(1)
  await looks(visitor, 'task-undo')
  await undo.getByText('2 more can be undone').click()
  expect(await undo.getByRole('button', { name: /^Undo/ }).count()).toBe(3)
  await visitor.picture('task-undo-all')
  await visitor.page.getByRole('button', { name: 'Undo all 3' }).click()
  await reads(visitor.page, '3 were left as they are.')
  await undo.waitFor({ state: 'hidden' })
  for (const task of tasks) expect((await head.get(`/api/tasks/${task}`)).task.state).toBe('open')
  expect(visitor.troubles()).toEqual([])
})

test('a task is put off, made urgent, given to a colleague for an opinion, and returned with it', async () => {
  const { task, id } = await aRequest()
  const atHead = await opens('hod.western-music', `/tasks/${task}`)
  const { page } = atHead
  await press(atHead, 'Take it')
  await reads(page, 'You have taken this.')
  const more = async (name: string) => {
    await page.locator('[data-more]').click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.locator('[data-more]').click()
  await page.getByRole('menuitem', { name: 'Ask for an opinion…' }).waitFor()
  await looks(atHead, 'task-acts')
  await page.keyboard.press('Escape')
  await more('Urgent')
  await reads(page, 'Marked as urgent.')
  await more('Tomorrow')
  await page
    .getByText(/^Put off until .*\.$/)
    .first()
    .waitFor()
  expect((await head.get(`/api/tasks/${task}`)).task).toMatchObject({ priority: 75, followUpAt: expect.any(String) })
  await more('Bring it back now')
  await until('it is back', async () => (await head.get(`/api/tasks/${task}`)).task.followUpAt === null)

  await more('Ask for an opinion…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Person to ask').fill('Shal')
  const assistant = (await ma.get('/api/me')).name as string
  await dialog.getByLabel('Person to ask').fill(assistant)
  await page
    .getByRole('option')
    .or(page.locator('.ant-select-item-option'))
    .filter({ hasText: assistant })
    .first()
    .click()
  await dialog.getByLabel('What you want to know').fill('Is the piano tuned by then?')
  await looks(atHead, 'task-delegate')
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  await reads(page, `${assistant} has this for an opinion`)

  const atAssistant = await opens('ma.western-music', `/tasks/${task}`, { width: NARROW })
  await reads(atAssistant.page, 'You were asked for your opinion')
  await reads(atAssistant.page, 'Is the piano tuned by then?')
  expect(await atAssistant.page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  await press(atAssistant, 'Give your opinion…')
  const opinion = atAssistant.page.getByRole('dialog')
  await opinion.getByLabel('Your opinion').fill('The tuner comes on Monday')
  await looks(atAssistant, 'task-opinion')
  await opinion.getByRole('button', { name: 'Give it back' }).click()
  await reads(page, 'The tuner comes on Monday')
  await reads(page, 'You have taken this.')
  expect((await head.get(`/api/cases/${id}/comments`)).items.at(-1)).toMatchObject({ kind: 'opinion' })
  expect([...atHead.troubles(), ...atAssistant.troubles()]).toEqual([])
})

test('a question goes to the requester and returns answered, and the requester sees no internal comments', async () => {
  const { task, id } = await aRequest()
  const atHead = await opens('hod.western-music', `/tasks/${task}`)
  const { page } = atHead
  await press(atHead, 'Take it')
  await page.locator('[data-more]').click()
  await page.getByRole('menuitem', { name: 'Ask the requester…' }).click()
  await page.getByRole('dialog').getByLabel('Your question').fill('How many drums will there be?')
  await page.getByRole('dialog').getByRole('button', { name: 'Send the question' }).click()
  await reads(page, 'How many drums will there be?')
  await reads(page, 'the task comes back with the answer.')

  // In comments, a colleague is mentioned, with a file, and a private note is added.
  await page.getByText('Comments', { exact: true }).click()
  const box = page.getByLabel('Write a comment')
  const assistant = (await ma.get('/api/me')).name as string
  await box.pressSequentially(`@${assistant.split(' ').at(-1)!.slice(0, 5)}`)
  await page.locator('.ant-mentions-dropdown-menu-item, [role=option]').filter({ hasText: assistant }).first().click()
  await box.pressSequentially('please look at the plan')
  await press(atHead, 'Attach files')
  await page.setInputFiles('input[type=file]', {
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The plan of the hall'),
  })
  await reads(page, 'plan.txt')
  await looks(atHead, 'task-comments')
  await press(atHead, 'Send the comment')
  await page.getByRole('listitem').filter({ hasText: 'please look at the plan' }).waitFor()
  await page.getByLabel('Only for me').click()
  await page.getByLabel('Write a private note').fill('Ask the dean about the noise')
  await press(atHead, 'Save the note')
  await reads(page, 'Only you read this')
  const { items } = await ma.get(`/api/cases/${id}/comments`)
  expect(items).toMatchObject([{ kind: 'comment', mentions: [{ id: ma.id }], files: [{ name: 'plan.txt' }] }])
  await page
    .getByRole('button', { name: /^Delete your comment of/ })
    .last()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Ask the dean about the noise').waitFor({ state: 'hidden' })

  const atStudent = await opens('student.nuwan', `/cases/${id}`, { width: NARROW })
  await atStudent.page.getByRole('heading', { name: 'A question for you' }).waitFor()
  expect(await atStudent.page.getByText('please look at the plan').count()).toBe(0)
  await atStudent.page.getByLabel('Your answer').fill('Six, and two flutes')
  await looks(atStudent, 'case-question')
  await press(atStudent, 'Send the answer')
  await atStudent.page.getByRole('heading', { name: 'Questions and answers' }).waitFor()
  await reads(page, 'Six, and two flutes')
  expect([...atHead.troubles(), ...atStudent.troubles()]).toEqual([])
})

test('the reason for having a task is shown in a line, and in full on request', async () => {
  const { task, id, reference } = await aRequest()
  await head.decides({ id, reference }, 'approve', {}, desks.approveByHead)
  const next = await ma.task({ id, reference }, desks.checkByMA)
  expect(next.id).not.toBe(task)
  const visitor = await opens('ma.western-music', `/tasks/${next.id}`)
  const why = visitor.page.locator('details').filter({ hasText: 'Why is this with me?' })
  await why.locator('summary span').filter({ hasText: /\w/ }).waitFor()
  await why.locator('summary').click()
  await why.getByRole('heading', { name: 'Who decided before' }).waitFor()
  await why
    .getByText((await head.get('/api/me')).name as string)
    .first()
    .waitFor()
  await why.getByRole('heading', { name: 'What each answer leads to' }).waitFor()
  await why.scrollIntoViewIfNeeded()
  await looks(visitor, 'task-why')
  expect(visitor.troubles()).toEqual([])
})
