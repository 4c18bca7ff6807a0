import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
Object.assign(library.texts.en, {
  'fixture.news-subject': 'News of {{reference}}',
  'fixture.news-body': '{{name}}: {{link}} {{when}}',
  'fixture.english-subject': 'English only',
  'fixture.english-body': 'Since {{when}}',
})
Object.assign(library.texts.ta, { 'fixture.news-subject': '{{reference}} செய்தி', 'fixture.news-body': '{{when}}' })

let database: TestDatabase
let own: TestApp
let kamala: Caller
let sunil: Caller
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  kamala = await own.person('kamala')
  sunil = await own.person('sunil')
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const one = (more: object = {}) => ({
  notification: { heading: 'Reminder', title: 'Bring the drum', path: '/dashboard', ...more },
})
const list = async (of: Caller) => (await of.send('GET', '/api/notification')).json()
const mailsOf = async (of: Caller) =>
  (await database.db.selectFrom('mail').selectAll().where('recipient_id', '=', of.id).orderBy('id').execute()).map(
    ({ subject, body }) => `${subject} | ${body}`,
  )
const send = (to: Caller[], template: string, caseId?: string) =>
  database.db.transaction().execute((trx) =>
    mail(trx, { library, publicUrl: 'https://prakriya.example.lk' }).send({
      to: to.map(({ id }) => id),
      template,
      values: { when: '2027-01-14T09:00:00+05:30' },
      ...(caseId ? { caseId } : {}),
    }),
  )

test('reading and deleting notifications needs a sign-in, and covers only one’s own', async () => {
  for (const path of ['add', 'delete', 'delete-all', 'seen'])
    expect((await own.send('POST', `/api/notification/${path}`, one())).statusCode).toBe(401)
  expect((await own.send('GET', '/api/notification')).statusCode).toBe(401)
  const { id } = (await kamala.send('POST', '/api/notification/add', one())).json()
  expect((await sunil.send('POST', '/api/notification/delete', { id })).statusCode).toBe(404)
  await sunil.send('POST', '/api/notification/delete-all')
  expect((await list(sunil)).items).toEqual([])
  expect((await list(kamala)).items).toHaveLength(1)
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'one that leads to %s is refused',
  async (path) => {
    expect((await kamala.send('POST', '/api/notification/add', one({ path }))).statusCode).toBe(400)
  },
)

test('people add a notification for themselves; it is counted until seen, and deleted', async () => {
  await kamala.send('POST', '/api/notification/delete-all')
  const added = await kamala.send('POST', '/api/notification/add', one({ subtitle: 'to the rehearsal' }))
  expect(added.statusCode).toBe(201)
  const { id } = added.json()
  expect(await list(kamala)).toEqual({
    unseen: 1,
    items: [
      {
        id,
        path: '/dashboard',
        icon: { name: 'bell', color: 'primary' },
        heading: 'Reminder',
        title: 'Bring the drum',
        subtitle: 'to the rehearsal',
        timestamp: expect.any(String),
      },
    ],
  })
  expect((await kamala.send('POST', '/api/notification/seen')).statusCode).toBe(204)
  expect(await list(kamala)).toMatchObject({ unseen: 0, items: [{ id }] })
  expect((await kamala.send('POST', '/api/notification/delete', { id })).statusCode).toBe(204)
  expect(await list(kamala)).toEqual({ unseen: 0, items: [] })
})

test('an email about a case also appears as a notification, in the person’s language, subject to their choice of emails', async () => {
  const caseId = await aCase(database.db, kamala.id)
  const language = (of: Caller, more: object) =>
    database.db.updateTable('account').set(more).where('id', '=', of.id).execute()
  await language(kamala, { language: 'ta' })
  expect(await send([kamala, sunil], 'fixture.news', caseId)).toMatchObject({
    told: 2,
    mails: [expect.any(String), expect.any(String)],
  })
  const reference = `CASE-${caseId}`
  expect(await mailsOf(kamala)).toEqual([expect.stringMatching(new RegExp(`^${reference} செய்தி \\| வியா`))])
  expect((await mailsOf(sunil))[0]).toContain(
    `News of ${reference} | sunil: https://prakriya.example.lk/cases/${caseId}`,
  )
  expect(await list(kamala)).toMatchObject({
    unseen: 1,
    items: [{ path: `/cases/${caseId}`, heading: 'area/flow', title: `${reference} செய்தி`, subtitle: reference }],
  })
  // A partial translation is not used.
  await send([kamala], 'fixture.english', caseId)
  expect((await mailsOf(kamala))[1]).toMatch(/^English only \| Since Thu 14 Jan 2027/)
  await language(kamala, { mail_cases: false })
  await language(sunil, { mail_tasks: false })
  expect(await send([kamala, sunil], 'fixture.news', caseId)).toEqual({ told: 2, mails: [] })
  expect((await list(kamala)).items).toHaveLength(3)
  // Mails about the account itself are always sent.
  expect((await send([kamala, sunil], 'fixture.english')).mails).toHaveLength(2)
  // The setting distinguishes one's own cases from those of others.
  expect((await send([kamala], 'fixture.news', await aCase(database.db, sunil.id))).mails).toHaveLength(1)
})

test('a person keeps at most the newest two hundred', async () => {
  await database.owner.pool.query(
    `insert into app.notification (id, account_id, icon_name, icon_color, heading, title, at)
     select gen_random_uuid(), $1, 'bell', 'primary', 'h', 'old ' || n, now() - n * interval '1 minute'
     from generate_series(1, 205) n`,
    [sunil.id],
  )
  await sunil.send('POST', '/api/notification/add', one())
  const { items } = await list(sunil)
  expect(items).toHaveLength(200)
  expect(items[0].title).toBe('Bring the drum')
  const { rows } = await database.pool.query('select count(*) from app.notification where account_id = $1', [sunil.id])
  expect(rows[0].count).toBe('200')
})
