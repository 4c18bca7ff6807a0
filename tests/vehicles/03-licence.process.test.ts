import { expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { vehicleLicence } from '../../processes/vehicles/vehicle-licence.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner, whileLocked } from '../platform/kit/owner.ts'
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
  await head.decides(kept, 'valid')
  await expectCase(kept).toBe('Active')
  await expectMail(assistant).about('vehicles.mail.licence-active', kept)
  expect(await entryOf(FIRST)).toMatchObject({ status: 'Active' })
  // The next one begins on the last day of the first, which ends on the day before.
  const next = await assistant.submit(FLOW, await aLicence(assistant, SECOND, 566, 201))
  await head.decides(next, 'valid')
  await expectCase(next).toBe('Active')
  const versions = await asOwner(
    `select v.version, v.data ->> 'until' as until, v.changed_by as by from app.register_item_version v join app.register_item i on i.id = v.item_id
     where i.data ->> 'number' = $1 order by v.version`,
    [FIRST],
  )
  expect(versions).toEqual([
    { version: 1, until: day(201), by: assistant.id },
    { version: 2, until: day(200), by: head.id },
  ])
  // One that begins later is in the way.
  const early = await assistant.submit(FLOW, await aLicence(assistant, THIRD, 365, 150))
  const { id } = await head.task(early)
  const { body } = await head.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'valid' } })
  expect(body.errors[0]).toMatchObject({ field: '/outcome', code: 'vehicles.licence-overlaps' })
  expect(body.errors[0].message).toMatch(new RegExp(`^${SECOND}, in force until .*, does not begin before this one`))
  await head.decides(early, 'reject', { reason: 'Its last days are covered' })
  await expectEnded(early)
  expect(await entryOf(FIRST)).toMatchObject({ status: 'Active' })
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
  expect(await entryOf(SECOND)).toMatchObject({ status: 'expired' })

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

test('one that another has overtaken since the check is not entered, and the office is told', async () => {
  const [assistant, head] = await Promise.all([as('transport.ma'), as('transport.head')])
  const [first, number] = [3000 + Math.floor(Math.random() * 20_000), randomUUID().slice(0, 8)]
  const of = await assistant.submit(FLOW, await aLicence(assistant, number, first + 9, first))
  // Not committed yet, so that the desk does not know it.
  const other = `insert into app.register_item (id, register, status, title, data)
    select gen_random_uuid(), 'vehicles/licence', 'Active', 'Other', data - 'document' - 'cost' || '{"number": "Other"}'
    from app.flow_case where id = $1`
  await whileLocked(other, [of.id], () => head.decides(of, 'valid'))
  await expectEnded(of)
  await expectCase(of).toBe('cancel')
  await expectMail(assistant).about('vehicles.mail.licence-overlaps', of)
})
