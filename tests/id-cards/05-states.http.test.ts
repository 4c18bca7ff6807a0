import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { findCurrentCard, withoutFirstCard } from '../../api/id-cards/cards.ts'
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
async function verified(card: string) {
  await database.pool.query('insert into app.item_code (item_id, code) values ($1, $2) on conflict do nothing', [
    card,
    CODE,
  ])
  const { state, holder } = (await own.send('GET', `/api/public/documents/${CODE}`)).json()
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
  expect([...(await left()).values()]).toEqual(['id-cards.has-card'])
  for (const status of ['Active', 'Cancelled']) {
    const set = await affairs.send('POST', `${CARDS}/${prepared.id}/status`, { status }, { 'if-match': '"1"' })
    expect(set.json().code).toBe('platform.status-of-case')
  }
  expect(await states()).toEqual(['Active', 'In Preparation'])
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
