import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { WORK_OFF_BULK } from '../../api/platform/work/rows/bulk.ts'
import type { Database } from '../../api/platform/kernel/db/database.ts'
import { bulkTasks } from '../../api/platform/features/bulk/work.ts'
import { relay } from '../../api/platform/work/commands/relay.ts'
import type { Tasks } from '../../api/platform/work/tasks/service.ts'
import { type DeskApp, type Waiting, deskApp } from './fixtures/desk-app.ts'
import type { Caller } from './kit/app.ts'
import { until } from './kit/poll.ts'

let own: DeskApp
let jobs: ReturnType<typeof relay> | undefined
beforeAll(async () => {
  own = await deskApp()
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
})
afterAll(() => own?.close())

/** Processes pending tasks, as every API node does. */
function somebodyWorks(tasks: Partial<Tasks> = {}, database: Database = own.database): void {
  const { sender, parts } = own
  const given = bulkTasks({ ...parts, tasks: { ...own.tasks, ...tasks } })
  jobs = relay({ database, sender, tasks: given, log: parts.log })
  jobs.start()
}

const some = (count: number) => Promise.all(Array.from({ length: count }, () => own.waiting()))
const ids = (all: readonly Waiting[]) => all.map(({ id }) => id)
const preview = async (who: Caller, body: object) => (await who.send('POST', '/api/bulk/preview', body)).json()
const start = async (who: Caller, body: object): Promise<string> => {
  const answer = await who.send('POST', '/api/bulk', body)
  expect([answer.statusCode, answer.body]).toEqual([202, expect.any(String)])
  return answer.json().id
}
const look = async (who: Caller, id: string) => (await who.send('GET', `/api/bulk/${id}`)).json()
const over = (who: Caller, id: string) =>
  until('it is over', async () => {
    const action = await look(who, id)
    return action.state === 'running' ? undefined : action
  })
const messages = (action: { items: { task: string; message: string | null }[] }) =>
  Object.fromEntries(action.items.map(({ task, message }) => [task, message]))
const decisions = async (all: readonly Waiting[]) => {
  const rows = await own.db
    .selectFrom('submission')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('task_id', 'in', ids(all))
    .executeTakeFirstOrThrow()
  return Number(rows.count)
}

const approve = { kind: 'complete', outcome: 'approve' }

test('a request without a list of tasks is refused', async () => {
  for (const [body, field] of [
    [{ kind: 'complete', tasks: [] }, '/tasks'],
    [{ kind: 'complete', tasks: Array.from({ length: 501 }, () => randomUUID()) }, '/tasks'],
    [{ kind: 'burn', tasks: ['a'] }, '/kind'],
    [{ kind: 'claim', tasks: ['a', 'a'] }, '/tasks'],
  ] as const) {
    const answer = await own.head.send('POST', '/api/bulk/preview', body)
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([400, field])
  }
})

test('nobody learns anything about tasks of others, or acts on them', async () => {
  const task = await own.waiting()
  const seen = await preview(own.otherHead, { kind: 'claim', tasks: [task.id, 'no-such-task'] })
  const unknown = { reference: null, title: null, code: 'platform.not-found', message: expect.any(String) }
  expect(seen).toEqual({
    doable: [],
    refused: [
      { task: task.id, ...unknown },
      { task: 'no-such-task', ...unknown },
    ],
    form: null,
    outcomes: [],
  })
  for (const tasks of [[task.id], ['no-such-task']])
    expect((await own.otherHead.send('POST', '/api/bulk', { ...approve, tasks })).statusCode).toBe(404)
  const id = await start(own.head, { kind: 'claim', tasks: [task.id] })
  for (const [verb, url] of [
    ['GET', `/api/bulk/${id}`],
    ['POST', `/api/bulk/${id}/stop`],
  ] as const)
    expect((await own.secondHead.send(verb, url)).statusCode).toBe(404)
  expect((await own.secondHead.send('GET', '/api/bulk')).json().items).toEqual([])
  await own.head.send('POST', `/api/bulk/${id}/stop`)
})

test('the preview names tasks that cannot be decided and why, and the form of the others; nothing happens', async () => {
  const [first, second, held, decided] = await some(4)
  const mine = await own.waiting(own.head)
  const correction = await own.waiting(own.asker, { form: 'tests/request', desk: 'userTask_correct' })
  const formless = await own.waiting(own.asker, { form: null })
  await own.secondHead.send('POST', `/api/tasks/${held!.id}/claim`)
  await own.secondHead.send('POST', `/api/tasks/${decided!.id}/complete`, { data: { outcome: 'reject' } })
  const all = [first!, held!, mine, second!, decided!, correction, formless]
  const seen = await preview(own.head, { kind: 'complete', tasks: ids(all) })
  expect(seen.doable).toEqual([first!.id, second!.id])
  expect(seen.refused.map(({ task, reference, code }: any) => [task, reference, code])).toEqual([
    [held!.id, held!.reference, 'platform.task-held'],
    [mine.id, mine.reference, 'platform.own-case'],
    [decided!.id, decided!.reference, 'platform.task-decided'],
    [correction.id, correction.reference, 'platform.bulk-correction'],
    [formless.id, formless.reference, 'platform.task-without-form'],
  ])
  expect(seen.refused[0].message).toMatch(/second-head has taken this already/)
  expect(seen.form).toMatchObject({ key: 'tests/approval', schema: { required: ['outcome'] } })
  expect(seen.outcomes).toEqual([
    { value: 'approve', title: 'approve' },
    { value: 'reject', title: 'reject' },
  ])
  expect((await preview(own.head, { ...approve, tasks: [first!.id] })).refused).toEqual([])
  for (const answer of [{ outcome: 'perhaps' }, { outcome: 'approve', data: { outcomes: 'two' } }]) {
    const unfit = await preview(own.head, { kind: 'complete', ...answer, tasks: [first!.id] })
    expect(unfit.refused).toMatchObject([{ code: 'platform.form-invalid' }])
  }
  expect(await decisions([first!, second!])).toBe(0)
})

test('tasks with a less frequent form are left out, also without a preview', async () => {
  const two = await some(2)
  const other = await own.waiting(own.asker, { desk: 'userTask_registrar' })
  // As if the diagram used another form there.
  const hash = (
    await own.db.selectFrom('artifact').select('hash').where('key', '=', 'tests/request').executeTakeFirstOrThrow()
  ).hash
  await own.db
    .updateTable('task')
    .set({ form_key: 'tests/other', form_hash: hash })
    .where('id', '=', other.id)
    .execute()
  const seen = await preview(own.head, { ...approve, tasks: [other.id, ...ids(two)] })
  expect(seen.doable).toEqual(ids(two))
  expect(seen.refused).toMatchObject([{ task: other.id, code: 'platform.bulk-form-differs' }])
  somebodyWorks()
  const done = await over(own.head, await start(own.head, { ...approve, tasks: [other.id, ...ids(two)] }))
  expect(done).toMatchObject({ state: 'done', total: 3, done: 2, refused: 1, stopped: 0 })
  expect(messages(done)[other.id]).toMatch(/a different form/)
})

test('a decision that fits no task starts nothing', async () => {
  const [task] = await some(1)
  const wrong = await own.head.send('POST', '/api/bulk', { kind: 'complete', outcome: 'perhaps', tasks: [task!.id] })
  expect([wrong.statusCode, wrong.json().errors[0].field]).toEqual([422, '/outcome'])
  const far = new Date(Date.now() + 3_600_000).toISOString()
  const late = await own.head.send('POST', '/api/bulk', { ...approve, notBefore: far, tasks: [task!.id] })
  expect([late.statusCode, late.json().errors[0].field]).toEqual([422, '/notBefore'])
  expect((await own.head.send('GET', '/api/bulk')).json().items.map((one: any) => one.state)).not.toContain('running')
})

test('each task is decided by the rules of its own moment, and has its own result', async () => {
  const [first, snatched, last] = await some(3)
  const mine = await own.waiting(own.head)
  const id = await start(own.head, { ...approve, tasks: ids([first!, mine, snatched!, last!]) })
  expect(await look(own.head, id)).toMatchObject({
    outcome: 'approve',
    state: 'running',
    total: 4,
    done: 0,
    refused: 0,
  })
  const second = await own.head.send('POST', '/api/bulk', { kind: 'claim', tasks: [last!.id] })
  expect([second.statusCode, second.json().code]).toEqual([409, 'platform.bulk-running'])
  await own.secondHead.send('POST', `/api/tasks/${snatched!.id}/complete`, { data: { outcome: 'reject' } })
  somebodyWorks()
  const done = await over(own.head, id)
  expect(done).toMatchObject({ kind: 'complete', state: 'done', done: 2, refused: 2, stopped: 0 })
  expect(done.items.map(({ reference, state }: any) => [reference, state])).toEqual([
    [first!.reference, 'done'],
    [mine.reference, 'refused'],
    [snatched!.reference, 'refused'],
    [last!.reference, 'done'],
  ])
  expect(messages(done)).toMatchObject({
    [mine.id]: 'You cannot decide your own request',
    [snatched!.id]: expect.stringMatching(/second-head has decided this already/),
    [last!.id]: null,
  })
  // Its commands use the bulk lane, so that single decisions can overtake them.
  const lanes = await own.db
    .selectFrom('command')
    .select(['lane', 'state'])
    .where('task_id', 'in', ids([first!, last!]))
    .execute()
  expect(lanes.map(({ lane }) => lane)).toEqual(['bulk', 'bulk'])
  await until('the engine has them', async () => {
    const { count } = await own.db
      .selectFrom('command')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('task_id', 'in', ids([first!, last!]))
      .where('state', '=', 'done')
      .executeTakeFirstOrThrow()
    return Number(count) === 2
  })
  const { rows } = await sql<{ action: string; bulk: string | null }>`
    select e.action, p.payload ->> 'bulk' as bulk from audit_entry e join audit_payload p on p.entry_id = e.id
    where e.object = ${`bulk:${id}`} or p.payload ->> 'bulk' = ${id} order by e.id`.execute(own.db)
  expect(rows).toEqual([
    { action: 'bulk.started', bulk: null },
    { action: 'task.completed', bulk: id },
    { action: 'task.completed', bulk: id },
  ])
})

test('many are taken and released at once', async () => {
  const all = await some(3)
  await own.secondHead.send('POST', `/api/tasks/${all[1]!.id}/claim`)
  somebodyWorks()
  expect(await preview(own.head, { kind: 'claim', tasks: ids(all) })).toMatchObject({
    doable: [all[0]!.id, all[2]!.id],
    refused: [{ task: all[1]!.id, code: 'platform.task-held' }],
  })
  const claimed = await over(own.head, await start(own.head, { kind: 'claim', tasks: ids(all) }))
  expect(claimed).toMatchObject({ done: 2, refused: 1 })
  expect(await preview(own.head, { kind: 'release', tasks: ids(all) })).toMatchObject({
    doable: [all[0]!.id, all[2]!.id],
    refused: [{ task: all[1]!.id, code: 'platform.task-held' }],
  })
  const released = await over(own.head, await start(own.head, { kind: 'release', tasks: ids(all) }))
  expect(released).toMatchObject({ done: 2, refused: 1 })
  const [task] = (await preview(own.head, { kind: 'release', tasks: [all[0]!.id] })).refused
  expect(task.code).toBe('platform.task-not-held')
})

test('many are assigned at once, and each person affected gets one email', async () => {
  const all = await some(3)
  const mine = await own.waiting(own.secondHead)
  const mails = async () => {
    const rows = await own.db.selectFrom('mail').select(['recipient_id', 'template', 'subject']).execute()
    return rows
      .filter(({ template }) => /tasks?-(assigned|taken)/.test(template))
      .map(({ recipient_id, subject }) => [recipient_id, subject])
  }
  const given = { kind: 'assign', tasks: ids([...all, mine]), to: own.secondHead.id }
  expect((await own.head.send('POST', '/api/bulk/preview', { ...given, to: undefined })).statusCode).toBe(422)
  await own.head.send('POST', `/api/tasks/${all[0]!.id}/claim`)
  await own.head.send('POST', `/api/tasks/${all[1]!.id}/claim`)
  expect(await preview(own.otherHead, given)).toMatchObject({ doable: [] })
  const seen = await preview(own.admin, given)
  expect(seen.doable).toEqual(ids(all))
  expect(seen.refused).toMatchObject([{ task: mine.id, code: 'platform.assignee-own-case' }])
  somebodyWorks()
  expect(await over(own.admin, await start(own.admin, given))).toMatchObject({ done: 3, refused: 1 })
  expect(await mails()).toEqual([
    [own.secondHead.id, 'admin has given you tasks: 3'],
    [own.head.id, 'admin has given tasks of yours to second-head: 2'],
  ])
  const { items } = (await own.secondHead.send('GET', '/api/tasks?queue=mine&limit=50')).json()
  expect(items.map(({ id }: any) => id)).toEqual(expect.arrayContaining(ids(all)))
})

test('after a stop the remaining tasks are unchanged, and completed ones stay completed', async () => {
  const all = await some(4)
  let stopping: Promise<unknown> | undefined
  const id = await start(own.head, { ...approve, tasks: ids(all) })
  let acted = 0
  somebodyWorks({
    async decide(...given) {
      if ((acted += 1) === 3) {
        stopping = own.head.send('POST', `/api/bulk/${id}/stop`)
        await stopping
      }
      return own.tasks.decide(...given)
    },
  })
  const stopped = await over(own.head, id)
  await stopping
  expect(stopped).toMatchObject({ state: 'stopped', done: 2, refused: 0, stopped: 2 })
  await jobs!.stop()
  expect(await look(own.head, id)).toMatchObject({ state: 'stopped', done: 2, stopped: 2 })
  expect(await decisions(all)).toBe(2)
  // Stopping again changes nothing.
  expect((await own.head.send('POST', `/api/bulk/${id}/stop`)).json()).toMatchObject({ state: 'stopped', done: 2 })
})

test('after a process dies halfway another continues, and each task is decided once', async () => {
  const all = await some(6)
  const id = await start(own.head, { ...approve, tasks: ids(all) })
  let acted = 0
  const died = Promise.withResolvers<void>()
  const dying = bulkTasks({
    ...own.parts,
    tasks: {
      ...own.tasks,
      async decide(...given) {
        const decided = await own.tasks.decide(...given)
        // After the commit, before anybody is notified.
        if ((acted += 1) === 3) return (died.resolve(), new Promise<never>(() => undefined))
        return decided
      },
    },
  })
  void dying[WORK_OFF_BULK]!({ id }, {} as never)
  await died.promise
  expect(await look(own.head, id)).toMatchObject({ state: 'running', done: 3 })
  somebodyWorks()
  expect(await over(own.head, id)).toMatchObject({ state: 'done', done: 6, refused: 0 })
  expect(await decisions(all)).toBe(6)
})

test('a failure at one task does not affect the others; a person who loses the right stops', async () => {
  const all = await some(3)
  const head = await own.app.person(`leaving-${randomUUID()}`, {
    role: 'HOD',
    scope: { kind: 'department', id: own.department },
  })
  const id = await start(head, { ...approve, tasks: ids(all) })
  let acted = 0
  somebodyWorks({
    async decide(...given) {
      if ((acted += 1) === 1) throw new TypeError('a bug of the test')
      const decided = await own.tasks.decide(...given)
      await own.database.owner.db.deleteFrom('role_grant').where('account_id', '=', head.id).execute()
      return decided
    },
  })
  const done = await over(head, id)
  expect(done.items.map(({ state }: any) => state)).toEqual(['refused', 'done', 'refused'])
  expect(messages(done)[all[0]!.id]).toMatch(/fault|went wrong/i)
})

test('each of many decisions can be undone separately while it waits', async () => {
  const all = await some(2)
  somebodyWorks()
  const notBefore = new Date(Date.now() + 20_000).toISOString()
  const id = await start(own.head, { ...approve, notBefore, tasks: ids(all) })
  await over(own.head, id)
  const waits = (await own.head.send('GET', '/api/tasks/undoable')).json()
  expect(waits.map(({ task }: any) => task).toSorted()).toEqual(ids(all).toSorted())
  expect((await own.head.send('POST', `/api/tasks/${all[0]!.id}/undo`)).json().state).toBe('open')
  // Its result says so, whatever it was before.
  const after = await look(own.head, id)
  expect(after).toMatchObject({ state: 'done', done: 1, refused: 0, stopped: 1 })
  expect(after.items.map(({ state }: any) => state)).toEqual(['stopped', 'done'])
})

test('all waiting decisions are undone at once, and tasks not reached are left alone', async () => {
  const all = await some(4)
  let acted = 0
  const third = Promise.withResolvers<void>()
  somebodyWorks({
    async decide(...given) {
      if ((acted += 1) > 3) await third.promise
      return own.tasks.decide(...given)
    },
  })
  const notBefore = new Date(Date.now() + 20_000).toISOString()
  const id = await start(own.head, { ...approve, notBefore, tasks: ids(all) })
  await until('three are decided', async () => (await look(own.head, id)).done === 3)
  expect(Date.parse((await look(own.head, id)).undoUntil)).toBeGreaterThan(Date.now())
  expect((await own.secondHead.send('POST', `/api/bulk/${id}/undo`)).statusCode).toBe(404)
  // One has been sent: it stays decided, and its result says so.
  await own.head.send('POST', `/api/tasks/${all[1]!.id}/send`)
  await own.db.updateTable('command').set({ attempts: 1 }).where('task_id', '=', all[1]!.id).execute()
  const undone = (await own.head.send('POST', `/api/bulk/${id}/undo`)).json()
  third.resolve()
  expect(undone.items.map(({ state }: any) => state)).toEqual(['stopped', 'done', 'stopped', 'stopped'])
  for (const one of [all[0]!, all[2]!, all[3]!])
    expect((await own.head.send('GET', `/api/tasks/${one.id}`)).json().task.state).toBe('open')
  const waits = (await own.head.send('GET', '/api/tasks/undoable')).json()
  expect(waits.filter(({ task }: any) => ids(all).includes(task))).toEqual([])
  const late = await own.head.send('POST', `/api/bulk/${id}/undo`)
  expect([late.statusCode, late.json().code]).toEqual([409, 'platform.too-late-to-undo'])
})

test('a queue whose first queries fail starts again and continues', async () => {
  const { pool } = own.database
  let refusals = 0
  const unreached = new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name, target) as unknown
      return (...given: []) =>
        given.length > 0
          ? target.connect(...given)
          : target.connect().then((client) => {
              const query = client.query.bind(client) as (...asked: unknown[]) => unknown
              client.query = ((...asked: unknown[]) => {
                if (refusals > 0 || !JSON.stringify(asked[0]).includes('_private_tasks')) return query(...asked)
                refusals += 1
                return Promise.reject(new Error('timeout exceeded when trying to connect'))
              }) as typeof client.query
              return client
            })
    },
  })
  somebodyWorks({}, { ...own.database, pool: unreached })
  const [task] = await some(1)
  expect(await over(own.head, await start(own.head, { kind: 'claim', tasks: [task!.id] }))).toMatchObject({ done: 1 })
  expect(refusals).toBe(1)
})

test('only the person who started it sees its progress', async () => {
  const heard: string[][] = []
  const listener = (account: string) => ({
    account,
    refresh: async () => undefined,
    concerns: (principals: ReadonlySet<string>) => (heard.push([...principals]), false),
    visible: async () => ({ cases: [], tasks: [] }),
    send: () => undefined,
  })
  const one = listener(own.head.id)
  own.app.hub.add(one)
  const [task] = await some(1)
  somebodyWorks()
  await over(own.head, await start(own.head, { kind: 'claim', tasks: [task!.id] }))
  await until('a hint for its owner alone', async () =>
    heard.some((principals) => principals.length === 1 && principals[0] === `user:${own.head.id}`),
  )
  own.app.hub.remove(one)
})

test('five hundred are checked and decided in seconds', async () => {
  const seed = await own.waiting()
  const { rows } = await sql<{ id: string }>`
    with cases as (
      insert into flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, state, status, scope, subject)
      select gen_random_uuid(), 'MANY-' || n, flow, flow_hash, process_definition_id, requester_id, 'running', status, scope, subject
      from flow_case, generate_series(1, 500) n where id = ${seed.caseId} returning id
    ), made as (
      insert into task (id, case_id, process_definition_id, desk, name, form_key, form_hash, created_at)
      select gen_random_uuid(), c.id, t.process_definition_id, t.desk, t.name, t.form_key, t.form_hash, t.created_at
      from cases c, task t where t.id = ${seed.id} returning id
    )
    insert into task_candidate (task_id, principal) select id, ${`HOD@department:${own.department}`} from made
    returning task_id as id`.execute(own.db)
  const tasks = rows.map(({ id }) => id)
  const seen = await preview(own.head, { ...approve, tasks })
  expect([seen.doable.length, seen.refused]).toEqual([500, []])
  somebodyWorks()
  const id = await start(own.head, { ...approve, tasks })
  const done = await until(
    'all are decided',
    async () => {
      const [action] = (await own.head.send('GET', '/api/bulk')).json().items
      return action.id === id && action.state === 'done' ? action : undefined
    },
    { seconds: 180 },
  )
  expect([done.done, done.refused]).toEqual([500, 0])
}, 240_000)
