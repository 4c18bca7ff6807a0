import { beforeAll, expect, test } from '@jest/globals'
import { lostTicket } from '../../processes/season-tickets/lost-ticket.generated.ts'
import { seasonRequest } from '../../processes/season-tickets/season-request.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'

const { flow: FLOW, desks } = seasonRequest
const { flow: LOST, desks: lostDesks } = lostTicket
const REGISTERS = '/api/registers/season-tickets'
const TICKETS = `${REGISTERS}/ticket/items`

interface Entry {
  id: string
  title: string
  status: string
  version: number
  data: Record<string, string>
}

let imran: Person, arun: Person, ma: Person, assistant: Person, ar: Person
let stations: Entry[], routes: Entry[]
beforeAll(async () => {
  ;[imran, arun, ma, assistant, ar] = await Promise.all([
    as('student.imran'),
    as('student.arun'),
    as('ma.welfare'),
    as('assistant.welfare'),
    as('head.welfare'),
  ])
  stations = (await imran.get(`${REGISTERS}/station/items?limit=100`)).items
  routes = (await imran.get(`${REGISTERS}/route/items?limit=100`)).items
})

let seasons = 0
/** A season that an assistant has entered and the Assistant Registrar has approved. */
async function aSeason({ opens = -1, closes = 5, until = 90, transport = 'train' } = {}): Promise<Entry> {
  seasons += 1
  const data = {
    ...{ name: `${transport} ${process.pid}-${seasons}`, transport, from: day(6), until: day(until) },
    ...{ opens: day(opens), closes: day(closes), notice: 'Ask for it.' },
  }
  const { id } = await ma.ok<Entry>('POST', `${REGISTERS}/season/items`, { data })
  return ar.ok<Entry>('POST', `${REGISTERS}/season/items/${id}/status`, { status: 'Active' })
}

const routeFrom = (station: Entry) => routes.find(({ data }) => data['station'] === station.id)!

function aRequest(season: Entry, code: string, more: object = {}) {
  const station = stations.find(({ data }) => data['code'] === code)!
  const route = routeFrom(station).id
  const place = { season: season.id, station: station.id, route }
  return { transport: 'train', ...place, address: '1 Temple Road', declaration: true, ...more }
}

const ticketsOf = async (who: Person, season: Entry) =>
  ((await who.get(`${TICKETS}?filter.season=${season.id}`)).items as Entry[]).map(({ status }) => status)

test('a request is for a season that is open, from a station and a route of its kind, once', async () => {
  const [season, closed] = [await aSeason(), await aSeason({ opens: -5, closes: -1 })]
  await expect(imran.submit(FLOW, aRequest(closed, 'GPH'))).rejects.toThrow('platform.closed')
  await expect(imran.submit(FLOW, aRequest(season, 'NUG'))).rejects.toThrow('/station')
  const elsewhere = routeFrom(stations.find(({ data }) => data['code'] === 'PND')!).id
  await expect(imran.submit(FLOW, aRequest(season, 'GPH', { route: elsewhere }))).rejects.toThrow('/route')
  await expect(imran.submit(FLOW, aRequest(season, 'GPH', { declaration: false }))).rejects.toThrow('/declaration')

  const both = await Promise.allSettled(['GPH', 'RGM'].map((code) => imran.submit(FLOW, aRequest(season, code))))
  const [first] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(refused).toEqual([expect.stringContaining('platform.once-only')])
  await imran.withdraws(first!)
  await expectEnded(first!)
  const second = await imran.submit(FLOW, aRequest(season, 'RGM'))
  await imran.withdraws(second)
})

test('many are checked, approved, printed and issued at once, and the station gets its list', async () => {
  const season = await aSeason()
  const cases = [await imran.submit(FLOW, aRequest(season, 'VGD')), await arun.submit(FLOW, aRequest(season, 'VGD'))]
  const many = async (who: Person, desk: string, outcome: string, data: object = {}) => {
    const tasks = await Promise.all(cases.map(async (one) => (await who.task(one, desk)).id))
    await who.ok('POST', '/api/bulk', { kind: 'complete', tasks, outcome, data })
  }
  const reach = (status: string) => Promise.all(cases.map((one) => expectCase(one).toBe(status)))
  const inbox = (transport: string) =>
    ma.get(`/api/tasks?flow=${FLOW}&desk=${desks.check}&filter.transport=${transport}&filter.season=${season.id}`)
  await Promise.all(cases.map((one) => ma.task(one, desks.check)))
  expect((await inbox('train')).items).toHaveLength(2)
  expect((await inbox('bus')).items).toHaveLength(0)

  await many(ma, desks.check, 'checked')
  await reach('checked')
  await many(ar, desks.approve, 'approve')
  await reach('approved')
  const { id: station } = stations.find(({ data }) => data['code'] === 'VGD')!
  const list = `/api/reports/season-tickets/warrant-list?filter.station=${station}&filter.season=${season.id}`
  const { rows } = await ma.get(`${list}&filter.state=approved`)
  expect(rows).toMatchObject([{ km: 35 }, { km: 35 }])
  const paper = await ma.bytes(list.replace('warrant-list?', 'warrant-list/statement?'))
  expect(paper.subarray(0, 5).toString()).toBe('%PDF-')

  await many(assistant, desks.print, 'printed')
  await reach('printed')
  await many(assistant, desks.issue, 'issued', { identity: 'student-card' })
  await reach('issued')
  await Promise.all(cases.map((one) => expectEnded(one)))
  expect(await ticketsOf(imran, season)).toEqual(['Issued'])
  const of = (transport: string) =>
    ma.get(`/api/cases?flow=${FLOW}&status=issued&filter.transport=${transport}&limit=100`)
  expect((await of('train')).items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([cases[0]!.id]))
  expect((await of('bus')).items.map(({ id }: { id: string }) => id)).not.toContain(cases[0]!.id)
  const overview = await ar.get('/api/reports/season-tickets/overview?filter.transport=train')
  expect(overview.rows.find((row: { season: string }) => row.season === season.title)).toMatchObject({
    issued: 2,
    new: 0,
  })
})

test('bus tickets are asked for from a depot, rejected and approved in bulk, and come onto the list of their depot alone', async () => {
  const season = await aSeason({ transport: 'bus' })
  await expect(imran.submit(FLOW, aRequest(season, 'VGD', { transport: 'bus' }))).rejects.toThrow('/station')
  await expect(imran.submit(FLOW, aRequest(season, 'NUG'))).rejects.toThrow('/season')
  const asks = (who: Person) => who.submit(FLOW, aRequest(season, 'NUG', { transport: 'bus' }))
  const many = async (who: Person, of: Case[], desk: string, outcome: string, data: object = {}) => {
    const tasks = await Promise.all(of.map(async (one) => (await who.task(one, desk)).id))
    await who.ok('POST', '/api/bulk', { kind: 'complete', tasks, outcome, data })
  }
  const rejected = [await asks(imran), await asks(arun)]
  await many(ma, rejected, desks.check, 'reject', { reason: 'The depot is too near' })
  for (const one of rejected) await expectCase(one).toBe('rejected')
  await expectMail(arun).about('season-tickets.mail.rejected', rejected[1]!)
  const of = (transport: string) =>
    ma.get(`/api/cases?flow=${FLOW}&status=rejected&filter.transport=${transport}&limit=100`)
  const ids = async (transport: string) => (await of(transport)).items.map(({ id }: Case) => id)
  expect(await ids('bus')).toEqual(expect.arrayContaining(rejected.map(({ id }) => id)))
  expect(await ids('train')).not.toContain(rejected[0]!.id)

  const cases = [await asks(imran), await asks(arun)]
  await many(ma, cases, desks.check, 'checked')
  await many(ar, cases, desks.approve, 'approve')
  for (const one of cases) await expectCase(one).toBe('approved')
  const listed = async (code: string) => {
    const { id } = stations.find(({ data }) => data['code'] === code)!
    const list = `/api/reports/season-tickets/warrant-list`
    const which = `filter.station=${id}&filter.season=${season.id}&filter.state=approved`
    const paper = await ma.bytes(`${list}/statement?${which}`)
    return [(await ma.get(`${list}?${which}`)).rows.length, paper.subarray(0, 5).toString()]
  }
  expect(await listed('NUG')).toEqual([2, '%PDF-'])
  expect((await listed('MHG'))[0]).toBe(0)
  await many(assistant, cases, desks.print, 'printed')
  await many(assistant, cases, desks.issue, 'issued', { identity: 'student-card' })
  for (const one of cases) await expectEnded(one)
  const [ticket] = (await imran.get(`${TICKETS}?filter.season=${season.id}`)).items
  expect(ticket).toMatchObject({ status: 'Issued', data: { transport: 'bus' } })
  // The printed warrant is a paper with a code that everybody can verify.
  const warrant = await ma.bytes(`/api/registers/season-tickets/ticket/items/${ticket.id}/paper.pdf`)
  expect(warrant.subarray(0, 5).toString()).toBe('%PDF-')
})

test('a rejected student asks again; a returned request is corrected and checked again', async () => {
  const season = await aSeason()
  const first = await imran.submit(FLOW, aRequest(season, 'GPH'))
  await ma.decides(first, 'reject', { reason: 'You live in the hostel.' }, desks.check)
  await expectCase(first).toBe('rejected')
  await expectMail(imran).about('season-tickets.mail.rejected', first)
  await expectEnded(first)

  const second = await imran.submit(FLOW, aRequest(season, 'GPH'))
  await ma.decides(second, 'checked', {}, desks.check)
  await ar.decides(second, 'approve', {}, desks.approve)
  await ma.decides(second, 'return', { reason: 'The station is closed.' }, desks.print)
  const correction = await imran.task(second, desks.correct)
  await imran.ok('POST', `/api/tasks/${correction.id}/complete`, { data: aRequest(season, 'RGM') })
  await expectCase(second).toBe('new')
  expect(await ticketsOf(ma, season)).toEqual(['Cancelled'])
  await clock.passes('P100D', second)
  await expectEnded(second)
  await expectMail(imran).about('season-tickets.mail.season-over', second)
})

/** A ticket that was asked for and issued. */
async function aTicket(who: Person, season: Entry): Promise<Entry> {
  const request = await who.submit(FLOW, aRequest(season, 'PND'))
  await ma.decides(request, 'checked', {}, desks.check)
  await ar.decides(request, 'approve', {}, desks.approve)
  await ma.decides(request, 'printed', {}, desks.print)
  await ma.decides(request, 'issued', { identity: 'nic' }, desks.issue)
  await expectEnded(request)
  return (await who.get(`${TICKETS}?filter.season=${season.id}`)).items[0]
}

const aReport = ({ id }: Entry) => ({
  ...{ ticket: id, cause: 'lost', details: 'On the train.', proof: 'declaration', declaration: true },
})

test('a lost ticket is replaced when the new one is issued; a stolen one needs the police', async () => {
  const season = await aSeason()
  const report = aReport(await aTicket(arun, season))
  await expect(arun.submit(LOST, { ...report, cause: 'stolen' })).rejects.toThrow('/proof')
  await expect(imran.submit(LOST, report)).rejects.toThrow('platform.requester-not-meant')

  const lost = await arun.submit(LOST, report)
  await expect(arun.submit(LOST, report)).rejects.toThrow('/ticket')
  await ar.decides(lost, 'approve', {}, lostDesks.approve)
  await ma.decides(lost, 'printed', {}, lostDesks.print)
  expect((await ticketsOf(arun, season)).toSorted()).toEqual(['In Preparation', 'Issued'])
  await ma.decides(lost, 'issued', { identity: 'student-card' }, lostDesks.issue)
  await expectCase(lost).toBe('issued')
  await expectEnded(lost)
  expect((await ticketsOf(arun, season)).toSorted()).toEqual(['Issued', 'Replaced'])
})

test('days of a season that wait for approval come onto no ticket; a cancelled ticket never becomes valid again', async () => {
  const season = await aSeason()
  const request = await imran.submit(FLOW, aRequest(season, 'PND'))
  await ma.decides(request, 'checked', {}, desks.check)
  const at = `${REGISTERS}/season/items/${season.id}`
  const { data, version } = await ma.get(at)
  const longer = await ma.ok<Entry>('PUT', at, { data: { ...data, until: day(200) } }, { 'if-match': `"${version}"` })
  expect(longer).toMatchObject({ status: 'Awaiting Approval', data: { until: day(200) } })
  await ar.decides(request, 'approve', {}, desks.approve)
  await ma.decides(request, 'printed', {}, desks.print)
  await ma.decides(request, 'issued', { identity: 'nic' }, desks.issue)
  await expectEnded(request)
  const ticket: Entry = (await imran.get(`${TICKETS}?filter.season=${season.id}`)).items[0]
  expect(ticket).toMatchObject({ status: 'Issued', data: { until: day(90), season_name: season.title } })

  await ar.ok('POST', `${TICKETS}/${ticket.id}/status`, { status: 'Cancelled' })
  expect((await ar.send('POST', `${TICKETS}/${ticket.id}/status`, { status: 'Issued' })).status).toBe(409)
  await expect(asOwner(`update app.register_item set status = 'Issued' where id = $1`, [ticket.id])).rejects.toThrow(
    'closed for good',
  )
  await expect(imran.submit(LOST, aReport(ticket))).rejects.toThrow('/ticket')
  await ar.ok('POST', `${at}/status`, { status: 'Active' })
  await expect(imran.submit(FLOW, aRequest(season, 'PND'))).rejects.toThrow('platform.once-only')
})

test('a lost ticket that was cancelled meanwhile is not replaced: the desk is told and withholds the new one', async () => {
  const season = await aSeason()
  const ticket = await aTicket(imran, season)
  const cancel = { status: 'Cancelled' }
  expect((await ma.send('POST', `${TICKETS}/${ticket.id}/status`, cancel)).status).toBe(403)
  const lost = await imran.submit(LOST, aReport(ticket))
  await ar.decides(lost, 'approve', {}, lostDesks.approve)
  await ma.decides(lost, 'printed', {}, lostDesks.print)
  await ar.ok('POST', `${TICKETS}/${ticket.id}/status`, cancel)
  await ma.decides(lost, 'issued', { identity: 'nic' }, lostDesks.issue)
  await expectMail(ma).about('season-tickets.mail.not-issuable', lost)
  await ma.decides(lost, 'reject', { reason: 'Somebody else has used the ticket.' }, lostDesks.issue)
  await expectCase(lost).toBe('rejected')
  await expectEnded(lost)
  expect(await ticketsOf(imran, season)).toEqual(['Cancelled', 'Cancelled'])
})
