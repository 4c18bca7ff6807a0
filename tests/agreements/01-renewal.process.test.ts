import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { agreementRenewal } from '../../processes/agreements/agreement-renewal.generated.ts'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import { clock, idle } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { stack } from '../platform/kit/stack.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = agreementRenewal
const AGREEMENTS = '/api/registers/agreements/agreement/items'
const run = randomInt(100_000, 999_999)

let database: Database
let ma: Person, ar: Person, bursar: Person, registrar: Person
let about: { type: string; division: string }
beforeAll(async () => {
  database = connect(stack().databaseUrl, { name: 'agreements-test', max: 2 })
  ;[ma, ar, bursar, registrar] = await Promise.all([
    as('ma.administration'),
    as('ar.administration'),
    as('bursar'),
    as('registrar'),
  ])
  const { items } = await ma.get(`${AGREEMENTS}?limit=1`)
  about = { type: items[0].data.type, division: items[0].data.division }
})
afterAll(() => database.close())

interface Agreement {
  id: string
  version: number
  data: Record<string, unknown>
}

/** An agreement that the assistant has entered and the registrar of the division has approved. */
async function anAgreement(name: string, until: number): Promise<Agreement> {
  const data = {
    ...about,
    ...{ number: `T/${run}/${name}`, name: `${name} ${run}`, party: 'Apex Lanka', from: day(-300), until: day(until) },
  }
  const { id } = await ma.ok<Agreement>('POST', AGREEMENTS, { data })
  return approve(ar, id)
}

const match = ({ version }: Agreement) => ({ 'if-match': `"${version}"` })
const approve = (by: Person, id: string) => by.ok<Agreement>('POST', `${AGREEMENTS}/${id}/status`, { status: 'Active' })

const aRenewal = (agreement: Agreement, more: object = {}) => ({
  ...{ agreement: agreement.id, new_from: day(30), new_until: day(395), new_value: 500_000, reason: 'It is needed.' },
  ...more,
})

/** The mails that say that an agreement ends: which, and who gets them. */
async function toldOf({ id }: Agreement): Promise<string[]> {
  const mails = await database.db
    .selectFrom('mail')
    .select(['once', 'recipient_id'])
    .where('template', '=', 'agreements.mail.expiring')
    .execute()
  return mails.flatMap(({ once, recipient_id: who }) => (once?.includes(id) ? [`${once} ${who}`] : []))
}

test('an agreement is renewed once both have signed, only for a later period, and from the day on which that begins', async () => {
  const agreement = await anAgreement('Lifts', 29)
  await expect(ma.submit(FLOW, aRenewal(agreement, { new_until: day(10), new_from: day(1) }))).rejects.toThrow(
    'must end after the present one',
  )
  const renewal = await ma.submit(FLOW, aRenewal(agreement))
  await expect(ar.submit(FLOW, aRenewal(agreement))).rejects.toThrow('agreements.renewal-running')
  await ar.decides(renewal, 'approve')
  await bursar.decides(renewal, 'approve')
  await registrar.decides(renewal, 'approve')
  await expectCase(renewal).toBe('Approved')

  const file = await uploads(ma, 'signed.pdf')
  await ma.decides(renewal, 'signed', { signed_on: day(0), file })
  await expectCase(renewal).toBe('Renewed')
  await expectMail(ma).about('agreements.mail.renewed', renewal)
  // What runs stays until the new period begins, and nobody is told that it ends.
  const path = `${AGREEMENTS}/${agreement.id}`
  const next = { next_from: day(30), next_until: day(395), next_value: 500_000 }
  const present = await ma.get(path)
  expect(present.data).toMatchObject({ from: day(-300), until: day(29), ...next })
  expect(present.data.value).toBeUndefined()
  expect(present.data.documents).toEqual([{ title: renewal.reference, file }])
  expect(present.ends).toBeUndefined()
  await clock.strikes('expiring-entries')
  await idle('expiring-entries')
  expect(await toldOf(agreement)).toEqual([])
  // Nobody writes the next period by hand.
  const typed = { data: { ...present.data, terms: 'Monthly', next_until: day(900) } }
  await ma.ok('PUT', path, typed, { 'if-match': `"${present.version}"` })
  expect((await ma.get(path)).data).toMatchObject({ terms: 'Monthly', ...next })
  await expect(ar.submit(FLOW, aRenewal(agreement))).rejects.toThrow('agreements.renewal-running')

  await clock.passes('P31D', renewal)
  await expectEnded(renewal)
  const { data } = await ma.get(path)
  expect(data).toMatchObject({ from: day(30), until: day(395), value: 500_000 })
  expect(data).not.toHaveProperty('next_until')
})

test('a renewal that is signed after its new period began is in force at once', async () => {
  const agreement = await anAgreement('Cleaners', -3)
  const renewal = await ma.submit(FLOW, aRenewal(agreement, { new_from: day(-2) }))
  for (const who of [ar, bursar, registrar]) await who.decides(renewal, 'approve')
  await ma.decides(renewal, 'signed', { signed_on: day(0), file: await uploads(ma, 'signed.pdf') })
  await expectEnded(renewal)
  await expectCase(renewal).toBe('Renewed')
  expect((await ma.get(`${AGREEMENTS}/${agreement.id}`)).data).toMatchObject({ from: day(-2), until: day(395) })
})

test('an agreement that runs longer meanwhile comes back to the requester, who gives the renewal up', async () => {
  const agreement = await anAgreement('Vans', 20)
  const renewal = await ma.submit(FLOW, aRenewal(agreement))
  for (const who of [ar, bursar, registrar]) await who.decides(renewal, 'approve')
  await ma.task(renewal, desks.sign)
  const longer = { data: { ...agreement.data, until: day(900) } }
  await ar.ok('PUT', `${AGREEMENTS}/${agreement.id}`, longer, { 'if-match': `"${agreement.version}"` })
  await approve(ma, agreement.id)
  await ma.decides(renewal, 'signed', { signed_on: day(0), file: await uploads(ma, 'signed.pdf') })
  await expectMail(ma).about('agreements.mail.not-renewed', renewal)
  await ma.decides(renewal, 'dropped', { reason: 'It runs longer already.' })
  await expectCase(renewal).toBe('Not Signed')
  expect((await ma.get(`${AGREEMENTS}/${agreement.id}`)).data.until).toBe(day(900))
})

test('the keepers of an agreement are told once before it ends, and again when its end has moved', async () => {
  const [soon, later] = [await anAgreement('Guards', 25), await anAgreement('Gardens', 200)]
  const told = async () => (await Promise.all([soon, later].map(toldOf))).flat()
  const strikes = async () => {
    await clock.strikes('expiring-entries')
    await idle('expiring-entries')
    return (await told()).toSorted()
  }
  const first = await strikes()
  expect(first).toEqual([ma.id, ar.id].map((who) => `expiry:${soon.id}:${day(25)}:30 ${who}`).toSorted())
  expect(await strikes()).toEqual(first)
  const moved = { data: { ...soon.data, until: day(5) } }
  await ma.ok('PUT', `${AGREEMENTS}/${soon.id}`, moved, match(soon))
  await approve(ar, soon.id)
  expect(await strikes()).toHaveLength(4)

  const { items } = await ma.get(`${AGREEMENTS}?ending=true&search=${run}&limit=100`)
  expect(items.map(({ id }: Agreement) => id)).toContain(soon.id)
  expect(items.map(({ id }: Agreement) => id)).not.toContain(later.id)
})

test('an agreement with several others is found by each of them, and a change of them needs another approval', async () => {
  const made = await anAgreement('Stages', 200)
  const put = (entry: Agreement, more_parties: string[]) =>
    ma.send('PUT', `${AGREEMENTS}/${entry.id}`, { data: { ...entry.data, more_parties } }, match(entry))
  const twice = await put(made, ['Tower Hall', 'Tower Hall'])
  expect(twice.body.errors).toMatchObject([{ field: '/more_parties' }])
  const third = `Elphinstone ${run}`
  expect((await put(made, ['Tower Hall', third])).body).toMatchObject({ status: 'Awaiting Approval' })
  await expect(approve(ma, made.id)).rejects.toThrow('platform.certified-by-changer')
  await approve(ar, made.id)
  const { items } = await ma.get(`${AGREEMENTS}?search=${encodeURIComponent(third)}`)
  expect(items).toMatchObject([{ id: made.id, data: { party: 'Apex Lanka', more_parties: ['Tower Hall', third] } }])
})

test('an agreement of another division is neither seen nor renewed', async () => {
  const agreement = await anAgreement('Pianos', 20)
  const admin = await as('admin')
  const { items } = await admin.get('/api/registers/platform/division/items?search=Library')
  const scope = { kind: 'division', id: items[0].id }
  const other = await as('ma.music')
  const reason = 'Helps the library'
  const { id } = await admin.ok('POST', `/api/people/${other.id}/grants`, { role: 'MA', scope, reason })
  expect((await other.send('GET', `${AGREEMENTS}/${agreement.id}`)).status).toBe(404)
  await expect(other.submit(FLOW, aRenewal(agreement))).rejects.toThrow('belongs to another division')
  await admin.ok('POST', `/api/grants/${id}/end`, { reason })
})
