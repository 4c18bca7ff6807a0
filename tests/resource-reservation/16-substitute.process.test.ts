import { afterEach, beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { type Case, type Person, as } from '../platform/kit/people.ts'
import { BOOKING, STAFF, aBooking, aFreeRoom, aRoom, approve } from './booking.ts'

const { desks } = resourceBooking
const table = readFileSync(join(import.meta.dirname, '../../processes/resource-reservation/booking-desks.dmn'), 'utf8')

let [lecturer, head, deputy]: Person[] = []
const substitutions: { by: Person; id: string }[] = []
beforeAll(async () => {
  ;[lecturer, head, deputy] = await Promise.all(['lecturer.perera', 'hod.western-music', 'hod.folk-music'].map(as))
})
afterEach(async () => {
  for (const { by, id } of substitutions.splice(0)) await by.send('POST', `/api/substitutions/${id}/end`)
})

/** A substitution that is in force from now on. */
async function standsIn(absent: Person, substitute: Person, more: object = {}): Promise<{ end(): Promise<unknown> }> {
  const now = Date.now()
  const [from, until] = [new Date(now).toISOString(), new Date(now + 3_600_000).toISOString()]
  const { id } = await absent.ok('POST', '/api/substitutions', { substitute: substitute.id, from, until, ...more })
  substitutions.push({ by: absent, id })
  await substitute.ok('POST', `/api/substitutions/${id}/accept`)
  return { end: () => absent.ok('POST', `/api/substitutions/${id}/end`) }
}

const why = async (person: Person, booking: Case, desk: string) =>
  person.get(`/api/tasks/${(await person.task(booking, desk)).id}/why`)
const ways = (told: { next: { outcome: string; leads: { name: string }[] }[] }) =>
  Object.fromEntries(told.next.map(({ outcome, leads }) => [outcome, leads.map(({ name }) => name).toSorted()]))

test('a substitute decides for the head, sees why they have it, and does not decide at a second desk', async () => {
  const booking = await lecturer!.submit(BOOKING, aBooking(await aRoom(), STAFF))
  await head!.task(booking, desks.approveByHead)
  const stands = await standsIn(head!, deputy!, { flows: [BOOKING], amountLimit: 1_000_000 })
  const told = await why(deputy!, booking, desks.approveByHead)
  expect(told).toMatchObject({
    rule: expect.stringMatching(
      /^“Approve as head of the owner” is for: HOD, .*Western Music\. .*The requester does not decide here\.$/,
    ),
    role: expect.stringMatching(/^HOD, .*Western Music$/),
    because: expect.stringMatching(/^You stand in for .+ until .+\.$/),
    before: [],
  })
  // The row in the table's own words; amounts are shown in rupees.
  const rule = /<rule id="rule_staffSmall">\s*<description>(.*?)<\/description>/.exec(table)![1]
  const labels = [...table.matchAll(/<input id="\w+" label="(.*?)(?: in cents)?">/g)].map((match) => match[1])
  const [row] = told.decision.rows
  expect(told.decision).toMatchObject({ name: 'Desks of a booking', rows: [{ rule }] })
  expect(row.inputs.map(({ name }: { name: string }) => name)).toEqual(labels)
  expect(
    Object.fromEntries(row.inputs.map(({ name, value }: { name: string; value: string }) => [name, value])),
  ).toEqual({
    'Who books': 'staff',
    'Is there a cost?': 'Yes',
    Total: 'Rs. 9,500.00',
    'Outside opening hours?': 'No',
    'People it holds': '80',
    'Does it have a recommender?': 'No',
    'Final approver': 'Vice Chancellor',
  })
  expect(row.outputs).toEqual([{ name: 'Desks', value: 'HOD, MA, AR, Registrar' }])
  expect(told.path.map(({ element }: { element: string }) => element)).toEqual([
    'startEvent_bookingRequested',
    'businessRuleTask_bookingDesks',
  ])
  expect(ways(told)).toEqual({
    approve: ['Check as Management Assistant'],
    reject: [expect.stringMatching(/ejected/)],
    return: ['Correct the booking'],
  })
  const [approved] = told.next.find(({ outcome }: { outcome: string }) => outcome === 'approve').leads
  expect(approved).toEqual({
    name: 'Check as Management Assistant',
    who: expect.stringMatching(/^MA, .*Western Music or MA, .*Music$/),
    by: expect.stringMatching(/^\w{3} \d+ \w+ \d{4}, \d\d:\d\d$/),
  })
  const inSinhala = await deputy!.send('GET', `/api/tasks/${(await deputy!.task(booking)).id}/why`, undefined, {
    'accept-language': 'si',
  })
  expect(inSinhala.body.decision.rows[0].inputs[0]).toEqual({ name: 'වෙන් කරන්නේ කවුද', value: 'කාර්ය මණ්ඩලය' })

  await deputy!.decides(booking, 'approve', {}, desks.approveByHead)
  const assistant = await as('ma.western-music')
  const next = await why(assistant, booking, desks.checkByMA)
  expect(next).toMatchObject({
    because: null,
    rule: expect.stringContaining('Neither do people who decided at Approve as head of the owner.'),
    decision: { rows: [{ rule }] },
    before: [{ desk: desks.approveByHead, by: { id: deputy!.id }, for: { id: head!.id }, outcome: 'Approve' }],
  })
  expect(next.path.at(-1)).toMatchObject({ element: desks.approveByHead, by: { id: deputy!.id }, outcome: 'Approve' })
  // To the head's desk as well as to the booker; and only the desks that this booking needs.
  expect(ways(next)).toMatchObject({
    approve: ['Check as Assistant Registrar'],
    return: ['Approve as head of the owner', 'Correct the booking'],
  })
  const forAssistant = await standsIn(assistant, deputy!)
  const task = await deputy!.task(booking, desks.checkByMA)
  const refused = await deputy!.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect([refused.status, refused.body.code]).toEqual([403, 'platform.decided-before'])
  await forAssistant.end()
  await stands.end()
  for (const [desk, username] of [
    [desks.checkByMA, 'ma.western-music'],
    [desks.checkByAR, 'ar.music'],
    [desks.approveByRegistrar, 'registrar'],
  ] as const)
    await (await as(username)).decides(booking, 'approve', {}, desk)
  const finance = await why(await as('finance'), booking, desks.issueInvoice)
  // No table sent it to the finance desk; and it names the earlier decisions.
  expect(finance.decision).toBeNull()
  expect(finance.before).toHaveLength(4)
  expect(ways(finance)).toEqual({ issue: ['Send the payment slip'] })
})

test('a substitute’s tasks are free again when the substitution ends, and the case continues without them', async () => {
  const booking = await lecturer!.submit(BOOKING, aBooking(await aFreeRoom(), STAFF))
  const reason = 'Please say more'
  await head!.decides(booking, 'return', { return_to: 'requester', reason }, desks.approveByHead)
  // No table sends it back; after the correction the table is evaluated again, so every desk may follow.
  const told = await why(lecturer!, booking, desks.correct)
  expect(told).toMatchObject({ decision: null, because: null, before: [{ desk: desks.approveByHead }] })
  expect(ways(told)['']).toEqual(
    expect.arrayContaining(['Approve as head of the owner', 'Check as Management Assistant']),
  )
  expect(ways(told)['']).not.toContain('Recommend')
  const { data } = await lecturer!.get(`/api/cases/${booking.id}`)
  const correction = await lecturer!.task(booking, desks.correct)
  await lecturer!.ok('POST', `/api/tasks/${correction.id}/complete`, { data })
  const { id } = await head!.task(booking, desks.approveByHead)
  await head!.ok('POST', `/api/tasks/${id}/claim`)
  const stands = await standsIn(head!, deputy!)
  expect(await deputy!.ok('POST', `/api/tasks/${id}/claim`)).toMatchObject({ heldFor: { id: head!.id } })
  await stands.end()
  expect((await deputy!.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' } })).status).toBe(404)
  await approve(booking, { upTo: desks.checkByAR })
  await expectCase(booking).toBe('confirmed_booking')
})
