import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { asOwner } from '../platform/kit/owner.ts'
import { type Person, as } from '../platform/kit/people.ts'

const REPORT = '/api/reports/students/status'
/** Distinguishes this run's intake from that of an earlier one on the same data. */
const run = randomInt(100_000, 999_999)

let affairs: Person
let intake: string
let faculties: { id: string; title: string }[]

beforeAll(async () => {
  affairs = await as('ma.welfare')
  faculties = (await affairs.get('/api/registers/platform/faculty/items?inUse=true')).items.slice(0, 2)
  const [made] = await asOwner<{ id: string }>(
    `insert into app.register_item (id, register, status, title, data)
       values (gen_random_uuid(), 'intakes/intake', 'Active', $1, '{}') returning id`,
    [`Counted ${run}`],
  )
  intake = made!.id
  const students = [
    [0, 'active', 3],
    [0, 'suspended', 1],
    [1, 'active', 2],
    [1, 'unregistered', 4],
    [1, 'deactivated', 1],
  ] as const
  for (const [at, status, count] of students)
    await asOwner(
      `insert into app.register_item (id, register, status, title, data)
         select gen_random_uuid(), 'platform/student', $1, 'Counted', $2 from generate_series(1, $3)`,
      [status, JSON.stringify({ intake, faculty: faculties[at]!.id }), count],
    )
})
afterAll(async () => {
  await asOwner(`delete from app.register_item where register = 'platform/student' and data ->> 'intake' = $1`, [
    intake,
  ])
  await asOwner('delete from app.register_item where id = $1', [intake])
})

const row = (at: number, counts: object) => ({ faculty: faculties[at]!.title, intake: `Counted ${run}`, ...counts })
const first = { active: 3, suspended: 1, unregistered: 0, deactivated: 0, all: 4 }
const second = { active: 2, suspended: 0, unregistered: 4, deactivated: 1, all: 7 }

test('students are counted by faculty, intake and status, with totals, and by what is chosen', async () => {
  const whole = await affairs.get(`${REPORT}?filter.intake=${intake}`)
  expect(whole.rows).toHaveLength(2)
  expect(whole.rows).toEqual(expect.arrayContaining([row(0, first), row(1, second)]))
  expect(whole.totals).toEqual({ active: 5, suspended: 1, unregistered: 4, deactivated: 1, all: 11 })
  const one = await affairs.get(`${REPORT}?filter.intake=${intake}&filter.faculty=${faculties[1]!.id}`)
  expect(one.rows).toEqual([row(1, second)])
  expect((await affairs.get(REPORT)).rows).toEqual(expect.arrayContaining(whole.rows))
})

test('the numbers are for student affairs, the Registrar and the Vice Chancellor', async () => {
  for (const [username, status] of [
    ['registrar', 200],
    ['vc', 200],
    ['lecturer.perera', 404],
    ['student.imran', 404],
  ] as const)
    expect([username, (await (await as(username)).send('GET', REPORT)).status]).toEqual([username, status])
})
