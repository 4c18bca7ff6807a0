import { beforeAll, expect, test } from '@jest/globals'
import { as, type Person } from '../platform/kit/people.ts'
import { aBooking, BOOKING, type Hall, halls } from './booking.ts'

let hall: Hall, other: Hall
let student: Person

beforeAll(async () => {
  const all = await halls({ cost: true })
  hall = all[0]!
  other = all.find(({ head }) => head !== hall.head)!
  student = await as('student.kavindi')
})

test('nobody decides their own booking, not even at their own desk', async () => {
  const head = await as(hall.head)
  const booking = await head.submit(
    BOOKING,
    aBooking(hall, { associated_as: 'Academic Employee', poc_designation: 'Senior Lecturer' }),
  )
  const task = await (await as('admin')).task(booking)
  const answer = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect(answer.status).toBe(403)
  expect(answer.body.code).toBe('platform.own-case')
})

test('the head of another department neither sees nor decides the task', async () => {
  const stranger = await as(other.head)
  const booking = await student.submit(BOOKING, aBooking(hall))
  const task = await (await as(hall.head)).task(booking)
  const list = await stranger.get(`/api/tasks?search=${booking.reference}`)
  expect(list.items).toEqual([])
  expect((await stranger.send('GET', `/api/tasks/${task.id}`)).status).toBe(404)
  const answer = await stranger.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect(answer.status).toBe(404)
  expect((await stranger.send('GET', `/api/cases/${booking.id}`)).status).toBe(404)
})

test('another student does not see the case, its history, its variables or its path', async () => {
  const booking = await student.submit(BOOKING, aBooking(hall))
  const stranger = await as('student.imran')
  for (const part of ['', '/history', '/variable-instances', '/path']) {
    const answer = await stranger.send('GET', `/api/cases/${booking.id}${part}`)
    expect([part, answer.status]).toEqual([part, 404])
  }
  expect((await stranger.send('POST', `/api/cases/${booking.id}/withdraw`, { reason: 'x' })).status).toBe(404)
})

test('two people on one task: one decision counts, the other is told who was faster', async () => {
  const head = await as(hall.head)
  const admin = await as('admin')
  const booking = await student.submit(BOOKING, aBooking(hall))
  const task = await head.task(booking)
  const both = [head, admin]
  const answers = await Promise.all(
    both.map((person) => person.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })),
  )
  const winner = answers.findIndex(({ status }) => status === 200)
  const refused = answers[1 - winner]!
  expect(refused).toMatchObject({ status: 409, body: { code: 'platform.task-decided' } })
  expect(refused.body.title).toContain((await both[winner]!.get('/api/me')).name)
  const seen = await student.get(`/api/cases/${booking.id}`)
  expect(seen.submissions.filter(({ taskId, effect }: any) => taskId === task.id && effect !== 'void')).toHaveLength(1)
})
