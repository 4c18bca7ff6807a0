import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { type DeskApp, deskApp } from './fixtures/desk-app.ts'
import { FLOW } from './fixtures/two-desks.ts'
import type { Caller } from './kit/app.ts'
import { anItem } from './kit/rows.ts'

let own: DeskApp
let [dean, otherDean, clerk, retired]: Caller[] = []
beforeAll(async () => {
  own = await deskApp()
  const faculty = await anItem(own.db, 'platform/faculty')
  await own.db
    .updateTable('register_item')
    .set({ data: JSON.stringify({ faculty }) })
    .where('id', '=', own.department)
    .execute()
  const inFaculty = (id: string) => ({ role: 'Dean', scope: { kind: 'faculty', id } })
  dean = await own.app.person('dean', inFaculty(faculty))
  otherDean = await own.app.person('other-dean', inFaculty(await anItem(own.db, 'platform/faculty')))
  const inDepartment = { kind: 'department', id: own.department }
  clerk = await own.app.person('clerk', { role: 'MA', scope: inDepartment })
  retired = await own.app.person('retired', { role: 'Lecturer' })
})
afterAll(() => own?.close())

const team = async (who: Caller) => (await who.send('GET', '/api/team')).json()
const tasksOf = async (who: Caller, person: string, more = '') =>
  (await who.send('GET', `/api/team/tasks?person=${person}${more}`)).json()
const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

test('people who lead no unit have no team and no report', async () => {
  for (const path of [
    '/api/team',
    '/api/team/tasks?person=free',
    '/api/reports/desks?from=2026-03-01&until=2026-03-31',
  ]) {
    for (const who of [own.asker, clerk!, own.registrar])
      expect([path, (await who.send('GET', path)).statusCode]).toEqual([path, 403])
    expect([path, (await own.app.send('GET', path)).statusCode]).toEqual([path, 401])
    expect([path, (await own.head.send('GET', path)).statusCode]).toEqual([path, 200])
  }
  expect((await own.head.send('GET', '/api/team/tasks?person=somebody')).statusCode).toBe(400)
})

test('leaders see assigned, free and late tasks in their units and below', async () => {
  const one = await own.waiting()
  const two = await own.waiting()
  const three = await own.waiting(own.asker, { to: `MA@department:${own.department}` })
  await own.secondHead.send('POST', `/api/tasks/${two.id}/claim`)
  const late = new Date(Date.now() - 60_000)
  await own.db.updateTable('task').set({ due_at: late }).where('id', 'in', [two.id, three.id]).execute()
  // A person outside of the reader's units counts as long as they have a task there.
  await clerk!.send('POST', `/api/tasks/${three.id}/delegate`, { to: retired!.id, words: 'Well?' })
  const done = await own.waiting()
  await own.secondHead.send('POST', `/api/tasks/${done.id}/complete`, { data: { outcome: 'approve' } })

  const seen = await team(own.head)
  const row = (name: string) => seen.people.find((person: { name: string }) => person.name === name)
  expect(row('second-head')).toEqual({
    id: own.secondHead.id,
    name: 'second-head',
    post: null,
    open: 1,
    overdue: 1,
    oldest: expect.any(String),
    doneThisWeek: 1,
  })
  expect(row('retired')).toMatchObject({ open: 1, overdue: 1, doneThisWeek: 0 })
  expect(row('head')).toMatchObject({ open: 0, overdue: 0, oldest: null })
  expect(row('other-head')).toBeUndefined()
  expect(seen.free).toEqual({ count: { value: 1, more: false }, overdue: 0, oldest: expect.any(String) })
  expect(seen.desks).toEqual([
    { desk: 'userTask_head', title: 'Approve', flow: FLOW, flowTitle: expect.any(String), open: 3, overdue: 2 },
  ])
  expect(await team(dean!)).toMatchObject({ free: seen.free, desks: seen.desks })
  expect((await team(own.admin)).desks).toEqual(seen.desks)
  expect(await team(otherDean!)).toEqual({
    people: [],
    free: { count: { value: 0, more: false }, overdue: 0, oldest: null },
    desks: [],
  })
  expect((await team(own.otherHead)).people).toMatchObject([{ name: 'other-head', open: 0 }])

  expect(ids(await tasksOf(dean!, 'free'))).toEqual([one.id])
  expect(ids(await tasksOf(dean!, own.secondHead.id))).toEqual([two.id])
  expect(ids(await tasksOf(dean!, retired!.id))).toEqual([three.id])
  expect(ids(await tasksOf(own.admin, own.secondHead.id))).toEqual([two.id])
  expect(ids(await tasksOf(own.otherHead, 'free'))).toEqual([])
  expect(ids(await tasksOf(own.otherHead, own.secondHead.id))).toEqual([])
})

test('free tasks are listed page by page, oldest first, and can be assigned', async () => {
  const waits = [await own.waiting(), await own.waiting(), await own.waiting()]
  const listed: string[] = []
  let next: string | null = ''
  do {
    const page = await tasksOf(own.head, 'free', `&limit=2${next ? `&cursor=${next}` : ''}`)
    listed.push(...ids(page))
    next = page.next
  } while (next)
  expect(listed.slice(-3)).toEqual(waits.map(({ id }) => id))
  expect(new Set(listed).size).toBe(listed.length)
  // The dean decides nothing here, but assigns.
  const given = await dean!.send('POST', `/api/tasks/${waits[0]!.id}/assign`, { to: own.head.id })
  expect(given.json()).toMatchObject({ assignee: { name: 'head' } })
  const moved = await dean!.send('POST', `/api/tasks/${waits[0]!.id}/assign`, { to: own.secondHead.id })
  expect(moved.json()).toMatchObject({ assignee: { name: 'second-head' } })
  expect(
    (await dean!.send('POST', `/api/tasks/${waits[1]!.id}/follow-up`, { at: '2040-01-01T00:00:00Z' })).statusCode,
  ).toBe(403)
  expect((await otherDean!.send('POST', `/api/tasks/${waits[1]!.id}/assign`, { to: own.head.id })).statusCode).toBe(404)
  await own.db.updateTable('task').set({ due_at: null }).execute()
})

test('a report shows per desk the working time taken, what was late, and what waits', async () => {
  await anItem(own.db, 'platform/holiday', {
    data: { date: '2026-03-10', name: 'A day of rest', kind: 'Public holiday' },
  })
  const at = (text: string) => new Date(`2026-03-${text}:00+05:30`)
  // Working hours are 8:15 to 16:15: over a night, a weekend and a holiday, and for a Saturday arrival.
  for (const [created, decided, due] of [
    ['02T10:00', '03T10:00', '02T16:15'],
    ['06T15:15', '09T09:15', '09T16:15'],
    ['09T15:15', '11T09:15', null],
    ['14T10:00', '16T08:15', null],
    ['20T10:00', '31T23:59', '31T23:59'],
    ['20T10:00', '32T00:00', null],
  ] as const) {
    const { id } = await own.waiting()
    const decidedAt = decided === '32T00:00' ? new Date('2026-04-01T00:00:00+05:30') : at(decided)
    await own.db
      .updateTable('task')
      .set({ state: 'done', created_at: at(created), decided_at: decidedAt, due_at: due && at(due) })
      .set({ decided_by: own.head.id })
      .where('id', '=', id)
      .execute()
    await own.db.transaction().execute((trx) => taskRepository(trx).refreshInbox([id]))
  }
  const ask = (who: Caller, more = '') => who.send('GET', `/api/reports/desks?from=2026-03-01&until=2026-03-30${more}`)
  const report = (await ask(own.head)).json().items
  const waiting = await own.db
    .selectFrom('task')
    .select((eb) => [eb.fn.countAll<string>().as('count'), eb.fn.min('created_at').as('oldest')])
    .where('state', 'in', ['open', 'held'])
    .executeTakeFirstOrThrow()
  expect(report).toEqual([
    {
      flow: FLOW,
      flowTitle: expect.any(String),
      desk: 'userTask_head',
      name: 'Approve',
      // 8, 2, 2 and 0 hours.
      decided: 4,
      inTime: 1,
      late: 1,
      medianHours: 2,
      p90Hours: 6.2,
      open: Number(waiting.count),
      overdue: 0,
      oldestOpen: new Date(waiting.oldest as unknown as string).toISOString(),
    },
  ])
  const whole = await dean!.send('GET', '/api/reports/desks?from=2026-03-31&until=2026-03-31')
  expect(whole.json().items).toMatchObject([{ decided: 1, inTime: 1 }])
  expect((await ask(dean!, `&flow=${FLOW}`)).json().items).toEqual(report)
  expect((await ask(own.admin, '&flow=no/flow')).json().items).toEqual([])
  expect((await ask(own.otherHead)).json().items).toEqual([])

  const sheet = await ask(own.head, '&format=csv')
  expect(sheet.headers['content-type']).toContain('text/csv')
  const [head, line] = sheet.body.trim().split('\r\n')
  expect(head).toContain('Decided,In time,Late,Half of them within (working hours)')
  expect(line).toContain(`,Approve,4,1,1,2,6.2,${waiting.count},0,`)
  for (const period of ['from=2026-03-02&until=2026-03-01', 'from=2020-01-01&until=2026-03-01'])
    expect((await own.head.send('GET', `/api/reports/desks?${period}`)).json().code).toBe('platform.period-wrong')
})
