import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import ical, { type VEvent } from 'node-ical'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { join } from 'node:path'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anItem } from './kit/rows.ts'

// The output is read by an independent parser.

const flow = 'resource-reservation/resource-booking'
const day = (ahead: number) =>
  new Date(Date.now() + ahead * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Asia/Colombo' })
const at = (ahead: number, time: string) => `${day(ahead)}T${time}:00+05:30`
/** Long enough to be folded, in characters of three bytes each. */
const SINHALA = 'රාග සන්ධ්‍යාව; නර්තන හා නාට්‍ය පීඨයේ වාර්ෂික ප්‍රසංගය, පළමු දිනය සහ දෙවන දිනය'
const TAMIL = 'பரதநாட்டிய அரங்கேற்றம், இசை மற்றும் நடனப் பீடத்தின் ஆண்டு விழா: முதல் நாள்'

let database: TestDatabase
let own: TestApp
let hall: string
let nuwan: Caller, selvi: Caller
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  hall = await anItem(database.db, 'resource-reservation/resource', {
    data: { name: 'Main Theatre', location: 'Ground floor', internal_use: true, contact_no: '0771234567' },
  })
  nuwan = await own.person('nuwan', { role: 'Undergraduate Student' })
  selvi = await own.person('selvi', { role: 'Undergraduate Student' })
  // Without an administrator, no account can be closed.
  await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own?.close()
  await database?.drop()
})

interface Slot {
  item?: string
  state?: 'claimed' | 'final' | 'released'
  from: string
  until: string
  /** Hours kept free around it. */
  around?: number
}

/** A person's case with a slot. */
async function aBooking(who: Caller, event: string, slot: Slot): Promise<string> {
  const { item = hall, state = 'claimed', from, until, around = 0 } = slot
  const caseId = await aCase(database.db, who.id, { flow, subject: { event, poc_nic: '199912345678' } })
  await database.db
    .insertInto('allocation')
    .values({
      id: randomUUID(),
      item_id: item,
      case_id: caseId,
      holder_id: who.id,
      state,
      booked: sql<string>`tstzrange(${from}::timestamptz, ${until}::timestamptz)`,
      during: sql<string>`tstzrange(${from}::timestamptz - make_interval(hours => ${around}),
        ${until}::timestamptz + make_interval(hours => ${around}))`,
    })
    .execute()
  return caseId
}

async function change(caseId: string, to: object): Promise<void> {
  await database.db
    .updateTable('allocation')
    .set({ ...to, changed_at: sql`clock_timestamp() + interval '1 minute'` })
    .where('case_id', '=', caseId)
    .execute()
}

/** The path of a new calendar address. */
async function subscribe(who: Caller, item: string | null): Promise<string> {
  const answer = await who.send('POST', '/api/me/calendar-feeds', { item })
  expect(answer.statusCode).toBe(201)
  return new URL(answer.json().address).pathname
}

/** The events that a calendar program finds, by title. */
async function read(path: string): Promise<Map<string, VEvent>> {
  const answer = await own.send('GET', path)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  return entriesOf(answer.body)
}

function entriesOf(text: string): Map<string, VEvent> {
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const events = Object.values(ical.sync.parseICS(text)).filter((one): one is VEvent => one?.type === 'VEVENT')
  return new Map(events.map((event) => [String(event.summary), event]))
}

test('a personal calendar shows that person’s bookings as requested, and nobody else’s', async () => {
  await aBooking(nuwan, SINHALA, { state: 'final', from: at(10, '18:00'), until: at(10, '22:00'), around: 2 })
  await aBooking(nuwan, TAMIL, { from: at(12, '00:00'), until: at(15, '00:00') })
  await aBooking(selvi, 'Somebody else’s rehearsal', { from: at(20, '09:00'), until: at(20, '10:00') })
  const path = await subscribe(nuwan, null)
  const entries = await read(path)
  expect([...entries.keys()].toSorted()).toEqual([SINHALA, TAMIL].toSorted())

  const evening = entries.get(SINHALA)!
  expect([evening.start, evening.end].map((moment) => new Date(moment!).toISOString())).toEqual(
    [at(10, '18:00'), at(10, '22:00')].map((moment) => new Date(moment).toISOString()),
  )
  expect(evening).toMatchObject({ status: 'CONFIRMED', class: 'PRIVATE', location: `${hall}, Ground floor` })
  expect(evening.description).toMatch(/^Reference: .+\nStatus: .+\nhttp:\/\/localhost:4400\/cases\/.+/)

  // Three whole days are days, not hours; the end day is exclusive.
  const days = entries.get(TAMIL)!
  expect([days.datetype, days.status]).toEqual(['date', 'TENTATIVE'])
  expect((await own.send('GET', path)).body).toContain(`DTSTART;VALUE=DATE:${day(12).replaceAll('-', '')}\r\n`)
  expect((await own.send('GET', path)).body).toContain(`DTEND;VALUE=DATE:${day(15).replaceAll('-', '')}\r\n`)
  expect((await own.send('GET', path)).body).not.toMatch(/199912345678|0771234567/)
})

test('a booking that moves or is cancelled stays the same entry, with a later version', async () => {
  const caseId = await aBooking(nuwan, 'Dress rehearsal', { from: at(30, '09:00'), until: at(30, '12:00') })
  const path = await subscribe(nuwan, null)
  const before = (await read(path)).get('Dress rehearsal')!
  await change(caseId, {
    state: 'final',
    booked: sql`tstzrange(lower(booked) + interval '1 day', upper(booked) + interval '1 day')`,
    during: sql`tstzrange(lower(during) + interval '1 day', upper(during) + interval '1 day')`,
  })
  const moved = (await read(path)).get('Dress rehearsal')!
  expect([moved.uid, moved.status]).toEqual([before.uid, 'CONFIRMED'])
  expect(Number(moved.sequence)).toBeGreaterThan(Number(before.sequence))
  expect(new Date(moved.start).toISOString()).toBe(new Date(at(31, '09:00')).toISOString())
  await change(caseId, { state: 'released' })
  const gone = (await read(path)).get('Dress rehearsal')!
  expect([gone.uid, gone.status]).toEqual([before.uid, 'CANCELLED'])
})

test('the calendar of a resource names confirmed events, marks others reserved, and drops cancelled ones', async () => {
  const gallery = await anItem(database.db, 'resource-reservation/resource', { data: { internal_use: true } })
  const on = (ahead: number) => ({ item: gallery, from: at(ahead, '09:00'), until: at(ahead, '10:00') })
  await aBooking(nuwan, 'Recital', { ...on(40), state: 'final' })
  await aBooking(nuwan, 'Secret meeting', on(41))
  await aBooking(nuwan, 'Given up', { ...on(42), state: 'released' })
  const path = await subscribe(selvi, gallery)
  const { body, headers } = await own.send('GET', path)
  const entries = entriesOf(body)
  expect([...entries.keys()].toSorted()).toEqual(['Recital', 'Reserved'])
  expect(body).not.toMatch(/Secret|RB-|cases\//)

  const again = await own.send('GET', path, undefined, { 'if-none-match': String(headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  await aBooking(nuwan, 'One more', on(43))
  expect((await own.send('GET', path, undefined, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(200)

  const coming = await own.send('GET', '/api/public/registers/resource-reservation/resource/coming')
  expect(coming.json().items.map(({ title }: { title: string }) => title)).toEqual([SINHALA, 'Recital'])
})

test('an address ends when it is renewed or revoked, when its account is deactivated, and when its item is hidden', async () => {
  const first = await subscribe(nuwan, hall)
  const second = await subscribe(nuwan, hall)
  const status = async (path: string) => (await own.send('GET', path)).statusCode
  expect([await status(first), await status(second)]).toEqual([404, 200])
  const { items } = (await nuwan.send('GET', '/api/me/calendar-feeds')).json()
  const { id } = items.find(({ item }: { item: { id: string } | null }) => item?.id === hall)
  expect(JSON.stringify(items)).not.toContain(second.slice('/api/public/calendar/'.length, -'.ics'.length))
  expect((await selvi.send('DELETE', `/api/me/calendar-feeds/${id}`)).statusCode).toBe(404)
  expect((await nuwan.send('DELETE', `/api/me/calendar-feeds/${id}`)).statusCode).toBe(204)
  expect(await status(second)).toBe(404)

  const [mine, ofHall] = [await subscribe(selvi, null), await subscribe(selvi, hall)]
  await database.db.updateTable('register_item').set({ status: 'Inactive' }).where('id', '=', hall).execute()
  expect([await status(mine), await status(ofHall)]).toEqual([200, 404])
  const refused = await nuwan.send('POST', '/api/me/calendar-feeds', { item: hall })
  expect([refused.statusCode, refused.json().errors[0].field]).toEqual([422, '/item'])
  await database.db.updateTable('register_item').set({ status: 'Active' }).where('id', '=', hall).execute()
  await database.db.updateTable('account').set({ active: false }).where('id', '=', selvi.id).execute()
  expect([await status(mine), await status(ofHall)]).toEqual([404, 404])
  await database.db.updateTable('account').set({ active: true }).where('id', '=', selvi.id).execute()
  expect(await status('/api/public/calendar/guessed.ics')).toBe(404)
})

test('an email about a booking contains a calendar entry, and its cancellation', async () => {
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const caseId = await aBooking(nuwan, TAMIL, {
    state: 'final',
    from: at(50, '09:00'),
    until: at(50, '12:00'),
    around: 1,
  })
  const brought = async () => {
    const { mails } = await database.db.transaction().execute((trx) =>
      mail(trx, { library, publicUrl: 'http://localhost:4400' }).send({
        to: `user:${nuwan.id}`,
        template: 'resource-reservation.mail.confirmed',
        caseId,
        calendar: true,
      }),
    )
    const { attachments } = (await nuwan.send('GET', `/api/mailbox/${mails[0]}`)).json()
    const [{ name, type, content }] = attachments as [{ name: string; type: string; content: string }]
    return { name, type, content, entry: [...entriesOf(content).values()][0]! }
  }
  const noted = await brought()
  expect([noted.name, noted.type]).toEqual(['calendar.ics', 'text/calendar; charset=utf-8; method=PUBLISH'])
  expect(noted.content).toContain('METHOD:PUBLISH\r\n')
  expect(noted.entry).toMatchObject({ summary: TAMIL, status: 'CONFIRMED' })
  expect(new Date(noted.entry.start).toISOString()).toBe(new Date(at(50, '09:00')).toISOString())
  await change(caseId, { state: 'released' })
  const crossedOut = await brought()
  expect(crossedOut.content).toContain('METHOD:CANCEL\r\n')
  expect(crossedOut.entry).toMatchObject({ uid: noted.entry.uid, status: 'CANCELLED' })
  expect(Number(crossedOut.entry.sequence)).toBeGreaterThan(Number(noted.entry.sequence))
  expect(crossedOut.content.replaceAll('\r\n ', '')).toMatch(/ATTENDEE.*nuwan@example\.lk/)
})
