import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Logger, runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import { pino } from 'pino'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { type NewMail, mail } from '../../api/platform/records/mail/mail.ts'
import { mailbox } from '../../api/platform/records/mail/mailbox.ts'
import { holdersOf } from '../../api/platform/records/mail/recipients.ts'
import { mailTasks } from '../../api/platform/records/mail/sending.ts'
import { grantRole } from '../../api/platform/people/identity/accounts.ts'
import { smtpServer } from './fixtures/smtp.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { until } from './kit/poll.ts'
import { aCase, anAccount } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
Object.assign(library.texts.en, {
  'fixture.mail-subject': 'About {{reference}}:\n{{what}}',
  'fixture.mail-body': 'Dear {{name}}, {{title}} is {{status}} on {{when}}. {{link}}',
})

let database: TestDatabase
let requester: string
let caseId: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db, { username: 'kumari', name: 'Kumari Perera' })
  caseId = await aCase(database.db, requester)
})
afterAll(() => database.drop())

/** Sends a mail; returns the ids of the resulting rows. */
async function send(more: Partial<NewMail> = {}): Promise<string[]> {
  const one = { to: `user:${requester}`, template: 'fixture.mail', caseId, ...more }
  const { mails } = await database.db
    .transaction()
    .execute((trx) => mail(trx, { library, publicUrl: 'https://prakriya.example.lk' }).send(one))
  return mails
}

/** Runs all due jobs, as the API process does. */
async function work(smtpUrl?: string): Promise<void> {
  const log = pino({ enabled: false })
  const taskList = mailTasks({ db: database.db, smtpUrl, from: 'Prakriya <no-reply@example.lk>', log })
  await runOnce({ pgPool: database.pool, taskList, logger: new Logger(() => () => undefined), noHandleSignals: true })
  await until('what was done is put away', async () => (await jobs('locked_at is not null')) === 0)
}

const row = (id: string) => database.db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function jobs(where = 'true'): Promise<number> {
  const found = await sql<{ count: string }>`select count(*) from graphile_worker.jobs where ${sql.raw(where)}`.execute(
    database.db,
  )
  return Number(found.rows[0]!.count)
}

test('an email is committed or rolled back with the transaction it reports', async () => {
  const undone = database.db.transaction().execute(async (trx) => {
    await mail(trx, { library, publicUrl: 'https://prakriya.example.lk' }).send({
      to: `user:${requester}`,
      template: 'fixture.mail',
      caseId,
    })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await jobs()).toBe(0)
  expect((await mailbox(database.db).list(requester)).items).toEqual([])
})

test('without a mail server the row is the mailbox; every email about a case knows the case', async () => {
  const [id] = await send({ values: { what: 'a hall', when: '2027-01-14T09:00:00+05:30' } })
  expect((await row(id!)).state).toBe('pending')
  await work()
  const kept = await mailbox(database.db).find(requester, id!)
  expect(kept).toMatchObject({
    caseId,
    to: 'kumari@example.lk',
    template: 'fixture.mail',
    subject: `About CASE-${caseId}: a hall`,
    state: 'sent',
    sentAt: expect.any(String),
  })
  expect(kept!.body).toMatch(/^Dear Kumari Perera, area\/flow is new on .*14 Jan.* 2027.*09:00\. /)
  expect(kept!.body).toContain(`https://prakriya.example.lk/cases/${caseId}`)
  expect(await jobs()).toBe(0)
})

test('nobody reads emails of others in the mailbox', async () => {
  const [id] = await send()
  const other = await anAccount(database.db)
  expect(await mailbox(database.db).find(other, id!)).toBeUndefined()
  expect((await mailbox(database.db).list(other)).items).toEqual([])
  expect(await mailbox(database.db).find(null, id!)).toMatchObject({ id })
  await work()
})

test('an email that the server defers is sent later, under the same Message-ID', async () => {
  const server = await smtpServer()
  try {
    server.answers.push('451 later, please')
    const [id] = await send()
    await work(server.url)
    expect(await row(id!)).toMatchObject({ state: 'pending', attempts: 1, last_error: expect.stringContaining('451') })
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(database.db)
    await work(server.url)
    expect(await row(id!)).toMatchObject({ state: 'sent', attempts: 2, last_error: null })
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toContain(`Message-ID: <${id}@prakriya.example.lk>`)
    expect(server.received[0]).toContain('To: kumari@example.lk')
    expect(server.received[0]).toContain('From: Prakriya <no-reply@example.lk>')
  } finally {
    server.close()
  }
})

test('an attachment is sent with its own type', async () => {
  const server = await smtpServer()
  try {
    const [id] = await send()
    const calendar = { name: 'calendar.ics', type: 'text/calendar; charset=utf-8; method=PUBLISH', content: 'BEGIN:x' }
    const attachments = JSON.stringify([calendar])
    await database.db.updateTable('mail').set({ attachments }).where('id', '=', id!).execute()
    await work(server.url)
    expect(server.received[0]).toMatch(
      /Content-Type: text\/calendar; charset=utf-8; method=PUBLISH;\s+name=calendar.ics/,
    )
    expect(server.received[0]).toContain('filename=calendar.ics')
  } finally {
    server.close()
  }
})

test('an email that the server rejects permanently is an incident, and not retried', async () => {
  const server = await smtpServer()
  try {
    server.answers.push('550 nobody of that name')
    const [id] = await send()
    await work(server.url)
    expect(await row(id!)).toMatchObject({ state: 'failed' })
    const incidents = await database.db.selectFrom('incident').selectAll().where('case_id', '=', caseId).execute()
    expect(incidents).toMatchObject([{ id: `mail:${id}`, kind: 'mail-not-sent' }])
    expect(await jobs()).toBe(0)
  } finally {
    server.close()
  }
})

test('an unreachable mail server is retried, and in the end the email is an incident', async () => {
  const [id] = await send()
  const nowhere = 'smtp://127.0.0.1:1'
  await work(nowhere)
  expect(await row(id!)).toMatchObject({ state: 'pending', attempts: 1 })
  await sql`update graphile_worker._private_jobs set run_at = now(), attempts = max_attempts - 1`.execute(database.db)
  await work(nowhere)
  expect(await row(id!)).toMatchObject({ state: 'failed', attempts: 2 })
})

test('a job that runs twice sends once', async () => {
  const server = await smtpServer()
  try {
    const [id] = await send()
    await work(server.url)
    await sql`select graphile_worker.add_job('send-mail', ${JSON.stringify({ id })}::json)`.execute(database.db)
    await work(server.url)
    expect(server.received).toHaveLength(1)
  } finally {
    server.close()
  }
})

test('an email that should be sent once is written once to each reader, also by two concurrent writers', async () => {
  const once = 'digest:2027-01-14'
  const written = await Promise.all([send({ once }), send({ once })])
  expect(written.flat()).toHaveLength(1)
  expect(await send({ once })).toEqual([])
  expect(await send({ once, to: `user:${await anAccount(database.db)}` })).toHaveLength(1)
  expect(await send({ once: 'digest:2027-01-15' })).toHaveLength(1)
  await work()
})

test('a principal resolves to active people with a current grant; each of them gets one email', async () => {
  const { db } = database
  const [now, past] = [Date.now(), new Date(Date.now() - 86_400_000)]
  const head = await anAccount(db)
  const former = await anAccount(db)
  const gone = await anAccount(db)
  const elsewhere = await anAccount(db)
  const music = { kind: 'department', id: '12' }
  // An administrator must exist, or nobody could be deactivated.
  await grantRole(db, await anAccount(db), { role: 'ADMIN' })
  await grantRole(db, head, { role: 'HOD', scope: music })
  await grantRole(db, head, { role: 'Registrar' })
  await grantRole(db, former, { role: 'HOD', scope: music, startsAt: past, endsAt: new Date(now - 1000) })
  await grantRole(db, gone, { role: 'HOD', scope: music })
  await grantRole(db, elsewhere, { role: 'HOD', scope: { kind: 'department', id: '13' } })
  await db.updateTable('account').set({ active: false }).where('id', '=', gone).execute()
  const held = async (principal: string) => (await holdersOf(db, principal)).map(({ id }) => id).sort()
  expect(await held('HOD@department:12')).toEqual([head])
  expect(await held('HOD')).toEqual([head, elsewhere].sort())
  expect(await held(`user:${gone}`)).toEqual([])
  expect(await held('Dean')).toEqual([])
  expect(await send({ to: ['HOD@department:12', 'Registrar', `user:${head}`] })).toHaveLength(1)
  expect(await send({ to: 'Dean' })).toEqual([])
  await work()
})

test('a template without texts is a fault, found before anything is written', async () => {
  await expect(send({ template: 'fixture.unwritten' })).rejects.toThrow('fixture.unwritten-subject')
})
