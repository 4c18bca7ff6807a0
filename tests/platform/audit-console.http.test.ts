import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generateKeyPairSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Sealer, sealer } from '../../api/platform/audit/sealer.ts'
import { streamed } from '../../api/platform/sheet-stream.ts'
import { keyPair } from '../../api/platform/keys.ts'
import { type DeskApp, deskApp } from './fixtures/desk-app.ts'
import type { Caller } from './kit/app.ts'
import { contentOf } from './kit/zip.ts'

let own: DeskApp
let auditor: Caller
let chain: Sealer
beforeAll(async () => {
  own = await deskApp()
  auditor = await own.app.person('auditor', { role: 'Deputy Internal Auditor' })
  const key = keyPair(generateKeyPairSync('ed25519').privateKey)
  chain = sealer({ db: own.db, key, onError: (error) => expect(error).toBeUndefined() })
})
afterAll(() => own?.close())

const asked = (query: object) => new URLSearchParams(query as Record<string, string>).toString()
const entries = async (query: object) => (await auditor.send('GET', `/api/audit/entries?${asked(query)}`)).json()
const actions = async (query: object) => (await entries(query)).items.map(({ action }: { action: string }) => action)
const decide = (who: Caller, task: string, outcome: string, reason?: string) =>
  who.send('POST', `/api/tasks/${task}/complete`, { data: { outcome, ...(reason && { reason }) } })

test('entries are found by case, person, desk, act, days and words, together too, and are told in plain words', async () => {
  const one = await own.waiting()
  const other = await own.waiting()
  await own.head.send('POST', `/api/tasks/${one.id}/claim`)
  await decide(own.head, one.id, 'reject')
  await auditor.send('GET', `/api/audit/cases/${one.caseId}`)
  await own.admin.send('POST', `/api/cases/${other.caseId}/comments`, { body: 'Looks right' })
  expect((await entries({})).items).toEqual([])
  while ((await chain.seal()) > 0);

  expect(await actions({ reference: one.reference })).toEqual(['task.completed', 'task.claimed', 'case.submitted'])
  const [decided] = (await entries({ reference: one.reference, action: 'task.completed' })).items
  expect(decided).toMatchObject({
    text: 'head decided: Approve, reject',
    by: { id: own.head.id, name: 'head' },
    authority: expect.stringMatching(/^HOD, /),
    for: null,
    reference: one.reference,
    desk: { key: 'userTask_head' },
  })
  const acted = { person: own.head.id, part: 'acted' }
  expect(await actions(acted)).toEqual(['task.completed', 'task.claimed', 'session.opened'])
  // Whose case it is, is concerned.
  expect(await actions({ person: own.asker.id, part: 'concerned', action: 'task.claimed' })).toEqual(['task.claimed'])
  expect(await actions({ desk: 'userTask_head', flow: 'tests/two-desks', person: own.asker.id })).toEqual([
    'task.completed',
    'task.claimed',
  ])
  expect(await actions({ text: one.reference.toLowerCase(), from: '2020-01-01' })).toEqual(['case.submitted'])
  for (const nothing of [{ until: '2020-01-01' }, { reference: 'TD-1' }, { text: 'unheardof' }, { desk: 'none' }])
    expect([nothing, await actions(nothing)]).toEqual([nothing, []])

  const found = (await auditor.send('GET', `/api/audit/cases?${asked({ reference: one.reference })}`)).json()
  expect(found.items).toMatchObject([{ id: one.caseId, requester: { name: 'asker' } }])
  const words = (await auditor.send('GET', '/api/audit/vocabulary')).json()
  expect(words.actions).toContainEqual({ key: 'task.claimed', text: 'Took' })
  expect(words.desks).toEqual([{ key: 'userTask_head', text: expect.any(String) }])
})

test('a long list is walked both ways, page by page, and no walk looks at more than it may', async () => {
  const many = 12_000
  await own.database.owner.pool.query(`
    insert into app.audit_entry (at, actor, action, commitment)
      select timestamptz '2021-01-01' + n * interval '1 second', 'system:bench', 'thing.counted', '\\x00'
      from generate_series(1, ${many}) n;
    insert into app.audit_payload select id, '\\x00', jsonb_build_object('n', 'count' || row_number() over (order by id),
        'kind', case when row_number() over (order by id) = 3 then 'needle' else 'hay' end)
      from app.audit_entry where action = 'thing.counted';
    select app.audit_look_up(array_agg(id)) from app.audit_entry where action = 'thing.counted'`)
  const year = { action: 'thing.counted', limit: 7 }
  const first = await entries(year)
  const second = await entries({ ...year, cursor: first.next })
  const back = await entries({ ...year, cursor: second.previous, towards: 'newer' })
  const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => Number(id))
  expect(ids(first)).toHaveLength(7)
  expect(ids(second)[0]).toBe(ids(first).at(-1)! - 1)
  expect(ids(back)).toEqual(ids(first))
  // One in twelve thousand, by a word of its own.
  expect((await entries({ text: 'needle' })).items).toHaveLength(1)
  expect((await entries({ text: 'needle', action: 'thing.counted' })).items).toHaveLength(1)
  // Nothing is like this: each answer says how far it looked, and the next goes on from there.
  const nowhere = { action: 'thing.counted', text: 'hay', flow: 'tests/none' }
  const looked = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: unknown[]; next: string | null; narrow: boolean } = await entries(
      cursor === '' ? nowhere : { ...nowhere, cursor },
    )
    looked.push([page.items.length, page.narrow])
    cursor = page.next
  }
  expect(looked.length).toBeGreaterThan(3)
  expect(looked).toEqual([...looked.slice(1).map(() => [0, true]), [0, false]])
  const cursors = await auditor.send('GET', '/api/audit/entries?cursor=nonsense')
  expect(cursors.statusCode).toBe(400)
})

test('who is no auditor learns nothing, and what an auditor reads and takes out is an entry itself', async () => {
  const one = await own.waiting()
  for (const path of ['/api/audit/entries', '/api/audit/export', `/api/audit/cases/${one.caseId}`]) {
    expect([path, (await own.head.send('GET', path)).statusCode]).toEqual([path, 403])
    expect([path, (await own.app.send('GET', path)).statusCode]).toEqual([path, 401])
  }
  await own.db
    .updateTable('submission')
    .set({ data: JSON.stringify({ purpose: 'A talk', nic: '200012345678' }) })
    .where('case_id', '=', one.caseId)
    .execute()
  const read = (await auditor.send('GET', `/api/audit/cases/${one.caseId}`)).json()
  expect(read.data).toContainEqual({ field: '/nic', label: 'nic', value: '200012345678', sensitive: true })
  await auditor.send('GET', `/api/audit/cases/${one.caseId}`)
  const sheet = await auditor.send('GET', '/api/audit/entries/file?format=csv&from=2025-01-01')
  expect(sheet.headers['content-disposition']).toMatch(/audit-.*\.csv/)
  while ((await chain.seal()) > 0);
  const left = (await entries({ person: auditor.id, part: 'acted' })).items
  expect(left.map(({ action, authority }: { action: string; authority: string }) => [action, authority])).toEqual(
    expect.arrayContaining([
      ['audit.search-exported', 'Deputy Internal Auditor'],
      ['sensitive.read', 'Deputy Internal Auditor'],
    ]),
  )
  expect(
    left.filter(
      ({ action, caseId }: { action: string; caseId: string }) => action === 'sensitive.read' && caseId === one.caseId,
    ),
  ).toHaveLength(1)
  const again = (await auditor.send('GET', `/api/audit/cases/${one.caseId}`)).json()
  expect(again.readers).toMatchObject([{ by: { name: 'auditor' }, fields: ['nic'] }])
})

test('reports tell who was refused their own case, stood in, acted as administrator and gave roles', async () => {
  const own_ = await own.waiting(own.head)
  expect((await decide(own.head, own_.id, 'approve')).json().code).toBe('platform.own-case')
  const other = await own.waiting()
  expect((await decide(own.admin, other.id, 'approve', 'In a hurry')).statusCode).toBe(200)
  const given = { role: 'Lecturer', scope: null, reason: 'Teaches now' }
  expect((await own.admin.send('POST', `/api/people/${own.asker.id}/grants`, given)).statusCode).toBeLessThan(300)
  while ((await chain.seal()) > 0);
  const report = async (name: string) => (await auditor.send('GET', `/api/audit/reports/${name}`)).json().items
  expect(await report('self-decisions')).toMatchObject([{ reference: own_.reference, by: { name: 'head' } }])
  expect(await report('administrators')).toContainEqual(
    expect.objectContaining({
      reference: other.reference,
      authority: 'ADMIN',
      by: expect.objectContaining({ name: 'admin' }),
    }),
  )
  expect(await report('grants')).toMatchObject([
    { text: 'admin gave the role Lecturer to asker', reason: 'Teaches now' },
  ])
  expect(await report('substitutes')).toEqual([])
  const file = await auditor.send('GET', '/api/audit/reports/grants/file?format=xlsx')
  expect(contentOf(file.rawPayload)).toContain('admin gave the role Lecturer to asker')
})

test('a search is kept under a name, apart from the views of the inbox, and forgotten', async () => {
  const query = { action: 'grant.given', from: '2026-01-01' }
  const kept = await auditor.send('POST', '/api/audit/searches', { name: 'Roles', query })
  expect(kept.statusCode).toBe(201)
  expect((await auditor.send('POST', '/api/inbox/views', { name: 'Roles', query: {} })).statusCode).toBe(201)
  expect((await auditor.send('POST', '/api/audit/searches', { name: 'Roles', query })).statusCode).toBe(409)
  const list = async () => (await auditor.send('GET', '/api/audit/searches')).json().items
  expect(await list()).toMatchObject([{ name: 'Roles', query }])
  expect((await own.admin.send('GET', '/api/audit/searches')).json().items).toEqual([])
  await auditor.send('DELETE', `/api/audit/searches/${kept.json().id}`)
  expect(await list()).toEqual([])
})

test('a file of ten times as many rows takes no more memory', async () => {
  const body = (rows: number) =>
    async function* () {
      for (let n = 0; n < rows; n += 1) yield [`row ${n}`, { number: n }, { moment: new Date(n) }, 'x'.repeat(200)]
    }
  const most = async (format: 'csv' | 'xlsx', rows: number) => {
    let peak = 0
    let bytes = 0
    const { content } = streamed(format, { name: 'rows', head: ['a', 'b', 'c', 'd'], body: body(rows)(), rest: '' })
    for await (const part of content as AsyncIterable<Buffer | string>) {
      bytes += part.length
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      peak = Math.max(peak, heapUsed + arrayBuffers)
    }
    return { peak, bytes }
  }
  for (const format of ['csv', 'xlsx'] as const) {
    await most(format, 2000)
    const few = await most(format, 5000)
    const many = await most(format, 50_000)
    expect(many.bytes).toBeGreaterThan(few.bytes * 5)
    expect(many.peak / few.peak).toBeLessThan(1.5)
  }
  const { content } = streamed('xlsx', { name: 'rows', head: ['<a>'], body: body(3)(), rest: '' })
  expect(contentOf(Buffer.concat(await Readable.from(content).toArray()))).toContain('&lt;a&gt;')
})
