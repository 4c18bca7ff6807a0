import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner, giveStatus } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { contentOf } from '../platform/kit/zip.ts'
import { approve, aRequest, aSetup, entryOf, type Item, RENEWAL, standsIn, withStatus } from './renewal.ts'
import { day } from '../platform/kit/days.ts'

const { desks } = yearRenewal

let nuwan: Person, tharindu: Person, ma: Person
let setup: Item
beforeAll(async () => {
  ;[nuwan, tharindu, ma] = await Promise.all([as('student.nuwan'), as('student.tharindu'), as('ma.music')])
  for (const name of ['student.tharindu', 'student.piumi']) await standsIn(name, 2)
  await withStatus('student.piumi', 'suspended')
  setup = await aSetup(await standsIn('student.nuwan', 2))
})

const path = () => `/api/batches/${RENEWAL}/${setup.id}`
const members = async (state: string): Promise<any[]> => (await ma.get(`${path()}/members?state=${state}`)).members

/** Opens the set-up for everybody eligible, and waits for completion. */
async function opened(): Promise<any> {
  await ma.ok('POST', path())
  return until('the batch is through', async () => {
    const { latest, counts } = await ma.get(path())
    return latest.state === 'done' && { latest, counts }
  })
}

async function caseOf(student: Person): Promise<Case> {
  const { items } = await student.get(`/api/cases?mine=true&flow=${RENEWAL}&limit=50`)
  for (const one of items) if ((await student.get(`/api/cases/${one.id}`)).data.setup === setup.id) return one
  throw new Error(`nothing is opened for ${student.username}`)
}

/** Nuwan has deferred the academic year of the set-up. */
async function nuwanDefers(): Promise<string> {
  const deferment = randomUUID()
  const { id } = await entryOf('student.nuwan')
  await asOwner(
    `insert into app.register_item (id, register, status, title, data) values ($1, 'students/request-deferment',
       'Active', 'SR-2026-000009', jsonb_build_object('student', $2::text, 'academic_year', $3::text))`,
    [deferment, id, setup.data['academic_year']],
  )
  return deferment
}

test('an MA sees in advance who a set-up can be opened for, who is left out and why', async () => {
  const { counts, mayOpen, latest } = await ma.get(path())
  expect({ mayOpen, latest }).toEqual({ mayOpen: true, latest: null })
  const titles = (await members('to-open')).map(({ title }) => title)
  // Others who have an account by now are included as well.
  expect(counts).toMatchObject({ 'to-open': titles.length, asked: 0, done: 0 })
  expect(titles).toEqual(expect.arrayContaining(['Nuwan Jayawardena', 'Tharindu Madushanka']))
  expect(titles).not.toContain('Piumi Weerakoon')
  expect(await members('out-of-use')).toContainEqual(
    expect.objectContaining({ title: 'Piumi Weerakoon', status: 'suspended', case: null }),
  )
  expect(counts['no-account']).toBeGreaterThan(50)
  const csv = await ma.get<string>(`${path()}/export?format=csv&state=out-of-use`)
  expect(csv).toMatch(/Piumi Weerakoon.*Not active.*suspended/)
})

test('a student who has deferred the academic year is neither asked nor may ask', async () => {
  const titles = async () => (await members('to-open')).map(({ title }) => title)
  const offered = async () => {
    const { items } = await nuwan.get(`/api/flows/${RENEWAL}/opening`)
    return items.some(({ id }: { id: string }) => id === setup.id)
  }
  const deferment = await nuwanDefers()
  expect([await offered(), await titles()]).toEqual([false, expect.not.arrayContaining(['Nuwan Jayawardena'])])
  expect(await members('left-out')).toMatchObject([
    { title: 'Nuwan Jayawardena', message: expect.stringContaining('deferment') },
  ])
  const refused = await nuwan.send('POST', '/api/cases', { flow: RENEWAL, data: await aRequest(nuwan, setup) })
  expect(refused.body.errors).toMatchObject([
    { field: '/setup', code: 'platform.requester-excepted', message: expect.stringContaining('SR-2026-000009') },
  ])
  await giveStatus(deferment, 'Inactive')
  expect([await offered(), await titles()]).toEqual([true, expect.arrayContaining(['Nuwan Jayawardena'])])
})

test('the list of missing renewals is complete as XLSX too, and its download is recorded', async () => {
  const { counts } = await ma.get(path())
  const all = Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0)
  const sheet = contentOf(await ma.bytes(`${path()}/export?format=xlsx&state=not-done`))
  for (const words of ['Progress', 'Piumi Weerakoon', 'Not active', 'Nuwan Jayawardena', 'Not opened yet'])
    expect(sheet).toContain(words)
  const csv = await ma.get<string>(`${path()}/export?format=csv&state=not-done`)
  // The heading, then one row for each.
  expect(csv.trim().split('\r\n')).toHaveLength(1 + all - counts.done)
  const [noted] = await asOwner<{ payload: object }>(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
      where e.action = 'batch.exported' and e.object = $1 and e.actor = $2 and p.payload ->> 'format' = 'xlsx'`,
    [`item:${setup.id}`, ma.id],
  )
  expect(noted?.payload).toMatchObject({ flow: RENEWAL, state: 'not-done', rows: all - counts.done })
})

test('people it is not for neither see nor open it', async () => {
  for (const username of ['student.nuwan', 'finance'])
    expect((await (await as(username)).send('POST', path())).status).toBe(404)
  // People with students of their own in it see those.
  for (const username of ['ma.western-music', 'hod.folk-music']) {
    const person = await as(username)
    expect((await person.get(path())).mayOpen).toBe(false)
    expect((await person.send('POST', path())).status).toBe(403)
  }
})

test('opened for all at once, it waits with each student, and nobody has it twice', async () => {
  const { length } = await members('to-open')
  const { latest, counts } = await opened()
  expect(latest).toMatchObject({ total: length, done: length, refused: 0 })
  expect(counts['to-open']).toBe(0)
  // Only people who see all of its students get its totals.
  expect((await (await as('hod.folk-music')).get(path())).latest).toBeNull()
  const again = await ma.send('POST', path())
  expect([again.status, again.body.code]).toEqual([409, 'platform.batch-empty'])
  const renewal = await caseOf(nuwan)
  await expectMail(nuwan).about('year-renewals.mail.opened', renewal)
  const opening = () => nuwan.get(`/api/flows/${RENEWAL}/opening`)
  const data = await aRequest(nuwan, setup)
  const own = await nuwan.send('POST', '/api/cases', { flow: RENEWAL, data })
  expect([own.status, own.body.code]).toEqual([409, 'platform.once-only'])

  const task = await nuwan.task(renewal, desks.request)
  const deferment = await nuwanDefers()
  const late = await nuwan.send('POST', `/api/tasks/${task.id}/complete`, { data })
  expect(late.body.code).toBe('platform.requester-excepted')
  await giveStatus(deferment, 'Inactive')
  const { items, waiting } = await opening()
  expect(items.map(({ id }: Item) => id)).not.toContain(setup.id)
  expect(waiting).toContainEqual(expect.objectContaining({ reference: renewal.reference, name: 'Send the renewal' }))
  const told = await nuwan.get(`/api/cases/${renewal.id}/history`)
  expect(told.items[0].text).toMatch(/^Nadeesha Gamlath opened the request for Nuwan/)
  const complete = (given: object) => nuwan.send('POST', `/api/tasks/${task.id}/complete`, { data: given })
  const other = await aSetup(await standsIn('student.nuwan', 2))
  expect((await opening()).items).toContainEqual(expect.objectContaining({ id: other.id, title: other.title }))
  expect((await complete({ ...data, setup: other.id })).body.errors).toEqual([
    expect.objectContaining({ field: '/setup', code: 'platform.cannot-change' }),
  ])
  expect((await complete(data)).status).toBe(200)
  await approve(renewal)
  await ma.decides(renewal, 'update', {}, desks.updateYear)
  await expectCase(renewal).toBe('Year Updated')
  await until('both stand where they are', async () => {
    const { counts: now } = await ma.get(path())
    return now.done === 1 && now.asked === length - 1
  })
})

test('a student who does not send it is reminded, and it lapses when the set-up closes', async () => {
  const renewal = await caseOf(tharindu)
  await tharindu.task(renewal, desks.request)
  await clock.passes('P8D', renewal)
  await expectMail(tharindu).about('year-renewals.mail.request-reminder', renewal)
  await clock.passes('P32D', renewal)
  await expectMail(tharindu).about('year-renewals.mail.lapsed', renewal)
  await expectEnded(renewal)
  expect((await members('ended')).map(({ title }) => title)).toEqual(['Tharindu Madushanka'])
})

test('a second batch opens it for students left out before, and one who is suspended meanwhile is refused', async () => {
  await withStatus('student.piumi', 'active')
  expect((await opened()).latest).toMatchObject({ total: 1, done: 1 })
  const piumi = await as('student.piumi')
  const renewal = await caseOf(piumi)
  const data = await aRequest(piumi, setup)
  const task = await piumi.task(renewal, desks.request)
  await withStatus('student.piumi', 'suspended')
  const refused = await piumi.send('POST', `/api/tasks/${task.id}/complete`, { data })
  expect([refused.status, refused.body.code]).toEqual([409, 'platform.requester-out-of-use'])
  await withStatus('student.piumi', 'active')
  await piumi.withdraws(renewal)
  await expectEnded(renewal)
})

test('a later closing day applies to open cases too, and their students are notified', async () => {
  await standsIn('student.tharindu', 2)
  const moved = await aSetup(await standsIn('student.nuwan', 2))
  const admin = await as('admin')
  setup = moved
  await opened()
  const renewal = await caseOf(nuwan)
  const before = await nuwan.task(renewal, desks.request)
  const item = `/api/registers/year-renewals/renewal-setup/items/${moved.id}`
  const { version, data } = await admin.get(item)
  const closes = day(60)
  await admin.ok('PUT', item, { data: { ...data, closes } }, { 'if-match': `"${version}"` })
  await clock.passes('P32D', renewal)
  await expectMail(nuwan).about('year-renewals.mail.extended', renewal)
  const after = await until('the desk starts again', async () => {
    const task = await nuwan.task(renewal, desks.request)
    return task.id !== before.id && task
  })
  expect(dayjs(after.dueAt).isAfter(before.dueAt)).toBe(true)
  expect((await nuwan.get(`/api/cases/${renewal.id}`)).subject.closes).toBe(closes)
  await clock.passes('P62D', renewal)
  await expectMail(nuwan).about('year-renewals.mail.lapsed', renewal)
  await expectEnded(renewal)
})
