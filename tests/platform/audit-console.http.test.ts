import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import { type Sealer, sealer } from '../../api/platform/features/audit/sealer.ts'
import { examineFile } from '../../api/platform/features/audit/verify.ts'
import { streamed } from '../../api/platform/kernel/sheets/stream.ts'
import { keyPair, keysIn } from '../../api/platform/kernel/keys.ts'
import { type DeskApp, deskApp } from './fixtures/desk-app.ts'
import type { Caller } from './kit/app.ts'
import { anItem } from './kit/rows.ts'
import { contentOf } from './kit/zip.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let own: DeskApp
let auditor: Caller
let chain: Sealer
beforeAll(async () => {
  own = await deskApp()
  auditor = await own.app.person('auditor', { role: 'Deputy Internal Auditor' })
  const key = keyPair(generateKeyPairSync('ed25519').privateKey)
  chain = sealer({ db: own.db, key, memory: own.app.auditMemory, onError: (error) => expect(error).toBeUndefined() })
})
afterAll(() => own?.close())

const asked = (query: object) => new URLSearchParams(query as Record<string, string>).toString()
const entries = async (query: object) => (await auditor.send('GET', `/api/audit/entries?${asked(query)}`)).json()
const actions = async (query: object) => (await entries(query)).items.map(({ action }: { action: string }) => action)
const decide = (who: Caller, task: string, outcome: string, reason?: string) =>
  who.send('POST', `/api/tasks/${task}/complete`, { data: { outcome, ...(reason && { reason }) } })

test('entries are found by case, person, desk, act, days and words, also combined, and are described in plain words', async () => {
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
  // The requester of a case is concerned by it.
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

test('the audit trail verifies here and as a file with the exported keys: the current one and earlier ones', async () => {
  await own.db.transaction().execute((trx) =>
    audit(trx).record({
      actor: own.admin.id,
      action: 'register-item.created',
      object: 'register-item:2',
      payload: { data: { nic: '200055501234' } },
    }),
  )
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
  const told = (await auditor.send('GET', '/api/audit/chain')).json()
  expect(told).toMatchObject({ first: null, from: '1' })
  const pem = (await auditor.send('GET', '/api/audit/key')).body
  const keys = keysIn(pem)
  expect(keys.size).toBe(2)
  const lines = (await auditor.send('GET', '/api/audit/export?from=2020-01-01')).body.split('\n')
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-audit-'))
  try {
    const verdict = (some: string[]) => {
      writeFileSync(join(folder, 'audit.jsonl'), some.join('\n'))
      return examineFile(join(folder, 'audit.jsonl'), keys)
    }
    expect(await verdict(lines)).toMatchObject({ first: null, to: JSON.parse(lines[0]!).to })
    const header = lines[0]!.replace('2020-01-01', '2020-01-02').replace('2019-12-31', '2020-01-01')
    expect(await verdict(lines.with(0, header))).toMatchObject({ first: { harm: 'unsigned' } })
    // Values of register items are left out unless requested, and a request for them is audited.
    expect(await verdict(lines)).toMatchObject({ erased: 0, leftOut: 1 })
    expect(lines.join('')).not.toContain('200055501234')
    const all = (await auditor.send('GET', '/api/audit/export?registers=true')).body
    expect(all).toContain('200055501234')
    expect(await verdict(all.split('\n'))).toMatchObject({ first: null, erased: 0, leftOut: 0 })
    const noted = await own.db
      .selectFrom('audit_entry as e')
      .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
      .select(['e.action', 'p.payload'])
      .where('e.action', 'in', ['audit.chain-exported', 'audit.registers-exported'])
      .orderBy('e.id')
      .execute()
    expect(noted).toMatchObject([
      { action: 'audit.chain-exported', payload: { registers: false } },
      { action: 'audit.registers-exported', payload: { registers: true } },
    ])
    // Nothing else may be left out.
    const bare = lines.map((line) => line.replace(/,"salt".*}}$/, ',"leftOut":true}}'))
    expect((await verdict(bare)).leftOut).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a rewritten trail is checked and exported with that fault, and with the place where it first broke', async () => {
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
  const signed = own.app.auditMemory.read()!
  for (const note of ['one', 'two', 'three'])
    await own.db
      .transaction()
      .execute((trx) => audit(trx).record({ actor: own.admin.id, action: 'thing.done', payload: { note } }))
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
  const last = own.app.auditMemory.read()!
  const owner = (statement: string) =>
    own.database.owner.pool.query(
      `set session_replication_role = replica; ${statement}; reset session_replication_role`,
    )
  const check = async (query = '') => (await auditor.send('GET', `/api/audit/chain${query}`)).json()
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-audit-'))
  const inFile = async (format: RegExp, query = '') => {
    const answer = await auditor.send('GET', `/api/audit/export${query}`)
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, expect.stringMatching(format)])
    writeFileSync(join(folder, 'audit.jsonl'), answer.body)
    return examineFile(join(folder, 'audit.jsonl'), keysIn((await auditor.send('GET', '/api/audit/key')).body))
  }
  const since = String(BigInt(signed.sequence) + 1n)
  const behind = `sequence > ${signed.sequence}`
  try {
    expect(await check()).toMatchObject({ first: null, vouched: last.sequence })
    expect(await inFile(/"audit-1-/)).toMatchObject({ first: null })
    // Everything after an earlier signature is sealed again by somebody without the key.
    await owner(`
      create table app.was as select * from app.audit_seal where ${behind};
      create table app.was_signed as select * from app.audit_checkpoint where ${behind};
      delete from app.audit_checkpoint where ${behind};
      update app.audit_seal set hash = '\\x${'ab'.repeat(32)}' where sequence = ${last.sequence}`)
    const rewritten = {
      harm: 'rewritten',
      sequence: since,
      text: expect.stringContaining(`link ${last.sequence} differs from its signature`),
    }
    const broken = await check()
    // The link that was sealed again does not match itself either; the first problem is reported.
    expect(broken.first).toMatchObject(rewritten)
    expect((await check('?until=2020-01-01')).first).toMatchObject({ ...rewritten, sequence: last.sequence })
    expect((await inFile(/"audit-not-whole-1-/)).first).toMatchObject(rewritten)
    expect((await inFile(/"audit-not-whole-0-0/, '?until=2020-01-01')).first).toMatchObject({ harm: 'rewritten' })
    // The end is removed.
    await owner(`delete from app.audit_seal where ${behind}`)
    const gone = { harm: 'rewritten', text: expect.stringContaining(`link ${last.sequence} was signed and is missing`) }
    expect((await check()).first).toMatchObject(gone)
    expect((await inFile(/not-whole/)).first).toMatchObject(gone)
    // It is restored, except for its signature.
    await owner(`insert into app.audit_seal select * from app.was`)
    const removed = { harm: 'signature-removed', sequence: last.sequence }
    expect((await check()).first).toMatchObject(removed)
    expect((await inFile(/not-whole/)).first).toMatchObject(removed)
  } finally {
    await owner(`
      delete from app.audit_seal where ${behind}; insert into app.audit_seal select * from app.was;
      delete from app.audit_checkpoint where ${behind}; insert into app.audit_checkpoint select * from app.was_signed;
      drop table app.was, app.was_signed`)
    rmSync(folder, { recursive: true })
  }
  expect((await check()).first).toBeNull()
})

test('a removed signature and a replaced public key are found and named, and the key itself is exported', async () => {
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
  const middle = own.app.auditMemory.read()!.sequence
  await own.db
    .transaction()
    .execute((trx) => audit(trx).record({ actor: own.admin.id, action: 'thing.done', payload: {} }))
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
  const first = async () => (await auditor.send('GET', '/api/audit/chain')).json().first
  const owner = (statement: string) =>
    own.database.owner.pool.query(
      `set session_replication_role = replica; ${statement}; reset session_replication_role`,
    )
  expect(await first()).toBeNull()
  await owner(`create table app.was as select * from app.audit_checkpoint where sequence = ${middle};
    delete from app.audit_checkpoint where sequence = ${middle}`)
  expect(await first()).toMatchObject({
    ...{ harm: 'signature-removed', sequence: middle },
    text: `the signature at link ${middle} was removed`,
  })
  await owner('insert into app.audit_checkpoint select * from app.was; drop table app.was')
  expect(await first()).toBeNull()

  const keys = (await auditor.send('GET', '/api/audit/key')).body
  const {
    keys: [id],
  } = own.app.auditMemory.read()!
  const other = keyPair(generateKeyPairSync('ed25519').privateKey).publicKey
  const pem = other.export({ type: 'spki', format: 'pem' }).toString()
  await owner(`create table app.was as select * from app.audit_key where id = '${id}'`)
  try {
    for (const [statement, what] of [
      [`update app.audit_key set public_key = '${pem}' where id = '${id}'`, 'replaced by another'],
      [`delete from app.audit_key where id = '${id}'`, 'removed'],
    ]) {
      await owner(statement!)
      expect(await first()).toMatchObject({ harm: 'key-replaced', text: expect.stringContaining(`was ${what}`) })
      expect((await auditor.send('GET', '/api/audit/key')).body).toBe(keys)
    }
  } finally {
    await owner(`delete from app.audit_key where id = '${id}'; insert into app.audit_key select * from app.was;
      drop table app.was`)
  }
  expect(await first()).toBeNull()
})

test('missing, altered or surplus rows of the search are counted, and the first is named', async () => {
  const one = await own.waiting()
  await decide(own.head, one.id, 'reject')
  while ((await chain.seal()) > 0);
  await chain.checkpoint()
  const search = async (query = '') => (await auditor.send('GET', `/api/audit/chain${query}`)).json().search
  expect(await search()).toEqual({ missing: 0, altered: 0, extra: 0, first: null })
  const [decided] = (await entries({ reference: one.reference, action: 'task.completed' })).items
  const owner = (statement: string) => own.database.owner.pool.query(statement)
  const row = `entry_id = ${decided.id}`
  const hands: [does: string, told: object][] = [
    [`delete from app.audit_lookup where ${row}`, { missing: 1, altered: 0, extra: 0 }],
    [`delete from app.audit_person where ${row}`, { altered: 0, extra: 0 }],
    [`update app.audit_lookup set at = '2020-01-01' where ${row}`, { missing: 0, altered: 1, extra: 0 }],
    [`update app.audit_lookup set words = null where ${row}`, { missing: 0, altered: 1, extra: 0 }],
    [`update app.audit_person set acted = not acted where ${row}`, { missing: 0, extra: 0 }],
    [
      `insert into app.audit_person select '${own.admin.id}', at, entry_id, true, action, flow, desk
        from app.audit_lookup where ${row}`,
      { missing: 0, altered: 0, extra: 1 },
    ],
  ]
  for (const [does, told] of hands) {
    await owner(`create table app.was_lookup as select * from app.audit_lookup where ${row};
      create table app.was_person as select * from app.audit_person where ${row}; ${does}`)
    const found = { ...told, first: { sequence: decided.sequence, entryId: decided.id, harm: expect.any(String) } }
    expect([does, await search(), await search('?from=2020-01-01')]).toMatchObject([does, found, found])
    await owner(`delete from app.audit_lookup where ${row}; insert into app.audit_lookup select * from app.was_lookup;
      delete from app.audit_person where ${row}; insert into app.audit_person select * from app.was_person;
      drop table app.was_lookup, app.was_person`)
  }
  // An entry that the chain does not have.
  await owner(`insert into app.audit_entry (id, actor, action, commitment) overriding system value values (-7, 'x', 'x.y', '');
    insert into app.audit_lookup (entry_id, at, action) values (-7, now(), 'x.y')`)
  expect(await search()).toMatchObject({ extra: 1, first: { sequence: null, entryId: '-7', harm: 'extra' } })
  await owner(`set session_replication_role = replica; delete from app.audit_lookup where entry_id = -7;
    delete from app.audit_entry where id = -7; reset session_replication_role`)
  expect(await search()).toMatchObject({ first: null })
})

test('a long list is read page by page in both directions, and no read exceeds its limit', async () => {
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
  // One in twelve thousand, by a unique word.
  expect((await entries({ text: 'needle' })).items).toHaveLength(1)
  expect((await entries({ text: 'needle', action: 'thing.counted' })).items).toHaveLength(1)
  // No matches: each answer says how far it searched, and the next continues there.
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

test('a word is found across all years, page by page and in both directions', async () => {
  const [days, burst] = [1500, 700]
  // One each midnight, so that one is on each edge of the days; a great many in one week. More entries without the word
  // are newer than that week, and newer than all, than one search examines.
  await own.database.owner.pool.query(`
    insert into app.audit_entry (at, actor, action, commitment)
      select timestamptz '2021-03-01Z' + n * interval '1 day', 'system:bench', 'thing.spread', '\\x00'::bytea
        from generate_series(1, ${days}) n
      union all select timestamptz '2022-05-05Z' + n * interval '10 minutes', 'system:bench', 'thing.burst', '\\x00'
        from generate_series(1, ${burst}) n;
    insert into app.audit_payload select id, '\\x00', jsonb_build_object('says', case action
        when 'thing.spread' then 'midnight' || case when id % 100 = 0 then ' seldom' when at > '2025-02-01Z' then ' storm' else '' end
        else 'midnight-storm' || case when id % 7 = 0 then ' then calm' else '' end end)
      from app.audit_entry where action in ('thing.spread', 'thing.burst');
    insert into app.audit_entry (at, actor, action, commitment)
      select day + n * interval '1 second', 'system:bench', 'thing.other', '\\x00'
        from generate_series(1, 2600) n, unnest('{2022-05-10Z,2025-08-01Z}'::timestamptz[]) day;
    select app.audit_look_up(array_agg(id)) from app.audit_entry where action in ('thing.spread', 'thing.burst', 'thing.other')`)
  const all = async (query: object) => {
    const [ids, back]: string[][] = [[], []]
    /** From the last page back to the start, with the expected number of entries. */
    let last: { cursor: string | null; count: number } = { cursor: null, count: 0 }
    let cursor: string | null = null
    do {
      const page = await entries({ ...query, limit: 97, ...(cursor && { cursor }) })
      if (page.items.length > 0) last = { cursor: page.previous, count: ids!.length }
      ids!.push(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.next
    } while (cursor)
    for (cursor = last.cursor; cursor;) {
      const page = await entries({ ...query, limit: 97, cursor, towards: 'newer' })
      back!.unshift(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.previous
    }
    return { ids: ids!, back: back!, count: last.count }
  }
  const held = async (words: string, which = 'true') =>
    (
      await own.database.owner.pool.query<{ entry_id: string }>(
        `select entry_id from app.audit_lookup where words @@ websearch_to_tsquery('simple', $1) and ${which}
         order by at desc, entry_id desc`,
        [words],
      )
    ).rows.map(({ entry_id }) => entry_id)
  for (const [query, expected] of [
    [{ text: 'seldom' }, await held('seldom')],
    [{ text: 'midnight' }, await held('midnight')],
    [{ text: 'storm' }, await held('storm')],
    [{ text: '"midnight storm"' }, await held('"midnight storm"')],
    [{ text: 'midnight -storm' }, await held('midnight -storm')],
    [{ text: '-"midnight calm" storm' }, await held('-"midnight calm" storm')],
    [{ text: 'seldom or storm', from: '2021-06-01' }, await held('seldom or storm', `at >= '2021-06-01T00:00+0530'`)],
    [{ text: 'midnight', action: 'thing.spread' }, await held('midnight', `action = 'thing.spread'`)],
    [{ text: 'midnight', until: '2021-05-01' }, await held('midnight', `at < '2021-05-02T00:00+0530'`)],
  ] as const) {
    const { ids, back, count } = await all(query)
    expect([query, ids]).toEqual([query, expected])
    expect(back).toEqual(expected.slice(0, count))
  }
  expect(await entries({ text: '!!!', until: '2025-08-01' })).toMatchObject({ items: [], next: null })
})

test('others see nothing, and an auditor’s reading and exporting is an entry itself', async () => {
  const one = await own.waiting()
  for (const path of ['/api/audit/entries', '/api/audit/export', `/api/audit/cases/${one.caseId}`]) {
    expect([path, (await own.head.send('GET', path)).statusCode]).toEqual([path, 403])
    expect([path, (await own.app.send('GET', path)).statusCode]).toEqual([path, 401])
  }
  await own.database.owner.db
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

test('reports list refusals of own cases, substitutions, acts of administrators and grants', async () => {
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

test('a search is saved under a name, separate from the views of the inbox, and deleted', async () => {
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

test('register items are not searchable by their content: not every auditor may read all fields', async () => {
  await own.db.transaction().execute(async (trx) => {
    const item = { actor: own.admin.id, object: 'register-item:1' }
    const data = { name: 'Nimali', nic: '199912345678' }
    await audit(trx).record({ ...item, action: 'register-item.created', payload: { data } })
    await audit(trx).record({ ...item, action: 'register-item.changed', payload: { patch: data } })
    await audit(trx).record({ ...item, action: 'register-item.status-changed', payload: { status: 'Dormant' } })
  })
  while ((await chain.seal()) > 0);
  expect(await actions({ text: '199912345678' })).toEqual([])
  expect(await actions({ text: 'dormant' })).toEqual(['register-item.status-changed'])
  expect(await actions({ action: 'register-item.created' })).toContain('register-item.created')
})

test('reading a sensitive field for the first time leaves an entry, however recently others were read', async () => {
  const one = await own.waiting()
  await own.database.owner.db
    .updateTable('submission')
    .set({ data: JSON.stringify({ purpose: 'A talk', nic: '200012345678' }) })
    .where('case_id', '=', one.caseId)
    .execute()
  await own.db.transaction().execute((trx) =>
    audit(trx).record({
      actor: auditor.id,
      action: 'sensitive.read',
      caseId: one.caseId,
      payload: { fields: ['/account'] },
    }),
  )
  const readers = async () => (await auditor.send('GET', `/api/audit/cases/${one.caseId}`)).json().readers
  await readers()
  await readers()
  expect((await readers()).map(({ fields }: { fields: string[] }) => fields)).toEqual([['account'], ['nic']])
})

test('a common prefix of case numbers omits no case, and a report examines no more cases than its limit', async () => {
  const { caseId } = await own.waiting()
  await own.database.owner.pool.query(`
    insert into app.flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, status)
      select gen_random_uuid(), 'MANY-' || n, flow, flow_hash, process_definition_id, requester_id, status
      from app.flow_case, generate_series(1, 600) n where id = '${caseId}';
    insert into app.audit_entry (at, actor, action, case_id, commitment)
      select timestamptz '2022-01-01', 'system:bench', 'many.counted', id, '\\x00'
      from app.flow_case where reference like 'MANY-%';
    select app.audit_look_up(array_agg(id)) from app.audit_entry where action = 'many.counted'`)
  for (const query of [{ reference: 'many-' }, { reference: 'many-', action: 'many.counted' }]) {
    const found = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: { reference: string }[]; next: string | null } = await entries({
        ...query,
        limit: 100,
        ...(cursor !== '' && { cursor }),
      })
      for (const { reference } of page.items) found.add(reference)
      cursor = page.next
    }
    expect(found.size).toBe(600)
  }
  const report = async (days: string) => (await auditor.send('GET', `/api/audit/reports/skipped-desks${days}`)).json()
  expect(await report('')).toEqual({ items: [], more: false, narrow: true })
  expect(await report('?until=2020-01-01')).toEqual({ items: [], more: false, narrow: false })
})

test('the picture of a moment contains nothing later: names, posts, deadlines, effects, versions', async () => {
  const { pool } = own.database.owner
  const before = new Date(Date.now() - 3_600_000).toISOString()
  const version = (n: number, name: string, at: string) =>
    pool.query(
      `insert into app.register_item_version (item_id, version, status, data, at) values ($1, $2, 'Active', $3, $4)`,
      [own.department, n, { name }, at],
    )
  await version(1, 'Drums', before)
  const one = await own.waiting()
  const post = await anItem(own.db, 'platform/post')
  await pool.query(
    `insert into app.post_holder (id, post_id, account_id, starts_at, reason) values ($1, $1, $2, $3, 'Elected')`,
    [post, own.head.id, before],
  )
  expect((await decide(own.head, one.id, 'approve')).statusCode).toBe(200)
  const at = new Date().toISOString()
  const read = async (query = '') => (await auditor.send('GET', `/api/audit/cases/${one.caseId}${query}`)).json()
  const then = () => read(`?at=${encodeURIComponent(at)}`)
  const { title } = await read()

  // Everything from here on is later.
  await pool.query('update app.post_holder set ends_at = now() where id = $1', [post])
  await version(2, 'Drums and Dance', new Date().toISOString())
  await pool.query(`update app.register_item set title = 'Drums and Dance' where id = $1`, [own.department])
  await pool.query(`update app.task set due_at = '2031-01-01' where id = $1`, [one.id])
  await own.db.transaction().execute((trx) =>
    audit(trx).record({
      actor: own.admin.id,
      action: 'task.due-set',
      caseId: one.caseId,
      object: `task:${one.id}`,
      payload: { before: '2030-01-01T00:00:00.000Z', due: '2031-01-01T00:00:00.000Z', reason: 'A strike' },
    }),
  )
  await pool.query(
    `update app.submission set effect = 'void', void_reason = 'task-gone' where case_id = $1 and task_id = $2`,
    [one.caseId, one.id],
  )
  await pool.query(
    `update app.command set state = 'refused', done_at = now()
     where case_id = $1 and submission_id = (select id from app.submission where case_id = $1 and task_id = $2)`,
    [one.caseId, one.id],
  )
  await pool.query(`
    insert into app.process_definition (id, flow, process_key, version, deployment_id, bpmn_hash, flow_hash, forms, source)
    select 'two-desks:2', flow, process_key, 2, 'd2', bpmn_hash, flow_hash, forms, source
    from app.process_definition where id = 'two-desks:1'`)
  await pool.query(
    `insert into app.command (id, case_id, kind, payload, acting_user, state, done_at)
     values (gen_random_uuid(), $1, 'migrate', '{"from": "two-desks:1", "to": "two-desks:2"}', 'somebody', 'done', now())`,
    [one.caseId],
  )
  await pool.query(`update app.flow_case set process_definition_id = 'two-desks:2' where id = $1`, [one.caseId])

  const seen = ({ data, submissions, tasks, versions }: any) => ({
    department: data.find(({ field }: any) => field === '/department').value,
    decided: submissions.map(({ void: reason, by }: any) => [by.name, by.post, reason]),
    due: tasks.map(({ dueAt }: any) => dueAt),
    model: versions.model.definitionId,
  })
  const decided = (reason: string | null) => [
    ['asker', null, null],
    ['head', post, reason],
  ]
  expect(seen(await then())).toEqual({
    department: 'Drums',
    decided: decided(null),
    due: ['2030-01-01T00:00:00.000Z'],
    model: 'two-desks:1',
  })
  expect(seen(await read())).toEqual({
    department: 'Drums and Dance',
    decided: decided('The task was over by then'),
    due: ['2031-01-01T00:00:00.000Z'],
    model: 'two-desks:2',
  })
  expect((await then()).title).toBe(title)
})

test('the system’s own acts and reasons are described in words, also for processes that were changed', async () => {
  await own.db.transaction().execute((trx) =>
    audit(trx).recordAll([
      { actor: 'system:api', action: 'token-key.rotated', payload: { reason: 'no key signs' } },
      { actor: own.admin.id, action: 'model.deployed', object: 'model:two-desks', payload: { reason: 'Withdrawn' } },
    ]),
  )
  while ((await chain.seal()) > 0);
  const [renewed] = (await entries({ action: 'token-key.rotated' })).items
  expect(renewed).toMatchObject({
    reason: 'There was no key that could sign',
    by: { id: null, name: 'the system (keys for signing in)' },
  })
  const [deployed] = (await entries({ action: 'model.deployed' })).items
  // By the title of the flow.
  expect(deployed.text).toBe('admin deployed a version of the process: tests.two-desks')
  // Text written by people is not translated.
  expect(deployed.reason).toBe('Withdrawn')
})

test('while the engine is unavailable a case is shown without the results of its tables, and says so', async () => {
  const one = await own.waiting()
  await own.db.updateTable('flow_case').set({ process_instance_id: 'any' }).where('id', '=', one.caseId).execute()
  const read = () => auditor.send('GET', `/api/audit/cases/${one.caseId}`)
  expect((await read()).json().decisions).toEqual([])
  own.engineIsAway(true)
  try {
    expect((await read()).json()).toMatchObject({ reference: one.reference, decisions: null })
    expect((await auditor.send('GET', `/api/audit/cases/${one.caseId}/file?format=pdf`)).statusCode).toBe(200)
  } finally {
    own.engineIsAway(false)
  }
})

test('a file is streamed while its rows are read, and keeps no row in memory', async () => {
  const [few, many] = [5000, 20_000]
  for (const format of ['csv', 'xlsx'] as const) {
    let bytes = 0
    const kept: WeakRef<object>[] = []
    const body = async function* () {
      for (let n = 0; n < many; n += 1) {
        // Incompressible, so that output is flushed.
        const row = [randomBytes(100).toString('hex'), { number: n }]
        if (n < few) kept.push(new WeakRef(row))
        yield row
        if (n !== many / 2) continue
        expect(bytes).toBeGreaterThan((n * 100) / 2)
        await new Promise(setImmediate)
        collectGarbage()
        // One may still be referenced by a CPU register.
        expect(kept.filter((one) => one.deref() !== undefined).length).toBeLessThan(10)
      }
    }
    const { content } = streamed(format, { name: 'rows', head: ['a', 'b'], body: body(), rest: '' })
    for await (const part of content as AsyncIterable<Buffer | string>) bytes += part.length
    expect(bytes).toBeGreaterThan(many * 100)
  }
})

test('text in a workbook stays as it is: XML characters, and lengths that spreadsheets refuse', async () => {
  const body = async function* () {
    yield ['&'.repeat(40_000)]
  }
  const { content } = streamed('xlsx', { name: 'rows', head: ['<a>'], body: body(), rest: '' })
  const said = contentOf(Buffer.concat(await Readable.from(content).toArray()))
  expect(said).toContain('&lt;a&gt;')
  expect(said.match(/(?:&amp;)+<\/t>/)?.[0].length).toBe(32_000 * '&amp;'.length + '</t>'.length)
})

test('a workbook whose reader disconnects, or whose rows fail, ends no process', async () => {
  const script = `
    import { streamed } from './api/platform/kernel/sheets/stream.ts'
    const workbook = (body) => streamed('xlsx', { name: 'rows', head: ['a'], body, rest: '' }).content
    const endless = async function* () { for (;;) yield [String(Math.random())] }
    const content = workbook(endless())
    let bytes = 0
    for await (const part of content) if ((bytes += part.length) > 100_000) break
    console.log(content.destroyed ? 'gone' : 'there')
    const failing = async function* () { yield ['1']; throw new Error('no database') }
    try { for await (const part of workbook(failing())); } catch (error) { console.log(error.message) }`
  const root = join(import.meta.dirname, '../..')
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  expect((await run).stdout).toBe('gone\nno database\n')
})
