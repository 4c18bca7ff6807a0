import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { tellWaiting } from '../../api/platform/work/registers/waiting.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'

const REASONS = '/api/registers/id-cards/reason/items'
const DAY_MS = 86_400_000

const library = loadLibrary(join(import.meta.dirname, '../..'))
let database: TestDatabase
let own: TestApp
let [writer, certifier, elsewhere]: Caller[] = []

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  writer = await own.person('writer', { role: 'SSW AR' })
  certifier = await own.person('certifier', { role: 'SSW MA' })
  elsewhere = await own.person('elsewhere', { role: 'Finance MA' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const waitFor = async (who: Caller) => (await who.send('GET', '/api/waiting-entries')).json().items
const told = (now: Date) =>
  database.db
    .transaction()
    .execute((trx) => tellWaiting(trx, { library, mail: mail(trx, { library, publicUrl: 'http://prakriya' }), now }))

test('entries that wait for a second person are told once to those who may certify them, and to nobody else', async () => {
  const made = await writer!.send('POST', REASONS, { data: { name: 'Burnt', fee: 50_000, bank_account: 'Bank 1' } })
  expect(made.json()).toMatchObject({ status: 'Awaiting Approval' })
  expect(await waitFor(elsewhere!)).toEqual([])
  expect(await waitFor(writer!)).toEqual([])
  expect(await waitFor(certifier!)).toMatchObject([
    { register: 'id-cards/reason', status: 'Awaiting Approval', count: { value: 1, more: false } },
  ])

  // The mail comes the morning after, once, however often the schedule runs.
  expect(await told(new Date())).toBe(0)
  const tomorrow = new Date(Date.now() + DAY_MS)
  expect(await told(tomorrow)).toBe(1)
  expect(await told(tomorrow)).toBe(0)
  expect(await told(new Date(Date.now() + 2 * DAY_MS))).toBe(0)
  const mails = await database.db.selectFrom('mail').select(['recipient_id', 'subject', 'body']).execute()
  expect(mails).toMatchObject([{ recipient_id: certifier!.id, subject: expect.stringContaining('1 waiting') }])
  expect(mails[0]?.body).toContain('/registers/id-cards/reason?status=Awaiting%20Approval')

  const { id, version } = made.json()
  const match = { 'if-match': `"${version}"` }
  await certifier!.send('POST', `${REASONS}/${id}/status`, { status: 'Active' }, match)
  expect(await waitFor(certifier!)).toEqual([])
})
