import { beforeAll, expect, test } from '@jest/globals'
import { randomInt, randomUUID } from 'node:crypto'
import { statusChange } from '../../processes/intakes/status-change.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person } from '../platform/kit/people.ts'

const { flow: FLOW, desks } = statusChange
const MANY = `/api/gathered-cases/${FLOW}`
/** Distinguishes this run's students from those of an earlier one on the same data. */
const run = String(randomInt(100_000, 999_999))

let ma: Person
let intake: string

beforeAll(async () => {
  const admin = await as('admin')
  ma = await as('ma.music')
  const years = await admin.get('/api/registers/year-renewals/academic-year/items?search=2027')
  const data = { name: `Many ${run}`, academic_year: years.items[0].id, starts_on: '2027-01-05' }
  intake = (await admin.ok('POST', '/api/registers/intakes/intake/items', { data })).id
  const line = (n: number, faculty: string, status: string) =>
    `MANY/${run}/${n},Many ${run} ${n},2006${run}${String(n).padStart(2, '0').slice(-2)},many.${run}.${n}@students.example.lk,${faculty},${faculty === 'FOM' ? 'Western Music' : 'Painting'},${status}`
  // Numbers of identity cards of a run differ in two digits, so there are as many students of each of two years.
  const lines = Array.from({ length: 108 }, (_, n) =>
    line(n, n < 106 ? 'FOM' : 'FVA', n === 104 || n === 105 ? 'suspended' : 'active').replace(
      `,2006${run}`,
      `,${n < 100 ? 2006 : 2005}${run}`,
    ),
  )
  const csv = ['reg_no,full_name,nic,email,faculty,programme,status', ...lines].join('\n')
  const imported = await admin.ok('POST', '/api/registers/platform/student/imports', {
    csv,
    fill: { intake },
    commit: true,
  })
  expect(imported).toMatchObject({ added: 108, errors: [] })
})

const choice = (more: object = {}) => ({ filters: { intake }, ...more })
const previewed = (who: Person, more: object = {}) => who.ok('POST', `${MANY}/preview`, { choice: choice(more) })
const answers = (more: object = {}) => ({
  ...{ kind: 'Status', becomes: 'suspended', reason: 'Decision 31 of the Senate', effective_on: day(0) },
  ...more,
})
const claimed = async (): Promise<number> =>
  Number(
    (
      await asOwner<{ count: string }>(
        `select count(*) from app.case_claim c join app.register_item i on i.id = c.item_id where i.data ->> 'intake' = $1`,
        [intake],
      )
    )[0]?.count,
  )

test('chosen students are put together by faculty and status, a hundred to a request, for those who may propose it', async () => {
  const lecturer = await as('lecturer.perera')
  expect((await lecturer.send('POST', `${MANY}/preview`, { choice: choice() })).status).toBe(404)
  // A Management Assistant sees the students of the own faculty alone.
  expect(await previewed(ma)).toMatchObject({
    total: 106,
    ready: 106,
    leftOut: [],
    cases: [
      { titles: ['Faculty of Music'], status: 'Active', count: 100 },
      { titles: ['Faculty of Music'], status: 'Active', count: 4 },
      { titles: ['Faculty of Music'], status: 'Suspended', count: 2 },
    ],
  })
  const affairs = await previewed(await as('ma.welfare'))
  expect(affairs.total).toBe(108)
  expect(affairs.cases.map(({ titles, count }: any) => [titles[0], count])).toContainEqual([
    expect.stringContaining('Visual'),
    2,
  ])
  const { body } = await ma.send('POST', `${MANY}/preview`, { choice: { filters: { year: '1' } } })
  expect(body.code).toBe('platform.filter-unknown')
})

test('one student who is refused stops all requests, by name; nothing is sent twice or half', async () => {
  const { stamp } = await previewed(ma)
  const send = (body: object, key: string = randomUUID()) => ma.send('POST', MANY, body, { 'idempotency-key': key })
  const late = await send({ choice: choice(), stamp, data: answers({ effective_on: day(-1) }) })
  expect([late.status, late.body.errors[0].field]).toEqual([422, '/effective_on'])
  const nameless = await send({ choice: choice(), stamp, data: answers({ reason: undefined }) })
  expect([nameless.status, nameless.body.errors[0].field]).toEqual([422, '/reason'])
  const refused = await send({ choice: choice(), stamp, data: answers() })
  expect(refused.body).toMatchObject({ status: 422, code: 'platform.gathered-refused' })
  expect(refused.body.refused.map(({ title, message }: any) => [title, message]).toSorted()).toEqual([
    [`Many ${run} 104`, 'This is so already'],
    [`Many ${run} 105`, 'This is so already'],
  ])
  expect(await claimed()).toBe(0)

  const except = refused.body.refused.map(({ id }: { id: string }) => id)
  const stale = await send({ choice: choice({ except }), stamp, data: answers() })
  expect([stale.status, stale.body.code]).toEqual([409, 'platform.entries-changed'])
  const wanted = { choice: choice({ except }), stamp: (await previewed(ma, { except })).stamp, data: answers() }
  const key = randomUUID()
  const sent = await send(wanted, key)
  expect(sent.body.cases.map(({ count }: { count: number }) => count)).toEqual([100, 4])
  // The answer was lost: the same request again returns the same cases.
  expect((await send(wanted, key)).body).toEqual(sent.body)
  expect(await claimed()).toBe(104)
  const now = await previewed(ma, { except })
  expect(now).toMatchObject({ ready: 0, total: 104, cases: [] })
  expect(now.leftOut[0].message).toBe('Another request about this entry is still running')

  // It is the process that there was: the Faculty AR decides, and all students of a request change.
  const [, few] = sent.body.cases
  const ar = await as('ar.music')
  await ar.decides(few, 'approve', {}, desks.approveByFacultyAR)
  await expectCase(few).toBe('In Effect')
  const admin = await as('admin')
  const suspended = `/api/registers/platform/student/items?filter.intake=${intake}&status=suspended`
  expect((await admin.get(suspended)).count).toEqual({ value: 6, more: false })
}, 120_000)
