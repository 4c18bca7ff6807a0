import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import Type from 'typebox'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { grantRole } from '../../api/platform/people/identity/accounts.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import type { RunOnce } from '../../workers/platform/run.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { type AnyWorker, worker } from '../../workers/platform/worker.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount, anItem } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
Object.assign(library.texts.en, { 'fixture.mail-subject': 'Fixture', 'fixture.mail-body': '{{reason}}' })
const span = { from: '2027-01-14T09:00:00+05:30', until: '2027-01-14T11:00:00+05:30' }
const lock = { held: () => true, confirm: () => Promise.resolve(true) }

let database: TestDatabase
let run: RunOnce
let topics: Map<string, AnyWorker>
let requester: string
beforeAll(async () => {
  database = await freshDatabase()
  // A Thursday; the Friday after it is a holiday.
  const clock = () => new Date('2027-01-14T10:00:00+05:30')
  run = runOnce({ db: database.db, library, publicUrl: 'http://localhost', clock })
  topics = await discoverWorkers()
  requester = await anAccount(database.db)
})
afterAll(() => database.drop())

/** A case with its start form, and optionally a slot of an item. */
async function begun(item?: string): Promise<string> {
  const caseId = await aCase(database.db, requester)
  await submission(caseId, { purpose: 'a concert' })
  if (item) {
    const wanted = { item, booked: span, holder: requester, caseId, path: '/resource' }
    await database.db.transaction().execute((trx) => allocations(trx).claim(wanted))
  }
  return caseId
}

async function submission(caseId: string, data: object, taskId: string | null = null): Promise<void> {
  const { flow_hash: hash } = await database.db.selectFrom('flow_case').select('flow_hash').executeTakeFirstOrThrow()
  const row = { id: randomUUID(), case_id: caseId, task_id: taskId, form_key: 'area/form', form_hash: hash }
  await database.db
    .insertInto('submission')
    .values({ ...row, data: JSON.stringify(data), submitted_by: requester, effect: 'done' })
    .execute()
}

function doTask(topic: string, caseId: string, variables: Record<string, unknown> = {}, id: string = randomUUID()) {
  const task = { id, topic, element: 'serviceTask_x', caseId, variables }
  return run({ worker: topics.get(topic)!, task, lock, log: pino({ enabled: false }) })
}

async function slots(caseId: string): Promise<string[]> {
  const rows = await database.db.selectFrom('allocation').select('state').where('case_id', '=', caseId).execute()
  return rows.map(({ state }) => state)
}

const mails = (caseId: string) =>
  database.db.selectFrom('mail').selectAll().where('case_id', '=', caseId).orderBy('recipient').execute()

test('a topic is the path of its file, and an area contains only workers', async () => {
  expect([...topics.keys()]).toEqual(
    expect.arrayContaining([
      'platform.confirm-allocation',
      'platform.next-working-day',
      'platform.release-allocation',
      'platform.send-mail',
    ]),
  )
  expect([...topics.keys()].filter((topic) => /harness|run-once|discovery/.test(topic))).toEqual([])
  const folder = await mkdtemp(join(tmpdir(), 'prakriya-workers-'))
  try {
    await mkdir(join(folder, 'area'))
    await writeFile(join(folder, 'area', 'note-nothing.ts'), 'export default {}\n')
    await expect(discoverWorkers(folder)).rejects.toThrow('note-nothing.ts does not export a worker')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('confirming makes the slots of the case final; releasing frees them; both once, however often requested', async () => {
  const item = await anItem(database.db, 't/hall')
  const caseId = await begun(item)
  const id = randomUUID()
  await doTask('platform.confirm-allocation', caseId, {}, id)
  expect(await slots(caseId)).toEqual(['final'])
  await doTask('platform.release-allocation', caseId)
  expect(await slots(caseId)).toEqual(['released'])
  const again = await doTask('platform.confirm-allocation', caseId, {}, id)
  expect(again).toEqual({ kind: 'completed', output: {} })
  expect(await slots(caseId)).toEqual(['released'])
})

test('a case without a slot cannot be confirmed, but it can be released', async () => {
  const caseId = await begun()
  await expect(doTask('platform.confirm-allocation', caseId)).rejects.toThrow('no slot to confirm')
  expect(await doTask('platform.release-allocation', caseId)).toEqual({ kind: 'completed', output: {} })
})

test('a worker that takes too long has no effect, not even from later steps', async () => {
  const caseId = await begun()
  const late = Promise.withResolvers<void>()
  const given = Promise.withResolvers<void>()
  const slow = worker({
    input: Type.Object({}),
    output: Type.Object({}),
    async run({ facts }) {
      await given.promise
      await facts({ doubled: true }).then(late.resolve, late.reject)
      return {}
    },
  })
  const hasty = runOnce({ db: database.db, library, publicUrl: 'http://localhost', timeLimit: 50 })
  const task = { id: randomUUID(), topic: 'platform.slow', element: 'serviceTask_x', caseId, variables: {} }
  await expect(hasty({ worker: slow, task, lock, log: pino({ enabled: false }) })).rejects.toThrow('took longer')
  given.resolve()
  await expect(late.promise).rejects.toThrow('the run of this worker is over')
  const row = await database.db.selectFrom('flow_case').select('facts').where('id', '=', caseId).executeTakeFirst()
  expect(row!.facts).toEqual({})
})

test('deadlines are recounted from today, past holidays', async () => {
  await anItem(database.db, 'platform/holiday', { data: { date: '2027-01-15', name: 'Thai Pongal' } })
  const outcome = await doTask('platform.next-working-day', await begun())
  expect(outcome).toEqual({
    kind: 'completed',
    output: { workday1: '2027-01-18T16:15:00+05:30', workday3: '2027-01-20T16:15:00+05:30' },
  })
})

test('an email goes to the requester, with the last reason given', async () => {
  const caseId = await begun()
  await submission(caseId, { outcome: 'return', reason: 'first' }, await aTask(caseId, 'userTask_head', {}))
  await submission(
    caseId,
    { outcome: 'reject', reason: 'The hall is closed' },
    await aTask(caseId, 'userTask_dean', {}),
  )
  await doTask('platform.send-mail', caseId, { template: 'fixture.mail' })
  expect(await mails(caseId)).toMatchObject([{ recipient_id: requester, body: 'The hall is closed' }])
})

test('an email to a desk goes to the assignee of its task, else to all who may act there', async () => {
  const [one, other] = [
    await anAccount(database.db, { username: 'a' }),
    await anAccount(database.db, { username: 'b' }),
  ]
  for (const id of [one, other]) {
    await grantRole(database.db, id, { role: 'HOD', scope: { kind: 'department', id: '7' } })
  }
  const open = await begun()
  const principals = ['HOD@department:7', 'HOD']
  await aTask(open, 'userTask_head', { principals })
  await doTask('platform.send-mail', open, { template: 'fixture.mail', to: 'desk:userTask_head' })
  expect((await mails(open)).map((mail) => mail.recipient_id)).toEqual([one, other])
  const held = await begun()
  await aTask(held, 'userTask_head', { principals, assignee: other })
  await doTask('platform.send-mail', held, { template: 'fixture.mail', to: 'desk:userTask_head' })
  expect((await mails(held)).map((mail) => mail.recipient_id)).toEqual([other])
})

test('an email to the level above a desk goes to the next level with a holder, else to an administrator', async () => {
  const { db } = database
  const faculty = await anItem(db, 'platform/faculty')
  const department = await anItem(db, 'platform/department', { data: { faculty } })
  const admin = await anAccount(db, { username: 'an-admin' })
  await grantRole(db, admin, { role: 'ADMIN' })
  const above = async (...principals: string[]) => {
    const caseId = await begun()
    await aTask(caseId, 'userTask_head', { principals })
    await doTask('platform.send-mail', caseId, { template: 'fixture.mail', to: 'above:userTask_head' })
    return (await mails(caseId)).map((mail) => mail.recipient_id)
  }
  const head = `HOD@department:${department}`
  expect(await above(head)).toEqual([admin])
  const dean = await anAccount(db, { username: 'a-dean' })
  await grantRole(db, dean, { role: 'Dean', scope: { kind: 'faculty', id: faculty } })
  expect(await above(head)).toEqual([dean])
  expect(await above(`user:${requester}`)).toEqual([admin])
})

test('workers read the current data of the case, not the data first sent', async () => {
  const caseId = await begun()
  const data = { purpose: 'a rehearsal' }
  await database.db
    .updateTable('flow_case')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', caseId)
    .execute()
  const reads = worker({
    input: Type.Object({}),
    output: Type.Object({ purpose: Type.String() }),
    run: async (context) => ({ purpose: String(context.submission['purpose']) }),
  })
  const task = { id: randomUUID(), topic: 'platform.read', element: 'serviceTask_x', caseId, variables: {} }
  const outcome = await run({ worker: reads, task, lock, log: pino({ enabled: false }) })
  expect(outcome).toEqual({ kind: 'completed', output: data })
})

test('a desk whose task has not arrived is a fault, to be retried', async () => {
  const caseId = await begun()
  const early = doTask('platform.send-mail', caseId, { template: 'fixture.mail', to: 'desk:userTask_later' })
  await expect(early).rejects.toThrow('no task at userTask_later')
})

test('an undeliverable email stops no case, but is an incident', async () => {
  const caseId = await begun()
  const outcome = await doTask('platform.send-mail', caseId, { template: 'fixture.mail', to: 'Vice Chancellor' })
  expect(outcome.kind).toBe('completed')
  const incidents = await database.db.selectFrom('incident').selectAll().where('case_id', '=', caseId).execute()
  expect(incidents).toMatchObject([{ kind: 'mail-to-nobody' }])
})

test('every run is an audit entry, and an ended case is left alone', async () => {
  const caseId = await begun()
  await doTask('platform.release-allocation', caseId)
  const entries = await database.db.selectFrom('audit_entry').selectAll().where('case_id', '=', caseId).execute()
  expect(entries).toMatchObject([{ actor: 'system:workers', action: 'worker.completed' }])
  await database.db.updateTable('flow_case').set({ ended_at: new Date() }).where('id', '=', caseId).execute()
  expect(await doTask('platform.release-allocation', caseId)).toMatchObject({ kind: 'refused' })
})

async function aTask(
  caseId: string,
  desk: string,
  more: { principals?: string[]; assignee?: string },
): Promise<string> {
  const id = randomUUID()
  await database.db
    .insertInto('task')
    .values({
      id,
      case_id: caseId,
      process_definition_id: 'area/flow',
      desk,
      name: desk,
      created_at: new Date(),
      assignee_id: more.assignee ?? null,
    })
    .execute()
  for (const principal of more.principals ?? []) {
    await database.db.insertInto('task_candidate').values({ task_id: id, principal }).execute()
  }
  return id
}
