import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { refreshInbox } from '../../api/platform/work/rows/inbox.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { FLOW, type GivenTask, inboxRows, library } from './kit/inbox.ts'
import { anItem } from './kit/rows.ts'
import { contentOf } from './kit/zip.ts'

const DAY = 86_400_000
const days = (n: number) => new Date(Date.now() + n * DAY)
const queues = ['open', 'mine', 'group', 'due-soon', 'overdue', 'later', 'waiting', 'done'] as const

let database: TestDatabase
let own: TestApp
let rows: Awaited<ReturnType<typeof inboxRows>>
beforeAll(async () => {
  database = await freshDatabase()
  rows = await inboxRows(database.db)
  own = await testApp(database, { library, definitions: rows.definitions })
})
afterAll(async () => {
  await own?.close()
  await database?.drop()
})

/** Two heads of one department, a head of another one, and a requester. */
async function aDepartment() {
  const unit = randomUUID()
  const headOf = (id: string) => ({ role: 'HOD', scope: { kind: 'department', id } })
  const [head, colleague, stranger, requester] = await Promise.all([
    own.person(`head-${unit}`, headOf(unit)),
    own.person(`colleague-${unit}`, headOf(unit)),
    own.person(`stranger-${unit}`, headOf(randomUUID())),
    own.person(`requester-${unit}`),
  ])
  const aTask = (given: Partial<GivenTask> = {}) =>
    rows.aTask({ principals: [`HOD@department:${unit}`], requester: requester.id, ...given })
  return { unit, head, colleague, stranger, requester, aTask }
}

async function list(who: Caller, query: string) {
  const answer = await who.send('GET', `/api/tasks?${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const ids = async (who: Caller, query: string): Promise<string[]> =>
  (await list(who, query)).items.map(({ id }: { id: string }) => id)
const counts = async (who: Caller, query = '') =>
  Object.fromEntries(
    Object.entries((await who.send('GET', `/api/tasks/count?${query}`)).json()).map(([queue, count]) => [
      queue,
      (count as { value: number }).value,
    ]),
  )
const nothing = Object.fromEntries(queues.map((queue) => [queue, 0]))

test('a visitor sees nothing, and invalid queries are refused', async () => {
  for (const url of [
    '/api/tasks',
    '/api/tasks/count',
    '/api/tasks/export?format=csv',
    '/api/inbox/fields',
    '/api/inbox/views',
    '/api/inbox/choice',
  ])
    expect((await own.send('GET', url)).statusCode).toBe(401)
  const { head, aTask } = await aDepartment()
  await aTask()
  await aTask()
  const { next } = await list(head, 'limit=1')
  for (const query of [
    'queue=all',
    'sort=name',
    'amountFrom=-1',
    'from=yesterday',
    'requester=me',
    'cursor=x',
    `cursor=${next}&sort=due`,
    'nothing=1',
  ]) {
    const { statusCode } = await head.send('GET', `/api/tasks?limit=1&${query}`)
    expect([query, statusCode]).toEqual([query, 400])
  }
  for (const key of ['2026-13-01 00:00:00+00', 'x', '', "'"]) {
    const cursor = Buffer.from(JSON.stringify(['due', key, '2026-05-14 10:00:00+00', 'x', '2'])).toString('base64url')
    expect([key, (await head.send('GET', `/api/tasks?sort=due&cursor=${cursor}`)).statusCode]).toEqual([key, 400])
  }
})

test('each task is in the queues it belongs to, for the people concerned and for nobody else', async () => {
  const { head, colleague, stranger, requester, aTask } = await aDepartment()
  const { id: open } = await aTask()
  const { id: soon } = await aTask({ due: days(0.01) })
  const { id: late } = await aTask({ due: days(-3) })
  const { id: mine } = await aTask({ holder: head.id })
  const { id: lateMine } = await aTask({ holder: head.id, due: days(-1) })
  const { id: snoozed } = await aTask({ holder: head.id, followUp: days(1) })
  const { id: awake } = await aTask({ holder: head.id, followUp: days(-1) })
  const asked = await aTask({ holder: head.id })
  await database.db
    .insertInto('task_question')
    .values({ id: randomUUID(), task_id: asked.id, case_id: asked.caseId, asked_by: head.id, question: 'Which hall?' })
    .execute()
  await database.db.transaction().execute((trx) => refreshInbox(trx, [asked.id]))
  const { id: theirs } = await aTask({ holder: colleague.id })
  const { id: sent } = await aTask({ decided: { by: head.id, at: days(-2), outcome: 'approve' } })
  const { id: over } = await aTask({ decided: { by: head.id, at: days(-1), outcome: 'reject' }, ended: true })

  expect(new Set(await ids(head, 'queue=open'))).toEqual(new Set([open, soon, late]))
  expect(new Set(await ids(head, 'queue=mine'))).toEqual(new Set([mine, lateMine, awake]))
  expect(await ids(head, 'queue=group')).toEqual([theirs])
  expect(await ids(head, 'queue=due-soon')).toEqual([soon])
  expect(await ids(head, 'queue=overdue&sort=due')).toEqual([late, lateMine])
  expect(new Set(await ids(head, 'queue=later'))).toEqual(new Set([snoozed, asked.id]))
  expect(await ids(head, 'queue=waiting')).toEqual([sent])
  expect(await ids(head, 'queue=done')).toEqual([over, sent])
  const held = new Set([mine, lateMine, snoozed, awake, asked.id])
  expect(new Set(await ids(colleague, 'queue=group'))).toEqual(held)
  expect(await counts(head)).toEqual({
    open: 3,
    mine: 3,
    group: 1,
    'due-soon': 1,
    overdue: 2,
    later: 2,
    waiting: 1,
    done: 2,
  })
  for (const nobody of [stranger, requester]) {
    expect(await counts(nobody)).toEqual(nothing)
    for (const queue of queues) expect(await ids(nobody, `queue=${queue}`)).toEqual([])
  }
})

test('tasks that somebody may not see are neither found, counted nor exported, whatever the query', async () => {
  const { stranger, requester, head, aTask } = await aDepartment()
  const faculty = randomUUID()
  const { reference } = await aTask({ event: 'Unseen Recital', faculty, amount: 5000, filters: { resource: faculty } })
  for (const query of [
    '',
    `requester=${requester.id}`,
    `search=${reference}`,
    'search=Unseen',
    `faculty=${faculty}`,
    'amountFrom=5000&amountTo=5000',
    `filter.resource=${faculty}`,
    `for=${head.id}`,
    'sort=amount',
  ]) {
    const { items, count, next } = await list(stranger, query)
    expect([query, items, count.value, next]).toEqual([query, [], 0, null])
    const file = await stranger.send('GET', `/api/tasks/export?format=csv&${query}`)
    expect([query, file.body.split('\r\n').length]).toEqual([query, 2])
  }
  const admin = await own.person(`admin-${randomUUID()}`, { role: 'ADMIN' })
  expect((await list(admin, `faculty=${faculty}`)).items).toHaveLength(1)
  expect((await list(head, `faculty=${faculty}`)).items).toHaveLength(1)
})

test('the queues are counted under the same filters, each separately', async () => {
  const { head, requester, aTask } = await aDepartment()
  const { resource, faculty } = { resource: randomUUID(), faculty: randomUUID() }
  await aTask({ desk: 'userTask_checkByMA', event: 'Narrowed Recital', due: days(-1) })
  await aTask({ status: 'pending_for_payment', faculty, amount: 700, filters: { resource }, created: days(-9) })
  await aTask({ holder: head.id, filters: { resource } })
  await aTask({ decided: { by: head.id, at: days(-1) }, filters: { resource }, event: 'Narrowed Recital' })
  const day = dayInColombo(days(-9))
  for (const query of [
    `flow=${FLOW}`,
    'flow=other/flow',
    'desk=userTask_checkByMA',
    'status=pending_for_payment',
    `faculty=${faculty}`,
    `filter.resource=${resource}`,
    'amountFrom=600&amountTo=800',
    `until=${day}`,
    'search=narrowed',
    `requester=${requester.id}`,
    `requester=${head.id}`,
    `for=${head.id}`,
  ]) {
    const lists = queues.map(async (queue) => [queue, (await ids(head, `queue=${queue}&${query}`)).length] as const)
    expect({ query, ...(await counts(head, query)) }).toEqual({
      query,
      ...Object.fromEntries(await Promise.all(lists)),
    })
  }
  expect(await counts(head, `filter.resource=${resource}`)).toEqual({
    ...nothing,
    open: 1,
    mine: 1,
    waiting: 1,
    done: 1,
  })
  expect((await head.send('GET', '/api/tasks/count?queue=open')).statusCode).toBe(400)
})

test('a row shows what its reader needs: lateness, absent person, question and answer, and its columns in words', async () => {
  const { head, colleague, requester, aTask } = await aDepartment()
  const resource = await anItem(database.db, 'resource-reservation/resource')
  await database.db.updateTable('register_item').set({ title: 'Main Hall' }).where('id', '=', resource).execute()
  const { id, caseId } = await aTask({
    event: 'Recital',
    amount: 1_250_000,
    priority: 75,
    due: days(-9),
    data: { resource, from: '2031-05-14T10:00:00Z', until: '2031-05-14T12:00:00Z', poc_nic: '200012345678' },
    holder: colleague.id,
    heldFor: head.id,
  })
  const { db } = database
  await db
    .insertInto('case_item')
    .values({ case_id: caseId, path: '/resource', item_id: resource, item_version: 1 })
    .execute()
  await db
    .insertInto('task_question')
    .values({ id: randomUUID(), task_id: id, case_id: caseId, asked_by: colleague.id, question: 'Which?' })
    .execute()
  for (const [author, kind] of [
    [colleague.id, 'comment'],
    [colleague.id, 'note'],
    [head.id, 'opinion'],
  ] as const)
    await db
      .insertInto('case_comment')
      .values({ id: randomUUID(), case_id: caseId, author_id: author, kind, body: 'So' })
      .execute()
  const [row] = (await list(head, 'queue=group')).items
  expect(row).toMatchObject({
    amount: 1_250_000,
    priority: 75,
    heldFor: { id: head.id },
    assignee: { id: colleague.id },
    for: null,
    asked: true,
    comments: 2,
    outcome: null,
    columns: {
      event: { text: 'Recital' },
      resource: { text: 'Main Hall' },
      from: { text: 'Wed 14 May 2031, 15:30' },
      until: { text: '17:30' },
    },
  })
  expect(JSON.stringify(row)).not.toContain('200012345678')
  // Nine days contain five to seven working days, less holidays.
  expect(row.overdue.workdays).toBeGreaterThan(2)
  expect(row.overdue.workdays).toBeLessThan(8)
  await db
    .updateTable('task')
    .set({ state: 'done', decided_by: head.id, decided_at: new Date(), outcome: 'approve' })
    .where('id', '=', id)
    .execute()
  const [done] = (await list(head, 'queue=done')).items
  expect(done).toMatchObject({
    outcome: { key: 'approve', text: 'Approve' },
    overdue: null,
    decidedBy: { id: head.id },
  })
  expect(await ids(requester, 'queue=done')).toEqual([])
})

test('a substitute has the lists of the absent person, within the agreed scope and period', async () => {
  const { head, stranger: substitute, aTask } = await aDepartment()
  const cheap = await aTask({ amount: 1000 })
  const dear = await aTask({ amount: 9000 })
  const unknown = await aTask()
  const held = await aTask({ holder: head.id, amount: 500 })
  const { db } = database
  const id = randomUUID()
  await db
    .insertInto('substitution')
    .values({
      id,
      absent_id: head.id,
      substitute_id: substitute.id,
      asked_by: head.id,
      starts_at: days(-1),
      ends_at: days(1),
      state: 'accepted',
      answered_at: days(-1),
      flows: [FLOW],
      amount_limit: 5000,
    })
    .execute()
  expect(await ids(substitute, '')).toEqual([cheap.id])
  expect(await ids(substitute, 'queue=group')).toEqual([held.id])
  expect(await counts(substitute)).toEqual({ ...nothing, open: 1, group: 1 })
  const [row] = (await list(substitute, `for=${head.id}`)).items
  expect(row).toMatchObject({ id: cheap.id, for: { id: head.id } })
  expect(await ids(substitute, `for=${substitute.id}`)).toEqual([])
  expect((await list(head, '')).items[0].for).toBeNull()

  await db.updateTable('substitution').set({ flows: null, amount_limit: null }).where('id', '=', id).execute()
  expect(new Set(await ids(substitute, ''))).toEqual(new Set([cheap.id, dear.id, unknown.id]))
  await db
    .updateTable('substitution')
    .set({ flows: ['other/flow'] })
    .where('id', '=', id)
    .execute()
  expect(await counts(substitute)).toEqual(nothing)
  await db
    .updateTable('substitution')
    .set({ flows: null, ends_at: days(-0.5) })
    .where('id', '=', id)
    .execute()
  expect(await counts(substitute)).toEqual(nothing)

  // A substitute's decision is by them, and both people see it among the decided.
  const decided = await aTask({ decided: { by: substitute.id, for: head.id, at: new Date() } })
  expect(await ids(substitute, 'queue=done')).toEqual([decided.id])
  expect((await list(substitute, `queue=done&for=${head.id}`)).items[0].for).toMatchObject({ id: head.id })
  expect(await ids(head, 'queue=done')).toEqual([])
  expect(await ids(head, 'queue=waiting')).toEqual([decided.id])
})

test('among sent tasks a case appears once, with the last decision, until it has ended', async () => {
  const { head, aTask } = await aDepartment()
  const first = await aTask({ decided: { by: head.id, at: days(-2) } })
  const again = await aTask({ decided: { by: head.id, at: days(-1) } })
  await database.db.updateTable('task').set({ case_id: first.caseId }).where('id', '=', again.id).execute()
  expect(await ids(head, 'queue=waiting')).toEqual([again.id])
  await database.db.updateTable('flow_case').set({ state: 'ended' }).where('id', '=', first.caseId).execute()
  expect(await ids(head, 'queue=waiting')).toEqual([])
  expect(await ids(head, 'queue=done')).toEqual([again.id, first.id])
})

test('a list is paged while it changes: nothing appears twice, and nothing that stays is left out', async () => {
  const { head, aTask } = await aDepartment()
  const tasks: { id: string }[] = []
  for (let n = 0; n < 6; n += 1) tasks.push(await aTask({ amount: (n % 3) * 100, created: days(-n) }))
  const first = await list(head, 'sort=-amount&limit=3')
  await aTask({ amount: 1000 })
  await database.db.deleteFrom('inbox').where('task', '=', tasks[0]!.id).execute()
  const second = await list(head, `sort=-amount&limit=3&cursor=${first.next}`)
  const seen = [...first.items, ...second.items].map(({ id }: { id: string }) => id)
  expect(seen).toEqual([2, 5, 1, 4, 3].map((n) => tasks[n]!.id))
  expect(second.next).toBeNull()
})

describe('files', () => {
  test('contain the shown list, in CSV and as a sheet, and the export is recorded', async () => {
    const { head, aTask } = await aDepartment()
    await aTask({ event: '=HYPERLINK("x")', amount: 1_250_050, reference: `RB-A-${randomUUID()}`, created: days(-1) })
    const { reference } = await aTask({ event: 'Recital, "Spring"', amount: null, status: 'confirmed_booking' })
    const csv = await head.send('GET', `/api/tasks/export?format=csv&flow=${FLOW}&sort=amount`)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="inbox-\d{4}-\d\d-\d\d\.csv"$/)
    const lines = csv.body.trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('Reference,')
    expect(lines[1]).toContain(reference)
    expect(lines[1]).toContain('"Recital, ""Spring"""')
    expect(lines[2]).toContain('12500.50')
    expect(lines[2]).not.toMatch(/(^|,)=/)

    const sheet = await head.send('GET', `/api/tasks/export?format=xlsx&flow=${FLOW}&status=confirmed_booking`)
    const text = contentOf(sheet.rawPayload)
    expect(text).toContain(reference)
    expect(text).not.toContain('HYPERLINK')
    const { rows: noted } = await database.pool.query(
      `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
        where e.action = 'inbox.exported' and e.actor = $1 order by e.id`,
      [head.id],
    )
    expect(noted.map(({ payload }) => [payload.format, payload.rows, payload.flow])).toEqual([
      ['csv', 2, FLOW],
      ['xlsx', 1, FLOW],
    ])
  })

  test('say if there is more than they contain, and only then', async () => {
    const small = await testApp(database, { library, definitions: rows.definitions, exported: 2 })
    try {
      const unit = randomUUID()
      const head = await small.person(`head-${unit}`, { role: 'HOD', scope: { kind: 'department', id: unit } })
      const { id: requester } = await small.person(`requester-${unit}`)
      const given = { principals: [`HOD@department:${unit}`], requester }
      const file = (format: string) => head.send('GET', `/api/tasks/export?format=${format}&queue=open`)
      const words = 'Only the first 2 rows are in the file; there are more.'
      await rows.aTask(given)
      await rows.aTask(given)
      const whole = await file('csv')
      expect(whole.headers).not.toHaveProperty('x-rows-of-more')
      expect(whole.body.trim().split('\r\n')).toHaveLength(3)
      await rows.aTask(given)
      const csv = await file('csv')
      expect(csv.headers['x-rows-of-more']).toBe('2')
      const lines = csv.body.trim().split('\r\n')
      expect(lines).toHaveLength(4)
      expect(lines[3]).toContain(words)
      const sheet = await file('xlsx')
      expect(sheet.headers['x-rows-of-more']).toBe('2')
      expect(contentOf(sheet.rawPayload)).toContain(words)
    } finally {
      await small.close()
    }
  })
})

test('the lists can be filtered by the fields that forms mark, in flows where somebody has a desk', async () => {
  const { head } = await aDepartment()
  const fields = (await head.send('GET', `/api/inbox/fields?flow=${FLOW}`)).json()
  expect(fields.flows).toContainEqual({ key: FLOW, title: 'Resource booking' })
  expect(fields.fields).toContainEqual({
    name: 'association_to_uni',
    title: expect.any(String),
    type: 'choice',
    options: expect.arrayContaining([{ value: 'current', title: expect.not.stringContaining('.') }]),
  })
  expect(fields.fields).toContainEqual(
    expect.objectContaining({ name: 'resource', type: 'item', register: 'resource-reservation/resource' }),
  )
  expect(fields.statuses).toContainEqual(expect.objectContaining({ key: 'confirmed_booking' }))
  expect(fields.desks).toContainEqual(expect.objectContaining({ key: 'userTask_approveByHead' }))
  expect(fields.columns.map(({ name }: { name: string }) => name)).toEqual(['event', 'resource', 'from', 'until'])
  const nobody = await own.person(`nobody-${randomUUID()}`)
  expect((await nobody.send('GET', '/api/inbox/fields')).json()).toEqual({
    flows: [],
    statuses: [],
    desks: [],
    fields: [],
    columns: [],
  })
})

describe('views', () => {
  const view = { name: 'Dear ones', query: { queue: 'open', amountFrom: '100000' } }

  test('are saved by name, changed only by their owner, and visible to the role they are shared with', async () => {
    const { head, colleague, requester } = await aDepartment()
    expect((await head.send('POST', '/api/inbox/views', { ...view, sharedWith: 'Registrar' })).statusCode).toBe(403)
    const saved = await head.send('POST', '/api/inbox/views', view)
    expect([saved.statusCode, saved.json()]).toEqual([
      201,
      { id: expect.any(String), ...view, sharedWith: null, own: true, version: 1 },
    ])
    const again = await head.send('POST', '/api/inbox/views', view)
    expect([again.statusCode, again.json().code]).toEqual([409, 'platform.view-name-taken'])
    const { id } = saved.json()
    const path = `/api/inbox/views/${id}`
    const seenBy = async (who: Caller) =>
      (await who.send('GET', '/api/inbox/views')).json().items.map((one: { id: string }) => one.id)
    expect(await seenBy(colleague)).toEqual([])

    const change = { version: 1, sharedWith: 'HOD', name: 'Shared' }
    expect((await colleague.send('PATCH', path, change)).statusCode).toBe(404)
    expect((await head.send('PATCH', path, change)).json()).toMatchObject({
      version: 2,
      name: 'Shared',
      sharedWith: 'HOD',
    })
    expect((await head.send('PATCH', path, change)).statusCode).toBe(412)
    expect(await seenBy(colleague)).toEqual([id])
    expect((await colleague.send('GET', '/api/inbox/views')).json().items[0]).toMatchObject({ own: false })
    expect(await seenBy(requester)).toEqual([])
    for (const method of ['PATCH', 'DELETE'] as const)
      expect((await colleague.send(method, path, method === 'PATCH' ? { version: 2 } : undefined)).statusCode).toBe(404)
    expect((await head.send('DELETE', path)).statusCode).toBe(204)
    expect(await seenBy(colleague)).toEqual([])
  })

  test('one of them opens the inbox, while it is visible; density, grouping and columns are remembered by flow', async () => {
    const { head, colleague, stranger } = await aDepartment()
    const choice = async (who: Caller, body: object) => who.send('PATCH', '/api/inbox/choice', body)
    const { id, version } = (await head.send('POST', '/api/inbox/views', { ...view, sharedWith: 'HOD' })).json()
    expect((await colleague.send('GET', '/api/inbox/choice')).json()).toEqual({
      startView: null,
      density: 'comfortable',
      grouping: 'none',
      columns: {},
    })
    expect((await choice(colleague, { startView: id })).json()).toMatchObject({ startView: id })
    await choice(colleague, { density: 'compact', grouping: 'desk', columns: { [FLOW]: ['event'] } })
    expect((await choice(colleague, { grouping: 'weather' })).statusCode).toBe(400)
    expect((await choice(colleague, { columns: { 'other/flow': ['until', 'from'] } })).json()).toEqual({
      startView: id,
      density: 'compact',
      grouping: 'desk',
      columns: { [FLOW]: ['event'], 'other/flow': ['until', 'from'] },
    })
    await head.send('PATCH', `/api/inbox/views/${id}`, { version, sharedWith: null })
    expect((await colleague.send('GET', '/api/inbox/choice')).json().startView).toBeNull()
    const refused = await choice(stranger, { startView: id })
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([422, 'platform.view-unknown'])
  })
})
