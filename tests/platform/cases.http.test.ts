import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { deployRepositoryModels } from '../../api/platform/model/deployed/deployment.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { FLOW, library } from './fixtures/two-desks.ts'
import { caseServices } from './kit/case-services.ts'
import { agreeingEngine } from './kit/agreeing-engine.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anItem } from './kit/rows.ts'

// The routes over an engine that accepts everything, or is down: process tests cover the real one.
const log = pino({ level: 'silent' })
const { engine, isAway } = agreeingEngine([{ name: 'guests', type: 'Integer', value: 3 }])

let database: TestDatabase
let own: TestApp
let music: string
let [nuwan, selvi, head, otherHead, admin]: Caller[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  // The rules derive more than the manifest with which cases begin: that of an earlier version.
  const rules = new Map([[FLOW, { derive: () => ({ facts: {}, variables: { later: 'x' } }) }]])
  const { definitions, cases, tasks } = caseServices({ db, library, engine, rules })
  await deployRepositoryModels({ db, engine, library, log, gate: async () => undefined })
  own = await testApp(database, { library, definitions, cases, tasks })
  music = await anItem(db, 'platform/department')
  const painting = await anItem(db, 'platform/department')
  nuwan = await own.person('nuwan')
  selvi = await own.person('selvi')
  head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: music } })
  otherHead = await own.person('other-head', { role: 'HOD', scope: { kind: 'department', id: painting } })
  admin = await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

let day = 0
function aRequest() {
  day += 1
  const at = (hour: number) => new Date(Date.UTC(2031, 0, day, hour)).toISOString()
  return { department: music, purpose: 'Recital', from: at(9), until: at(11) }
}
const submit = (who: Caller, data: object, key?: string) =>
  who.send('POST', '/api/cases', { flow: FLOW, data }, key ? { 'idempotency-key': key } : {})

/** A task of a case as the feed makes it, offered to the head of the department. */
async function aTask(
  caseId: string,
  { formKey = 'tests/approval', offered = `HOD@department:${music}` } = {},
): Promise<string> {
  const id = randomUUID()
  const form = library.forms.get(formKey)!
  await database.db.transaction().execute(async (trx) => {
    const tasks = taskRepository(trx)
    const desk = { desk: 'userTask_approveByHead', name: 'Approve', definitionId: 'two-desks:1' }
    const more = { dueAt: null, followUpAt: null, priority: 50, createdAt: new Date().toISOString() }
    await tasks.create({ id, caseId, ...desk, formKey: form.key, formHash: form.hash, ...more })
    await tasks.addCandidate(id, offered)
    await tasks.refreshInbox([id])
  })
  return id
}

test('a case that cannot start is refused with the field and the reason', async () => {
  for (const [body, status, code, field] of [
    [{ flow: FLOW }, 400, 'platform.request-invalid', '/data'],
    [{ flow: 'nonsense', data: {} }, 400, 'platform.request-invalid', '/flow'],
    [{ flow: FLOW, data: {}, more: 1 }, 400, 'platform.request-invalid', '/more'],
    [{ flow: FLOW, data: {}, for: { accountId: 'selvi' } }, 400, 'platform.request-invalid', '/for/accountId'],
    [{ flow: FLOW, data: { ...aRequest(), purpose: '' } }, 422, 'platform.form-invalid', '/purpose'],
    [{ flow: FLOW, data: { ...aRequest(), caseId: 'x' } }, 422, 'platform.form-invalid', '/caseId'],
    [{ flow: FLOW, data: { ...aRequest(), department: randomUUID() } }, 422, 'platform.form-invalid', '/department'],
  ] as const) {
    const answer = await nuwan!.send('POST', '/api/cases', body)
    expect([answer.statusCode, answer.json().code, answer.json().errors[0].field]).toEqual([status, code, field])
  }
  expect((await nuwan!.send('POST', '/api/cases', { flow: 'no/flow', data: {} })).statusCode).toBe(404)
  // Not even an administrator may send for others unless the flow allows it.
  const forOthers = { flow: FLOW, data: aRequest(), for: { accountId: selvi!.id } }
  expect((await admin!.send('POST', '/api/cases', forOthers)).statusCode).toBe(403)
  expect((await submit(nuwan!, aRequest(), 'short')).json().errors[0].field).toBe('headers/idempotency-key')
})

test('a form names only entries that its sender sees', async () => {
  const section = await anItem(database.db, 'vouchers/section')
  const refused = await submit(nuwan!, { ...aRequest(), section })
  expect([refused.statusCode, refused.json().errors]).toEqual([
    422,
    [expect.objectContaining({ field: '/section', code: 'platform.item-unknown' })],
  ])
  expect((await submit(admin!, { ...aRequest(), section })).statusCode).toBe(201)
})

test('a case of a version before the rules derived more is sent, corrected, and has only what its version names', async () => {
  const data = aRequest()
  const { id } = (await submit(nuwan!, data)).json()
  await database.db.updateTable('flow_case').set({ state: 'running' }).where('id', '=', id).execute()
  const task = await aTask(id, { formKey: 'tests/request', offered: `user:${nuwan!.id}` })
  const corrected = await nuwan!.send('POST', `/api/tasks/${task}/complete`, { data: { ...data, purpose: 'Two' } })
  expect([corrected.statusCode, corrected.json().code]).toEqual([200, undefined])
  const sent = await database.db.selectFrom('command').select(['kind', 'payload']).where('case_id', '=', id).execute()
  expect(sent.map(({ kind }) => kind).toSorted()).toEqual(['complete', 'start'])
  expect(JSON.stringify(sent)).toContain('workday1')
  expect(JSON.stringify(sent)).not.toContain('later')
})

test('the same key returns the same case once, also in eight concurrent requests', async () => {
  const data = aRequest()
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => submit(nuwan!, data, key)))
  expect(answers.map((answer) => answer.statusCode)).toEqual(Array.from({ length: 8 }, () => 201))
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true')).toHaveLength(7)
  const other = await submit(nuwan!, { ...data, purpose: 'Something else' }, key)
  expect([other.statusCode, other.json().code]).toEqual([422, 'platform.idempotency-key-reused'])
  const another = await submit(selvi!, data, key)
  expect([another.statusCode, another.json().code]).toEqual([409, 'platform.slot-taken'])
})

test('a case is visible to its requester, the head of its unit and ADMIN; for others it does not exist', async () => {
  const begun = await submit(nuwan!, aRequest())
  const url = begun.headers['location'] as string
  for (const part of ['', '/history', '/path', '/variable-instances']) {
    for (const who of [selvi!, otherHead!]) expect((await who.send('GET', url + part)).statusCode).toBe(404)
    for (const who of [nuwan!, head!, admin!]) expect((await who.send('GET', url + part)).statusCode).toBe(200)
  }
  expect((await selvi!.send('POST', `${url}/withdraw`, { reason: 'x' })).statusCode).toBe(404)
  expect((await head!.send('POST', `${url}/withdraw`, { reason: 'x' })).statusCode).toBe(403)
  for (const [who, status] of [
    [selvi!, 404],
    [head!, 403],
    [nuwan!, 404],
  ] as const)
    expect((await who.send('POST', `${url}/acts/none`, { data: {} })).statusCode).toBe(status)
  const listed = async (who: Caller, query = '') => (await who.send('GET', `/api/cases?limit=100${query}`)).json().items
  expect(await listed(selvi!)).toEqual([])
  expect((await listed(head!)).map((one: { id: string }) => one.id)).toContain(begun.json().id)
  expect(
    (await listed(nuwan!, `&mine=true&search=${begun.json().reference}`)).map((one: { id: string }) => one.id),
  ).toEqual([begun.json().id])
})

test('a client with the current state of a case is not sent it again', async () => {
  const { headers } = await submit(nuwan!, aRequest())
  const url = headers['location'] as string
  const { etag } = (await nuwan!.send('GET', url)).headers
  expect((await nuwan!.send('GET', url, undefined, { 'if-none-match': etag as string })).statusCode).toBe(304)
  await aTask(url.split('/').at(-1)!)
  const changed = await nuwan!.send('GET', url, undefined, { 'if-none-match': etag as string })
  expect([changed.statusCode, changed.json().waitsWith[0].name]).toEqual([200, 'Approve'])
})

test('withdrawing is refused while nothing in the diagram waits for it', async () => {
  const begun = await submit(nuwan!, aRequest())
  const url = begun.headers['location'] as string
  // Right after the start its position is unknown: then the engine decides.
  expect(begun.json().withdrawable).toBe(true)
  await database.db
    .insertInto('activity')
    .values({
      id: randomUUID(),
      case_id: begun.json().id,
      process_definition_id: 'two-desks:1',
      element: 'event_elsewhere',
      type: 'intermediateTimer',
      started_at: new Date(),
    })
    .execute()
  expect((await nuwan!.send('GET', url)).json().withdrawable).toBe(false)
  const answer = await nuwan!.send('POST', `${url}/withdraw`, { reason: 'ill' })
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'platform.not-withdrawable'])
})

test('requests are accepted while the engine is unavailable', async () => {
  isAway(true)
  const begun = await submit(nuwan!, aRequest())
  isAway(false)
  expect([begun.statusCode, begun.json().state]).toEqual([201, 'starting'])
})

test('a task is for the people it is offered to: others are refused, or do not see it', async () => {
  const begun = await submit(nuwan!, aRequest())
  const url = `/api/tasks/${await aTask(begun.json().id)}`
  for (const act of ['claim', 'complete', 'release'] as const) {
    const body = act === 'complete' ? { data: { outcome: 'approve' } } : undefined
    expect((await selvi!.send('POST', `${url}/${act}`, body)).statusCode).toBe(404)
    expect((await nuwan!.send('POST', `${url}/${act}`, body)).json().code).toBe('platform.not-allowed')
  }
  expect((await otherHead!.send('GET', url)).statusCode).toBe(404)
  expect((await head!.send('GET', '/api/tasks/no-such-task')).statusCode).toBe(404)
  const inbox = async (who: Caller) =>
    (await who.send('GET', `/api/tasks?search=${begun.json().reference}`)).json().items
  expect([(await inbox(otherHead!)).length, (await inbox(nuwan!)).length, (await inbox(head!)).length]).toEqual([
    0, 0, 1,
  ])
})

test('a decision is checked and made once, and a second person learns who was faster', async () => {
  const begun = await submit(nuwan!, aRequest())
  const url = `/api/tasks/${await aTask(begun.json().id)}`
  expect((await head!.send('POST', `${url}/claim`)).json()).toMatchObject({ state: 'held', assignee: { name: 'head' } })
  const taken = await admin!.send('POST', `${url}/claim`)
  expect([taken.statusCode, taken.json().code]).toEqual([409, 'platform.task-held'])
  expect((await head!.send('POST', `${url}/release`)).json().state).toBe('open')

  expect((await head!.send('POST', `${url}/complete`, { data: { outcome: 'perhaps' } })).json().errors[0].field).toBe(
    '/outcome',
  )
  const later = await head!.send('POST', `${url}/complete`, { data: { outcome: 'approve' }, notBefore: 'soon' })
  expect([later.statusCode, later.json().errors[0].field]).toEqual([400, '/notBefore'])
  const decide = (who: Caller) => who.send('POST', `${url}/complete`, { data: { outcome: 'approve' } })
  const answers = await Promise.all([decide(head!), decide(admin!)])
  expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 409])
  const late = answers.find((answer) => answer.statusCode === 409)!.json()
  expect(late.code).toBe('platform.task-decided')
  expect(late.title).toMatch(/(head|admin) has decided this already, on \w+ \d+ \w+ \d{4}, \d\d:\d\d/)
  expect(answers.find((answer) => answer.statusCode === 200)!.json()).toEqual({
    state: 'done',
    caseId: begun.json().id,
  })
})

test('counts and queues follow each act', async () => {
  const counts = async () => (await head!.send('GET', '/api/tasks/count')).json()
  const before = await counts()
  const task = await aTask((await submit(nuwan!, aRequest())).json().id)
  expect((await counts()).open.value).toBe(before.open.value + 1)
  await head!.send('POST', `/api/tasks/${task}/claim`)
  expect(await counts()).toMatchObject({ open: before.open, mine: { value: before.mine.value + 1, more: false } })
  const mine = (await head!.send('GET', `/api/tasks?queue=mine&flow=${FLOW}&filter.department=${music}`)).json()
  expect(mine.items.map((one: { id: string }) => one.id)).toContain(task)
  expect((await head!.send('GET', '/api/tasks?queue=yours')).json().errors[0].field).toBe('query/queue')
})
