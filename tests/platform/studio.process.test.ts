import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { caseRepository } from '../../api/platform/work/rows/cases.ts'
import { type NewCommand, commandRepository } from '../../api/platform/work/rows/commands.ts'
import { artifact } from '../../api/platform/model/definitions/artifact.ts'
import { deployRepositoryModels } from '../../api/platform/model/deployed/deployment.ts'
import { checks } from '../../api/platform/model/bpmn/checking/checking.ts'
import { play } from '../../api/platform/features/studio/scenarios/player.ts'
import { endRun } from '../../api/platform/features/studio/scenarios/repository.ts'
import { forgetStrayTrials } from '../../api/platform/features/studio/scenarios/work.ts'
import { type Content, hashOf } from '../../api/platform/features/studio/content/flow.ts'
import { isMoving } from '../../api/platform/features/operations/repository.ts'
import { grantRole } from '../../api/platform/people/identity/accounts.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { asDean, asHead, asRegistrar, drawn, drawnApp, drawnFlow } from './fixtures/drawn-flow.ts'
import { asOperator } from './fixtures/instances.ts'
import type { Heart } from './fixtures/two-desks.ts'
import type { Caller, TestApp } from './kit/app.ts'
import { asOwner, whileLocked } from './kit/owner.ts'
import { until } from './kit/poll.ts'
import { pidOf } from './kit/stack.ts'
import { stageOf } from '../../api/platform/features/studio/scenarios/stage.ts'

const own = drawnFlow(asHead, asRegistrar)
const { flow: FLOW, process: PROCESS } = own
const MODEL = `/api/studio/models/${PROCESS}`
const unique = (name: string) => `${name}-${randomUUID()}`
const owning = (process: string) => ({ role: 'Process Owner', scope: { kind: 'flow', id: process } })

let one: Heart
let app: TestApp
let owner: Caller
let second: Caller
let foreign: Caller
let admin: Caller
let head: Caller
let registrar: Caller
let assistant: Caller
let colleague: Caller
let requester: Caller
let department: string

beforeAll(async () => {
  ;({ one, app, department } = await drawnApp(own))
  const at = (role: string) => ({ role, scope: { kind: 'department', id: department } })
  ;[owner, second, foreign, admin, head, registrar, assistant, colleague, requester] = (await Promise.all([
    app.person(unique('owner'), owning(PROCESS)),
    app.person(unique('second'), owning(PROCESS)),
    app.person(unique('foreign'), owning(`${PROCESS}-other`)),
    app.person(unique('admin'), { role: 'ADMIN' }),
    app.person(unique('head'), at('HOD')),
    app.person(unique('registrar'), { role: 'Registrar' }),
    app.person(unique('assistant'), at('AR'), { role: 'Registrar' }),
    app.person(unique('colleague'), at('AR')),
    app.person(unique('requester')),
  ])) as [Caller, Caller, Caller, Caller, Caller, Caller, Caller, Caller, Caller]
})
afterAll(async () => {
  await app?.close()
  await one?.close()
})

/** Sends a request and returns its response, which must have this status. */
async function ask(who: Caller, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, status = 200) {
  const answer = await who.send(method, path.startsWith('/api') ? path : MODEL + path, body)
  if (answer.statusCode !== status) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`)
  return answer.body === '' ? undefined : answer.json()
}

async function begin(who = requester): Promise<string> {
  const body = { flow: FLOW, data: { department } }
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await who.send('POST', '/api/cases', body, headers)
  expect([201, 202]).toContain(answer.statusCode)
  return answer.json().id
}

function taskOf(caseId: string, desk: string) {
  return until(`the task of ${caseId} at ${desk}`, () =>
    one.db
      .selectFrom('task')
      .selectAll()
      .where('case_id', '=', caseId)
      .where('desk', '=', desk)
      .where('state', 'in', ['open', 'held'])
      .executeTakeFirst(),
  )
}

async function decide(who: Caller, caseId: string, desk: string, outcome: string): Promise<void> {
  const { id } = await taskOf(caseId, desk)
  await ask(who, 'POST', `/api/tasks/${id}/complete`, { data: { outcome } })
}

/** A run of two scenarios on a model, of which one passed. */
async function told(content: Content, state: 'done' | 'failed' = 'done'): Promise<string> {
  const id = randomUUID()
  await one.db
    .insertInto('scenario_run')
    .values({
      ...{ id, process: PROCESS, kind: 'scenarios', of_draft: true, state, total: 2, asked_by: owner.id },
      ...{ content_hash: hashOf(content), ended_at: new Date() },
      results: JSON.stringify([{ passed: true }, { passed: false }]),
    })
    .execute()
  return id
}

const caseRow = (id: string) =>
  one.db.selectFrom('flow_case').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Inserts the command of a case's move unchecked, with an entry of its own. */
async function commandMove(
  caseId: string,
  { from, to, entered = to, instructions, notBefore }: Move,
): Promise<Commanded> {
  const [migration, { db }] = [randomUUID(), one]
  const about = { process: PROCESS, from_id: from, to_id: entered, instructions: JSON.stringify(instructions) }
  await db
    .insertInto('case_migration')
    .values({ id: migration, ...about, reason: 'made', account_id: second.id, acted_as: 'made' })
    .execute()
  const payload = { from, to, instructions }
  const command = await db.transaction().execute(async (trx) => {
    const when = notBefore && { notBefore }
    const id = await commandRepository(trx).add({ kind: 'migrate', caseId, actingUser: second.id, payload, ...when })
    await trx
      .insertInto('case_migration_entry')
      .values({ migration_id: migration, position: 1, case_id: caseId, command_id: id, state: 'sent' })
      .execute()
    return id
  })
  return { migration, command }
}
interface Move {
  from: string
  to: string
  /** The recorded version, if it is not the one that the engine is asked for. */
  entered?: string
  instructions: { source: string; target: string }[]
  notBefore?: Date
}
interface Commanded {
  migration: string
  command: string
}

/** Draws a model into a new draft and deploys it. */
async function deploy(bpmn: string, note: string): Promise<{ definitionId: string; version: number }> {
  const { revision } = await ask(owner, 'POST', '/draft', {})
  const saved = await ask(owner, 'PUT', '/draft', { revision, bpmn })
  return (await ask(owner, 'POST', '/deploy', { revision: saved.revision, note })).deployed
}

test('the models are visible to their owner and to administrators, and not to the owner of another flow', async () => {
  const { items } = await ask(owner, 'GET', '/api/studio/models')
  expect(items).toMatchObject([
    { process: PROCESS, flow: FLOW, running: { source: 'repository', by: null }, draft: null },
  ])
  expect(items[0].owners).toHaveLength(2)
  await ask(admin, 'GET', '/versions')
  await ask(requester, 'GET', '/api/studio/models', undefined, 403)
  for (const path of ['/versions', '/draft', '/vocabulary', '/heat']) await ask(foreign, 'GET', path, undefined, 404)
  await ask(foreign, 'POST', '/check', { bpmn: 'x' }, 404)
  await ask(foreign, 'POST', '/draft', {}, 404)
})

test('ownership of a flow is granted by an administrator or another of its owners, and never with a unit', async () => {
  const grants = `/api/people/${requester.id}/grants`
  const given = (scope: object | null) => ({ role: 'Process Owner', scope, reason: 'Answers for it from now on' })
  for (const scope of [null, { kind: 'flow', id: 'nowhere' }, { kind: 'department', id: department }])
    await ask(admin, 'POST', grants, given(scope), 422)
  const scope = { kind: 'flow', id: PROCESS }
  await ask(admin, 'POST', grants, { ...given(scope), role: 'HOD' }, 422)
  const { mayGrant } = await ask(admin, 'GET', `/api/people/${requester.id}`)
  expect(mayGrant).toContainEqual(
    expect.objectContaining({ role: 'Process Owner', scopes: [{ ...scope, name: 'tests.drawn', refusal: null }] }),
  )
  const { id } = await ask(admin, 'POST', grants, given(scope), 201)
  expect((await ask(requester, 'GET', '/versions')).items).toHaveLength(1)
  await ask(admin, 'POST', `/api/grants/${id}/end`, { reason: 'Only for a moment' })
  await ask(requester, 'GET', '/versions', undefined, 403)
})

test('the vocabulary is what the gate lets the flow refer to', async () => {
  const said = await ask(owner, 'GET', '/vocabulary')
  const states = ['requested', 'checked'].map((state) => expect.objectContaining({ state }))
  expect(said.statusLists).toEqual([{ property: 'status', states: expect.arrayContaining(states) }])
  // A state has a text, and its key is never shown.
  expect(said.statusLists[0].states).toContainEqual({ state: 'requested', title: 'Requested' })
  expect(said.roles).toContainEqual({ role: 'HOD', scopes: [{ kind: 'department', variable: 'departmentId' }] })
  expect(said.topics).toContainEqual(expect.objectContaining({ topic: 'platform.send-mail', needs: ['template'] }))
  // Topics for some flows only are not offered to others.
  expect(said.topics.map(({ topic }: { topic: string }) => topic)).not.toContain('platform.end-access')
  expect(said.variables).toContainEqual({ name: 'workday3', type: 'string', from: 'server' })
  const booking = await ask(admin, 'GET', '/api/studio/models', undefined)
  expect(booking.items.map(({ process }: { process: string }) => process)).toEqual([PROCESS])
})

test('one person edits a draft at a time; another can take it over, and nobody overwrites unseen changes', async () => {
  const draft = await ask(owner, 'POST', '/draft', {})
  expect(draft).toMatchObject({ revision: 1, behind: false, lock: { mine: true } })
  const other = drawn(PROCESS, asHead)
  expect(await ask(second, 'PUT', '/draft', { revision: 1, bpmn: other }, 409)).toMatchObject({
    code: 'platform.draft-locked',
    by: draft.lock.by,
  })
  await ask(second, 'PUT', '/draft/lock', {}, 409)
  expect(await ask(second, 'PUT', '/draft/lock', { takeOver: true })).toMatchObject({ mine: true })
  expect(await ask(second, 'PUT', '/draft', { revision: 1, bpmn: other })).toMatchObject({ revision: 2 })
  expect((await ask(owner, 'GET', '/draft')).lock.mine).toBe(false)
  await ask(second, 'DELETE', '/draft/lock', undefined, 204)
  expect(await ask(owner, 'PUT', '/draft', { revision: 1, bpmn: 'older' }, 409)).toMatchObject({
    code: 'platform.draft-moved-on',
    revision: 2,
  })
  expect((await ask(owner, 'GET', '/draft')).bpmn).toBe(other)
  await ask(owner, 'PUT', '/draft', { revision: 2, bpmn: 'x'.repeat(1024 * 1024 + 1) }, 413)
  const half = ['tests/one.dmn', 'tests/two.dmn'].map((key) => ({ key, content: 'x'.repeat(1024 * 1024) }))
  const tables = await ask(owner, 'PUT', '/draft', { revision: 2, dmn: half }, 413)
  expect(tables.code).toBe('platform.tables-too-large')
  const key = 'vouchers/voucher-desks.dmn'
  await ask(owner, 'PUT', '/draft', { revision: 2, dmn: [{ key, content: 'x' }] }, 422)
  const [{ definitionId: from }] = (await ask(owner, 'GET', '/versions')).items
  await ask(second, 'POST', '/draft', { from }, 409)
  await ask(owner, 'DELETE', '/draft', undefined, 204)
  await ask(owner, 'GET', '/draft', undefined, 404)
})

test('a failing model is refused by element and reason, and the draft is kept; so is one without changes', async () => {
  const { revision, bpmn } = await ask(owner, 'POST', '/draft', {})
  const unchanged = await ask(owner, 'POST', '/deploy', { revision, note: 'Nothing new' }, 409)
  expect(unchanged.code).toBe('platform.model-unchanged')
  const wrong = bpmn.replace('camunda:candidateGroups="Registrar"', 'camunda:candidateGroups="Nobody"')
  const { problems } = await ask(owner, 'POST', '/check', { bpmn: wrong })
  expect(problems).toContainEqual(
    expect.objectContaining({ element: 'userTask_registrar', level: 'error', source: 'gate' }),
  )
  const saved = await ask(owner, 'PUT', '/draft', { revision, bpmn: wrong })
  const refused = await ask(owner, 'POST', '/deploy', { revision: saved.revision, note: 'For nobody' }, 422)
  expect(refused.errors).toContainEqual(
    expect.objectContaining({
      field: 'userTask_registrar',
      message: 'Offered to: there is no role Nobody',
    }),
  )
  expect(await ask(owner, 'GET', '/draft')).toMatchObject({ revision: saved.revision, bpmn: wrong })
  expect((await ask(owner, 'GET', '/versions')).items).toHaveLength(1)
  const large = await ask(owner, 'POST', '/check', { bpmn: `<a>${'x'.repeat(1024 * 1024)}</a>` })
  expect(large.problems).toEqual([expect.objectContaining({ reason: 'the file is larger than 1 MiB' })])
  await ask(owner, 'DELETE', '/draft', undefined, 204)
})

test('new cases start on the deployed version, running ones stay until they are migrated; a moved task is at its new desk', async () => {
  const [stays, moves, decided, ownRequest] = await Promise.all([begin(), begin(), begin(), begin(owner)])
  for (const id of [stays, moves, decided, ownRequest]) await taskOf(id, 'userTask_head')
  const [{ definitionId: from }] = (await ask(owner, 'GET', '/versions')).items
  const changed = drawn(PROCESS, asDean, asRegistrar)
  const { definitionId: to, version } = await deploy(changed, 'The assistant registrar approves')
  const [latest] = (await ask(second, 'GET', '/versions')).items
  expect(latest).toMatchObject({ definitionId: to, version, note: 'The assistant registrar approves', source: 'owner' })
  expect((await ask(owner, 'GET', `/versions/${encodeURIComponent(to)}`)).bpmn).toBe(changed)
  await ask(owner, 'GET', '/draft', undefined, 404)

  const fresh = await begin()
  await taskOf(fresh, 'userTask_dean')
  expect(await taskOf(moves, 'userTask_head')).toMatchObject({ name: 'Approve as head' })

  const plan = await ask(owner, 'POST', '/migration/plan', { from, to })
  expect(plan.instructions).toContainEqual({ source: 'userTask_registrar', target: 'userTask_registrar' })
  expect(plan.open).toEqual([{ element: 'userTask_head', name: 'Approve as head', cases: 4 }])
  const bad = [...plan.instructions, { source: 'userTask_head', target: 'gateway_dean' }]
  const { problems, open: nowhere } = await ask(owner, 'POST', '/migration/validate', { from, to, instructions: bad })
  expect(nowhere).toEqual([])
  const valid = await ask(owner, 'POST', '/migration/validate', { from, to, instructions: plan.instructions })
  expect(valid).toEqual({ problems: [], open: plan.open })
  expect(problems).toContainEqual({ element: 'userTask_head', reason: 'the other element is of another kind' })
  const refused = await ask(owner, 'POST', '/migrations', { from, to, instructions: bad }, 422)
  expect(refused.errors).toContainEqual(expect.objectContaining({ field: 'userTask_head' }))
  await ask(owner, 'POST', '/migration/plan', { from, to: from }, 422)
  const back = { from: to, to: from, instructions: [{ source: 'userTask_registrar', target: 'userTask_registrar' }] }
  expect((await ask(owner, 'POST', '/migrations', back, 422)).code).toBe('platform.migration-backwards')

  await decide(head, decided, 'userTask_head', 'reject')
  await until('the case is over', async () => (await caseRow(decided)).state === 'ended')
  const instructions = [...plan.instructions, { source: 'userTask_head', target: 'userTask_dean' }]
  // The deadlines of its old desk are long past.
  const { process_instance_id } = await caseRow(moves)
  const past = { value: '2020-01-01T10:45:00.000Z', type: 'String' }
  const modifications = { workday1: past, workday3: past }
  await asOperator(one.engine, 'POST', `/process-instance/${process_instance_id}/variables`, { modifications })
  const { id: movedTask } = await taskOf(moves, 'userTask_head')
  await one.db.updateTable('task').set({ due_at: past.value }).where('id', '=', movedTask).execute()
  const wanted = { from, to, instructions, cases: [moves, decided], reason: 'The head is away for a year' }
  const { id } = await ask(owner, 'POST', '/migrations', wanted, 202)
  const through = await until('both cases have their answer', async () => {
    const now = await ask(owner, 'GET', `/migrations/${id}`)
    return now.done + now.failed === now.total && now
  })
  expect(through).toMatchObject({ total: 2, done: 1, failed: 1 })
  expect(through.items).toEqual([
    { caseId: decided, reference: expect.any(String), state: 'failed', reason: 'The case has ended' },
    { caseId: moves, reference: expect.any(String), state: 'done', reason: null },
  ])
  const page = await ask(owner, 'GET', `/migrations/${id}?limit=1`)
  const rest = await ask(owner, 'GET', `/migrations/${id}?limit=1&cursor=${page.next}`)
  expect([...page.items, ...rest.items, rest.next]).toEqual([...through.items, null])
  const task = await taskOf(moves, 'userTask_dean')
  expect(task.due_at!.getTime()).toBeGreaterThan(Date.now())
  const timers = await asOperator(one.engine, 'GET', `/job?processInstanceId=${process_instance_id}`)
  expect((timers as { dueDate: string }[]).map(({ dueDate }) => Date.parse(dueDate) > Date.now())).toEqual([true, true])
  expect(task).toMatchObject({ name: asDean.name, process_definition_id: to, moving: false })
  expect(await caseRow(moves)).toMatchObject({ process_definition_id: to, status: 'checked' })
  const entries = await one.db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select(['e.acted_as', 'p.payload'])
    .where('e.case_id', '=', moves)
    .where('e.action', '=', 'case.migrated')
    .execute()
  expect(entries).toEqual([
    {
      acted_as: `Process Owner@flow:${PROCESS}`,
      payload: expect.objectContaining({ from, to, reason: 'The head is away for a year' }),
    },
  ])

  const history = await ask(admin, 'GET', `/api/cases/${moves}/history`)
  const kinds = history.items.map(({ kind, status }: { kind: string; status?: string }) => status ?? kind)
  expect(kinds).toEqual(expect.arrayContaining(['incident', expect.stringContaining('checked')]))

  // A repetition changes nothing: the case is no longer on that version.
  const again = await ask(owner, 'POST', '/migrations', { ...wanted, cases: [moves] }, 202)
  const answered = await until('it is answered', async () => {
    const now = await ask(owner, 'GET', `/migrations/${again.id}`)
    return now.failed === 1 && now
  })
  expect(answered.items[0].reason).toBe('The case no longer runs on this version')
  expect((await taskOf(moves, 'userTask_dean')).version).toBe(task.version)

  await ask(head, 'POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } }, 403)
  await decide(assistant, moves, 'userTask_dean', 'approve')
  await taskOf(moves, 'userTask_registrar')

  // If a decision is pending, or no instruction leads on, a case stays and can be decided as before.
  const stayed = async (chosen: object, who = owner) => {
    const begun = await ask(who, 'POST', '/migrations', { ...wanted, cases: [stays], ...chosen }, 202)
    const now = await until('it is answered', async () => {
      const found = await ask(owner, 'GET', `/migrations/${begun.id}`)
      return found.failed === 1 && found
    })
    return now.items[0].reason
  }
  const open = await taskOf(stays, 'userTask_head')
  const notBefore = new Date(Date.now() + 25_000).toISOString()
  await ask(head, 'POST', `/api/tasks/${open.id}/complete`, { data: { outcome: 'approve' }, notBefore })
  // However long this takes, the decision is still pending.
  const onItsWay = one.db.updateTable('command').set({ not_before: '2100-01-01' })
  await onItsWay.where('task_id', '=', open.id).where('state', '=', 'pending').execute()
  expect(await stayed({})).toMatch('A decision is on its way')
  await ask(head, 'POST', `/api/tasks/${open.id}/undo`)
  // Nor does a case move while an operator moves one of its tokens, whichever came first.
  const token = { kind: 'modify', payload: { from: 'a', to: 'b', variables: {} } } as const
  const far = { caseId: stays, actingUser: admin.id, notBefore: new Date('2100-01-01') }
  const moving = await one.db.transaction().execute((trx) => commandRepository(trx).add({ ...far, ...token }))
  expect(await stayed({})).toMatch('An operator is moving this case on')
  const toNowhere: NewCommand = { ...far, kind: 'migrate', payload: { from, to, instructions: [] } }
  const both = one.db.transaction().execute((trx) => commandRepository(trx).add(toNowhere))
  await expect(both).rejects.toThrow('command_one_move')
  await commandRepository(one.db).end(moving, 'cancelled')
  const migrating = await one.db.transaction().execute((trx) => commandRepository(trx).add(toNowhere))
  expect(await isMoving(one.db, stays)).toBe(true)
  await commandRepository(one.db).end(migrating, 'cancelled')
  expect(await isMoving(one.db, stays)).toBe(false)

  // The move waits for a decision in progress, whose writes to the case do not wait in turn.
  const reason = await one.db.transaction().execute(async (trx) => {
    await taskRepository(trx).lock(open.id)
    const answer = stayed({ instructions: plan.instructions })
    await until('the move waits for the task', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and query like 'update "task" set "moving"%'`.execute(one.db)
      return rows.length > 0
    })
    await sql`select from flow_case where id = ${stays} for key share nowait`.execute(trx)
    return { answer }
  })
  expect(await reason.answer).toBe('The case cannot move: Approve as head: nothing leads on from it')
  expect(await caseRow(stays)).toMatchObject({ process_definition_id: from, status: 'requested' })
  // From the command until the feed has read the case again nobody decides it.
  await taskRepository(one.db).makeWait(stays)
  const complete = `/api/tasks/${open.id}/complete`
  expect(await ask(head, 'POST', complete, { data: { outcome: 'approve' } }, 409)).toMatchObject({
    code: 'platform.task-changed',
  })
  await taskRepository(one.db).stay(stays)

  // Nobody moves their own request past a desk.
  expect(await stayed({ cases: [ownRequest] })).toBe('You asked for this yourself: another owner can move it')
  await taskOf(ownRequest, 'userTask_head')

  await decide(head, stays, 'userTask_head', 'approve')
  await taskOf(stays, 'userTask_registrar')
})

test('a case under migration waits with all its tasks, and continues if the engine cannot move it', async () => {
  const [unheard, torn] = await Promise.all([begin(), begin()])
  await Promise.all([unheard, torn].map((id) => taskOf(id, 'userTask_dean')))
  const { process_definition_id: from } = await caseRow(torn)
  // People who decided at the old desk do not decide again, whatever both desks are called now.
  const eyes = /(id="userTask_dean".*?name="fourEyes" value="requester)/s
  const changed = drawn(PROCESS, asHead, asDean).replace(eyes, '$1,userTask_head')
  const { definitionId: to } = await deploy(changed, 'The head comes first again')
  const instructions = [
    { source: 'userTask_dean', target: 'userTask_head' },
    { source: 'userTask_registrar', target: 'userTask_dean' },
  ]

  // A task reported only after its case has moved is offered as its new desk is drawn.
  const { id: first } = await taskOf(unheard, 'userTask_dean')
  await one.db.transaction().execute(async (trx) => {
    await caseRepository(trx).hold(unheard)
    await ask(assistant, 'POST', `/api/tasks/${first}/complete`, { data: { outcome: 'approve' } })
    const { command } = await commandMove(unheard, { from, to, instructions })
    await until('the engine has moved it', async () => (await one.sender.deliver({ id: command })) === 'done')
  })
  const { id: next } = await until('it is at its new desk', async () => {
    const task = await taskOf(unheard, 'userTask_dean')
    return task.id !== first && task
  })
  const again = await ask(assistant, 'POST', `/api/tasks/${next}/complete`, { data: { outcome: 'approve' } }, 403)
  expect(again.code).toBe('platform.decided-before')
  const forged = one.db.updateTable('task').set({ state: 'accepted', decided_by: assistant.id }).where('id', '=', next)
  await expect(forged.execute()).rejects.toThrow('decided at an earlier desk')
  await decide(colleague, unheard, 'userTask_dean', 'approve')
  await until('the case is over', async () => (await caseRow(unheard)).state === 'ended')

  // A move that the engine cannot carry out is not retried for ever: the case continues as before.
  const timed = changed.replaceAll('${workday1}', '${nobodyKnows}')
  const resources = [{ name: `${PROCESS}.bpmn`, content: timed }]
  const [broken] = await one.engine.deploy({ name: 'broken', resources })
  const back = [{ source: 'userTask_dean', target: 'userTask_head' }]
  const move = { from, to: broken!.id, entered: to, instructions: back }
  await taskRepository(one.db).makeWait(torn)
  const { migration, command } = await commandMove(torn, move)
  // Attempts while the engine was down do not count.
  const tried = one.db.updateTable('command').where('id', '=', command)
  await tried.set({ attempts: 20 }).execute()
  await until('it is given up', async () => (await one.sender.deliver({ id: command })) === 'refused')
  const { attempts } = await commandRepository(one.db).get(command)
  expect(attempts).toBe(28)
  const { items } = await ask(owner, 'GET', `/migrations/${migration}`)
  expect(items).toMatchObject([{ state: 'failed', reason: expect.stringContaining('nobodyKnows') }])

  // Tasks that arrive while the case moves wait like those before.
  const entry = (values: { state: string; code: string | null }) =>
    one.db.updateTable('case_migration_entry').set(values).where('migration_id', '=', migration).execute()
  await entry({ state: 'sent', code: null })
  await decide(assistant, torn, 'userTask_dean', 'approve')
  const { id, moving } = await taskOf(torn, 'userTask_registrar')
  expect(moving).toBe(true)
  const late = await ask(registrar, 'POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' } }, 409)
  expect(late.code).toBe('platform.task-changed')
  await entry({ state: 'failed', code: 'platform.case-move-refused' })
  await taskRepository(one.db).stay(torn)
  await decide(registrar, torn, 'userTask_registrar', 'approve')
})

test('deadlines and four eyes of a desk come from its new version, and earlier decisions still count', async () => {
  const eyes = (xml: string, desk: string) =>
    xml.replace(/(id="userTask_registrar".*?name="fourEyes" value="requester)/s, `$1,userTask_${desk}`)
  const due = (xml: string, desk: string, when: string) =>
    xml.replace(new RegExp(`(id="userTask_${desk}"[^>]*dueDate=")[^"]*`), `$1${when}`)
  const after = (xml: string, timer: string, length: string) =>
    xml.replace(
      new RegExp(`(id="timer_${timer}"><bpmn:time)Date([^>]*>)[^<]*(</bpmn:time)Date`),
      `$1Duration$2${length}$3Duration`,
    )
  const promises = (xml: string, desk: string, kind: string, when: string) =>
    xml.replace(new RegExp(`(id="userTask_${desk}".*?name="${kind}" value=")[^"]*`, 's'), `$1${when}`)
  const { definitionId: from } = await deploy(eyes(drawn(PROCESS, asHead, asDean, asRegistrar), 'dean'), 'Three desks')
  const [early, late, other] = await Promise.all([begin(), begin(), begin()])
  await Promise.all([decide(head, late, 'userTask_head', 'approve'), taskOf(early, 'userTask_head')])
  await decide(assistant, late, 'userTask_dean', 'approve')
  const { due_at: before } = await taskOf(early, 'userTask_head')
  const past = { value: '2020-01-01T10:45:00.000Z', type: 'String' }
  const variables = `/process-instance/${(await caseRow(early)).process_instance_id}/variables`
  await asOperator(one.engine, 'POST', variables, { modifications: { workday1: past } })
  await taskOf(late, 'userTask_registrar')

  const redrawn = eyes(drawn(PROCESS, asHead, { ...asDean, id: 'assistant' }, asRegistrar), 'assistant')
  const timed = after(
    after(due(due(redrawn, 'registrar', 'P14D'), 'head', '${workday1}'), 'registrarlate', 'P14D'),
    'headwaits',
    'PT4H',
  )
  const { definitionId: to } = await deploy(
    promises(promises(timed, 'registrar', 'escalate', 'P14D'), 'head', 'remind', 'PT4H'),
    'More time, and one desk redrawn',
  )
  const { instructions } = await ask(owner, 'POST', '/migration/plan', { from, to })
  // Even while other cases move, these two can be decided.
  await commandMove(other, { from, to, instructions, notBefore: new Date('2100-01-01') })
  const moved = Date.now()
  const { id } = await ask(owner, 'POST', '/migrations', { from, to, instructions, cases: [early, late] }, 202)
  await until('both have moved', async () => (await ask(owner, 'GET', `/migrations/${id}`)).done === 2)
  const task = await taskOf(late, 'userTask_registrar')
  const inDays = (task.due_at!.getTime() - moved) / 86_400_000
  expect([inDays >= 14, inDays < 14.01]).toEqual([true, true])
  const sooner = (await taskOf(early, 'userTask_head')).due_at!.getTime()
  expect([sooner > moved, sooner < before!.getTime()]).toEqual([true, true])
  // The reminder and escalation of its desk count from the start of the task, however late the case moved. The engine's
  // events and its history differ by a millisecond.
  const hours = async (of: string, kind: string) => {
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from p.due_at - t.created_at) / 3600, 4)::float as hours
      from desk_promise p join task t on t.id = p.task_id
      where t.case_id = ${of} and t.state in ('open', 'held') and p.kind = ${kind}`.execute(one.db)
    return rows.map((row) => row.hours)
  }
  expect([await hours(late, 'escalate'), await hours(early, 'remind')]).toEqual([[14 * 24], [4]])
  const complete = `/api/tasks/${task.id}/complete`
  const again = await ask(assistant, 'POST', complete, { data: { outcome: 'approve' } }, 403)
  expect(again.code).toBe('platform.decided-before')
  const forged = one.db.updateTable('task').set({ state: 'accepted', decided_by: assistant.id })
  await expect(forged.where('id', '=', task.id).execute()).rejects.toThrow('decided at an earlier desk')
  await decide(registrar, late, 'userTask_registrar', 'approve')
})

test('a stopped migration leaves every unmoved case where it is, whatever crashes meanwhile', async () => {
  const all = [await begin(), await begin(), await begin(), await begin()]
  const [moves, sent, held, waits] = all as [string, string, string, string]
  for (const id of all) await taskOf(id, 'userTask_head')
  const { process_definition_id: from } = await caseRow(moves)
  const { definitionId: to } = await deploy(drawn(PROCESS, asHead, asRegistrar), 'One desk fewer')
  const { instructions } = await ask(owner, 'POST', '/migration/plan', { from, to })
  // Its move is not sent before this one is.
  const far = { caseId: sent, actingUser: admin.id, notBefore: new Date('2100-01-01') }
  const message = { kind: 'correlate', payload: { message: 'none', variables: {} } } as const
  const earlier = await one.db.transaction().execute((trx) => commandRepository(trx).add({ ...far, ...message }))
  const moving = async () => (await ask(second, 'GET', '/api/studio/models')).items[0].moving
  const why = { reason: 'It is the wrong version' }
  const id: string = await one.db.transaction().execute(async (trx) => {
    await caseRepository(trx).hold(held)
    const begun = await ask(owner, 'POST', '/migrations', { from, to, instructions, cases: all }, 202)
    const entries = one.db.selectFrom('case_migration_entry').select('state').where('migration_id', '=', begun.id)
    await until('one has moved and one is to be sent', async () => {
      const states = (await entries.orderBy('position').execute()).map(({ state }) => state)
      return states.join() === 'done,sent,waiting,waiting'
    })
    expect(await moving()).toContainEqual({ id: begun.id, from, to })
    process.kill(pidOf('api'), 'SIGKILL')
    const stop = `/migrations/${begun.id}/stop`
    await ask(foreign, 'POST', stop, why, 404)
    await ask(second, 'POST', stop, { reason: ' ' }, 400)
    await ask(second, 'POST', stop, why, 204)
    expect((await ask(owner, 'POST', stop, why, 409)).code).toBe('platform.migration-over')
    return begun.id
  })
  const over = await until('each case has its answer', async () => {
    const now = await ask(owner, 'GET', `/migrations/${id}`)
    return now.done + now.failed === now.total && now
  })
  expect(over.stopped).toEqual({ by: expect.stringContaining('second'), at: expect.any(String), ...why })
  const reason = 'It had not moved yet when the move was stopped'
  expect(over.items).toEqual([
    ...[sent, held, waits].map((caseId) => expect.objectContaining({ caseId, state: 'failed', reason })),
    expect.objectContaining({ caseId: moves, state: 'done' }),
  ])
  const versions = await Promise.all(all.map(async (each) => (await caseRow(each)).process_definition_id))
  expect(versions).toEqual([to, from, from, from])
  expect(await moving()).not.toContainEqual({ id, from, to })
  const noted = one.db.selectFrom('audit_entry').select(['actor', 'action', 'case_id'])
  const audited = noted.where('actor', '=', second.id).where('action', 'like', '%migration%stopped%').orderBy('id')
  expect((await audited.execute()).map(({ case_id }) => case_id)).toEqual([null, sent])
  const forged = one.db.updateTable('case_migration_entry').set({ state: 'waiting', code: null, at: null })
  await expect(forged.where('case_id', '=', waits).execute()).rejects.toThrow('this move has been stopped')
  const renamed = one.db.updateTable('case_migration').set({ stop_reason: 'Another one' }).where('id', '=', id)
  await expect(renamed.execute()).rejects.toThrow('this is over')

  // The process that should release one may have died, or not have known of the stop yet: it is found again.
  await asOwner(`begin; set local session_replication_role = replica;
    update app.case_migration set stopped_at = stopped_at - interval '2 minutes' where id = '${id}';
    update app.case_migration_entry set state = 'sent', code = null, at = null
      where migration_id = '${id}' and case_id = '${sent}';
    commit`)
  expect((await ask(owner, 'GET', `/migrations/${id}`)).failed).toBe(2)
  await until('it is let go again', async () => (await ask(owner, 'GET', `/migrations/${id}`)).failed === 3)

  // They continue where they are, and the rest can be moved by another migration.
  await commandRepository(one.db).end(earlier, 'cancelled')
  await decide(head, sent, 'userTask_head', 'approve')
  const rest = await ask(owner, 'POST', '/migrations', { from, to, instructions }, 202)
  await until('the rest has moved', async () => {
    const now = await ask(owner, 'GET', `/migrations/${rest.id}`)
    return now.done + now.failed === now.total
  })
  expect((await caseRow(waits)).process_definition_id).toBe(to)
})

test('a case starts while the engine is still deploying a model and more deployments wait than there are connections', async () => {
  const { revision } = await ask(owner, 'POST', '/draft', {})
  const bpmn = drawn(PROCESS, { ...asHead, name: unique('Approve') }, asRegistrar)
  const saved = await ask(owner, 'PUT', '/draft', { revision, bpmn })
  const body = { revision: saved.revision, note: 'In its time' }
  // The engine locks this row while it deploys.
  const engineLock = `select from engine.act_ge_property where name_ = 'deployment.lock' for update`
  const all = await whileLocked(engineLock, [], async () => {
    const answers = Array.from({ length: 24 }, () => owner.send('POST', `${MODEL}/deploy`, body))
    await until('the engine waits for the row', async () => {
      const waiting = await asOwner(
        `select from pg_stat_activity where query ilike '%deployment.lock%' and wait_event_type = 'Lock'`,
      )
      return waiting.length === 1
    })
    // Checks run one after the other: after this one, those of all 24 deployments are done.
    await checks.tables(readFileSync('processes/resource-reservation/cancellation-terms.dmn', 'utf8'))
    await begin()
    return answers
  })
  const answers = await Promise.all(all)
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
    200,
    ...Array.from({ length: 23 }, () => 409),
  ])
})

test('of two who deploy one draft at once, one succeeds, and the other is told who and when', async () => {
  const { revision } = await ask(owner, 'POST', '/draft', {})
  const bpmn = drawn(PROCESS, { ...asHead, name: unique('Approve') }, asRegistrar)
  const saved = await ask(owner, 'PUT', '/draft', { revision, bpmn })
  await ask(owner, 'DELETE', '/draft/lock', undefined, 204)
  const body = { revision: saved.revision, note: 'Both of us' }
  const both = await Promise.all([owner, second].map((who) => who.send('POST', `${MODEL}/deploy`, body)))
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const late = both.find(({ statusCode }) => statusCode === 409)!.json()
  const [{ version, by }] = (await ask(owner, 'GET', '/versions')).items
  expect(late).toMatchObject({
    code: 'platform.deployed-meanwhile',
    title: expect.stringContaining(`The newest version is ${version}, deployed by ${by}`),
  })
})

test('if a second owner is required, one proposes and another decides, and the database enforces it', async () => {
  await ask(owner, 'PUT', '/settings', { secondOwner: true })
  const { revision } = await ask(owner, 'POST', '/draft', {})
  const bpmn = drawn(PROCESS, asDean)
  const saved = await ask(owner, 'PUT', '/draft', { revision, bpmn })
  const { items: versions } = await ask(owner, 'GET', '/versions')
  const before = versions.length
  await aloneRefused(versions.at(-1).definitionId, versions.at(-2).definitionId)
  const propose = { revision: saved.revision, note: 'One desk is enough' }
  const refused = async (results: string) =>
    (await ask(owner, 'POST', '/deploy', { ...propose, results }, 422)).code as string
  const wrong = [
    randomUUID(),
    await told({ bpmn: drawn(PROCESS, asHead), dmn: [] }),
    await told({ bpmn, dmn: [] }, 'failed'),
  ]
  expect(await Promise.all(wrong.map(refused))).toEqual(wrong.map(() => 'platform.results-of-something-else'))
  const results = await told({ bpmn, dmn: [] })
  const { waiting } = await ask(owner, 'POST', '/deploy', { ...propose, results })
  await ask(owner, 'POST', '/deploy', { revision: saved.revision, note: 'Again' }, 409)
  const [listed] = (await ask(second, 'GET', '/api/studio/models')).items
  expect(listed.waiting).toMatchObject({ id: waiting.id, note: 'One desk is enough', mine: false })
  expect(listed.waiting.results).toEqual({ runId: results, passed: 1, total: 2 })
  const mails = await one.db
    .selectFrom('mail')
    .select(['recipient_id', 'body'])
    .where('template', '=', 'platform.mail.model-proposed')
    .where('recipient_id', 'in', [owner.id, second.id])
    .execute()
  expect(mails).toEqual([{ recipient_id: second.id, body: expect.stringContaining('One desk is enough') }])
  // The decision is about the proposal, whatever the draft contains meanwhile.
  const draft = await ask(owner, 'PUT', '/draft', { revision: saved.revision, bpmn: drawn(PROCESS, asRegistrar) })
  const [{ definitionId: base }] = (await ask(owner, 'GET', '/versions')).items
  expect(await ask(second, 'GET', `/approvals/${waiting.id}`)).toMatchObject({
    state: 'waiting',
    mine: false,
    note: 'One desk is enough',
    base: { definitionId: base },
    restores: null,
    bpmn,
    dmn: [],
  })
  await ask(foreign, 'GET', `/approvals/${waiting.id}`, undefined, 404)
  await ask(owner, 'PUT', '/draft', { revision: draft.revision, bpmn })
  await ask(owner, 'POST', `/approvals/${waiting.id}`, { accept: true, note: 'Mine' }, 403)
  const forged = one.db
    .updateTable('studio_proposal')
    .set({ state: 'accepted', decided_by: owner.id, decided_at: new Date() })
    .where('id', '=', waiting.id)
    .execute()
  await expect(forged).rejects.toThrow('proposal_needs_another')
  await ask(foreign, 'POST', `/approvals/${waiting.id}`, { accept: true, note: 'Not theirs' }, 404)
  expect((await ask(owner, 'GET', '/versions')).items).toHaveLength(before)
  // More at once than there are database connections: each is answered.
  const decision = { accept: true, note: 'Agreed' }
  const all = await Promise.all(
    Array.from({ length: 24 }, () => second.send('POST', `${MODEL}/approvals/${waiting.id}`, decision)),
  )
  expect(all.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array.from({ length: 23 }, () => 409)])
  const { deployed } = all.find(({ statusCode }) => statusCode === 200)!.json()
  const [latest] = (await ask(owner, 'GET', '/versions')).items
  expect(latest).toMatchObject({
    ...deployed,
    note: 'One desk is enough',
    results: { runId: results, passed: 1, total: 2 },
    approvedBy: expect.stringContaining('second'),
  })
  await ask(owner, 'GET', '/draft', undefined, 404)
  await ask(second, 'POST', `/approvals/${waiting.id}`, { accept: false, note: 'Too late' }, 409)
  // Of two concurrent proposals, one succeeds.
  const { definitionId } = (await ask(owner, 'GET', '/versions')).items.at(-1)
  const rollBack = { definitionId, note: 'Both of us' }
  const both = await Promise.all([owner, second].map((who) => who.send('POST', `${MODEL}/rollback`, rollBack)))
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const [{ waiting: left }] = (await ask(admin, 'GET', '/api/studio/models')).items
  await ask(admin, 'POST', `/approvals/${left.id}`, { accept: false, note: 'Neither' })
})

test('a waiver of the second owner is requested by an administrator, and applies once somebody else confirms it', async () => {
  const { db } = one
  const [waivers, why] = ['/settings/waivers', { reason: 'The other owner is away for a year' }]
  const asks = async (): Promise<string> => (await ask(admin, 'POST', waivers, why, 201)).id
  const answers = (who: Caller, id: string, accept: boolean, status = 200) =>
    ask(who, 'POST', `${waivers}/${id}`, { accept, note: 'Looked at' }, status)
  const setting = async () => (await ask(second, 'GET', '/api/studio/models')).items[0]
  await ask(owner, 'PUT', '/settings', { secondOwner: true })
  await ask(admin, 'PUT', '/settings', { secondOwner: false }, 400)
  expect((await ask(owner, 'POST', waivers, why, 403)).code).toBe('platform.second-owner-stays')
  const first = await asks()
  expect((await ask(admin, 'POST', waivers, why, 409)).code).toBe('platform.waiver-waits')
  expect((await answers(admin, first, true, 403)).code).toBe('platform.waiver-own')
  await answers(foreign, first, true, 404)
  const waiting = { id: first, ...why, mine: false }
  expect(await setting()).toMatchObject({ secondOwner: true, mayAskWaiver: false, waiver: waiting })
  const decided = { state: 'confirmed', decided_by: admin.id, decided_at: sql<Date>`now()` }
  const alone = db.updateTable('second_owner_waiver').set(decided).where('id', '=', first)
  await expect(alone.execute()).rejects.toThrow('waiver_needs_another')
  const forge = () =>
    db.updateTable('studio_setting').set({ second_owner: false }).where('process', '=', PROCESS).execute()
  await expect(forge()).rejects.toThrow('a second person confirms it')
  await answers(admin, first, false)
  const next = await asks()
  expect(await answers(second, next, false)).toEqual({ secondOwner: true })
  expect((await answers(second, next, true, 409)).code).toBe('platform.waiver-decided')
  expect(await setting()).toMatchObject({ secondOwner: true, waiver: null })
  expect(await answers(second, await asks(), true)).toEqual({ secondOwner: false })
  expect(await setting()).toMatchObject({ secondOwner: false, waiver: null })

  // An earlier confirmation does not apply to a new request.
  await ask(owner, 'PUT', '/settings', { secondOwner: true })
  await expect(forge()).rejects.toThrow('a second person confirms it')
  await expect(alone.execute()).rejects.toThrow('this is over')
  const another = await app.person(unique('another'), { role: 'ADMIN' })
  await answers(another, await asks(), true)
  expect((await ask(admin, 'POST', waivers, why, 409)).code).toBe('platform.second-owner-off')

  const informed = async (template: string) => {
    const mails = db.selectFrom('mail').select('recipient_id').where('template', '=', template)
    const all = await mails.where('recipient_id', 'in', [owner.id, second.id, admin.id]).execute()
    return [owner, second, admin].map(({ id }) => all.filter(({ recipient_id }) => recipient_id === id).length)
  }
  expect(await informed('platform.mail.second-owner-waiver')).toEqual([4, 4, 0])
  expect(await informed('platform.mail.second-owner-given-up')).toEqual([2, 1, 0])
  const noted = db.selectFrom('audit_entry').select(['actor', 'action']).where('object', '=', `model:${PROCESS}`)
  const entries = await noted.where('action', 'like', 'model-setting.waiver-%').orderBy('id').execute()
  expect(entries.map(({ actor, action }) => [actor, action.replace(/.*-/, '')])).toEqual([
    ...[
      [admin.id, 'asked'],
      [admin.id, 'withdrawn'],
    ],
    ...[
      [admin.id, 'asked'],
      [second.id, 'refused'],
    ],
    ...[
      [admin.id, 'asked'],
      [second.id, 'confirmed'],
    ],
    ...[
      [admin.id, 'asked'],
      [another.id, 'confirmed'],
    ],
  ])
})

/**
 * What nobody can do alone while a second owner is required: add that owner, and, as an owner, move cases past a desk.
 */
async function aloneRefused(from: string, to: string): Promise<void> {
  const { db } = one
  const { role, scope } = owning(PROCESS)
  const given = { role, scope, reason: 'Says yes to everything' }
  // A head administers people, too.
  await grantRole(db, head.id, owning(PROCESS))
  for (const who of [head, admin]) {
    const chosen = await ask(who, 'POST', `/api/people/${requester.id}/grants`, given, 403)
    expect(chosen.code).toBe('platform.owners-stay')
  }
  const { mayGrant } = await ask(admin, 'GET', `/api/people/${requester.id}`)
  const offered = mayGrant.find((each: { role: string }) => each.role === role)
  expect(offered.scopes).toEqual([expect.objectContaining({ id: PROCESS, refusal: 'platform.owners-stay' })])
  const ends = async (who: Caller) => {
    const { grants } = await ask(who, 'GET', `/api/people/${second.id}`)
    return grants.map(({ mayEnd, endRefusal }: { mayEnd: boolean; endRefusal: string | null }) => [mayEnd, endRefusal])
  }
  expect([await ends(head), await ends(admin)]).toEqual([[[false, 'platform.owners-chosen']], [[true, null]]])
  const granted = db.selectFrom('role_grant').select('id').where('role', '=', role).where('scope_id', '=', PROCESS)
  const { id: others } = await granted.where('account_id', '=', second.id).executeTakeFirstOrThrow()
  const ending = await ask(head, 'POST', `/api/grants/${others}/end`, { reason: 'Says no' }, 403)
  expect(ending.code).toBe('platform.owners-chosen')
  const row = { id: randomUUID(), account_id: requester.id, role, scope_kind: 'flow', scope_id: PROCESS }
  const forged = db.insertInto('role_grant').values({ ...row, granted_by: admin.id, reason: 'Forged' })
  await expect(forged.execute()).rejects.toThrow('nobody becomes an owner meanwhile')
  const ended = db.updateTable('role_grant').set({ ends_at: new Date(), ended_by: owner.id, end_reason: 'Forged' })
  await expect(ended.where('id', '=', others).execute()).rejects.toThrow('administrators say who ceases to be an owner')

  const instructions = [{ source: 'userTask_head', target: 'userTask_dean' }]
  const move = { from, to, instructions }
  const { problems } = await ask(owner, 'POST', '/migration/validate', move)
  expect(problems).toEqual([{ element: 'userTask_head', reason: expect.stringContaining('Approve as head') }])
  const cases = await db
    .selectFrom('flow_case')
    .select('id')
    .where('flow', '=', FLOW)
    .where('state', '=', 'ended')
    .execute()
  const about = { ...move, cases: cases.slice(0, 1).map((over) => over.id) }
  expect(await ask(owner, 'POST', '/migrations', about, 403)).toMatchObject({
    code: 'platform.migration-other-desk',
    title: expect.stringContaining('Approve as head'),
  })
  const made = {
    id: randomUUID(),
    process: PROCESS,
    from_id: from,
    to_id: to,
    instructions: JSON.stringify(instructions),
  }
  const past = db
    .insertInto('case_migration')
    .values({ ...made, reason: 'made', account_id: second.id, acted_as: 'made' })
  await expect(past.execute()).rejects.toThrow('administrators lead cases to another desk')
  expect((await ask(admin, 'POST', '/migration/validate', move)).problems).toEqual([])
  const { id: begun } = await ask(admin, 'POST', '/migrations', about, 202)
  const migration = db.selectFrom('case_migration').select('acted_as').where('id', '=', begun)
  expect(await migration.executeTakeFirst()).toEqual({ acted_as: 'ADMIN' })
}

test('an abandoned scenario run is ended, so that others can begin; a waiting one is not', async () => {
  const [dead, waits] = [randomUUID(), randomUUID()]
  const run = { kind: 'scenarios', of_draft: true, total: 1, asked_by: owner.id, wanted: '{}' }
  const later = sql`select graphile_worker.add_job('tell-scenarios', json_build_object('id', ${waits}::text),
    job_key := ${`tell-scenarios:${waits}`}, run_at := now() + interval '1 hour')`
  await one.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('scenario_run')
      .values([
        { ...run, id: dead, process: PROCESS },
        { ...run, id: waits, process: `${PROCESS}-other` },
      ])
      .execute()
    await later.execute(trx)
  })
  await forgetStrayTrials(one)
  const runs = one.db.selectFrom('scenario_run').select(['id', 'state', 'wanted']).where('id', 'in', [dead, waits])
  const found = new Map((await runs.execute()).map(({ id, ...rest }) => [id, rest]))
  expect(found.get(dead)).toEqual({ state: 'failed', wanted: null })
  expect(found.get(waits)).toMatchObject({ state: 'running' })
  await endRun(one.db, waits, 'failed')
  await sql`select graphile_worker.remove_job(${`tell-scenarios:${waits}`})`.execute(one.db)
})

test('a scenario that reaches a call of another process says so, and says where', async () => {
  const bpmn = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="https://prakriya/tests">
    <process id="calling" isExecutable="true" camunda:historyTimeToLive="P1D">
      <startEvent id="startEvent_a" />
      <sequenceFlow id="flow_a" sourceRef="startEvent_a" targetRef="callActivity_other" />
      <callActivity id="callActivity_other" name="Ask the others" calledElement="another-process" />
      <sequenceFlow id="flow_b" sourceRef="callActivity_other" targetRef="endEvent_b" />
      <endEvent id="endEvent_b" />
    </process>
  </definitions>`
  const resources = [{ name: 'calling.bpmn', content: bpmn }]
  const trial = await one.engine.deployTrial({ name: 'calling', tenantId: `trial-${randomUUID()}`, resources })
  try {
    const stage = await stageOf(one.engine, trial, {
      bpmn,
      process: 'calling',
      topics: new Map(),
      first: {},
      scopes: [],
    })
    const { passed, reasons } = await play(stage, { name: 'It calls', steps: [], expect: {} })
    const reason = expect.stringMatching(/^Ask the others calls another process \(another-process\)/)
    expect({ passed, reasons }).toEqual({ passed: false, reasons: [{ element: 'callActivity_other', reason }] })
  } finally {
    await one.engine.forgetTrial(trial.deploymentId)
  }
})

test('an earlier version returns as the newest, unless it is current; the repository never overwrites it', async () => {
  const { items } = await ask(owner, 'GET', '/versions')
  const first = items.at(-1)
  const back = { definitionId: first.definitionId, note: 'It went wrong' }
  const { deployed } = await ask(owner, 'POST', '/rollback', back)
  expect(deployed.version).toBe(items[0].version + 1)
  expect((await ask(owner, 'GET', `/versions/${encodeURIComponent(deployed.definitionId)}`)).bpmn).toBe(
    drawn(PROCESS, asHead, asRegistrar),
  )
  expect((await ask(owner, 'POST', '/rollback', back, 409)).code).toBe('platform.model-unchanged')
  await taskOf(await begin(), 'userTask_head')

  // A version deployed under weaker checks cannot be deployed again.
  const id = `${PROCESS}:0`
  const older = artifact('bpmn', PROCESS, drawn(PROCESS, asHead).replace('HOD@', 'Nobody@'))
  await one.db.insertInto('artifact').values(older).execute()
  const shipped = one.db.selectFrom('process_definition').selectAll().where('id', '=', first.definitionId)
  const { flow_hash, deployment_id } = await shipped.executeTakeFirstOrThrow()
  const row = { id, flow: FLOW, process_key: PROCESS, version: 0, deployment_id, flow_hash, forms: '{}' }
  await one.db
    .insertInto('process_definition')
    .values({ ...row, bpmn_hash: older.hash, source: 'owner' })
    .execute()
  const refused = await ask(owner, 'POST', '/rollback', { definitionId: id, note: 'The oldest one' }, 422)
  expect(refused.errors).toContainEqual(expect.objectContaining({ field: 'userTask_head' }))
  await one.db.deleteFrom('process_definition').where('id', '=', id).execute()

  const flow = own.library.flows.get(FLOW)!
  const manifest = { ...flow.manifest, description: 'tests.newer' }
  const newer = { ...own.library, flows: new Map([[FLOW, { ...flow, manifest }]]) }
  const { db, engine, log } = one
  await deployRepositoryModels({ db, engine, library: newer, log, gate: async () => undefined })
  expect((await ask(owner, 'GET', '/versions')).items[0].definitionId).toBe(deployed.definitionId)
})

test('the heat shows how a case ran: what it came back to, who rejected, how long it waited', async () => {
  const from = new Date().toISOString()
  const id = await begin()
  await taskOf(id, 'userTask_head')
  const [waiting] = (await ask(owner, 'GET', `/heat?from=${from}`)).elements.filter(
    (row: { element: string }) => row.element === 'userTask_head',
  )
  expect(waiting).toMatchObject({ passes: 1, present: 1, waitingSeconds: { median: expect.any(Number) } })
  const { id: waits } = await taskOf(id, 'userTask_head')
  const remind = one.db.updateTable('desk_promise').where('task_id', '=', waits).where('kind', '=', 'remind')
  await remind.set({ done_at: new Date() }).execute()
  await decide(head, id, 'userTask_head', 'approve')
  await decide(registrar, id, 'userTask_registrar', 'return')
  await decide(head, id, 'userTask_head', 'approve')
  await decide(registrar, id, 'userTask_registrar', 'reject')
  await until('the case is over', async () => (await caseRow(id)).state === 'ended')
  const heat = await ask(owner, 'GET', `/heat?from=${from}`)
  const at = (element: string) => heat.elements.find((row: { element: string }) => row.element === element)
  expect(heat).toMatchObject({ cases: 1, whole: true })
  expect(at('userTask_head')).toMatchObject({ name: asHead.name, passes: 2, present: 0, rework: 1, rejections: 0 })
  expect(at('userTask_head')).toMatchObject({ reminders: 1, escalations: 0 })
  expect(at('userTask_registrar')).toMatchObject({ passes: 2, cases: 1, rework: 1, rejections: 1 })
  const { median, p90 } = at('userTask_head').waitingSeconds
  const all = (Date.now() - Date.parse(from)) / 1000
  expect([median > 0, p90 >= median, p90 < all]).toEqual([true, true, true])
  expect(at('endEvent_registrarrejected')).toMatchObject({ passes: 1, rework: 0, waitingSeconds: null })
  expect((await ask(owner, 'GET', '/heat?until=2020-01-01T00:00:00Z')).elements).toEqual([])
})

/** The generated model with a table before its desk that decides whether the head is asked, and that table. */
function steered(output: string): { bpmn: string; dmn: Content['dmn'] } {
  const flow = (id: string, from: string, to: string, name = '', inside = '') =>
    `<bpmn:sequenceFlow id="${id}" name="${name}" sourceRef="${from}" targetRef="${to}">${inside}</bpmn:sequenceFlow>`
  const ends = (incoming: string, ...outgoing: string[]) =>
    `<bpmn:incoming>${incoming}</bpmn:incoming>${outgoing.map((id) => `<bpmn:outgoing>${id}</bpmn:outgoing>`).join('')}`
  const asks =
    '<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" language="feel">(contains(desks, "Head")) = true</bpmn:conditionExpression>'
  const elements = [
    `<bpmn:businessRuleTask id="businessRuleTask_desks" name="Who is asked?" camunda:decisionRef="drawn-desks" camunda:decisionRefBinding="deployment" camunda:resultVariable="desks" camunda:mapDecisionResult="singleEntry">${ends('flow_toFirst', 'flow_toAsked')}</bpmn:businessRuleTask>`,
    `<bpmn:exclusiveGateway id="gateway_asked" name="Head asked?" default="flow_skip">${ends('flow_toAsked', 'flow_ask', 'flow_skip')}</bpmn:exclusiveGateway>`,
    `<bpmn:endEvent id="endEvent_unasked" name="Unasked">${ends('flow_skip')}</bpmn:endEvent>`,
    flow('flow_toAsked', 'businessRuleTask_desks', 'gateway_asked'),
    flow('flow_ask', 'gateway_asked', 'userTask_head', 'yes', asks),
    flow('flow_skip', 'gateway_asked', 'endEvent_unasked', 'no'),
  ]
  const shape = (id: string, x: number, y: number, size: number) =>
    `<bpmndi:BPMNShape id="shape_${id}" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="${size}" height="${size}" /></bpmndi:BPMNShape>`
  const edge = (id: string) =>
    `<bpmndi:BPMNEdge id="edge_${id}" bpmnElement="${id}"><di:waypoint x="0" y="0" /><di:waypoint x="10" y="0" /></bpmndi:BPMNEdge>`
  const shapes = [
    shape('businessRuleTask_desks', 140, 88, 60),
    shape('gateway_asked', 220, 93, 50),
    shape('endEvent_unasked', 300, 500, 36),
    ...['flow_toAsked', 'flow_ask', 'flow_skip'].map(edge),
  ]
  const bpmn = drawn(PROCESS, asHead)
    .replace('<bpmn:incoming>flow_toFirst</bpmn:incoming>', '<bpmn:incoming>flow_ask</bpmn:incoming>')
    .replace('targetRef="userTask_head"', 'targetRef="businessRuleTask_desks"')
    .replace('</bpmn:process>', `${elements.join('')}</bpmn:process>`)
    .replace('</bpmndi:BPMNPlane>', `${shapes.join('')}</bpmndi:BPMNPlane>`)
  const entry = (kind: string, id: string, text: string) =>
    `<${kind}Entry id="${id}" expressionLanguage="feel"><text>${text}</text></${kind}Entry>`
  const rule = (id: string, input: string, answer: string) =>
    `<rule id="rule_${id}">${entry('input', `${id}_in`, input)}${entry('output', `${id}_out`, answer)}</rule>`
  const content = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:camunda="http://camunda.org/schema/1.0/dmn" id="definitions_drawn" name="Desks" namespace="https://prakriya/tests"><decision id="drawn-desks" name="Desks" camunda:historyTimeToLive="P180D"><decisionTable id="table_desks" hitPolicy="FIRST"><input id="input_department" label="Department"><inputExpression id="expression_department" typeRef="string" expressionLanguage="feel"><text>departmentId</text></inputExpression></input><output id="output_desks" name="desks" label="Asked" typeRef="string" />${rule('none', '"none"', '"Head"')}${rule('other', '', output)}</decisionTable></decision></definitions>`
  return { bpmn, dmn: [{ key: 'tests/drawn-desks.dmn', content }] }
}

test('a table names the desks that the diagram asks for; a row without a decision needs two owners', async () => {
  const { revision } = await ask(owner, 'POST', '/draft', {})
  const strange = steered('"Gardener"')
  const reason =
    '“Desks”, row 2, Asked: the diagram does not ask for “Gardener”; it asks for “Head”, and “nobody” is written for no desk'
  expect((await ask(owner, 'POST', '/check', strange)).problems).toEqual([
    { element: 'businessRuleTask_desks', reason, level: 'error', source: 'gate' },
  ])
  const saved = await ask(owner, 'PUT', '/draft', { revision, ...strange })
  const beside = await ask(owner, 'POST', '/decisions/check', { dmn: strange.dmn[0]!.content })
  expect(beside.problems).toEqual([{ element: 'rule_other', reason }])
  await ask(owner, 'POST', '/deploy', { revision: saved.revision, note: 'Strange', nobodyDecides: true }, 422)

  const nobody = steered('"nobody"')
  const row = '“Desks”, row 2, Asked: with “nobody” nobody decides on the case'
  expect((await ask(owner, 'POST', '/check', nobody)).problems).toEqual([
    expect.objectContaining({ reason: row, level: 'warning', rule: 'nobody-decides' }),
  ])
  const again = await ask(owner, 'PUT', '/draft', { revision: saved.revision, ...nobody })
  const wanted = { revision: again.revision, note: 'Small matters need no head' }
  expect(await ask(owner, 'POST', '/deploy', wanted, 422)).toMatchObject({
    code: 'platform.nobody-decides',
    errors: [{ field: 'businessRuleTask_desks', message: row }],
  })
  // The flow requires no second owner; these rows do.
  const { waiting } = await ask(owner, 'POST', '/deploy', { ...wanted, nobodyDecides: true })
  const [model] = (await ask(second, 'GET', '/api/studio/models')).items
  expect(model).toMatchObject({ secondOwner: false, waiting: { id: waiting.id, undecided: [row] } })
  const decision = { accept: true, note: 'They need none' }
  const path = `/approvals/${waiting.id}`
  await ask(owner, 'POST', path, { ...decision, nobodyDecides: true }, 403)
  // It is checked before anything is locked: it is answered even while the proposal is locked.
  const refused = await whileLocked('select from app.studio_proposal where id = $1 for update', [waiting.id], () =>
    ask(second, 'POST', path, decision, 422),
  )
  expect(refused.code).toBe('platform.nobody-decides')
  const { deployed } = await ask(second, 'POST', path, { ...decision, nobodyDecides: true })
  const [latest] = (await ask(owner, 'GET', '/versions')).items
  expect(latest).toMatchObject({ definitionId: deployed.definitionId, note: wanted.note })
  expect(latest.approvedBy).toMatch(/^second-/)
})
