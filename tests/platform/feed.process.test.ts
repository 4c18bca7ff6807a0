import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import pg from 'pg'
import { anInstance, engineDoubles } from './fixtures/instances.ts'
import { FLOW, type Heart, aRequest, heart, people } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'
import { stack } from './kit/stack.ts'

let one: Heart
let who: Awaited<ReturnType<typeof people>>
let changes: pg.Client
const heard: string[] = []
const more: Heart[] = []

beforeAll(async () => {
  one = await heart()
  one.feed.start()
  one.jobs.start()
  who = await people(one)
  changes = new pg.Client({ connectionString: stack().databaseUrl })
  await changes.connect()
  changes.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await changes.query('listen changed')
})
afterEach(async () => {
  for (const each of more.splice(0)) await each.close()
})
afterAll(async () => {
  await changes.end()
  await one.close()
})

async function aCase() {
  const { case: begun } = await one.cases.submit(who.requester, aRequest(who.department))
  const task = await until(
    'the head has a task',
    async () => (await one.tasks.list(who.head, { search: begun.reference })).items[0],
  )
  return { id: begun.id, reference: begun.reference, task }
}

function instanceOf(caseId: string): Promise<string> {
  return one.db
    .selectFrom('flow_case')
    .select('process_instance_id')
    .where('id', '=', caseId)
    .executeTakeFirstOrThrow()
    .then((row) => row.process_instance_id!)
}

async function inject(event: {
  entity: string
  event: string
  body: object
  process_instance_id?: string
  tenant_id?: string
}) {
  const { id } = await one.db
    .insertInto('engine_event')
    .values({ ...event, body: JSON.stringify(event.body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function gone(eventId: string): Promise<true> {
  const look = async () =>
    (await one.db.selectFrom('engine_event').select('id').where('id', '=', eventId).executeTakeFirst()) === undefined
  return until(`event ${eventId} is through`, look) as Promise<true>
}

test('a case shows its status in both lists, and the inbox follows from desk to desk', async () => {
  const begun = await aCase()
  expect(begun.task).toMatchObject({ desk: 'userTask_head', state: 'open', status: { key: 'requested' } })
  expect(begun.task.dueAt).toMatch(/T10:45:00.000Z$/)
  expect((await one.tasks.list(who.otherHead, { search: begun.reference })).items).toEqual([])
  await one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  const look = async () => (await one.tasks.list(who.registrar, { search: begun.reference })).items[0]
  const next = await until('the Registrar has a task', look)
  expect((await one.cases.get(who.requester, begun.id)).statuses).toMatchObject({
    status: { key: 'approved' },
    second: { key: 'seen' },
  })
  expect((await one.tasks.list(who.head, { search: begun.reference })).items).toEqual([])
  await one.tasks.complete(who.registrar, next.id, { data: { outcome: 'approve' } })
  const ended = await until('the case ended', async () => {
    const view = await one.cases.get(who.requester, begun.id)
    return view.state === 'ended' && view
  })
  expect(ended).toMatchObject({ status: { key: 'granted' }, endReason: 'endEvent_granted', waitsWith: [] })
  const path = await one.cases.path(who.requester, begun.id)
  expect(path.visited.map(({ element }) => element)).toEqual(
    expect.arrayContaining(['userTask_head', 'gateway_head', 'userTask_registrar']),
  )
  expect(path.present).toEqual([])
})

test('browsers are notified which lists have changed', async () => {
  heard.length = 0
  const begun = await aCase()
  const own = () => heard.map((text) => JSON.parse(text)).filter((change) => change.cases?.includes(begun.id))
  await until('a hint names the head', async () =>
    own().some(
      ({ principals, tasks }) =>
        principals.includes(`HOD@department:${who.department}`) && tasks.includes(begun.task.id),
    ),
  )
})

test('links that arrive before their task, in a separate batch, are there when the task arrives', async () => {
  const begun = await aCase()
  const task = randomUUID()
  const root = await instanceOf(begun.id)
  const { process_definition_id: definition } = await one.db
    .selectFrom('flow_case')
    .select('process_definition_id')
    .where('id', '=', begun.id)
    .executeTakeFirstOrThrow()
  const common = { rootProcessInstanceId: root, processDefinitionId: definition }
  const link = { ...common, type: 'candidate', taskId: task, groupId: 'Registrar' }
  await gone(await inject({ entity: 'identity-link', event: 'add-identity-link', body: link }))
  const created = {
    ...common,
    id: task,
    taskDefinitionKey: 'userTask_registrar',
    name: 'Late',
    startTime: new Date().toISOString(),
  }
  await gone(await inject({ entity: 'task', event: 'create', body: created }))
  const found = (await one.tasks.list(who.registrar, { search: begun.reference })).items
  expect(found).toMatchObject([{ id: task, name: 'Late' }])
  await gone(
    await inject({
      entity: 'task',
      event: 'complete',
      body: { ...created, taskState: 'Deleted', deleteReason: 'deleted' },
    }),
  )
  expect((await one.tasks.list(who.registrar, { search: begun.reference })).items).toEqual([])
  expect(await one.db.selectFrom('task_candidate').selectAll().where('task_id', '=', task).execute()).toEqual([])
})

test('an event that cannot be applied is parked, and its case is rebuilt from the engine', async () => {
  const begun = await aCase()
  // The product's data is wrong…
  await one.db.deleteFrom('activity').where('case_id', '=', begun.id).execute()
  await one.db
    .updateTable('flow_case')
    .set({ status: 'nonsense', statuses: '{"status":"nonsense"}' })
    .where('id', '=', begun.id)
    .execute()
  // …and an event with missing fields makes the feed notice.
  await inject({
    entity: 'activity-instance',
    event: 'end',
    body: { rootProcessInstanceId: await instanceOf(begun.id), id: 'broken' },
  })
  const incident = await until('the case was rebuilt', async () =>
    one.db
      .selectFrom('incident')
      .selectAll()
      .where('id', '=', `drifted:${begun.id}`)
      .where('resolved_at', 'is not', null)
      .executeTakeFirst(),
  )
  expect(incident.message).toContain('has no')
  const view = await one.cases.get(who.requester, begun.id)
  expect(view).toMatchObject({
    state: 'running',
    status: { key: 'requested' },
    statuses: { second: { key: 'unseen' } },
  })
  expect(view.waitsWith).toMatchObject([{ desk: 'userTask_head', principals: ['HOD, ' + who.department] }])
  expect((await one.cases.path(who.requester, begun.id)).present).toEqual(['subProcess_desks', 'userTask_head'])
  expect(await one.db.selectFrom('parked_event').selectAll().where('case_id', '=', begun.id).execute()).toEqual([])
  await one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'reject' } })
  await until('the case ended', async () => (await one.cases.get(who.requester, begun.id)).status.key === 'refused')
})

test('a rebuild ends what the engine has ended, and offers what it still has', async () => {
  const begun = await aCase()
  const engine = await instanceOf(begun.id)
  const other = await aCase()
  await one.db
    .updateTable('task')
    .set({ state: 'void', ended_at: sql`now()` })
    .where('id', '=', other.task.id)
    .execute()
  await one.db.deleteFrom('inbox').where('task', '=', other.task.id).execute()
  // The events of this cancellation get lost.
  await one.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7001004)`.execute(trx)
    await one.engine.cancel({ commandId: randomUUID(), user: who.admin.id, instanceId: engine, reason: 'test' })
    await sql`delete from engine_event where body ->> 'rootProcessInstanceId' = ${engine}`.execute(trx)
  })
  await one.db.updateTable('flow_case').set({ drifted: true }).where('id', 'in', [begun.id, other.id]).execute()
  await until('the first is over', async () => (await one.cases.get(who.requester, begun.id)).state === 'ended')
  expect(await one.cases.get(who.requester, begun.id)).toMatchObject({ endReason: 'canceled', waitsWith: [] })
  const slots = await one.db.selectFrom('allocation').select('state').where('case_id', '=', begun.id).execute()
  expect(slots).toEqual([{ state: 'released' }])
  const back = async () => (await one.tasks.list(who.head, { search: other.reference })).items[0]
  expect(await until('the second is offered again', back)).toMatchObject({ id: other.task.id, state: 'open' })
})

test('a migrated case is read from the engine again', async () => {
  const begun = await aCase()
  const body = { id: await instanceOf(begun.id), rootProcessInstanceId: await instanceOf(begun.id) }
  const before = (await one.cases.get(who.requester, begun.id)).version
  await gone(await inject({ entity: 'process-instance', event: 'migrate', body }))
  await until('rebuilt', async () => {
    const row = await one.db
      .selectFrom('flow_case')
      .select(['drifted', 'version'])
      .where('id', '=', begun.id)
      .executeTakeFirstOrThrow()
    return !row.drifted && row.version >= before + 2
  })
  expect((await one.cases.get(who.requester, begun.id)).waitsWith).toHaveLength(1)
})

test('instances of a tenant are trials: nothing of them is applied or stored', async () => {
  const of = await engineDoubles(one.engine)
  const { instanceId } = await anInstance(one.engine, of.desk)
  await until('its events are through', async () => {
    const { count } = await one.db
      .selectFrom('engine_event')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where(sql<boolean>`body ->> 'rootProcessInstanceId' = ${instanceId}`)
      .executeTakeFirstOrThrow()
    return count === '0'
  })
  expect(
    await one.db.selectFrom('parked_event').selectAll().where('process_instance_id', '=', instanceId).execute(),
  ).toEqual([])
})

test('an instance without a case is parked for an operator', async () => {
  const root = randomUUID()
  const id = await inject({
    entity: 'activity-instance',
    event: 'start',
    process_instance_id: root,
    body: { rootProcessInstanceId: root },
  })
  await gone(id)
  const [parked] = await one.db.selectFrom('parked_event').selectAll().where('id', '=', id).execute()
  expect(parked).toMatchObject({ reason: 'no case runs as this instance', case_id: null })
  await one.db.deleteFrom('parked_event').where('id', '=', id).execute()
})

test.each([
  ['a list smuggled into a scope', '12,ADMIN', ['HOD@department:12']],
  ['an empty scope', '', []],
  ['no unit at all', 'none', []],
])('%s offers the task to nobody else, and an incident reports it', async (_what, departmentId, offered) => {
  const { id: definitionId } = await one.definitions.latest(FLOW)
  const id = await aBareCase(definitionId)
  // Directly into the engine, without the product's checks.
  const variables = { departmentId, workday3: new Date().toISOString() }
  await one.engine.start({ commandId: randomUUID(), user: who.requester.id, definitionId, caseId: id, variables })
  const incident = await until('an incident', async () =>
    one.db
      .selectFrom('incident')
      .selectAll()
      .where('case_id', '=', id)
      .where('kind', '=', 'task-nobody-can-see')
      .executeTakeFirst(),
  )
  expect(incident).toMatchObject({ element: 'userTask_head', resolved_at: null })
  const rows = await one.db
    .selectFrom('task_candidate as c')
    .innerJoin('task as t', 't.id', 'c.task_id')
    .select('c.principal')
    .where('t.case_id', '=', id)
    .execute()
  expect(rows.map(({ principal }) => principal)).toEqual(offered)
  expect((await one.tasks.list(who.admin, { search: `BARE-${id}` })).items).toHaveLength(1)
})

async function aBareCase(definitionId: string): Promise<string> {
  const id = randomUUID()
  const definition = await one.definitions.get(definitionId)
  await one.db
    .insertInto('flow_case')
    .values({
      id,
      reference: `BARE-${id}`,
      flow: FLOW,
      flow_hash: definition.flowHash,
      process_definition_id: definitionId,
      requester_id: who.requester.id,
      status: 'asked',
    })
    .execute()
  return id
}

test('two nodes share the work, and a connection cut in the middle of a batch loses nothing', async () => {
  const other = await heart()
  more.push(other)
  other.feed.start()
  other.jobs.start()
  const killing = new pg.Client({ connectionString: stack().ownerDatabaseUrl })
  await killing.connect()
  const begun: string[] = []
  const cutting = until(
    'all are submitted',
    async () => {
      await killing.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'two-desks' and state = 'active' and query like '%engine_event%'`)
      return begun.length === 20
    },
    { seconds: 60 },
  )
  while (begun.length < 20) begun.push((await submitSomehow()).id)
  await cutting
  await killing.end()
  for (const id of begun) {
    const view = await until('the case waits at its desk', async () => {
      const seen = await one.cases.get(who.requester, id).catch(() => undefined)
      return seen?.waitsWith.length === 1 && seen
    })
    expect(view.status.key).toBe('requested')
  }
})

/** As a browser does: the same key until there is an answer. */
async function submitSomehow(): Promise<{ id: string }> {
  const request = { ...aRequest(who.department), key: randomUUID() }
  return until('submitted', async () => (await one.cases.submit(who.requester, request)).case)
}

test('the lag of the feed is reported', async () => {
  await until('nothing waits', async () => (await one.feed.lag()).lagMilliseconds === 0)
  expect(await one.feed.lag()).toMatchObject({ lagMilliseconds: 0, parked: expect.any(Number) })
})
