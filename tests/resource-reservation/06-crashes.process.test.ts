import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from '@jest/globals'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { ready } from '../platform/kit/product.ts'
import { type Part, pidOf, stack } from '../platform/kit/stack.ts'
import { killRandom } from '../platform/faults/kill-random.ts'
import { aBooking, aFreeRoom, BOOKING, bookingsForFaults, type Hall } from './booking.ts'

let student: Person
let hall: Hall

beforeAll(async () => {
  hall = await aFreeRoom()
  student = await as('student.hasini')
})

afterEach(async () => {
  await ready()
})

/** Kills a part with SIGKILL, and waits until the supervisor has restarted it. */
async function killed(part: Part): Promise<void> {
  const pid = pidOf(part)
  process.kill(pid!, 'SIGKILL')
  await until(`${part} runs again`, async () => stack().parts[part].pid !== pid && (await ready()), { seconds: 120 })
}

async function reaches(booking: Case, head: string): Promise<void> {
  await (await as(head)).task(booking)
  await student.withdraws(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await expectEnded(booking)
}

test('submissions and decisions while the engine is unavailable are accepted, and continue when it is back', async () => {
  const earlier = await student.submit(BOOKING, aBooking(hall))
  const head = await as(hall.head)
  const task = await head.task(earlier)
  const back = killed('engine')
  const booking = await student.submit(BOOKING, aBooking(hall))
  expect(booking.reference).toMatch(/^RB-\d{4}-\d{6}$/)
  const answer = await head.ok('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect(answer.state).toBe('accepted')
  await back
  await (await as('ma.western-music')).task(earlier)
  await reaches(booking, hall.head)
})

test('the API dies between its commit and the answer of the engine: the command takes effect once', async () => {
  const engine = pidOf('engine')!
  process.kill(engine, 'SIGSTOP')
  try {
    const lost = student.send(
      'POST',
      '/api/cases',
      { flow: BOOKING, data: aBooking(hall) },
      { 'idempotency-key': randomUUID() },
    )
    const answer = lost.then(
      ({ status }) => status,
      () => 'no answer',
    )
    const admin = await as('admin')
    await until('the booking is committed', async () => {
      const { items } = await student.get(`/api/cases?mine=true&limit=1`)
      return items[0]?.state === 'starting'
    })
    expect(admin.id).toBeTruthy()
    const api = pidOf('api')!
    process.kill(api, 'SIGKILL')
    expect(await answer).toBe('no answer')
    process.kill(engine, 'SIGCONT')
    await until('the API runs again', async () => stack().parts.api.pid !== api && (await ready()), { seconds: 60 })
  } finally {
    process.kill(engine, 'SIGCONT')
  }
  const { items } = await student.get('/api/cases?mine=true&limit=1')
  await reaches(items[0], hall.head)
})

test('components are killed at random while people book: nothing is lost, doubled or stuck', async () => {
  const seed = 20_260_514
  const verdict = await killRandom([await bookingsForFaults()], {
    requests: 6,
    seed,
    everySeconds: 5,
    most: 6,
    say: (line) => process.stdout.write(`    ${line}\n`),
  })
  expect(Object.values(verdict.kills).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0)
  expect(verdict).toMatchObject({ seed, lost: 0, doubled: 0, stuck: 0, problems: [] })
}, 400_000)
