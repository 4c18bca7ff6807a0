import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { cardOfEntry } from '../../api/platform/records/documents/entry-paper.ts'
import { lookUp } from '../../api/platform/model/definitions/named.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'
import { earlierCard, findCurrentCard, withoutFirstCard } from '../../api/id-cards/cards.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const CARDS = '/api/registers/id-cards/card/items'

let database: TestDatabase
let own: TestApp
let affairs: Caller
let student: string
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  affairs = await own.person('affairs', { role: 'SSW MA' })
  const { db } = database
  const [faculty, intake] = [await anItem(db, 'platform/faculty'), await anItem(db, 'intakes/intake')]
  const programme = await anItem(db, 'setup/degree-program', { data: { faculty } })
  const data = {
    ...{ reg_no: 'FOM/2026/0042', full_name: 'Piumi Perera', nic: '200680123456', email: 'piumi@students.example' },
    ...{ faculty, intake, programme },
  }
  student = (await within((on) => on.create('platform/student', data, null, { status: 'active' }))).id
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const within = <T>(act: (on: ReturnType<typeof registers>) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((trx) => act(registers(trx, library)))
const becomes = (status: string) =>
  within(async (on) => on.setStatus(await on.lock('platform/student', student), status, null))
const aCard = (number: string, status: string) => {
  const data: JsonObject = {
    ...{ number, student, reg_no: 'FOM/2026/0042', name: 'P. Perera' },
    ...{ issued_on: '2026-01-02', valid_until: '2030-01-02' },
  }
  return within((on) => on.create('id-cards/card', data, null, { status }))
}
const CODE = '0123456789abcdef0123456789abcdef'
/** What everybody learns of a card by the code that is printed on it. */
async function verified(card: string, code = CODE) {
  await database.pool.query('insert into app.item_code (item_id, code) values ($1, $2) on conflict do nothing', [
    card,
    code,
  ])
  const { state, holder } = (await own.send('GET', `/api/public/documents/${code}`)).json()
  return [state, holder]
}

test('the code of a card says whether it is valid, and that a new one has replaced it', async () => {
  const { id } = await aCard('SC-T-9', 'In Preparation')
  const sets = (change: JsonObject, status: string) =>
    within(async (on) => on.setStatus(await on.change(await on.lock('id-cards/card', id), change, null), status, null))
  expect(await verified(id)).toEqual(['not-yet', 'P. Perera'])
  await sets({}, 'Active')
  expect((await verified(id))[0]).toBe('valid')
  await sets({ valid_until: '2026-01-03' }, 'Active')
  expect((await verified(id))[0]).toBe('expired')
  await sets({}, 'Replaced')
  expect((await verified(id))[0]).toBe('replaced')
})

test('a card prints the programme, and for a student without one what was written before', async () => {
  const [programme, other] = [await entryOf('setup/degree-program', {}), { programme_before: 'BA in Music' }]
  const definition = library.documents.get('id-cards/student-card')!
  /** The programme on the card of a student with these particulars. */
  const printed = async (data: object) => {
    const { item } = await entryOf('id-cards/card', {
      number: 'SC-T-5',
      student: (await entryOf('platform/student', data)).id,
    })
    const card = await database.db.transaction().execute((trx) => {
      const valueAt = (pointer: string) => lookUp(pointer, item.data, (id) => findAnyItem(trx, id))
      const of = { item, definition, valueAt, picture: null, isVoid: false }
      return cardOfEntry(trx, of, { library, publicUrl: 'http://localhost' })
    })
    const { rows } = card as { rows: { label: string; value: string }[] }
    return rows.find(({ label }) => label === library.text('id-cards.card.programme'))?.value
  }
  expect(await printed({ programme: programme.id, ...other })).toBe(programme.item.title)
  expect(await printed(other)).toBe('BA in Music')
  expect(await printed({})).toBeUndefined()
})

/** An entry that was there before the rules of its register. */
async function entryOf(register: string, data: object) {
  const id = await anItem(database.db, register, { data })
  return { id, item: await within((on) => on.item(register, id)) }
}

test('a card that the office cancelled is replaced once one that stands for it was handed over', async () => {
  const { id } = await aCard('SC-T-7', 'Active')
  await within(async (on) => on.setStatus(await on.lock('id-cards/card', id), 'Cancelled', null))
  const earlier = await database.db.transaction().execute((trx) => earlierCard(trx, student))
  expect(earlier).toMatchObject({ id, number: 'SC-T-7', data: { valid_until: '2030-01-02' } })
  const next = await aCard('SC-T-8', 'In Preparation')
  const sets = (change: JsonObject, status: string) =>
    within(async (on) =>
      on.setStatus(await on.change(await on.lock('id-cards/card', next.id), change, null), status, null),
    )
  await sets({ replaces: 'SC-T-7' }, 'In Preparation')
  const code = CODE.replaceAll('0', 'f')
  expect((await verified(id, code))[0]).toBe('withdrawn')
  // Handed over to a student who is not active any more.
  await sets({}, 'Not In Use')
  expect((await verified(id, code))[0]).toBe('replaced')
  await sets({}, 'Cancelled')
})

const statusOf = async (id: string) => (await within((on) => on.item('id-cards/card', id))).status

test('a card is not in use while its student is not active; one in preparation stays so, and nobody sets it by hand', async () => {
  const [valid, prepared] = [await aCard('SC-T-1', 'Active'), await aCard('SC-T-2', 'In Preparation')]
  const states = async () => [await statusOf(valid.id), await statusOf(prepared.id)]
  const left = () => database.db.transaction().execute((trx) => withoutFirstCard(trx, [student]))
  for (const status of ['suspended', 'deactivated', 'unregistered']) {
    await becomes(status)
    expect(await states()).toEqual(['Not In Use', 'In Preparation'])
    // It is still the card that a new one replaces.
    expect(await database.db.transaction().execute((trx) => findCurrentCard(trx, student))).toBe(valid.id)
    expect([...(await left()).values()]).toEqual(['id-cards.not-active'])
    const { version } = await within((on) => on.item('id-cards/card', valid.id))
    const body = { status: 'Active' }
    const set = await affairs.send('POST', `${CARDS}/${valid.id}/status`, body, { 'if-match': `"${version}"` })
    expect(set.json().code).toBe('platform.status-of-case')
    await becomes('active')
    expect(await states()).toEqual(['Active', 'In Preparation'])
  }
  // What is in use despite the student's status stays so when something else of the student changes.
  await becomes('suspended')
  await within(async (on) => on.setStatus(await on.lock('id-cards/card', valid.id), 'Active', null))
  await within(async (on) =>
    on.change(await on.lock('platform/student', student), { name_with_initials: 'P. Perera' }, null),
  )
  expect(await statusOf(valid.id)).toBe('Active')
  await becomes('active')
  expect([...(await left()).values()]).toEqual(['id-cards.has-card'])
  for (const status of ['Active', 'Cancelled']) {
    const set = await affairs.send('POST', `${CARDS}/${prepared.id}/status`, { status }, { 'if-match': '"1"' })
    expect(set.json().code).toBe('platform.status-of-case')
  }
  expect(await states()).toEqual(['Active', 'In Preparation'])
})

test('a season ticket is not in use while its student is not active, as a card', async () => {
  const { db } = database
  const named = {
    season: await anItem(db, 'season-tickets/season'),
    station: await anItem(db, 'season-tickets/station'),
  }
  const ticket = await within(async (on) =>
    on.create(
      'season-tickets/ticket',
      {
        ...{ number: 'SW-T-1', student, reg_no: 'FOM/2026/0042', name: 'P. Perera', transport: 'train', km: 12 },
        ...{ ...named, route: await anItem(db, 'season-tickets/route'), season_name: 'May', station_name: 'Ragama' },
        ...{ from: '2026-01-01', until: '2036-01-01' },
      },
      null,
    ),
  )
  const code = CODE.replaceAll('0', 'e')
  const state = async () => (await verified(ticket.id, code))[0]
  expect(await state()).toBe('valid')
  for (const status of ['suspended', 'deactivated']) {
    await becomes(status)
    expect(await state()).toBe('withdrawn')
    await becomes('active')
    expect(await state()).toBe('valid')
  }
  // It is owed all the same: the office cancels it once it is back, and sets nothing else.
  await becomes('suspended')
  const office = await own.person('tickets', { role: 'SSW AR' })
  const owed = async () =>
    (await office.send('GET', `/api/registers/platform/student/items/${student}/owed`)).json().items
  expect(await owed()).toMatchObject([{ id: ticket.id }])
  const sets = (status: string) =>
    office.send('POST', `/api/registers/season-tickets/ticket/items/${ticket.id}/status`, { status })
  for (const status of ['Issued', 'Replaced', 'In Preparation'])
    expect([status, (await sets(status)).json().code]).toEqual([status, 'platform.status-of-case'])
  expect((await sets('Cancelled')).json().status).toBe('Cancelled')
  expect(await owed()).toEqual([])
  await becomes('active')
  expect(await state()).toBe('withdrawn')
})

test('a card that an office enters is valid once a second person has approved it, and again after a change', async () => {
  const { data: like } = await within((on) => on.lock('platform/student', student))
  const unlike = { reg_no: 'FOM/2026/0043', nic: '200680123457', email: 'other@students.example' }
  const other = await within((on) => on.create('platform/student', { ...like, ...unlike }, null, { status: 'active' }))
  const second = await own.person('second', { role: 'SSW AR' })
  const data = {
    number: 'SC-T-20',
    student: other.id,
    reg_no: 'FOM/2026/0043',
    name: 'O. Perera',
    issued_on: '2026-01-02',
  }
  const body = { data: { ...data, valid_until: '2036-01-02' } }
  const { id, status } = (await affairs.send('POST', CARDS, body)).json()
  expect(status).toBe('Awaiting Approval')
  const code = CODE.replaceAll('0', 'd')
  expect((await verified(id, code))[0]).toBe('withdrawn')
  const approves = (who: Caller, version: number) =>
    who.send('POST', `${CARDS}/${id}/status`, { status: 'Active' }, { 'if-match': `"${version}"` })
  expect((await approves(affairs, 1)).json().code).toBe('platform.certified-by-changer')
  expect((await approves(second, 1)).json().status).toBe('Active')
  expect((await verified(id, code))[0]).toBe('valid')
  const longer = { data: { ...data, valid_until: '2046-01-02' } }
  const put = await affairs.send('PUT', `${CARDS}/${id}`, longer, { 'if-match': '"2"' })
  expect(put.json().status).toBe('Awaiting Approval')
  // It is not approved while the student is suspended, and what is not in use then is not changed.
  const sets = (to: string) => within(async (on) => on.setStatus(await on.lock('platform/student', other.id), to, null))
  await sets('suspended')
  expect((await approves(second, 3)).json().code).toBe('platform.followed-elsewhere')
  await sets('active')
  expect((await approves(second, 3)).json().status).toBe('Active')
  await sets('suspended')
  const { version } = (await affairs.send('GET', `${CARDS}/${id}`)).json()
  const changed = await affairs.send('PUT', `${CARDS}/${id}`, body, { 'if-match': `"${version}"` })
  expect(changed.json().code).toBe('platform.status-of-case')
})

test('the fee for a card, and the account into which it is paid, count once a second person has approved them', async () => {
  const REASONS = '/api/registers/id-cards/reason/items'
  const head = await own.person('head', { role: 'SSW AR' })
  const data = { name: 'Burnt', fee: 50_000, bank_account: 'Account one' }
  const { id, status } = (await affairs.send('POST', REASONS, { data })).json()
  expect(status).toBe('Awaiting Approval')
  const approves = (who: Caller, version: number) =>
    who.send('POST', `${REASONS}/${id}/status`, { status: 'Active' }, { 'if-match': `"${version}"` })
  expect((await approves(affairs, 1)).json().code).toBe('platform.certified-by-changer')
  expect((await approves(head, 1)).json().status).toBe('Active')
  const put = (more: object, version: number) =>
    affairs.send('PUT', `${REASONS}/${id}`, { data: { ...data, ...more } }, { 'if-match': `"${version}"` })
  expect((await put({ note: 'Bring what is left' }, 2)).json().status).toBe('Active')
  expect((await put({ bank_account: 'Account two' }, 3)).json().status).toBe('Awaiting Approval')
})
