import { expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { vehicleLicence } from '../../processes/vehicles/vehicle-licence.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW } = vehicleLicence
const [FIRST, SECOND, THIRD, FOURTH] = [1, 2, 3, 4].map(() => randomUUID().slice(0, 8)) as [
  string,
  string,
  string,
  string,
]
const LICENCES = '/api/registers/vehicles/licence/items'

async function aLicence(by: Person, number: string, days: number, first = 0) {
  const { items } = await by.get('/api/registers/vehicles/vehicle/items?search=LK-1182')
  const document = await uploads(by, 'insurance.pdf')
  const span = { from: day(first), until: day(days) }
  return { vehicle: items[0].id, kind: 'insurance', number, ...span, cost: 9_500_000, document }
}

test('a licence is in force once somebody else has checked it, until its last day or until it is cancelled', async () => {
  const [assistant, head] = await Promise.all([as('transport.ma'), as('transport.head')])
  const entryOf = async (number: string) => (await head.get(`${LICENCES}?search=${number}`)).items[0]
  await expect(assistant.submit(FLOW, await aLicence(assistant, FIRST, -1))).rejects.toThrow('/until')
  const kept = await assistant.submit(FLOW, await aLicence(assistant, FIRST, 201))
  await expectCase(kept).toBe('expired')
  expect(await entryOf(FIRST)).toBeUndefined()
  // Both were asked for before one was checked.
  const twice = await assistant.submit(FLOW, await aLicence(assistant, SECOND, 300, 201))
  await head.decides(kept, 'valid')
  await expectCase(kept).toBe('Active')
  await expectMail(assistant).about('vehicles.mail.licence-active', kept)
  expect(await entryOf(FIRST)).toMatchObject({ status: 'Active' })
  // One is in force at a time: the request says until when, and the next begins the day after.
  const { status, body } = await assistant.send('POST', '/api/cases', {
    flow: FLOW,
    data: await aLicence(assistant, FOURTH, 365, 201),
  })
  expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, '/from', 'vehicles.licence-overlaps'])
  expect(body.errors[0].message).toMatch(
    new RegExp(`^${FIRST} is in force until .*: the next one begins the day after`),
  )
  await expect(head.decides(twice, 'valid')).rejects.toThrow('vehicles.licence-overlaps')
  await head.decides(twice, 'reject', { reason: 'Its first day is covered' })
  await expectEnded(twice)
  const next = await assistant.submit(FLOW, await aLicence(assistant, THIRD, 566, 202))
  await head.decides(next, 'valid')
  await expectCase(next).toBe('Active')
  await clock.passes('P202D', kept)
  await clock.passes('P202D', kept)
  await expectEnded(kept)
  await expectCase(kept).toBe('expired')
  expect(await entryOf(FIRST)).toMatchObject({ status: 'expired' })
  const { items: mails } = await assistant.get('/api/mailbox')
  const told = mails.filter(({ caseId }: any) => caseId === kept.id).map(({ template }: any) => template)
  expect(told).toEqual(['vehicles.mail.licence-active'])
  await clock.passes('P537D', next)
  await expectMail(assistant).about('vehicles.mail.licence-soon', next)
  await clock.passes('P567D', next)
  await expectEnded(next)
  expect(await entryOf(THIRD)).toMatchObject({ status: 'expired' })

  const dropped = await assistant.submit(FLOW, await aLicence(assistant, FOURTH, 365))
  await head.decides(dropped, 'valid')
  await expectCase(dropped).toBe('Active')
  await until('the cancellation', async () => {
    const ended = await head.send('POST', `/api/cases/${dropped.id}/acts/end`, { data: { reason: 'It is sold' } })
    return ended.status < 300
  })
  await expectEnded(dropped)
  await expectCase(dropped).toBe('cancel')
  expect(await entryOf(FOURTH)).toMatchObject({ status: 'cancel' })
})
