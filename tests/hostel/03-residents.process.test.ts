import { beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { hostelComplaint } from '../../processes/hostel/hostel-complaint.generated.ts'
import { hostelLeave } from '../../processes/hostel/hostel-leave.generated.ts'
import { hostelSwap } from '../../processes/hostel/hostel-swap.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { until } from '../platform/kit/poll.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import {
  type Entry,
  REGISTERS,
  anApplication,
  anIntake,
  aReceipt,
  aRegistration,
  checked,
  ends,
  staysOf,
} from './application.ts'

const { desks } = hostelApplication

let intake: Entry
/** A season of this file, and a request for it that was sent before its student got a room. */
let term: string
let season: Case
let hasini: Person, nuwan: Person, fathima: Person, ma: Person, assistant: Person, ar: Person
const places = new Map<Person, Case>()
beforeAll(async () => {
  ;[hasini, nuwan, fathima, ma, assistant, ar] = await Promise.all([
    as('student.hasini'),
    as('student.nuwan'),
    as('student.fathima'),
    as('ma.welfare'),
    as('assistant.welfare'),
    as('head.welfare'),
  ])
  intake = await anIntake()
  const sexes = new Map([
    [hasini, 'female'],
    [fathima, 'female'],
    [nuwan, 'male'],
  ])
  for (const [who, sex] of sexes) {
    const application = await anApplication(who, intake, 'Kurunegala', { sex })
    places.set(who, await who.submit(hostelApplication.flow, application))
  }
  for (const one of places.values()) await ma.decides(one, 'checked', checked, desks.check)
  await ends(intake)
  term = await aTerm()
  season = await asksForTicket(fathima)
  for (const one of places.values()) await ar.decides(one, 'approve', {}, desks.approve)
  for (const one of places.values()) await expectCase(one).toBe('approved')
  for (const one of places.values()) await assistant.decides(one, 'allocate', {}, desks.allocate)
  await moves(hasini, 'K-H')
  await moves(fathima, 'K-F')
})

async function moves(who: Person, key_no = 'K-8'): Promise<void> {
  const one = places.get(who)!
  await who.decides(one, 'register', await aRegistration(who), desks.register)
  await ma.decides(one, 'confirm', { receipt_no: aReceipt(), key_no }, desks.confirm)
  await expectCase(one).toBe('resident')
}

/** A season in which nobody has asked for a ticket yet. */
async function aTerm(): Promise<string> {
  const path = '/api/registers/season-tickets/season/items'
  const days = { from: day(7), until: day(97), opens: day(-1), closes: day(5) }
  const data = { name: `Train ${Date.now()}`, transport: 'train', ...days, notice: 'Three months' }
  const { id, version } = await ma.ok('POST', path, { data })
  await ar.ok('POST', `${path}/${id}/status`, { status: 'Active' }, { 'if-match': `"${version}"` })
  return id
}

/** Asks for a season ticket, from any station. */
async function asksForTicket(who: Person): Promise<Case> {
  const listed = async (register: string) =>
    (await who.get(`/api/registers/season-tickets/${register}/items?inUse=true&limit=100`)).items as Entry[]
  const stations = new Set(
    (await listed('station')).filter(({ data }) => data['transport'] === 'train').map(({ id }) => id),
  )
  const route = (await listed('route')).find(({ data }) => stations.has(data['station']!))!
  const place = { season: term, station: route.data['station'], route: route.id }
  const data = { transport: 'train', ...place, address: '1 Temple Road', declaration: true }
  return who.submit('season-tickets/season-request', data)
}

async function changesRoom(id: string, data: object): Promise<void> {
  const at = `${REGISTERS}/room/items/${id}`
  const { version } = await ma.get(at)
  await ma.ok('PUT', at, { data }, { 'if-match': `"${version}"` })
}

const stayOf = async (who: Person) => (await staysOf(places.get(who)!))[0]!
const bedOf = async (who: Person) => {
  const { data } = await stayOf(who)
  return [data['room'], data['bed'], data['key_no']]
}

test('residents ask for leave, and both they and the office hear if they are not back', async () => {
  const aLeave = async (who: Person) => ({
    ...{ stay: (await stayOf(who)).id, from: day(0), back: day(3), where: 'At home', phone: '0771234567' },
    purpose: 'A wedding',
  })
  await expect(nuwan.submit(hostelLeave.flow, await aLeave(nuwan))).rejects.toThrow('hostel.not-moved-in')
  await expect(fathima.submit(hostelLeave.flow, await aLeave(hasini))).rejects.toThrow('platform.requester-not-meant')
  const past = { ...(await aLeave(hasini)), from: day(-1) }
  await expect(hasini.submit(hostelLeave.flow, past)).rejects.toThrow('/from')
  const long = { ...(await aLeave(hasini)), back: day(301) }
  await expect(hasini.submit(hostelLeave.flow, long)).rejects.toThrow('hostel.leave-after-stay')
  const leave = await hasini.submit(hostelLeave.flow, await aLeave(hasini))
  await ma.decides(leave, 'approve', {}, hostelLeave.desks.decideLeave)
  await expectCase(leave).toBe('away')
  await clock.passes('P4D', leave)
  await expectMail(hasini).about('hostel.mail.leave-not-back', leave)
  await expectMail(ma).about('hostel.mail.leave-not-back', leave)
  const before = ma.decides(leave, 'returned', { returned_on: day(-1) }, hostelLeave.desks.noteReturn)
  await expect(before).rejects.toThrow('hostel.returned-before')
  await ma.decides(leave, 'returned', { returned_on: day(0) }, hostelLeave.desks.noteReturn)
  await expectCase(leave).toBe('back')
  await expectEnded(leave)
})

test('visitors of a resident are entered by student welfare, on days that are not to come, and read by nobody else', async () => {
  const { id: stay } = await stayOf(hasini)
  const path = `${REGISTERS}/visit/items`
  const visit = { visitor: 'R. Silva', nic: '851234567V', stay, relationship: 'Mother' }
  const enters = (who: Person, more: object) => who.send('POST', path, { data: { ...visit, ...more } })
  expect((await enters(ma, { visited_on: day(1) })).body.errors).toMatchObject([{ field: '/visited_on' }])
  expect((await enters(ma, { visited_on: day(0), came_at: '25:00' })).body.errors).toMatchObject([
    { field: '/came_at' },
  ])
  expect((await enters(hasini, { visited_on: day(0) })).status).toBe(404)
  const { id } = (await enters(ma, { visited_on: day(0), came_at: '15:30', left_at: '17:00' })).body
  const { items } = await ar.get(`${path}?filter.stay=${stay}`)
  expect(items).toMatchObject([{ id, title: 'R. Silva', data: { relationship: 'Mother', came_at: '15:30' } }])
  for (const who of [hasini, fathima]) expect((await who.send('GET', `${path}/${id}`)).status).toBe(404)
})

test('a student reports the return, which the office confirms; a late approval says what holds', async () => {
  const aLeave = async () => ({
    ...{ stay: (await stayOf(fathima)).id, from: day(0), back: day(3), where: 'At home', phone: '0771234567' },
    purpose: 'A funeral',
  })
  const leave = await fathima.submit(hostelLeave.flow, await aLeave())
  const within = { ...(await aLeave()), from: day(2), back: day(5) }
  await expect(fathima.submit(hostelLeave.flow, within)).rejects.toThrow('hostel.leave-overlaps')
  const { decideLeave, confirmReturn } = hostelLeave.desks
  // As if the leave had begun two days ago, and nobody had decided yet.
  await asOwner(`update app.flow_case set data = jsonb_set(data, '{from}', to_jsonb($2::text)) where id = $1`, [
    ...[leave.id, day(-2)],
  ])
  await expect(ma.decides(leave, 'approve', {}, decideLeave)).rejects.toThrow('hostel.leave-begun')
  await ma.decides(leave, 'approve', { reason: 'It holds from the first day.' }, decideLeave)
  await expectMail(fathima).about('hostel.mail.leave-approved', leave)
  await expectCase(leave).toBe('away')
  const reports = (returned_on: string) =>
    fathima.send('POST', `/api/cases/${leave.id}/acts/returned`, { data: { returned_on } })
  expect(await reports(day(-3))).toMatchObject({ body: { errors: [{ code: 'hostel.returned-before' }] } })
  expect((await reports(day(0))).status).toBeLessThan(300)
  await expectCase(leave).toBe('return reported')
  expect((await ma.get(`/api/cases/${leave.id}`)).facts).toMatchObject({ reportedOn: day(0) })
  await ma.decides(leave, 'not-back', { reason: 'The sub-warden has not seen her.' }, confirmReturn)
  await expectCase(leave).toBe('away')
  expect((await ma.get(`/api/cases/${leave.id}`)).facts.reportedOn ?? null).toBeNull()
  expect((await reports(day(0))).status).toBeLessThan(300)
  await expectCase(leave).toBe('return reported')
  // Who has reported may ask again; a report does not keep the end of the last day from being told, once.
  const next = await fathima.submit(hostelLeave.flow, within)
  await fathima.withdraws(next)
  await expectEnded(next)
  await clock.passes('P4D', leave)
  await expectMail(ma).about('hostel.mail.leave-not-back', leave)
  await ma.decides(leave, 'not-back', { reason: 'Nobody has seen her.' }, confirmReturn)
  await expectCase(leave).toBe('away')
  expect((await reports(day(0))).status).toBeLessThan(300)
  await ma.decides(leave, 'returned', { returned_on: day(0) }, confirmReturn)
  await expectCase(leave).toBe('back')
  await expectEnded(leave)
  const told = await asOwner<{ count: number }>(
    `select count(*)::int as count from app.mail where case_id = $1 and template = 'hostel.mail.leave-not-back'
       group by recipient`,
    [leave.id],
  )
  expect(new Set(told.map(({ count }) => count))).toEqual(new Set([1]))

  const cancelled = await fathima.submit(hostelLeave.flow, { ...(await aLeave()), from: day(2) })
  await ma.decides(cancelled, 'approve', {}, decideLeave)
  await expectCase(cancelled).toBe('approved')
  await fathima.withdraws(cancelled)
  await expectEnded(cancelled)
  await expectMail(ma).about('hostel.mail.leave-cancelled', cancelled)
})

test('residents get no season ticket, also if the room came after the request, and give theirs back to move in', async () => {
  await expect(asksForTicket(hasini)).rejects.toThrow('season-tickets.lives-in-hostel')
  const decides = ma.decides(season, 'checked', {}, 'userTask_check')
  await expect(decides).rejects.toThrow('platform.requester-excepted-now')
  await ma.decides(season, 'reject', { reason: 'She has a room in a hostel.' }, 'userTask_check')
  await expectEnded(season)

  // A ticket from before, for which its holder is asked before they move in.
  const { recordId } = (
    await asOwner<{ recordId: string }>(`select record_id as "recordId" from app.account where id = $1`, [nuwan.id])
  )[0]!
  const aTicket = async (last: string) =>
    (
      await asOwner<{ id: string }>(
        `with made as (insert into app.register_item (id, register, status, title, data)
           values (gen_random_uuid(), 'season-tickets/ticket', 'Issued', 'SW-' || $2,
             jsonb_build_object('student', $1::text, 'number', 'SW-' || $2, 'until', $2::text)) returning id)
         insert into app.register_reference (item_id, path, target_id)
           select id, '/student', $1::uuid from made returning item_id as id`,
        [recordId, last],
      )
    )[0]!
  const [old, ticket] = [await aTicket(day(-1)), await aTicket(day(60))]
  const place = places.get(nuwan)!
  await nuwan.decides(place, 'register', await aRegistration(nuwan), desks.register)
  const movesIn = () => ma.decides(place, 'confirm', { receipt_no: aReceipt(), key_no: 'K-8' }, desks.confirm)
  // One whose season is over is not asked for.
  await expect(movesIn()).rejects.toThrow(`open any more: SW-${day(60)}"`)
  const { items } = await nuwan.get('/api/owed')
  const ids = items.map(({ id }: { id: string }) => id)
  expect(ids).toEqual([(await stayOf(nuwan)).id, ticket.id])
  expect(ids).not.toContain(old.id)
  await asOwner(`update app.register_item set status = 'Cancelled' where id = $1`, [ticket.id])
  await movesIn()
  await expectCase(place).toBe('resident')
})

test('a clearance waits until nothing is left to give back, which the student and the offices read', async () => {
  const { items: kinds } = await hasini.get('/api/registers/students/request-kind/items')
  const kind = kinds.find(({ title }: Entry) => title === 'Clearance letter').id
  const flow = 'students/student-request'
  const sent = await hasini.submit(flow, { kind, details: 'I have finished.', language: 'en' })
  const approves = () => ar.decides(sent, 'approve', {}, 'userTask_approveRequestByAffairs')
  await expect(approves()).rejects.toThrow('platform.still-shown')
  const { shows } = await ar.get(`/api/cases/${sent.id}`)
  const { reference } = places.get(hasini)!
  const shown = shows.find(({ name }: { name: string }) => name === 'owed')
  expect(shown.items).toMatchObject([{ data: { title: expect.stringContaining(reference), due: expect.any(String) } }])

  const stay = await stayOf(hasini)
  const owed = `/api/registers/platform/student/items/${stay.data['student']}/owed`
  for (const who of [hasini, ma])
    expect((await who.get(owed)).items).toMatchObject([{ id: stay.id, kind: 'hostel/stay', what: 'Place in a hostel' }])
  const [finance, other] = [await as('finance'), fathima]
  for (const who of [finance, other]) expect((await who.send('GET', owed)).status).toBe(404)
  // What nobody has certified yet does not let anybody through.
  const KINDS = '/api/registers/students/request-kind/items'
  const { data } = await ar.get(`${KINDS}/${kind}`)
  const { concerns: _, ...otherwise } = data
  const changes = async (to: object) => {
    const { version } = await ar.get(`${KINDS}/${kind}`)
    return ar.ok<Entry>('PUT', `${KINDS}/${kind}`, { data: to }, { 'if-match': `"${version}"` })
  }
  expect((await changes(otherwise)).status).toBe('Awaiting Approval')
  await expect(approves()).rejects.toThrow('platform.still-shown')
  // Nor does it decide how a corrected request goes on.
  await changes({ ...otherwise, title_en: 'Letter without clearance', by_affairs: false })
  const subject = { kind: data['title_en'] }
  await ar.decides(sent, 'return', { reason: 'Say since when.' }, 'userTask_approveRequestByAffairs')
  const correction = await hasini.task(sent, 'userTask_correctRequest')
  const corrected = { kind, details: 'I finished in May.', language: 'en' }
  await hasini.ok('POST', `/api/tasks/${correction.id}/complete`, { data: corrected })
  await expect(approves()).rejects.toThrow('platform.still-shown')
  expect(await ar.get(`/api/cases/${sent.id}`)).toMatchObject({ data: corrected, subject })
  await changes(data)
  await (await as('admin')).ok('POST', `${KINDS}/${kind}/status`, { status: 'Active' })
  // For another letter nobody waits.
  const another = kinds.find(({ title }: Entry) => title === 'Letter of registration').id
  const letter = await hasini.submit(flow, { kind: another, details: 'For my bank.', language: 'en' })
  await ar.decides(letter, 'approve', {}, 'userTask_approveRequestByAffairs')
  await hasini.withdraws(letter)
  await hasini.withdraws(sent)
})

test('notices reach applicants and residents on their days', async () => {
  const write = async (audience: string, from: string, last?: string) => {
    const data = { title: `${audience} ${from}`, text: 'Read this.', audience, from, ...(last && { until: last }) }
    return ma.ok<Entry>('POST', `${REGISTERS}/notice/items`, { data })
  }
  const [now, later] = [await write('residents', day(-1)), await write('residents', day(1))]
  const [over, others] = [await write('residents', day(-5), day(-1)), await write('applicants', day(0), day(1))]
  const shownIn = async (who: Person) => {
    const { shows } = await who.get(`/api/cases/${places.get(who)!.id}`)
    return shows.flatMap(({ items }: { items: Entry[] | null }) => (items ?? []).map(({ data }) => data['title']))
  }
  const residents = await shownIn(hasini)
  expect(residents).toContain(now.title)
  for (const { title } of [later, over, others]) expect(residents).not.toContain(title)
  const listed = async (who: Person) =>
    (await who.get(`${REGISTERS}/notice/items?limit=100`)).items.map(({ title }: Entry) => title)
  expect(await listed(hasini)).toEqual(expect.arrayContaining([now.title, others.title]))
  for (const { id, title } of [later, over]) {
    expect(await listed(hasini)).not.toContain(title)
    expect((await hasini.send('GET', `${REGISTERS}/notice/items/${id}`)).status).toBe(404)
    expect(await listed(ma)).toContain(title)
  }
  expect((await (await as('finance')).send('GET', `${REGISTERS}/notice/items`)).status).toBe(404)
})

test('the plan shows who has each bed on a day, and student welfare alone reads it', async () => {
  const bedOn = async (on: string) => {
    const { rooms } = await ma.get(`/api/hostel/plan?on=${on}`)
    const { data } = await stayOf(hasini)
    const room = rooms.find(({ id }: Entry) => id === data['room'])
    return room.beds.find(({ bed }: { bed: number }) => bed === Number(data['bed']))
  }
  const stay = (await stayOf(hasini)).id
  expect(await bedOn(day(0))).toMatchObject({ stay, livesThere: true, until: day(300) })
  expect(await bedOn(day(301))).toMatchObject({ stay: null, student: null })
  // On days that are over it has those who lived there then, and nobody who came later.
  expect(await bedOn(day(-1))).toMatchObject({ stay: null, livesThere: false })
  const { data: own } = await stayOf(hasini)
  const [{ id: earlier }] = (await asOwner<{ id: string }>(
    `with made as (insert into app.register_item (id, register, status, title, data, final)
       values (gen_random_uuid(), 'hostel/stay', 'Vacated', 'HA-before', $1::jsonb, true) returning id, status, data)
     insert into app.register_item_version (item_id, version, status, data) select id, 1, status, data from made
       returning item_id as id`,
    [
      JSON.stringify({
        ...{ student: own['student'], hostel: own['hostel'], room: own['room'], bed: own['bed'] },
        ...{ from: day(-40), until: day(-10), registered_on: day(-30), vacated_on: day(-20) },
      }),
    ],
  )) as [{ id: string }]
  const days = [-31, -30, -21, -20]
  const stays = await Promise.all(days.map(async (one) => (await bedOn(day(one))).stay))
  expect(stays).toEqual([null, earlier, earlier, null])
  expect((await hasini.send('GET', '/api/hostel/plan')).status).toBe(403)
})

test('a complaint is answered, by the Assistant Registrar if it is referred', async () => {
  const complaint = await hasini.submit(hostelComplaint.flow, {
    ...{ stay: (await stayOf(hasini)).id, kind: 'repair', details: 'The fan has not worked since Monday.' },
  })
  await ma.decides(complaint, 'refer', { reason: 'It needs a new fan.' }, hostelComplaint.desks.handleComplaint)
  await expectCase(complaint).toBe('referred')
  await ar.decides(complaint, 'solved', { reason: 'A new one is bought.' }, hostelComplaint.desks.decideComplaint)
  await expectCase(complaint).toBe('solved')
  await expectMail(hasini).about('hostel.mail.complaint-solved', complaint)
})

test('two students of one hostel swap their beds, with the consent of both', async () => {
  const aSwap = async (other: Person) => ({
    ...{ stay: (await stayOf(hasini)).id, other: places.get(other)!.reference, purpose: 'We practise together.' },
  })
  await expect(hasini.submit(hostelSwap.flow, await aSwap(hasini))).rejects.toThrow('hostel.swap-unknown')
  await expect(hasini.submit(hostelSwap.flow, await aSwap(nuwan))).rejects.toThrow('hostel.swap-elsewhere')
  const [mine, theirs] = [await bedOf(hasini), await bedOf(fathima)]
  const rooms = await Promise.all([mine, theirs].map(([room]) => ma.get(`${REGISTERS}/room/items/${room}`)))
  const forOneYear = rooms.find(({ data }) => data.year === 1)
  const { year, ...forAll } = forOneYear.data
  const swap = await hasini.submit(hostelSwap.flow, await aSwap(fathima))
  await expect(hasini.submit(hostelSwap.flow, await aSwap(fathima))).rejects.toThrow('platform.once-only')
  // One of them is in her first year, and has a room for that year only: the office reads it, the student does not.
  const approves = () => ma.decides(swap, 'approve', { consent: true }, hostelSwap.desks.decideSwap)
  await expect(approves()).rejects.toThrow('hostel.swap-unsuitable')
  await changesRoom(forOneYear.id, forAll)
  const told = async (template: string) =>
    until(`${template} to ${fathima.username}`, async () => {
      const { items } = await fathima.get('/api/mailbox')
      return items.some((mail: { template: string }) => mail.template === template)
    })
  await told('hostel.mail.swap-other-asked')
  expect((await ma.get(`/api/cases/${swap.id}`)).facts).toHaveProperty('otherStudent')
  const seen = (await hasini.get(`/api/cases/${swap.id}`)).facts
  expect(seen).not.toHaveProperty('otherStudent')
  expect(seen).not.toHaveProperty('otherRoom')
  await expect(ma.decides(swap, 'approve', {}, hostelSwap.desks.decideSwap)).rejects.toThrow('/consent')
  await approves()
  await expectCase(swap).toBe('swapped')
  expect([await bedOf(hasini), await bedOf(fathima)]).toEqual([theirs, mine])
  await told('hostel.mail.swap-other-done')
  await changesRoom(forOneYear.id, { ...forAll, year })
  for (const who of [hasini, fathima]) {
    const { data } = await stayOf(who)
    const room = await ma.get(`${REGISTERS}/room/items/${data['room']}`)
    const { facts } = await ma.get(`/api/cases/${places.get(who)!.id}`)
    const { room_name: name, bed, key_no: key } = data
    expect(facts).toMatchObject({ room: name, bed, key, inventory: room.data.inventory })
  }
})

test('when the end of the intake is moved, the stays that hang on it end later', async () => {
  const stays = await stayOf(hasini)
  expect(stays.data['until']).toBe(day(300))
  const path = `${REGISTERS}/intake/items/${intake.id}`
  const { data, version } = await ma.get(path)
  // Who had taken the desk goes on, with what they had begun to write.
  const one = places.get(hasini)!
  const { id: task } = await ma.task(one, desks.vacate)
  await ma.ok('POST', `/api/tasks/${task}/claim`)
  await ma.ok('PUT', `/api/tasks/${task}/draft`, { data: { remarks: 'A lamp is missing.' } })
  // The whole year is moved: it begins after the day on which it ended.
  const moved = { ...data, from: day(310), until: day(400) }
  await ma.ok('PUT', path, { data: moved }, { 'if-match': `"${version}"` })
  // Not before somebody else has approved it.
  expect((await stayOf(hasini)).data['until']).toBe(day(300))
  await ar.ok('POST', `${path}/status`, { status: 'Active' })
  await until('the stay is longer', async () => (await stayOf(hasini)).data['until'] === day(400))
  expect((await stayOf(hasini)).data['from']).toBe(day(310))
  const again = await until('the desk has it again', async () => {
    const { items } = await ma.get(`/api/tasks?queue=mine&search=${one.reference}`)
    return items.find(({ id }: Entry) => id !== task)
  })
  expect((await ma.get(`/api/tasks/${again.id}`)).draft).toMatchObject({ data: { remarks: 'A lamp is missing.' } })
  await clock.passes('P320D', one)
  await expectCase(one).toBe('resident')
  await clock.passes('P401D', one)
  await expectCase(one).toBe('overdue')
})
