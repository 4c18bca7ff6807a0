import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import { aBooking, BOOKING, halls } from '../resource-reservation/booking.ts'
import { clock, engine, idle } from './kit/clock.ts'
import { type Case, type Person, as, send } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { anAccount, anItem } from './kit/rows.ts'
import { pidOf, stack } from './kit/stack.ts'

const DIGEST = 'platform.mail.digest'

let database: Database
let head: Person
let booking: Case
let task: string
/** Makes today a working day, whatever day it is. */
let working: string
const made: string[] = []

beforeAll(async () => {
  database = connect(stack().databaseUrl, { name: 'digest-test', max: 4 })
  working = await today('Working day')
  const hall = (await halls({ cost: true }))[0]!
  head = await as(hall.head)
  booking = await (await as('student.nuwan')).submit(BOOKING, aBooking(hall, { event: 'Morning raga' }))
  task = (await head.task(booking)).id
})
afterAll(async () => {
  await sql`update register_item set status = 'Inactive' where id = any(${made}::uuid[])`.execute(database.db)
  await sql`update account set active = false where username like 'early-%'`.execute(database.db)
  await database.close()
})

/** Sets the kind of today in the calendar. */
async function today(kind: string): Promise<string> {
  const id = await anItem(database.db, 'platform/holiday', {
    data: { date: dayInColombo(new Date()), name: kind, kind },
  })
  made.push(id)
  return id
}

const runs = (topic: string) =>
  database.db.selectFrom('schedule_run').selectAll().where('topic', '=', topic).orderBy('at').execute()

/** Somebody whose list contains the booking's task. */
async function anEarlyBird(name: string): Promise<string> {
  const id = await anAccount(database.db, { username: `early-${name}` })
  await sql`insert into inbox (principal, state, created, task, due, priority, flow, amount, follow_up)
    select ${`user:${id}`}, state, created, task, due, priority, flow, amount, follow_up
    from inbox where task = ${task} and principal = '*'`.execute(database.db)
  return id
}

async function digestsOf(ids: readonly string[]): Promise<string[]> {
  const rows = await database.db
    .selectFrom('mail')
    .select('recipient_id')
    .where('template', '=', DIGEST)
    .where('recipient_id', 'in', [...ids])
    .orderBy('recipient_id')
    .execute()
  return rows.map((row) => row.recipient_id!)
}

test('in the morning each person gets one list of what waits, in their language and with links to decide; a repeat writes nothing', async () => {
  const [bird, declining] = [await anEarlyBird(`bird-${randomUUID()}`), await anEarlyBird(`no-${randomUUID()}`)]
  await database.db.updateTable('account').set({ language: 'ta' }).where('id', '=', bird).execute()
  await database.db.updateTable('account').set({ mail_digest: false }).where('id', '=', declining).execute()

  expect(await clock.strikes('morning-digest')).toMatch(/T06:30:00\.000\+0530$/)
  await idle('morning-digest')
  const mine = await until('the digest', async () => {
    const { items } = await head.get('/api/mailbox')
    return items.find((mail: any) => mail.template === DIGEST)
  })
  expect(mine.body).toMatch(/Waiting for you: \d/)
  expect(mine.body).toContain(booking.reference)
  expect(mine.body).toMatch(/\/decide\/[\w-]{64}\n/)
  expect(await digestsOf([bird, declining])).toEqual([bird])
  const { subject } = await database.db
    .selectFrom('mail')
    .select('subject')
    .where('recipient_id', '=', bird)
    .executeTakeFirstOrThrow()
  expect(subject).toMatch(/காத்திருப்பவை$/)
  // People who see everything get no digest of everybody's work.
  expect((await (await as('sa')).get('/api/mailbox')).items.filter((mail: any) => mail.template === DIGEST)).toEqual([])

  const written = await digestsOf([bird, head.id])
  await clock.strikes('morning-digest')
  await idle('morning-digest')
  expect(await digestsOf([bird, head.id])).toEqual(written)
  expect((await runs('platform.send-digests')).at(-1)).toMatchObject({
    process: 'morning-digest',
    outcome: 'completed',
    result: { more: false, written: 0 },
    reported_at: expect.any(Date),
  })
})

test('workers that crash continue where they were, and nobody gets two emails', async () => {
  const many: string[] = []
  for (let n = 0; n < 60; n += 1) many.push(await anEarlyBird(`crowd-${randomUUID()}`))
  const before = (await runs('platform.send-digests')).length
  await clock.strikes('morning-digest')
  await until('a step is done', async () => (await runs('platform.send-digests')).length > before)
  process.kill(pidOf('workers'), 'SIGKILL')
  await idle('morning-digest')
  expect((await digestsOf(many)).toSorted()).toEqual(many.toSorted())
  const steps = (await runs('platform.send-digests')).slice(before)
  expect(steps.length).toBeGreaterThan(2)
  expect(steps.at(-1)!.result).toMatchObject({ more: false, written: 60 })
})

test('nothing is written on a day off', async () => {
  await database.db.updateTable('register_item').set({ status: 'Inactive' }).where('id', '=', working).execute()
  await today('Public holiday')
  const late = await anEarlyBird(`late-${randomUUID()}`)
  await clock.strikes('morning-digest')
  await idle('morning-digest')
  expect(await digestsOf([late])).toEqual([])
})

test('the hourly check rewrites what differs, and the metrics show it', async () => {
  const waits = async () =>
    (await head.get(`/api/tasks?search=${booking.reference}`)).items.some((one: any) => one.id === task)
  // If the schedule fires by itself just now, that run finds it; then it is lost once more.
  const last = await until(
    'this run finds it',
    async () => {
      await idle('inbox-check')
      await database.db.deleteFrom('inbox').where('task', '=', task).where('principal', 'like', 'HOD@%').execute()
      expect(await waits()).toBe(false)
      await clock.strikes('inbox-check')
      await idle('inbox-check')
      expect(await waits()).toBe(true)
      const found = (await runs('platform.check-inbox')).at(-1)!.result as { checked: number; drifted: number }
      return found.drifted >= 1 && found
    },
    { seconds: 110 },
  )
  const { body } = await send<string>('GET', '/metrics')
  expect(body).toContain(`prakriya_inbox_checked ${last.checked}\n`)
  expect(body).toContain(`prakriya_inbox_drifted ${last.drifted}\n`)
  expect(body).toMatch(/prakriya_inbox_checked_at_seconds \d{10}/)
})

test('a stuck schedule waits for an operator; as a case it is unknown', async () => {
  const found = () =>
    database.db.selectFrom('incident').selectAll().where('message', 'like', '%/after%').orderBy('at').execute()
  const before = (await found()).map((one) => one.id)
  const stuck = async () => (await found()).find((one) => !before.includes(one.id))
  const { id } = await engine<{ id: string }>('POST', '/process-definition/key/morning-digest/start', {
    variables: { after: { value: 'nobody', type: 'String' } },
  })
  const incident = await until('the incident', stuck)
  expect(incident).toMatchObject({ case_id: null, element: 'serviceTask_sendDigests', resolved_at: null })
  const { body } = await send<string>('GET', '/metrics')
  expect(Number(/prakriya_incidents (\d+)/.exec(body)![1])).toBeGreaterThanOrEqual(1)
  await engine('DELETE', `/process-instance/${id}`)
  await until('it is over', async () => (await stuck())?.resolved_at)
  const parked = await database.db
    .selectFrom('parked_event')
    .select('id')
    .where('process_instance_id', '=', id)
    .execute()
  expect(parked).toEqual([])
})
