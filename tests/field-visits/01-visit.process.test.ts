import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { fieldVisit } from '../../processes/field-visits/field-visit.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = fieldVisit
let lecturer: Person, elsewhere: Person, head: Person, dean: Person, welfare: Person, assistant: Person
let department: string
beforeAll(async () => {
  ;[lecturer, elsewhere, head, dean, welfare, assistant] = await Promise.all([
    as('lecturer.perera'),
    as('lecturer.fernando'),
    as('hod.western-music'),
    as('dean.music'),
    as('head.welfare'),
    as('ma.welfare'),
  ])
  department = (await lecturer.get('/api/registers/platform/department/items?search=Western')).items[0].id
})

const aVisit = (more: object = {}) => ({
  department,
  purpose: 'Hear an orchestra rehearse',
  place: 'Colombo',
  from: day(10),
  until: day(10),
  route: '08:00 campus, 09:00 theatre, 13:00 campus',
  group: 'Year 2',
  students: 20,
  staff: 2,
  companions: 'N. Perera',
  phone: '0771234567',
  overnight: 'no',
  risks: [{ risk: 'Traffic', measure: 'One bus with seat belts' }],
  transport: 'hired',
  ...more,
})
const approved = async (of: Case) => {
  await head.decides(of, 'approve')
  await dean.decides(of, 'approve')
  await welfare.decides(of, 'approve')
  await expectCase(of).toBe('Approved')
}

test('a visit is approved by three desks, made, and reported; a thin report is returned', async () => {
  // Without a night nobody is listed.
  const listed_too = { participants: [{ reg_no: 'NOBODY-1', name: 'Nobody', consent: 'given' }] }
  const of = await lecturer.submit(FLOW, aVisit(listed_too))
  await expectCase(of).toBe('Requested')
  expect((await lecturer.get(`/api/cases/${of.id}`)).data.participants).toBeUndefined()
  await approved(of)
  await clock.passes('P11D', of)
  await expectCase(of).toBe('Report Due')
  const listed = await assistant.get(`/api/cases?flow=${encodeURIComponent(FLOW)}&status=Report%20Due&limit=50`)
  expect(listed.items.map(({ reference }: Case) => reference)).toContain(of.reference)
  const report = async (took_part: number) => ({
    outcome: 'send',
    took_part,
    learnt: 'How a conductor works',
    report: await uploads(lecturer, 'report.pdf'),
  })
  const { id } = await lecturer.task(of, desks.sendReport)
  const refused = await lecturer.send('POST', `/api/tasks/${id}/complete`, { data: await report(21) })
  expect(refused.body.errors).toEqual([
    expect.objectContaining({ field: '/took_part', message: 'At most the 20 students of the request' }),
  ])
  await lecturer.decides(of, 'send', await report(20))
  await head.decides(of, 'return', { reason: 'Photographs are missing' })
  await expectMail(lecturer).about('field-visits.mail.report-returned', of)
  await lecturer.decides(of, 'send', await report(19))
  await head.decides(of, 'accept')
  await expectEnded(of)
  await expectCase(of).toBe('Completed')
})

test('an approved visit leads to a vehicle and an advance, and is cancelled before its last day', async () => {
  const secretary = await as('ma.western-music')
  const means = { transport: 'university', advance: 2_500_000, phone: '+94771234567' }
  const of = await lecturer.submit(FLOW, aVisit({ from: day(12), until: day(12), ...means }))
  const offers = async (who: Person) =>
    (await who.get(`/api/cases/${of.id}`)).offers.map(({ name }: { name: string }) => name)
  expect(await offers(lecturer)).toEqual([])
  await approved(of)
  expect([await offers(lecturer), await offers(head), await offers(secretary), await offers(welfare)]).toEqual([
    ['vehicle'],
    ['vehicle', 'advance'],
    ['vehicle', 'advance'],
    // The head of student welfare also leads a division.
    ['vehicle', 'advance'],
  ])
  const given = (who: Person, name: string) => who.get(`/api/cases/${of.id}/offers/${name}`)
  const { data: trip } = await given(lecturer, 'vehicle')
  expect(trip).toMatchObject({ to_place: 'Colombo', passengers: 22, from: `${day(12)}T07:00:00+05:30` })
  // A reservation takes only numbers of ten digits.
  expect(trip.contact).toBeUndefined()
  const centre = (await lecturer.get('/api/registers/vehicles/cost-centre/items?search=Western')).items[0].id
  const more = { cost_centre: centre, from_place: 'Campus', outside: 'no', kilometres: 30, contact: '0771234567' }
  const asked = { flow: 'vehicles/vehicle-reservation', data: { ...trip, ...more } }
  const from = (name: string) => ({ follows: { case: of.id, name } })
  expect((await lecturer.send('POST', '/api/cases', { ...asked, ...from('advance') })).body.code).toBe(
    'platform.not-followed-now',
  )
  expect((await elsewhere.send('POST', '/api/cases', { ...asked, ...from('vehicle') })).status).toBe(404)
  const key = { 'idempotency-key': randomUUID() }
  const reserves = () => lecturer.send('POST', '/api/cases', { ...asked, ...from('vehicle') }, key)
  const { body: reserved } = await reserves()
  expect(reserved.follows).toMatchObject({ id: of.id, reference: of.reference, status: { key: 'Approved' } })
  expect((await given(secretary, 'advance')).data).toMatchObject({
    ...{ asked_for: 'department', department },
    lines: [{ amount: 2_500_000, description: `Advance for the field visit ${of.reference}` }],
  })
  // Who sees the visit, and not the reservation, sees where that stands.
  expect((await welfare.get(`/api/cases/${of.id}`)).linked).toEqual([
    expect.objectContaining({
      id: null,
      reference: reserved.reference,
      status: expect.objectContaining({ key: 'Requested' }),
    }),
  ])
  await lecturer.withdraws(reserved)

  // One advance is asked for at a time, and another one only if that came to nothing.
  const { data: request } = await given(secretary, 'advance')
  const year = new Date().getFullYear()
  const code = randomUUID().slice(0, 8).toUpperCase()
  const [finance, bursar] = [await as('finance'), await as('bursar')]
  const adds = async (who: Person, register: string, data: object): Promise<string> =>
    (await who.ok('POST', `/api/registers/vouchers/${register}/items`, { data })).id
  const named = async (register: string, search: string): Promise<string> =>
    (await bursar.get(`/api/registers/vouchers/${register}/items?search=${search}`)).items[0].id
  const vote = await adds(bursar, 'vote', { number: `T${code}`, title: `Vote ${code}`, year, budget: 100_000_000 })
  const paper = {
    payee: await adds(finance, 'payee', { code: `P-${code}`, name: `Supplier ${code}`, kind: 'supplier' }),
    ...{ section: await named('section', 'Academic'), title: await named('title', 'Goods') },
    ...{ invoice_no: `INV-${code}`, invoice_date: `${year}-01-15` },
  }
  const data = { ...paper, ...request, lines: [{ vote, ...request.lines[0] }] }
  const advance = { flow: 'vouchers/payment-voucher', data, ...from('advance') }
  const first = await secretary.ok('POST', '/api/cases', advance)
  expect(await offers(secretary)).toEqual(['vehicle'])
  expect((await head.send('POST', '/api/cases', advance)).body.code).toBe('platform.not-followed-now')
  await secretary.withdraws(first)
  await expectEnded(first)
  expect(await offers(secretary)).toEqual(['vehicle', 'advance'])

  // It is approved when the mail about it is written, a moment before anything waits for its last day.
  await until('it can be cancelled', () => lecturer.withdraws(of, 'The theatre is closed').then(() => true))
  await expectEnded(of)
  await expectCase(of).toBe('Cancelled')
  await expectMail(head).about('field-visits.mail.cancelled', of)
  // A repeated request has its case, although the visit offers none any more.
  expect((await reserves()).body).toMatchObject({ id: reserved.id })
})

test('a head does not recommend their own visit; one that is returned near its day keeps it; a late report is told to the head', async () => {
  const registrar = await as('registrar')
  const own = await head.submit(FLOW, aVisit({ from: day(9), until: day(9) }))
  await dean.task(own, desks.approveByHOD)
  await expect(head.decides(own, 'approve', {}, desks.approveByHOD)).rejects.toThrow('platform.own-case')
  await dean.decides(own, 'return', { reason: 'Who goes along?' })
  await expectMail(head).about('field-visits.mail.returned', own)
  const { id } = await head.task(own, desks.correct)
  const corrected = aVisit({ from: day(9), until: day(9), companions: 'Two lecturers' })
  // As on the eighth day before: what was asked for in time needs no new day.
  const moved = { data: { ...corrected, from: day(6), until: day(6) } }
  const refused = await head.send('POST', `/api/tasks/${id}/complete`, moved)
  expect(refused.body.errors).toEqual([expect.objectContaining({ field: '/from', code: 'field-visits.week-ahead' })])
  await head.ok('POST', `/api/tasks/${id}/complete`, { data: corrected })
  await dean.decides(own, 'approve', {}, desks.approveByHOD)
  await registrar.decides(own, 'reject', { reason: 'Exams are held then' }, desks.approveByDean)
  await expectEnded(own)
  await expectCase(own).toBe('Rejected')

  const late = await lecturer.submit(FLOW, aVisit({ from: day(14), until: day(14) }))
  await approved(late)
  await clock.passes('P15D', late)
  await expectCase(late).toBe('Report Due')
  await lecturer.task(late, desks.sendReport)
  await clock.passes('P15D', late)
  await expectMail(head).about('field-visits.mail.report-escalation', late)
  await clock.passes('P43D', late)
  await expectCase(late).toBe('Report Missing')

  const undecided = await lecturer.submit(FLOW, aVisit({ from: day(16), until: day(16) }))
  await head.decides(undecided, 'approve')
  await dean.task(undecided, desks.approveByDean)
  await clock.passes('P16D', undecided)
  await expectMail(lecturer).about('field-visits.mail.lapsed', undecided)
})

test('days are in order, and a visit is of the own department', async () => {
  expect(await refusedFor(lecturer, { until: day(11) })).toEqual([['/overnight', 'field-visits.overnight-or-one-day']])
  expect(await refusedFor(lecturer, { from: day(11) })).toEqual([['/until', 'field-visits.ends-before-it-begins']])
  expect(await refusedFor(lecturer, { risks: [] })).toEqual([['/risks', 'field-visits.risks-needed']])
  expect(await refusedFor(elsewhere, {})).toEqual([['/department', 'field-visits.not-your-department']])
})

test('for a night away parents give consent student by student, and who has none does not go', async () => {
  const { items } = await welfare.get('/api/registers/platform/student/items?status=active&limit=3')
  const participant = (row: number, consent: string) => ({
    reg_no: items[row].data.reg_no,
    name: items[row].title,
    guardian: 'Mother',
    consent,
  })
  const night = (participants: object[], more: object = {}) => ({
    overnight: 'yes',
    students: 3,
    participants,
    ...more,
  })
  const three = (...consents: string[]) => consents.map((consent, row) => participant(row, consent))
  const unsigned = three('given', 'none', 'none')
  expect(await refusedFor(lecturer, { overnight: 'yes' })).toEqual([
    ['/participants', 'field-visits.participants-needed'],
  ])
  expect(await refusedFor(lecturer, night(unsigned.slice(1)))).toEqual([
    ['/participants', 'field-visits.students-not-listed'],
  ])
  expect(await refusedFor(lecturer, night(unsigned))).toEqual([['/consents', 'field-visits.consents-needed']])
  const unknown = [...unsigned.slice(1), { ...participant(0, 'none'), reg_no: 'NOBODY-1' }]
  expect(await refusedFor(lecturer, night(unknown))).toEqual([
    ['/participants/2/reg_no', 'field-visits.no-such-student'],
  ])
  const consents = await uploads(lecturer, 'consents.pdf')
  const small = { ...participant(0, 'given'), reg_no: items[0].data.reg_no.toLowerCase() }
  expect(await refusedFor(lecturer, night([...unsigned.slice(0, 2), small], { consents }))).toEqual([
    ['/participants/2/reg_no', 'field-visits.student-twice'],
  ])
  const of = await lecturer.submit(FLOW, aVisit({ until: day(11), ...night(unsigned, { consents }) }))
  await approved(of)
  const notes = (noted: number, participants: object[], file?: string) =>
    until('consents can be noted', async () => {
      const data = { noted, participants, ...(file !== undefined && { consents: file }) }
      const answer = await lecturer.send('POST', `/api/cases/${of.id}/acts/consents`, { data })
      return answer.body.code === 'platform.act-not-possible' ? undefined : answer
    })
  const codes = ({ body }: { body: { errors: { code: string }[] } }) => body.errors.map(({ code }) => code)
  expect(codes(await notes(0, three('given', 'given', 'none')))).toEqual(['field-visits.consents-needed'])
  expect(codes(await notes(0, unsigned.toReversed()))).toEqual(['platform.not-as-given'])
  const noted = await notes(0, three('none', 'none', 'given'), await uploads(lecturer, 'second.pdf'))
  expect(noted.status).toBe(200)
  // A page that was opened before does not take that consent back.
  const third = await uploads(lecturer, 'third.pdf')
  expect((await notes(0, three('given', 'given', 'none'), third)).body.errors).toEqual([
    expect.objectContaining({ field: '/noted', code: 'platform.not-as-given' }),
  ])
  const seen = async () => (await welfare.get(`/api/cases/${of.id}`)).data
  const given = async () => (await seen()).participants.map(({ consent }: { consent: string }) => consent)
  expect(await given()).toEqual(['none', 'none', 'given'])
  const read = await asOwner(
    `select from app.audit_entry e join app.audit_payload p on p.entry_id = e.id where e.action = 'sensitive.read'
       and e.case_id = $1 and e.actor = $2 and p.payload::text like '%"/participants"%'`,
    [of.id, welfare.id],
  )
  expect(read).not.toEqual([])

  // On other days parents give their consent again.
  const moves = async (days: object) =>
    (await lecturer.send('POST', `/api/cases/${of.id}/acts/move`, { data: { reason: 'Closed', ...days } })).body
  const begins = `update app.flow_case set data = jsonb_set(data, '{from}', to_jsonb($2::text)) where id = $1`
  const starts = (on: number) => asOwner(begins, [of.id, day(on)])
  await starts(1)
  expect(codes({ body: await moves({ from: day(12), until: day(13) }) })).toEqual(['field-visits.too-late-to-move'])
  await starts(10)
  // Its first day stays, so that it may be as near as it is.
  expect(codes({ body: await moves({ from: day(10), until: day(9) }) })).toEqual(['field-visits.ends-before-it-begins'])
  await moves({ from: day(12), until: day(13) })
  await head.decides(of, 'approve', {}, desks.approveMove)
  await expectMail(lecturer).about('field-visits.mail.moved', of)
  expect(await given()).toEqual(['none', 'none', 'none'])
  expect((await seen()).consents).toBeUndefined()
  expect((await notes(1, three('given', 'given', 'none'), third)).status).toBe(200)
  await until('the consents are noted', async () => (await given())[1] === 'given')

  await clock.passes('P14D', of)
  await expectCase(of).toBe('Report Due')
  const report = async (took_part: number) => ({
    outcome: 'send',
    ...{ took_part, learnt: 'How frescoes are kept', report: await uploads(lecturer, 'report.pdf') },
  })
  const { id } = await lecturer.task(of, desks.sendReport)
  expect(codes(await lecturer.send('POST', `/api/tasks/${id}/complete`, { data: await report(3) }))).toEqual([
    'field-visits.more-than-consents',
  ])
  await lecturer.decides(of, 'send', await report(2))
  await expectCase(of).toBe('Report Sent')
  const more = asOwner(
    `insert into app.submission
       select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'data', s.data || '{"took_part": 3}'))).*
       from app.submission s where case_id = $1 and form_key = 'field-visits/report'`,
    [of.id],
  )
  await expect(more).rejects.toThrow('more students took part than have a consent')
})

async function refusedFor(who: Person, more: object) {
  const { body } = await who.send('POST', '/api/cases', { flow: FLOW, data: aVisit(more) })
  return body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])
}
