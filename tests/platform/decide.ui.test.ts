import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { aBooking, BOOKING, halls, type Hall } from '../resource-reservation/booking.ts'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { expectCase } from './kit/expectations.ts'
import { type Case, type Person, as } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { stack } from './kit/stack.ts'

let visitors: Visitors
let database: Database
let hall: Hall
let head: Person
beforeAll(async () => {
  visitors = await openBrowser()
  database = connect(stack().databaseUrl, { name: 'decide-test', max: 2 })
  hall = (await halls({ cost: true }))[1]!
  head = await as(hall.head)
  await head.ok('PATCH', '/api/me', { mails: { newTasks: true } })
})
afterAll(async () => {
  await head?.ok('PATCH', '/api/me', { mails: { newTasks: false } })
  await visitors?.close()
  await database?.close()
})

/** A booking that waits for the head, and the page of its mail. */
async function mailed(event: string): Promise<{ booking: Case; page: string }> {
  const booking = await (await as('student.nuwan')).submit(BOOKING, aBooking(hall, { event }))
  const body = await until('the mail about the new task', async () => {
    const { items } = await head.get('/api/mailbox')
    return items.find((one: any) => one.template === 'platform.mail.new-task' && one.caseId === booking.id)?.body
  })
  const [page] = /\/decide\/[\w-]{64}/.exec(body)!
  return { booking, page }
}

const heading = ({ page }: Visitor, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name })

test('a head decides by email on a phone: the link shows the request, and one confirmation decides, once', async () => {
  const { booking, page } = await mailed('Sitar at dusk')
  const [phone, desk] = [await visitors.arrives({ width: NARROW }), await visitors.arrives()]
  for (const one of [phone, desk]) {
    await one.opens(page)
    await heading(one, /\?$/).waitFor()
  }
  await reads(phone.page, 'Asked by')
  await reads(phone.page, `You decide as`)
  expect(await phone.page.content()).not.toContain('poc_nic')
  await expectAccessible(phone.page)
  await phone.picture('decide')

  await button(phone, 'Reject…').click()
  const reason = phone.page.getByLabel('Reason')
  await reason.waitFor()
  await button(phone, /^Reject$/).click()
  expect(await reason.getAttribute('aria-invalid')).toBe('true')
  await button(phone, 'Back').click()
  await button(phone, 'Approve').click()
  await reads(phone.page, 'cannot be undone')
  await expectAccessible(phone.page)
  await phone.picture('decide-confirm')
  // The other person selects it too, and submits later.
  await button(desk, 'Approve').click()
  await button(phone, 'Approve').click()
  await heading(phone, /^Decided: /).waitFor()
  await phone.picture('decide-done')

  desk.expects(410, `/api/task-links/${page.split('/').at(-1)}`)
  await button(desk, 'Approve').click()
  await heading(desk, 'You have already decided this').waitFor()
  await expectAccessible(desk.page)
  await desk.picture('decide-used')
  phone.expects(410, `/api/task-links/${page.split('/').at(-1)}`)
  await phone.opens(page)
  await heading(phone, 'You have already decided this').waitFor()
  await until('the booking has moved on', async () => {
    const { items } = await head.get(`/api/tasks?queue=waiting&search=${booking.reference}`)
    return items.length === 1
  })
  expect([...phone.troubles(), ...desk.troubles()]).toEqual([])
})

test('a late decider reads who was faster; an invalid link says so, in each language', async () => {
  const { booking, page } = await mailed('Kolam at noon')
  await (await as('admin')).decides(booking, 'reject', { reason: 'The hall is being painted' })
  await expectCase(booking).toBe('rejected')
  const [late, lost] = [await visitors.arrives(), await visitors.arrives({ width: NARROW, language: 'ta' })]
  late.expects(409, `/api/task-links/${page.split('/').at(-1)}`)
  await late.opens(page)
  await heading(late, 'Decided already').waitFor()
  await reads(late.page, 'Ruwan Jayasekara')
  lost.expects(410, '/api/task-links/none')
  await lost.opens('/decide/none')
  await heading(lost, 'இந்த இணைப்பு இனி செல்லாது').waitFor()
  await expectAccessible(lost.page)
  await lost.picture('decide-over-ta')
  expect([...late.troubles(), ...lost.troubles()]).toEqual([])
})

test('a new notification shows in the badge of an open page without a reload', async () => {
  const reader = await visitors.arrives()
  await reader.signsIn(hall.head, '/inbox')
  await head.ok('POST', '/api/notification/seen')
  await reader.page.reload()
  await reader.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  // It is in nobody's list of tasks or cases, so no other hint reaches the page.
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  await database.db.transaction().execute((trx) =>
    mail(trx, { library, publicUrl: stack().url }).send({
      to: `user:${head.id}`,
      template: 'platform.mail.second-factor-added',
    }),
  )
  const bell = reader.page.getByRole('button', { name: 'Notifications, 1 new' })
  await bell.waitFor()
  await bell.click()
  await reads(reader.page, 'A second factor was added to your sign-in')
  expect(reader.troubles()).toEqual([])
})
