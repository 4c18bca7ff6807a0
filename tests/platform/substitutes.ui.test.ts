import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { aBooking, aFreeRoom, BOOKING } from '../resource-reservation/booking.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { looks } from './kit/looks.ts'
import { anAssistant, as, type Person } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { day } from './kit/days.ts'

const inAWeek = dayjs(day(0)).add(7, 'day').format('DD/MM/YYYY')

let visitors: Visitors
let head: Person, dean: Person, admin: Person
let headName: string, deanName: string

beforeAll(async () => {
  ;[head, dean, admin] = await Promise.all([as('hod.western-music'), as('dean.music'), as('admin')])
  ;[headName, deanName] = (await Promise.all(
    [head, dean].map(async (person) => (await person.get('/api/me')).name as string),
  )) as [string, string]
  visitors = await openBrowser()
})
/** Leftovers would affect the next test. */
async function ended(): Promise<void> {
  for (const { id, state } of (await head.get('/api/substitutions?limit=100')).items)
    if (state === 'asked' || state === 'accepted') await admin.send('POST', `/api/substitutions/${id}/end`)
}
beforeEach(ended)
afterAll(async () => {
  await visitors?.close()
  await ended()
})

async function opens(username: string, path: string, width?: number): Promise<Visitor> {
  const visitor = await visitors.arrives(width ? { width } : {})
  await visitor.signsIn(username, path)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor
}

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

async function mayDecide(person: Person, task: string): Promise<boolean> {
  const { status, body } = await person.send('GET', `/api/tasks/${task}`)
  return status === 200 && body.may.decide
}

test('a head asks the dean to substitute; once accepted the dean decides for them, and the auditor sees it; either ends it', async () => {
  const atHead = await opens('hod.western-music', '/substitutes')
  const { page } = atHead
  await page.getByRole('heading', { name: 'Nobody stands in for you' }).waitFor()
  await looks(atHead, 'substitutes-empty')
  await page.getByRole('button', { name: 'Ask somebody to stand in' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Who stands in').fill(deanName.slice(-8))
  await page.locator('.ant-select-item-option').filter({ hasText: deanName }).click()
  await dialog.getByLabel('Last day').fill(inAWeek)
  await dialog.getByLabel('Last day').press('Enter')
  await dialog.getByLabel('Up to which amount (optional)').fill('a lot')
  await dialog.getByLabel('Reason (optional)').fill('Conference in Kandy')
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  await dialog.getByText('Please enter an amount such as 50000').waitFor()
  await dialog.getByLabel('Up to which amount (optional)').fill('')
  await looks(atHead, 'substitutes-ask')
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  await reads(page, 'Not answered yet')

  const student = await as('student.nuwan')
  const room = await aFreeRoom()
  const booking = await student.submit(BOOKING, aBooking(room))
  const task = await head.task(booking, resourceBooking.desks.approveByHead)
  expect(await mayDecide(dean, task.id)).toBe(false)

  const atDean = await opens('dean.music', '/inbox', NARROW)
  await reads(atDean.page, `${headName} asks you to stand in`)
  await atDean.picture('substitutes-notice')
  await atDean.page.getByRole('link', { name: 'Answer' }).click()
  await reads(atDean.page, 'Conference in Kandy')
  await press(atDean, 'Agree')
  await atDean.page.getByRole('dialog').getByText('In that time their tasks are in your inbox').waitFor()
  await atDean.page.getByRole('dialog').getByRole('button', { name: 'Agree' }).click()
  await reads(atDean.page, 'In force now')
  await looks(atDean, 'substitutes-stands-in')
  // The head's page updates by itself.
  await reads(page, 'In force now')

  await atDean.goes(`/tasks/${task.id}`)
  await reads(atDean.page, `For ${headName}, whose substitute you are.`)
  await reads(atDean.page, `You decide this for ${headName}.`)
  await looks(atDean, 'task-for')
  await press(atDean, 'Approve')
  await until('it is decided for the head', async () => (await head.get(`/api/tasks/${task.id}`)).task.state !== 'open')

  const reader = await opens('admin', `/cases/${booking.id}`)
  await reads(reader.page, `${deanName} for ${headName}`)

  const auditor = await opens('admin', '/substitutes?all=true')
  const line = auditor.page.getByRole('row').filter({ hasText: headName }).filter({ hasText: 'In force now' })
  await line.getByText(deanName).waitFor()
  await looks(auditor, 'substitutes-everybody')

  await press(atHead, 'End it now')
  await page.getByRole('dialog').getByText('It ends at once.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'End it now' }).click()
  await page.getByText(/^Before \(\d+\)$/).click()
  await page
    .getByText(new RegExp(`^Ended by ${headName}`))
    .first()
    .waitFor()
  await until('the dean no longer decides what the head does', async () => {
    const { id, reference } = await student.submit(BOOKING, aBooking(room))
    const next = await head.task({ id, reference }, resourceBooking.desks.approveByHead)
    return !(await mayDecide(dean, next.id))
  })
  expect([...atHead.troubles(), ...atDean.troubles(), ...auditor.troubles()]).toEqual([])
})

test('a cycle is refused in words, and nothing typed is lost; declining notifies the person who asked', async () => {
  const from = new Date().toISOString()
  const span = { from, until: dayjs().add(2, 'day').toISOString() }
  const { id } = await dean.ok('POST', '/api/substitutions', { substitute: head.id, ...span })
  const atHead = await opens('hod.western-music', '/substitutes')
  const { page } = atHead
  await page.getByRole('heading', { name: 'You are asked' }).waitFor()
  await page.getByRole('button', { name: 'Ask somebody to stand in' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Who stands in').fill(deanName.slice(-8))
  await page.locator('.ant-select-item-option').filter({ hasText: deanName }).click()
  await dialog.getByLabel('Last day').fill(inAWeek)
  await dialog.getByLabel('Last day').press('Enter')
  await dialog.getByLabel('Reason (optional)').fill('In return')
  atHead.expects(409, '/api/substitutions')
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('In return')
  await looks(atHead, 'substitutes-circle')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await press(atHead, 'Decline')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('heading', { name: 'You are asked' }).waitFor({ state: 'hidden' })
  const { items } = await dean.get('/api/substitutions?limit=100')
  expect(items.find((each: { id: string }) => each.id === id)).toMatchObject({ state: 'declined' })
  expect(atHead.troubles()).toEqual([])
})

test('a head sees everybody’s workload, reassigns several tasks at once, and sees how long each desk takes', async () => {
  const [student, ma] = [await as('student.nuwan'), await as('ma.western-music')]
  const maName = (await ma.get('/api/me')).name as string
  const room = await aFreeRoom()
  const tasks: { id: string; title: string }[] = []
  for (const booking of await Promise.all([1, 2].map(() => student.submit(BOOKING, aBooking(room))))) {
    await head.decides(booking, 'approve', {}, resourceBooking.desks.approveByHead)
    const task = await ma.task(booking, resourceBooking.desks.checkByMA)
    await ma.ok('POST', `/api/tasks/${task.id}/claim`)
    tasks.push(task)
  }
  const assistant = await anAssistant()

  const visitor = await opens('dean.music', '/inbox/team')
  const { page } = visitor
  await page.getByRole('heading', { name: 'At which desk' }).waitFor()
  await looks(visitor, 'team')
  await page.getByRole('link', { name: maName }).click()
  await page.getByRole('heading', { name: `With ${maName}` }).waitFor()
  for (const { title } of tasks) await page.getByRole('checkbox', { name: `Choose: ${title}` }).check()
  await looks(visitor, 'team-person')
  await page.getByRole('button', { name: 'Hand 2 over…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill(assistant)
  await page.locator('.ant-select-item-option').filter({ hasText: assistant }).click()
  await dialog.getByRole('status').waitFor()
  await looks(visitor, 'team-hand-over')
  await dialog.locator('.ant-btn-primary').click()
  for (const { id } of tasks)
    await until('it is handed over', async () => (await ma.get(`/api/tasks/${id}`)).task.assignee?.name === assistant)
  await page.getByRole('checkbox', { name: `Choose: ${tasks[0]!.title}` }).waitFor({ state: 'detached' })
  await visitor.picture('team-handed-over')

  await visitor.goes('/reports/desks?period=year')
  await page.getByRole('columnheader', { name: 'In time' }).waitFor()
  await looks(visitor, 'desks-report')
  const download = page.waitForEvent('download')
  await press(visitor, 'Save as CSV')
  expect((await download).suggestedFilename()).toMatch(/^desks-.*\.csv$/)
  expect(visitor.troubles()).toEqual([])

  const stranger = await opens('ma.western-music', '/myprofile')
  expect(await stranger.page.getByRole('link', { name: 'My team' }).count()).toBe(0)
  stranger.expects(403, '/api/team')
  await stranger.goes('/inbox/team')
  await stranger.page.getByRole('heading', { name: 'You may not open this' }).waitFor()
  expect(stranger.troubles()).toEqual([])
})
