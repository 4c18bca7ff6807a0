import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import type { ActivityState, Engine, InstanceState } from '../../api/platform/kernel/engine/port.ts'
import { checkInbox, sweepInbox } from '../../api/platform/work/inbox/check.ts'
import { refreshInbox } from '../../api/platform/work/rows/inbox.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { FLOW, inboxRows, library } from './kit/inbox.ts'
import { anAccount } from './kit/rows.ts'

let database: TestDatabase
let rows: Awaited<ReturnType<typeof inboxRows>>
const states = new Map<string, InstanceState>()
beforeAll(async () => {
  database = await freshDatabase()
  rows = await inboxRows(database.db)
  await database.db
    .insertInto('role_grant')
    .values({ id: randomUUID(), account_id: await anAccount(database.db), role: 'Registrar' })
    .execute()
})
afterAll(() => database?.drop())

const engine = { state: async (instance: string) => states.get(instance)! } as unknown as Engine
const check = (step: Parameters<typeof checkInbox>[1]) =>
  checkInbox(
    {
      db: database.db,
      engine,
      definitions: rows.definitions,
      roles: library.roles,
      library,
      publicUrl: 'http://localhost',
    },
    step,
  )
const look = (mend: boolean) => check({ cases: 100, mend })

/** A case whose only task waits for the Registrar, here and in the engine. */
async function aCase() {
  const { id, caseId, reference } = await rows.aTask({
    principals: ['Registrar'],
    desk: 'userTask_approveByRegistrar',
    filters: { association_to_uni: 'current' },
  })
  const instance = randomUUID()
  const { db } = database
  const at = new Date().toISOString()
  const desk = 'userTask_approveByRegistrar'
  const activity = {
    id: `a-${id}`,
    definitionId: `${FLOW}:1`,
    element: desk,
    type: 'userTask',
    name: 'Approve',
    taskId: id,
    startedAt: at,
    endedAt: null,
    canceled: false,
  } as ActivityState
  const task = {
    id,
    definitionId: `${FLOW}:1`,
    desk,
    name: 'Approve',
    dueAt: null,
    followUpAt: null,
    priority: 50,
    createdAt: at,
    principals: ['Registrar'],
  }
  states.set(instance, {
    end: null,
    definitionId: `${FLOW}:1`,
    activities: [activity],
    tasks: [task],
    incidents: [],
  })
  const { statuses } = (await rows.definitions.get(`${FLOW}:1`)).diagram
  const first = { status: 'tentative_booking', payment: 'invoice_requested', ...statuses.get(desk) }
  await db
    .updateTable('flow_case')
    .set({ process_instance_id: instance, status: first.status, statuses: JSON.stringify(first) })
    .where('id', '=', caseId)
    .execute()

  await db.transaction().execute((trx) => refreshInbox(trx, [id]))
  return { id, caseId, reference, instance }
}

const listed = (task: string) =>
  database.db.selectFrom('inbox').select(['principal', 'state']).where('task', '=', task).orderBy('principal').execute()
const versions = () => database.db.selectFrom('flow_case').select(['id', 'version']).orderBy('id').execute()

test('where nothing differs a check changes nothing; differences are reported, and rewritten only on request', async () => {
  const one = await aCase()
  const other = await aCase()
  const before = await versions()
  expect(await look(true)).toEqual({ checked: 2, drifted: [], busy: 0, last: null })
  expect(await versions()).toEqual(before)

  const { db } = database
  await db.deleteFrom('inbox').where('task', '=', one.id).where('principal', '=', 'Registrar').execute()
  await db
    .updateTable('inbox_filter')
    .set({ value: 'past' })
    .where('task', '=', other.id)
    .where('field', '=', '/association_to_uni')
    .execute()
  await db.insertInto('task_candidate').values({ task_id: other.id, principal: 'Vice Chancellor' }).execute()

  const told = (await look(false)).drifted.map(({ reference, differences }) => [
    reference,
    differences.map(({ of, is, row }) => `${is} ${of} ${String(row['principal'] ?? '')}`).toSorted(),
  ])
  expect(Object.fromEntries(told)).toEqual({
    [one.reference]: ['missing inbox Registrar'],
    [other.reference]: [
      'missing inbox_filter *',
      'missing inbox_filter Registrar',
      'surplus candidate Vice Chancellor',
      'surplus inbox_filter *',
      'surplus inbox_filter Registrar',
    ],
  })
  expect(await listed(one.id)).toEqual([{ principal: '*', state: 'open' }])

  expect((await look(true)).drifted).toHaveLength(2)
  expect(await listed(one.id)).toEqual([
    { principal: '*', state: 'open' },
    { principal: 'Registrar', state: 'open' },
  ])
  expect((await look(false)).drifted).toEqual([])
})

test('a task that the engine no longer has is found, unless its event is still on the way', async () => {
  const { id, instance, reference } = await aCase()
  const state = states.get(instance)!
  states.set(instance, {
    ...state,
    tasks: [],
    activities: state.activities.map((one) => ({ ...one, endedAt: one.startedAt })),
  })
  await database.owner.pool.query(
    `insert into app.engine_event (entity, event, process_instance_id, body) values ('task', 'complete', $1, '{}')`,
    [instance],
  )
  const waiting = await look(true)
  expect([waiting.busy, waiting.drifted]).toEqual([1, []])
  await database.owner.pool.query('delete from app.engine_event')
  const { drifted } = await look(true)
  expect(drifted.map((one) => one.reference)).toEqual([reference])
  expect(drifted[0]!.differences).toContainEqual(
    expect.objectContaining({ of: 'task', is: 'surplus', row: expect.objectContaining({ state: 'open' }) }),
  )
  expect(await listed(id)).toEqual([])
})

test('cases are checked in steps, each after the last', async () => {
  const { length } = await versions()
  const seen: string[] = []
  let after: string | undefined
  do {
    const step = await check({ cases: 2, after, mend: false })
    seen.push(...Array.from({ length: step.checked }, () => 'one'))
    after = step.last ?? undefined
  } while (after !== undefined)
  expect(seen).toHaveLength(length)
})

test('rows of completed tasks are removed', async () => {
  const { id } = await rows.aTask({ principals: ['Registrar'] })
  await database.db.updateTable('task').set({ state: 'done' }).where('id', '=', id).execute()
  expect(await sweepInbox(database.db, false)).toEqual([id])
  expect(await listed(id)).toHaveLength(2)
  expect(await sweepInbox(database.db, true)).toEqual([id])
  expect(await listed(id)).toEqual([])
})
