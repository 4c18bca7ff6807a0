import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import type { Definition } from '../../api/platform/model/deployed/definitions.ts'
import { readDiagram } from '../../api/platform/model/deployed/diagram.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { grantRole } from '../../api/platform/people/identity/accounts.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { promises } from '../../api/platform/work/promises/promises.ts'
import { keepNextPromises } from '../../api/platform/work/promises/keeping.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { aDesk, aModel } from './fixtures/models.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount, anItem } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
Object.assign(library.texts.en, { 'area.mail.reminder-subject': 'It waits', 'area.mail.reminder-body': 'It waits' })
const FLOW = 'area/flow'
const DESK = 'userTask_approve'
/** A Thursday; the Friday after it is a holiday. */
const BEGUN = '2027-01-14T10:00:00+05:30'

let database: TestDatabase
let requester: string
/** Versions by their ids. */
const versions = new Map<string, Definition>()
const definitions = { find: async (id: string) => versions.get(id) }

beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
  const friday = { date: '2027-01-15', name: 'Thai Pongal', kind: 'Public' }
  await anItem(database.db, 'platform/holiday', { data: friday })
  await drawn(FLOW, { remind: 'workday1', escalate: 'PT36H' })
  await drawn('later', { remind: 'workday2', remindTemplate: 'area.mail.other' })
  await drawn('silent', {})
  await drawn('timed', {}, true)
})
afterAll(() => database.drop())

/** A version whose desk has these properties, or a timer that reminds. */
async function drawn(id: string, properties: Record<string, string>, timed = false): Promise<void> {
  const list = Object.entries({ fourEyes: 'requester', ...properties })
    .map(([name, value]) => `<camunda:property name="${name}" value="${value}"/>`)
    .join('')
  const timer = `<bpmn:boundaryEvent id="boundary_waits" name="Waits" attachedToRef="${DESK}" cancelActivity="false"><bpmn:outgoing>flow_remind</bpmn:outgoing><bpmn:timerEventDefinition id="timer_waits"><bpmn:timeDuration>P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent><bpmn:endEvent id="endEvent_reminded" name="Reminded"><bpmn:extensionElements><camunda:inputOutput><camunda:inputParameter name="to">desk:${DESK}</camunda:inputParameter><camunda:inputParameter name="template">area.mail.reminder</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements><bpmn:incoming>flow_remind</bpmn:incoming><bpmn:messageEventDefinition id="mail_reminded" camunda:type="external" camunda:topic="platform.send-mail"/></bpmn:endEvent><bpmn:sequenceFlow id="flow_remind" sourceRef="boundary_waits" targetRef="endEvent_reminded"/>`
  const desk = aDesk('', `<camunda:properties>${list}</camunda:properties>`)
  const xml = aModel({ nodes: [desk], process: timed ? timer : '' })
  versions.set(id, { id, flow: FLOW, diagram: await readDiagram(xml) } as Definition)
}

/** A task of a new case, as the feed inserts it. */
async function begun(definitionId = FLOW, createdAt = BEGUN) {
  const { db } = database
  const caseId = await aCase(db, requester)
  await db.updateTable('flow_case').set({ state: 'running' }).where('id', '=', caseId).execute()
  const task = { id: randomUUID(), caseId, definitionId, desk: DESK, name: 'Approve', createdAt }
  await db.transaction().execute(async (trx) => {
    const whole = { formKey: null, formHash: null, dueAt: null, followUpAt: null, priority: 50, fourEyes: [] }
    await taskRepository(trx).create({ ...task, ...whole })
    await promises(trx, definitions).make([task])
  })
  await db
    .insertInto('task_candidate')
    .values({ task_id: task.id, principal: `user:${requester}` })
    .execute()
  return task
}

type Task = Awaited<ReturnType<typeof begun>>

/** The promised mails of a task: kind, time, template, and whether it was sent. */
async function promised({ id }: Task): Promise<string[]> {
  const rows = await database.db
    .selectFrom('desk_promise')
    .selectAll()
    .where('task_id', '=', id)
    .orderBy('kind')
    .execute()
  return rows.map(
    ({ kind, due_at, template, done_at }) =>
      `${kind} ${due_at.toISOString()} ${template}${done_at ? ` done ${done_at.toISOString()}` : ''}`,
  )
}

/** The case was rebuilt, and its task is at this version now. */
async function follows(task: Task, definitionId: string, activities: { element: string; definitionId: string }[] = []) {
  const { id, desk, createdAt, name } = task
  const state = { id, definitionId, desk, name, createdAt, dueAt: null, followUpAt: null, priority: 50, principals: [] }
  await database.db.updateTable('task').set({ process_definition_id: definitionId }).where('id', '=', id).execute()
  const startedAt = '2027-01-15T10:00:00.000Z'
  const ran = {
    id: 'a',
    type: 'boundaryTimer',
    name: null,
    taskId: null,
    startedAt,
    endedAt: startedAt,
    canceled: false,
  }
  await database.db.transaction().execute((trx) =>
    promises(trx, definitions).follow(
      [{ ...state, left: desk }],
      activities.map((one) => ({ ...ran, ...one })),
    ),
  )
}

const MONDAY = '2027-01-18T10:45:00.000Z'
const TUESDAY = '2027-01-19T10:45:00.000Z'
const IN_36_HOURS = '2027-01-15T16:30:00.000Z'

test('a promise counts from the start of its task: to the end of a working day, or by the clock', async () => {
  const task = await begun()
  const both = [`escalate ${IN_36_HOURS} area.mail.escalation`, `remind ${MONDAY} area.mail.reminder`]
  expect(await promised(task)).toEqual(both)
  expect(await promised(await begun('silent'))).toEqual([])

  // Inserted again, or rebuilt unchanged, nothing changes.
  await database.db.transaction().execute((trx) => promises(trx, definitions).make([task]))
  await follows(task, FLOW)
  expect(await promised(task)).toEqual(both)
})

test('a moved task follows its new version from its own start, and what was sent is not promised again', async () => {
  const [task, done, timed] = [await begun(), await begun(), await begun('timed')]
  await follows(task, 'later')
  expect(await promised(task)).toEqual([`remind ${TUESDAY} area.mail.other`])
  await follows(task, 'silent')
  expect(await promised(task)).toEqual([])
  // A repeated start event belongs to a version that the task has left.
  await database.db.transaction().execute((trx) => promises(trx, definitions).make([task]))
  expect(await promised(task)).toEqual([])

  const doneAt = new Date('2027-01-18T11:00:00.000Z')
  const remind = database.db.updateTable('desk_promise').where('task_id', '=', done.id).where('kind', '=', 'remind')
  await remind.set({ done_at: doneAt }).execute()
  await follows(done, 'later')
  expect(await promised(done)).toEqual([`remind ${MONDAY} area.mail.reminder done ${doneAt.toISOString()}`])

  await follows(timed, FLOW, [{ element: 'boundary_waits', definitionId: 'timed' }])
  expect(await promised(timed)).toEqual([
    `escalate ${IN_36_HOURS} area.mail.escalation`,
    `remind ${MONDAY} area.mail.reminder done 2027-01-15T10:00:00.000Z`,
  ])
})

test('completed tasks promise nothing, and nothing is sent twice', async () => {
  const [over, kept] = [await begun(), await begun()]
  await taskRepository(database.db).end(over.id, 'void', new Date(), 'deleted')
  expect(await promised(over)).toEqual([])
  const keep = () =>
    database.db.updateTable('desk_promise').set({ done_at: new Date() }).where('task_id', '=', kept.id).execute()
  await keep()
  await expect(keep()).rejects.toMatchObject({ constraint: 'promise_kept_once' })
  await taskRepository(database.db).end(kept.id, 'void', new Date(), 'deleted')
  expect(await promised(kept)).toHaveLength(2)
})

/** One step, when all mails promised for these tasks are due. */
async function step(tasks: readonly Task[], open: readonly { id: string; definitionId: string; paused: boolean }[]) {
  const engine = { openTasks: async (ids: readonly string[]) => open.filter(({ id }) => ids.includes(id)) }
  const due = new Date(Math.max(...tasks.map(({ createdAt }) => Date.parse(createdAt))) + 10 * 86_400_000)
  return database.db.transaction().execute((trx) => {
    const letters = mail(trx, { library, publicUrl: 'http://localhost' })
    return keepNextPromises(trx, { mail: letters, engine, now: due, log: pino({ enabled: false }) }, undefined)
  })
}

const isDone = async (task: Task) => (await promised(task)).map((line) => line.includes(' done '))

test('suspended, completed or migrating cases wait; an email that cannot be written blocks no other', async () => {
  await database.db.deleteFrom('desk_promise').execute()
  const [plain, paused, gone, moved] = [await begun(), await begun(), await begun(), await begun()]
  const withdrawn = await begun()
  await database.db
    .updateTable('flow_case')
    .set({ withdrawn_at: new Date() })
    .where('id', '=', withdrawn.caseId)
    .execute()
  const tasks = [plain, paused, gone, moved, withdrawn]
  const open = tasks
    .filter((task) => task !== gone)
    .map((task) => ({ id: task.id, definitionId: task === moved ? 'later' : FLOW, paused: task === paused }))
  // The escalation has no text.
  expect(await step(tasks, open)).toMatchObject({ kept: 1 })
  expect(await Promise.all(tasks.map(isDone))).toEqual([
    [false, true],
    ...[paused, gone, moved, withdrawn].map(() => [false, false]),
  ])
  const incidents = () =>
    database.db.selectFrom('incident').selectAll().where('case_id', '=', plain.caseId).orderBy('kind').execute()
  expect(await incidents()).toMatchObject([
    {
      kind: 'promise-not-kept',
      element: DESK,
      message: 'there is no text area.mail.escalation-subject',
      resolved_at: null,
    },
  ])
  Object.assign(library.texts.en, {
    'area.mail.escalation-subject': 'It waits',
    'area.mail.escalation-body': 'It waits',
  })
  const admin = await anAccount(database.db)
  await grantRole(database.db, admin, { role: 'ADMIN' })
  await step([plain], open)
  expect(await isDone(plain)).toEqual([true, true])
  expect(await incidents()).toMatchObject([{ kind: 'promise-not-kept', resolved_at: expect.any(Date) }])
  const mails = await database.db.selectFrom('mail').selectAll().where('case_id', '=', plain.caseId).execute()
  expect(mails.map(({ template, recipient_id }) => [template, recipient_id]).toSorted()).toEqual([
    ['area.mail.escalation', admin],
    ['area.mail.reminder', requester],
  ])
})

test('of two concurrent nodes one writes', async () => {
  await database.db.deleteFrom('desk_promise').execute()
  const tasks = [await begun(), await begun(), await begun()]
  const open = tasks.map(({ id }) => ({ id, definitionId: FLOW, paused: false }))
  const steps = await Promise.all([step(tasks, open), step(tasks, open), step(tasks, open), step(tasks, open)])
  expect(steps.reduce((sum, { kept }) => sum + kept, 0)).toBe(6)
  const cases = tasks.map(({ caseId }) => caseId)
  const mails = await database.db.selectFrom('mail').select('id').where('case_id', 'in', cases).execute()
  expect(mails).toHaveLength(6)
  const failed = await database.db.selectFrom('incident').select('message').where('case_id', 'in', cases).execute()
  expect(failed).toEqual([])
})
