import { beforeAll, expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectEnded } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import {
  ADMISSIONS,
  type Admission,
  anAdmission,
  expectStatus,
  itemOf,
  BATCH,
  mailTo,
  offered,
  OFFER,
  tokenIn,
} from './offers.ts'

const look = (token: string, language = 'en') =>
  send('GET', `/api/public/answers/${token}`, { headers: { 'accept-language': language } })
const answer = (token: string, data: object) => send('POST', `/api/public/answers/${token}`, { body: { data } })
/** Answers once the case waits for it: a mail can be there a moment before. */
const answersOnce = (token: string, data: object) =>
  until('the answer counts', async () => {
    const { status, body } = await answer(token, data)
    if (status !== 200 && body.code !== 'platform.answer-not-now') throw new Error(`${status} ${body.code}`)
    return status === 200
  })
const setStatus = (office: Person, { id }: Admission, status: string) =>
  office.send('POST', `/api/registers/admissions/admission/items/${id}/status`, { status })

let office: Person
let anne: Admission, selvi: Admission, ruwan: Admission, kumar: Admission
beforeAll(async () => {
  office = await as('ma.examinations')
  ;[anne, selvi, ruwan, kumar] = await Promise.all([
    anAdmission(office, 'A. Anne', 'English'),
    anAdmission(office, 'S. Selvi', 'Tamil'),
    anAdmission(office, 'R. Ruwan', 'Sinhala'),
    anAdmission(office, 'K. Kumar', 'English'),
  ])
})

test('the office sees each mail in the language of its reader, who is left out, and confirms a number', async () => {
  const late = await anAdmission(office, 'L. Late', 'English', { answer_by: '2020-01-01' })
  const choice = { ids: [anne, selvi, late].map(({ id }) => id) }
  const { total, ready, stamp, mails, leftOut } = await office.ok('POST', `${BATCH}/preview`, { choice })
  expect({ total, ready, languages: mails.map((one: any) => one.language) }).toEqual({
    total: 3,
    ready: 2,
    languages: ['en', 'ta'],
  })
  expect(mails[0]).toMatchObject({ to: anne.email, body: expect.stringContaining('Dear A. Anne') })
  expect(mails[1].body).toMatch(/அன்புள்ள S\. Selvi[^]*BPA in Western Music/)
  expect(leftOut).toEqual([expect.objectContaining({ id: late.id, message: expect.stringContaining('last day') })])
  // What was seen counts, not only the number: one of them has another address by now.
  const { version, data } = await itemOf(office, selvi)
  const changed = { data: { ...data, mobile_no: '0771234568' } }
  await office.ok('PUT', `${ADMISSIONS}/${selvi.id}`, changed, { 'if-match': `"${version}"` })
  expect((await office.send('POST', BATCH, { choice, stamp })).body).toMatchObject({ code: 'platform.entries-changed' })
  expect((await office.send('POST', BATCH, { choice: { ids: [] }, stamp })).status).toBe(400)
  const dean = await as('dean.music')
  expect((await dean.send('POST', `${BATCH}/preview`, { choice })).status).toBe(404)
  const byFilter = await office.ok('POST', `${BATCH}/preview`, { choice: { search: selvi.number, status: 'Selected' } })
  expect(byFilter).toMatchObject({ total: 1, ready: 1 })
})

test('only one batch of a flow runs at a time', async () => {
  const running = `insert into app.case_batch (id, flow, account_id, acted_as, total)
    select gen_random_uuid(), $1, $2, 'Exam MA', 1 from generate_series(1, 2)`
  await expect(asOwner(running, [OFFER, office.id])).rejects.toThrow('case_batch_one_at_a_time')
})

test('offered at once, one accepts and one declines by link; each answer counts once, and the list shows it', async () => {
  const [accepted] = await offered(office, anne, selvi)
  for (const one of [anne, selvi]) await expectStatus(office, one, 'Asked')
  // A running offer is the only one, and leads the status.
  expect((await office.send('POST', BATCH, { choice: { ids: [anne.id] }, stamp: '-' })).body.code).toBe(
    'platform.entries-none',
  )
  await expect(office.submit(OFFER, { admission: anne.id })).rejects.toThrow('422')
  expect((await setStatus(office, anne, 'Withdrawn')).body.code).toBe('platform.item-led')
  expect((await setStatus(office, anne, 'Accepted')).body.code).toBe('platform.status-of-case')
  await expect(asOwner(`update app.register_item set status = 'Accepted' where id = $1`, [anne.id])).rejects.toThrow(
    'running case',
  )

  const token = tokenIn(await mailTo(anne, 'admissions.mail.offer'))
  const { body: asked } = await look(token)
  expect(asked).toMatchObject({ name: 'A. Anne', question: 'Do you accept the place in BPA in Western Music?' })
  expect((await answer(token, { outcome: 'perhaps' })).status).toBe(422)
  await answersOnce(token, { outcome: 'accept' })
  await expectStatus(office, anne, 'Accepted')
  await mailTo(anne, 'admissions.mail.accepted')
  const again = await answer(token, { outcome: 'decline' })
  expect([again.status, again.body.title]).toEqual([410, expect.stringContaining('Accept the place')])
  await expectEnded(accepted!)
  await expect(
    asOwner(`update app.mailed_question set outcome = 'decline' where case_id = $1`, [accepted!.id]),
  ).rejects.toThrow('the question is answered')

  const tamil = tokenIn(await mailTo(selvi, 'admissions.mail.offer'))
  await answersOnce(tamil, { outcome: 'decline', reason: 'Another university' })
  await expectStatus(office, selvi, 'Declined')
  expect((await look(`${tamil.slice(0, -2)}AA`)).status).toBe(410)
  expect((await look('none')).body.code).toBe('platform.answer-link-unknown')
})

test('without an answer it is reminded and lapses; withdrawn with a reason, it can be offered again', async () => {
  const [silent, withdrawn] = await offered(office, ruwan, kumar)
  const link = tokenIn(await mailTo(ruwan, 'admissions.mail.offer'))
  await clock.passes('P8D', silent!)
  expect((await mailTo(ruwan, 'admissions.mail.offer-reminder')).body).toContain('හිතවත් R. Ruwan')
  expect((await look(link)).status).toBe(200)
  await clock.passes('P22D', silent!)
  await expectStatus(office, ruwan, 'No Answer')
  await expectEnded(silent!)
  expect((await look(link)).body.code).toBe('platform.answer-over')

  const sent = tokenIn(await mailTo(kumar, 'admissions.mail.offer'))
  await until('it can be withdrawn', async () => (await office.get(`/api/cases/${withdrawn!.id}`)).withdrawable)
  await office.withdraws(withdrawn!, 'The certificates are not genuine')
  await expectStatus(office, kumar, 'Withdrawn')
  expect((await mailTo(kumar, 'admissions.mail.withdrawn')).body).toContain('Reason: The certificates are not genuine')
  expect((await answer(sent, { outcome: 'accept' })).body.code).toBe('platform.answer-withdrawn')
  await expectEnded(withdrawn!)
  expect((await setStatus(office, kumar, 'Selected')).status).toBe(200)
  await offered(office, kumar)
  expect((await itemOf(office, kumar)).status).toBe('Asked')
})
