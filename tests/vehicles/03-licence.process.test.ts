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
const [FIRST, SECOND, THIRD] = [1, 2, 3].map(() => randomUUID().slice(0, 8)) as [string, string, string]
const LICENCES = '/api/registers/vehicles/licence/items'

async function aLicence(by: Person, number: string, days: number) {
  const { items } = await by.get('/api/registers/vehicles/vehicle/items?search=LK-1182')
  const document = await uploads(by, 'insurance.pdf')
  return { vehicle: items[0].id, kind: 'insurance', number, from: day(0), until: day(days), cost: 9_500_000, document }
}

test('a licence is in force once somebody else has checked it, until its last day or until it is cancelled', async () => {
  const [assistant, head] = await Promise.all([as('transport.ma'), as('transport.head')])
  const entryOf = async (number: string) => (await head.get(`${LICENCES}?search=${number}`)).items[0]
  await expect(assistant.submit(FLOW, await aLicence(assistant, FIRST, -1))).rejects.toThrow('/until')
  const kept = await assistant.submit(FLOW, await aLicence(assistant, FIRST, 365))
  await expectCase(kept).toBe('expired')
  expect(await entryOf(FIRST)).toBeUndefined()
  await head.decides(kept, 'valid')
  await expectCase(kept).toBe('Active')
  await expectMail(assistant).about('vehicles.mail.licence-active', kept)
  expect(await entryOf(FIRST)).toMatchObject({ status: 'Active' })
  await clock.passes('P336D', kept)
  await expectMail(assistant).about('vehicles.mail.licence-soon', kept)
  const earlier = await assistant.submit(FLOW, await aLicence(assistant, THIRD, 200))
  await head.decides(earlier, 'valid')
  await expectCase(earlier).toBe('Active')
  await clock.passes('P201D', earlier)
  await clock.passes('P201D', earlier)
  await expectEnded(earlier)
  const { items: mails } = await assistant.get('/api/mailbox')
  const told = mails.filter(({ caseId }: any) => caseId === earlier.id).map(({ template }: any) => template)
  expect(told).toEqual(['vehicles.mail.licence-active'])
  await clock.passes('P366D', kept)
  await expectEnded(kept)
  await expectCase(kept).toBe('expired')
  expect(await entryOf(FIRST)).toMatchObject({ status: 'expired' })

  const dropped = await assistant.submit(FLOW, await aLicence(assistant, SECOND, 365))
  await head.decides(dropped, 'valid')
  await expectCase(dropped).toBe('Active')
  await until('the cancellation', async () => {
    const ended = await head.send('POST', `/api/cases/${dropped.id}/acts/end`, { data: { reason: 'It is sold' } })
    return ended.status < 300
  })
  await expectEnded(dropped)
  await expectCase(dropped).toBe('cancel')
  expect(await entryOf(SECOND)).toMatchObject({ status: 'cancel' })
})
