import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import {
  auditLines,
  exportAudit,
  headerOf,
  publicKeysOf,
  linkRangeOf,
} from '../../api/platform/features/audit/export.ts'
import { canonical, checkpointText, headerText, sealHash } from '../../api/platform/kernel/audit/format.ts'
import { newestCheckpoint, readKeptCheckpoint } from '../../api/platform/features/audit/kept-checkpoint.ts'
import { type Sealer, sealer } from '../../api/platform/features/audit/sealer.ts'
import { signedHeadFile } from '../../api/platform/features/audit/signed-head.ts'
import { type AuditExport, examineFile, linesOf } from '../../api/platform/features/audit/verify.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { type SigningKey, fingerprintOf, keysIn, signingKey } from '../../api/platform/kernel/keys.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { sendCheckpoint } from '../../api/platform/features/audit/checkpoint-schedule.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { until } from './kit/poll.ts'
import { anAccount } from './kit/rows.ts'
import type { Finding, PublicKeys } from '../../api/platform/features/audit/chain-findings.ts'
import { examine } from '../../api/platform/features/audit/chain-examination.ts'

const aKey = () =>
  signingKey(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'))
const known = (...some: SigningKey[]): PublicKeys => new Map(some.map(({ id, publicKey }) => [id, publicKey]))
const key = aKey()
const keys = known(key)
const folder = mkdtempSync(join(tmpdir(), 'prakriya-audit-'))
const failures: unknown[] = []
let database: TestDatabase
let chain: Sealer

beforeAll(async () => {
  database = await freshDatabase()
  chain = sealer({ db: database.db, key, onError: (error) => failures.push(error) })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database?.drop()
})

function record(payload: object, more: { caseId?: string; fails?: boolean } = {}): Promise<void> {
  return database.db.transaction().execute(async (trx) => {
    await audit(trx).record({
      actor: 'somebody',
      actedAs: 'ADMIN',
      action: 'thing.done',
      caseId: more.caseId,
      object: 'thing:1',
      payload,
    })
    if (more.fails) throw new Error('rolled back')
  })
}

/** The first problem in the present export of the chain, or in a given export. */
async function first(exported?: AuditExport, by = keys): Promise<Finding | null> {
  return (await examine(linesOf(exported ?? (await exportAudit(database.db))), by)).first
}

/** Changes the database as its owner, with triggers off, which nobody may do. */
async function tamper(statement: string): Promise<void> {
  const client = await database.owner.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(statement)
  } finally {
    await client.query('set session_replication_role = origin')
    client.release()
  }
}

test('an entry of a transaction that rolls back does not exist', async () => {
  await expect(record({ lost: true }, { fails: true })).rejects.toThrow('rolled back')
  expect(await chain.seal()).toBe(0)
})

test('entries are chained and covered by a signed checkpoint', async () => {
  await record(
    { amount: 1.5, big: 1e21, name: 'නුවන්', nested: { b: [1, null], a: undefined, when: new Date(0) } },
    { caseId: randomUUID() },
  )
  await Promise.all(Array.from({ length: 40 }, (_, n) => record({ n })))
  const sealed = await Promise.all([chain.seal(), chain.seal(), chain.seal()])
  expect(sealed.reduce((sum, n) => sum + n) + (await chain.seal())).toBe(41)
  // The first links are signed at once.
  expect(await chain.checkpoint()).toBe(false)
  const exported = await exportAudit(database.db)
  expect(exported.links).toHaveLength(41)
  expect(exported.checkpoints).toMatchObject([{ sequence: '41', keyId: key.id }])
  expect(await first(JSON.parse(JSON.stringify(exported)))).toBeNull()
})

test('an entry that commits after later ones is still sealed', async () => {
  let let_go!: () => void
  const waiting = new Promise<void>((resolve) => (let_go = resolve))
  let inserted!: () => void
  const there = new Promise<void>((resolve) => (inserted = resolve))
  const late = database.db.transaction().execute(async (trx) => {
    await audit(trx).record({ actor: 'late', action: 'thing.done', payload: {} })
    inserted()
    await waiting
  })
  await there
  await record({ early: true })
  expect(await chain.seal()).toBe(1)
  let_go()
  await late
  expect(await chain.seal()).toBe(1)
  expect(await first()).toBeNull()
})

test('the sealer works by itself', async () => {
  const own = sealer({ db: database.db, key, onError: (error) => failures.push(error) })
  own.start()
  const before = (await exportAudit(database.db)).links.length
  await record({ by: 'itself' })
  await until('the entry is sealed', async () => (await exportAudit(database.db)).links.length === before + 1, {
    everyMilliseconds: 25,
  })
  await own.stop()
  expect(failures).toEqual([])
})

test('the app role cannot change or delete entries', async () => {
  for (const table of ['audit_entry', 'audit_seal', 'audit_checkpoint', 'audit_payload', 'audit_key'])
    for (const statement of [
      `delete from app.${table}`,
      `update app.${table} set ${table === 'audit_payload' ? 'salt = salt' : 'at = now()'}`,
    ])
      await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
})

test('not even the owner changes an entry unless the trigger is disabled', async () => {
  await expect(database.owner.pool.query(`update app.audit_entry set actor = 'x'`)).rejects.toThrow(
    'never changed or deleted',
  )
})

test('an erased payload leaves the chain intact, and can no longer be searched', async () => {
  const entry = '(select entry_id from app.audit_payload order by entry_id limit 1)'
  const words = async () =>
    (await database.owner.pool.query(`select words from app.audit_lookup where words @@ 'නුවන්'::tsquery`)).rows
  expect(await words()).toHaveLength(1)
  await database.owner.pool.query(`delete from app.audit_payload where entry_id = ${entry}`)
  expect(await words()).toEqual([])
  expect(await examine(linesOf(await exportAudit(database.db)), keys)).toMatchObject({
    first: null,
    erased: 1,
  })
})

test('an erased payload removes its words and the people that only it named, not the account that the entry is about', async () => {
  const [own, other] = await Promise.all([anAccount(database.db), anAccount(database.db)])
  await database.db.transaction().execute((trx) =>
    audit(trx).record({
      actor: 'somebody',
      action: 'account.changed',
      object: `account:${own}`,
      payload: { for: other },
    }),
  )
  await chain.seal()
  const concerned = async () => {
    const { rows } = await database.owner.pool.query(
      `select entry_id, person from app.audit_person where person in ('${own}', '${other}')`,
    )
    return rows as { entry_id: string; person: string }[]
  }
  const before = await concerned()
  expect(before.map(({ person }) => person).toSorted()).toEqual([own, other].toSorted())
  await database.owner.pool.query(`delete from app.audit_payload where entry_id = ${before[0]!.entry_id}`)
  expect((await concerned()).map(({ person }) => person)).toEqual([own])
})

test('an entry that cannot be indexed is sealed and reported, blocks no other, and is indexed once possible', async () => {
  const found = async () => {
    const { rows } = await database.owner.pool.query(
      `select action from app.audit_lookup where action in ('thing.poisoned', 'thing.sound') order by action`,
    )
    return rows.map(({ action }) => action)
  }
  await database.owner.pool.query(
    `alter table app.audit_lookup add constraint poison check (action <> 'thing.poisoned') not valid`,
  )
  try {
    await database.db.transaction().execute(async (trx) => {
      for (const action of ['thing.poisoned', 'thing.sound'])
        await audit(trx).record({ actor: 'somebody', action, payload: {} })
    })
    expect(await chain.seal()).toBe(2)
  } finally {
    await database.owner.pool.query('alter table app.audit_lookup drop constraint poison')
  }
  expect(failures.splice(0)).toEqual([expect.objectContaining({ message: expect.stringMatching(/^1 audit entries/) })])
  expect(await found()).toEqual(['thing.sound'])
  // As for entries from before the search existed, and before its progress was stored.
  const oldest = '(select min(entry_id) from app.audit_seal)'
  await database.owner.pool.query(
    `delete from app.audit_searched; delete from app.audit_lookup where entry_id = ${oldest}`,
  )
  const looks = () => sealer({ db: database.db, key, onError: (error) => failures.push(error) }).seal()
  const missing = async () => {
    const { rows } = await database.owner.pool.query(
      'select from app.audit_seal s where not exists (select from app.audit_lookup l where l.entry_id = s.entry_id)',
    )
    return rows.length
  }
  await looks()
  expect(await found()).toEqual(['thing.poisoned', 'thing.sound'])
  expect(await missing()).toBe(0)
  // Entries that were processed are not processed again.
  await database.owner.pool.query(`delete from app.audit_lookup where entry_id = ${oldest}`)
  await looks()
  expect(await missing()).toBe(1)
  await database.owner.pool.query('delete from app.audit_searched')
  await looks()
  expect(await missing()).toBe(0)
  expect(failures).toEqual([])
})

test('the links of some days are chosen by seal, with one on either side and up to the next signature', async () => {
  const { links } = await exportAudit(database.db)
  const to = links.at(-1)!.sequence
  const [then, later] = [new Date('2021-06-01'), new Date('2022-01-01')]
  const early = 'id in (select entry_id from app.audit_seal where sequence <= 10)'
  // The time of sealing is in no hash: it has no effect.
  await tamper(`
    create table app.times as select id, at from app.audit_entry where ${early};
    update app.audit_entry set at = '2021-06-01' where ${early};
    update app.audit_seal set at = '2020-01-01' where sequence > 20`)
  try {
    const stretch = async (days: Parameters<typeof linkRangeOf>[1]) => {
      const found = await linkRangeOf(database.db, days)
      return found && [found.from, found.to]
    }
    expect(await stretch({})).toEqual(['1', to])
    expect(await stretch({ from: then })).toEqual(['1', to])
    expect(await stretch({ from: later })).toEqual(['10', to])
    expect(await stretch({ from: then, until: later })).toEqual(['1', '41'])
    expect(await stretch({ until: then })).toBeNull()
    expect(await stretch({ from: new Date('2021-07-01'), until: later })).toBeNull()
    expect(await stretch({ from: new Date('2999-01-01') })).toBeNull()
  } finally {
    await tamper(`
      update app.audit_entry e set at = t.at from app.times t where t.id = e.id;
      update app.audit_seal set at = now() where sequence > 20;
      drop table app.times`)
  }
  // If the first or the last entry is within the days, more may be missing.
  const part = (from: number, last: number, days: object) =>
    examine(linesOf({ links: links.slice(from - 1, last), checkpoints: [] }), keys, {
      ...{ from: String(from), to: String(last), head: to },
      ...days,
    })
  expect(await part(12, 20, { since: '2021-01-01' })).toMatchObject({ first: { harm: 'removed', sequence: '11' } })
  expect(await part(1, 20, { until: '2999-01-01' })).toMatchObject({ first: { harm: 'removed', sequence: '21' } })
  expect(await part(12, 20, { since: '2999-01-01', until: '2021-01-01' })).toMatchObject({
    first: { harm: 'unvouched' },
  })
})

/** A superuser's change, its reversal, and the first problem found. */
const hands: [name: string, does: string, undoes: string, found: Partial<Finding>][] = [
  [
    'an entry that was altered',
    `update app.audit_entry set acted_as = 'Registrar' where id = (select entry_id from app.audit_seal where sequence = 5)`,
    `update app.audit_entry set acted_as = 'ADMIN' where id = (select entry_id from app.audit_seal where sequence = 5)`,
    { harm: 'altered', sequence: '5' },
  ],
  [
    'the details of an entry that were altered',
    `update app.audit_payload set payload = '{"n": 77}' where payload = '{"n": 7}'`,
    `update app.audit_payload set payload = '{"n": 7}' where payload = '{"n": 77}'`,
    { harm: 'altered', text: expect.stringContaining('the details of entry') as never },
  ],
  [
    'an entry that was removed with its seal',
    `create table app.taken as select * from app.audit_seal where sequence = 9; delete from app.audit_seal where sequence = 9`,
    `insert into app.audit_seal select * from app.taken; drop table app.taken`,
    { harm: 'removed', sequence: '9' },
  ],
  [
    'entries that changed places',
    `update app.audit_seal set sequence = -12 where sequence = 12; update app.audit_seal set sequence = 12 where sequence = 20; update app.audit_seal set sequence = 20 where sequence = -12`,
    `update app.audit_seal set sequence = -12 where sequence = 12; update app.audit_seal set sequence = 12 where sequence = 20; update app.audit_seal set sequence = 20 where sequence = -12`,
    { harm: 'reordered', sequence: '12' },
  ],
]

for (const [name, does, undoes, found] of hands)
  test(`${name} is found and named`, async () => {
    await tamper(does)
    try {
      expect(await first()).toMatchObject(found)
    } finally {
      await tamper(undoes)
    }
    expect(await first()).toBeNull()
  })

test('an inserted entry is found and named, even with a seal that fits the one before it', async () => {
  const { links, checkpoints } = await exportAudit(database.db)
  const [before, forged] = [links[13]!, { ...links[14]!.entry, id: '999999', actor: 'nobody' }]
  const hash = sealHash(before.hash, '15', forged)
  // An inserted entry shifts everything after it.
  await tamper(`
    insert into app.audit_entry overriding system value
      select 999999, '${forged.at}', 'nobody', acted_as, action, case_id, object, commitment from app.audit_entry where id = ${links[14]!.entryId};
    update app.audit_seal set sequence = sequence + 1000 where sequence >= 15;
    update app.audit_seal set sequence = sequence - 999 where sequence > 1000;
    insert into app.audit_seal (sequence, entry_id, previous, hash) values (15, 999999, decode('${before.hash}', 'hex'), decode('${hash}', 'hex'))`)
  try {
    expect(await first()).toMatchObject({ harm: 'inserted', sequence: '15', entryId: '999999' })
  } finally {
    await tamper(`
      delete from app.audit_seal where sequence = 15;
      delete from app.audit_entry where id = 999999;
      update app.audit_seal set sequence = sequence + 1000 where sequence > 15;
      update app.audit_seal set sequence = sequence - 1001 where sequence > 1000`)
  }
  expect(await first()).toBeNull()
  // Only in the file, with a seal that matches nothing.
  const slipped = { ...before, sequence: '15', hash: 'ab'.repeat(32), entry: forged, entryId: '999999' }
  expect(await first({ links: links.toSpliced(14, 0, slipped), checkpoints })).toMatchObject({ harm: 'inserted' })
  // With the seal of the entry that it imitates, before it and after it.
  const imitating = { ...links[14]!, entry: forged, entryId: forged.id }
  for (const place of [14, 15])
    expect(await first({ links: links.toSpliced(place, 0, imitating), checkpoints })).toMatchObject({
      harm: 'inserted',
      entryId: forged.id,
    })
})

test('changes in the file are found: lines out of place, an entry sealed again, a rewritten chain, another key', async () => {
  const { links, checkpoints } = await exportAudit(database.db)
  const swapped = links.with(20, links[21]!).with(21, links[20]!)
  expect(await first({ links: swapped, checkpoints })).toMatchObject({ harm: 'reordered', sequence: '22' })
  const { salt: _salt, ...bare } = links[7]!
  const instead = links.with(7, { ...bare, payload: { n: 'forged' } })
  const text = `the details of entry ${bare.entryId} were altered`
  expect(await first({ links: instead, checkpoints })).toMatchObject({ harm: 'altered', sequence: '8', text })
  const own = { ...links[6]!, entry: { ...links[6]!.entry, action: 'thing.undone' } }
  const again = { ...own, hash: sealHash(own.previous, own.sequence, own.entry) }
  expect(await first({ links: links.with(6, again), checkpoints })).toMatchObject({ harm: 'altered', sequence: '7' })
  const rewritten = resealed(links.with(6, own))
  expect(await first({ links: rewritten, checkpoints })).toMatchObject({ harm: 'rewritten' })
  expect(await first({ links, checkpoints }, known(aKey()))).toMatchObject({ harm: 'unsigned', sequence: '41' })
})

test('entries that no signature covers are not verified, however consistent they are', async () => {
  const { links, checkpoints } = await exportAudit(database.db)
  const altered = links.with(6, { ...links[6]!, entry: { ...links[6]!.entry, action: 'thing.undone' } })
  const text = expect.stringContaining('no signature covers the links 1 to') as never
  expect(await first({ links: resealed(altered), checkpoints: [] })).toMatchObject({ harm: 'unvouched', text })
  // Only entries of the last minute or two are after the last signature.
  const vouched = checkpoints.at(-1)!.sequence
  const signed = Number(vouched)
  const rest = (minutes: number) => {
    const last = links.at(-1)!
    const at = new Date(Date.parse(links[signed]!.entry.at) + minutes * 60_000).toISOString()
    const behind = resealed([...links.slice(signed, -1), { ...last, entry: { ...last.entry, at } }])
    return { links: [...links.slice(0, signed), ...behind], checkpoints }
  }
  const verdict = (minutes: number) => examine(linesOf(rest(minutes)), keys)
  expect(await verdict(1)).toMatchObject({ first: null, vouched, unvouched: links.length - signed })
  expect(await verdict(3)).toMatchObject({ first: { harm: 'unvouched', sequence: String(signed + 1) }, vouched })
})

test('a missing beginning or end is noticed', async () => {
  const { links, checkpoints } = await exportAudit(database.db)
  const to = links.at(-1)!.sequence
  const told = (some: AuditExport['links']) => examine(linesOf({ links: some, checkpoints }), keys, { from: '1', to })
  expect(await told(links)).toMatchObject({ first: null, from: '1', to })
  expect(await told(links.slice(2))).toMatchObject({
    first: { harm: 'removed', sequence: '1', text: expect.stringContaining('links 1 to 2') },
  })
  expect(await told(links.slice(0, -1))).toMatchObject({ first: { harm: 'removed', sequence: to } })
  expect(await told([])).toMatchObject({ first: { harm: 'removed', sequence: '1' } })
})

test('the header of a file is signed: a file that is cut with a changed header, or sealed again at its end, is found', async () => {
  const stretch = (await linkRangeOf(database.db, {}))!
  const header = headerOf(stretch, key)
  const lines: object[] = [header]
  for await (const line of auditLines(database.db, stretch)) lines.push(line)
  const linkAt = (some: object[], at: number) => (some.at(at) as { link: AuditExport['links'][number] }).link
  const file = join(folder, 'audit.jsonl')
  const told = async (some: object[], by = keys) => {
    writeFileSync(file, some.map((line) => JSON.stringify(line)).join('\n'))
    return (await examineFile(file, by)).first
  }
  expect(lines[0]).toMatchObject({ from: '1', to: stretch.to, count: Number(stretch.to), head: stretch.to })
  // Earlier tests have deleted details; an export from before erasures existed does not mention any.
  expect(await told(lines)).toMatchObject({ harm: 'missing' })
  const { acts: _acts, signature: _signed, ...old } = { ...header, format: 'prakriya-audit-1' }
  const oldHeader = { ...old, signature: sign(null, headerText(old), key.privateKey).toString('base64') }
  lines[0] = oldHeader
  expect(await told(lines)).toBeNull()
  // After the first signature, which covers all entries before it.
  const short = lines.slice(0, lines.findIndex((line) => 'checkpoint' in line) + 1)
  expect(await told(short)).toMatchObject({ harm: 'removed', sequence: '42' })
  const less = { ...oldHeader, to: '41', head: '41', count: 41, hash: linkAt(short, -2).hash }
  expect(await told([less, ...short.slice(1)])).toMatchObject({
    harm: 'unsigned',
    text: expect.stringMatching(/altered/),
  })
  const { signature: _signature, ...unsigned } = less
  expect(await told([unsigned, ...short.slice(1)])).toMatchObject({ harm: 'unsigned' })
  expect(await told(lines, known(aKey()))).toMatchObject({ harm: 'unsigned', text: expect.stringContaining(key.id) })
  // After the last signature.
  const last = linkAt(lines, -1)
  const [rewritten] = resealed([{ ...last, entry: { ...last.entry, action: 'thing.undone' } }])
  expect(await told([...lines.slice(0, -1), { link: rewritten! }])).toMatchObject({
    harm: 'rewritten',
    text: expect.stringContaining(`to ${stretch.to} were`),
  })
})

test('a file with content that no export has is refused, with the line and the reason', async () => {
  // Unicode line separators stay unchanged in texts.
  for (const note of ['one\u2028two\u2029three\u0085four', 'two', 'three']) await record({ note })
  await chain.seal()
  await chain.checkpoint()
  const stretch = (await linkRangeOf(database.db, {}))!
  const { acts: _acts, ...old } = stretch
  const lines = [JSON.stringify(headerOf(old, key))]
  for await (const line of auditLines(database.db, stretch)) lines.push(JSON.stringify(line))
  const file = join(folder, 'strict.jsonl')
  const read = (some: string[], by = keys) => {
    writeFileSync(file, some.join('\n'))
    return examineFile(file, by)
  }
  expect(await read([...lines, ''])).toMatchObject({ first: null, links: Number(stretch.to) })
  expect(lines.join()).toContain('\u2028')

  const { link } = JSON.parse(lines[3]!)
  const with3 = (line: string) => lines.with(3, line)
  const other = (change: object) => with3(JSON.stringify({ link: { ...link, ...change } }))
  const twice = lines[3]!.replace('"hash":', '"hash":"00","hash":')
  const signs = lines.findIndex((line) => line.startsWith('{"checkpoint"'))
  const refused: [some: string[], why: RegExp][] = [
    [other({ note: 'x' }), /^line 4 is not of the format: \/link has note, which no export has$/],
    [other({ entry: { ...link.entry, note: 'x' } }), /^line 4 .* \/link\/entry has note/],
    [other({ entryId: '77' }), /^line 4 is not of the format: its entryId is 77, its entry is \d+$/],
    [other({ hash: link.hash.toUpperCase() }), /^line 4 is not of the format: \/link\/hash must match/],
    [other({ leftOut: false }), /^line 4 is not of the format/],
    [with3(twice), /^line 4 is not as an export is written: a key appears twice/],
    [with3(` ${lines[3]!}`), /^line 4 is not as an export is written/],
    [with3(lines[3]!.replace('"link"', '"\\u006cink"')), /^line 4 is not as an export is written/],
    [with3('{}'), /^line 4 is neither a link nor a signature/],
    [with3('null'), /^line 4 is neither/],
    [with3('[]'), /^line 4 is neither/],
    [with3(''), /^line 4 is empty$/],
    [with3('{"link":'), /^line 4 is no JSON/],
    [with3('{"link":null}'), /^line 4 is not of the format: \/link must be object$/],
    [lines.with(signs, lines[signs]!.replace('}}', ',"note":1}}')), /^line \d+ .* \/checkpoint has note/],
    [lines.toSpliced(3, 0, lines[0]!), /^line 4 says a second time what the file has$/],
    [lines.slice(1), /^line 1 does not say which links the file has$/],
    [lines.with(0, lines[0]!.replace('{', '{"count":3,')), /^line 1 is not as an export is written/],
    [lines.with(0, lines[0]!.replace('prakriya-audit-', 'prakriya-audit-9')), /^line 1 is not of the format: \/format/],
    [[], /^it is empty$/],
  ]
  for (const [some, why] of refused)
    expect([why, await read(some).catch((error: Error) => error.message)]).toEqual([why, expect.stringMatching(why)])
  writeFileSync(file, Buffer.concat([Buffer.from(`${lines[0]!}\n`), Buffer.from([0xff, 0x0a])]))
  await expect(examineFile(file, keys)).rejects.toThrow('line 2 is no UTF-8')
})

test('each night a signed checkpoint goes once to the head of internal audit and to the operator; it exposes a trail that was rewritten and signed again', async () => {
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const send = (now: Date) =>
    database.db.transaction().execute((trx) =>
      sendCheckpoint(trx, {
        mail: mail(trx, { library, publicUrl: 'http://localhost' }),
        to: 'vault@example.org',
        now,
      }),
    )
  const account = await anAccount(database.db, { username: 'chief.auditor' })
  await database.db
    .insertInto('role_grant')
    .values({ id: randomUUID(), account_id: account, role: 'Deputy Internal Auditor' })
    .execute()
  const { links, checkpoints } = await exportAudit(database.db)
  const newest = checkpoints.at(-1)!.sequence
  expect(await send(new Date('2026-05-14T01:00:00+05:30'))).toEqual({ sequence: newest, written: 2 })
  expect(await send(new Date('2026-05-14T23:00:00+05:30'))).toEqual({ sequence: newest, written: 0 })
  expect(await send(new Date('2026-05-15T01:00:00+05:30'))).toMatchObject({ written: 2 })
  const mails = await database.db.selectFrom('mail').selectAll().orderBy('recipient').execute()
  expect(mails.map(({ recipient }) => recipient)).toEqual(
    ['chief.auditor@example.lk', 'vault@example.org'].flatMap((one) => [one, one]),
  )
  const [attachment] = mails[0]!.attachments as unknown as { name: string; content: string }[]
  const kept = join(folder, attachment!.name)
  writeFileSync(kept, attachment!.content)
  const own = readKeptCheckpoint(kept)
  expect(own).toMatchObject({ sequence: newest, keyId: key.id, fingerprint: fingerprintOf(key.publicKey) })
  expect(mails[0]!.body).toContain(own.fingerprint)

  const file = join(folder, 'rewritten.jsonl')
  const told = async (some: AuditExport['links'], signs: AuditExport['checkpoints'], by = [own]) => {
    const [begin, end] = [some[0]!, some.at(-1)!]
    const stretch = { from: begin.sequence, to: end.sequence, hash: end.hash, head: end.sequence }
    const lines: object[] = [headerOf(stretch, key)]
    for await (const line of linesOf({ links: some, checkpoints: signs })()) lines.push(line)
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    return examineFile(file, keys, by)
  }
  expect(await told(links, checkpoints)).toMatchObject({ first: null, kept: 1 })
  // Signed by somebody who has the database and the key.
  const signatureOf = (sequence: string, hash: string, before?: string) =>
    sign(null, checkpointText({ sequence, hash, ...(before && { before }) }), key.privateKey).toString('base64')
  const signedAgain = (by: AuditExport['links']) =>
    checkpoints.map((one) => {
      const seal = by.find((link) => link.sequence === one.sequence)!.hash
      return { ...one, hash: seal, signature: signatureOf(one.sequence, seal, one.before) }
    })
  const rewritten = resealed(links.with(6, { ...links[6]!, entry: { ...links[6]!.entry, action: 'thing.undone' } }))
  expect(await told(rewritten, signedAgain(rewritten), [])).toMatchObject({ first: null })
  expect((await told(rewritten, signedAgain(rewritten))).first).toMatchObject({
    ...{ harm: 'rewritten', sequence: '1' },
    text: expect.stringContaining(`link ${newest} differs from the checkpoint of`),
  })
  // Two nights without an entry between them yield two checkpoints of one position: both count.
  const { hash: since } = rewritten.at(-1)!
  const second = { ...own, hash: since, signature: signatureOf(newest, since, own.before) }
  for (const both of [
    [own, second],
    [second, own],
  ])
    expect((await told(rewritten, signedAgain(rewritten), both)).first).toMatchObject({ harm: 'rewritten' })
  // A matching one says from which link on.
  const { sequence, hash } = links[4]!
  const early = { ...own, sequence, hash, signature: signatureOf(sequence, hash, own.before) }
  const later = resealed(links.slice(5).with(1, { ...links[6]!, entry: { ...links[6]!.entry, actor: 'x' } }))
  const part = [...links.slice(0, 5), ...later]
  expect((await told(part, signedAgain(part), [own, early])).first).toMatchObject({ harm: 'rewritten', sequence: '6' })
  // A trail that ends before it, and an unsigned checkpoint.
  expect((await told(links.slice(0, 20), [])).first).toMatchObject({ harm: 'removed', sequence: '21' })
  expect((await told(links, checkpoints, [{ ...own, hash }])).first).toMatchObject({ harm: 'unsigned' })
  writeFileSync(kept, JSON.stringify({ ...own, hash: 'nothing' }))
  expect(() => readKeptCheckpoint(kept)).toThrow(/is no checkpoint: hash /)
  expect(() => readKeptCheckpoint(file)).toThrow(/is no checkpoint: it is not JSON/)
  // No mail contains what its key did not sign.
  await tamper(`update app.audit_checkpoint set hash = '\\x${'ab'.repeat(32)}' where sequence = ${newest}`)
  await expect(newestCheckpoint(database.db)).rejects.toThrow('does not fit its key')
  await tamper(`update app.audit_checkpoint set hash = '\\x${own.hash}' where sequence = ${newest}`)
})

test('a signature removed from a file, and a checkpoint with a key twice, are found', async () => {
  for (const note of [1, 2, 3]) {
    await record({ note })
    await chain.seal()
    await chain.checkpoint()
  }
  const { acts: _acts, ...stretch } = (await linkRangeOf(database.db, {}))!
  const lines = [JSON.stringify(headerOf(stretch, key))]
  for await (const line of auditLines(database.db, stretch)) lines.push(JSON.stringify(line))
  const file = join(folder, 'signatures.jsonl')
  const told = async (some: string[]) => {
    writeFileSync(file, some.join('\n'))
    return (await examineFile(file, keys)).first
  }
  expect(await told(lines)).toBeNull()
  const signs = lines.flatMap((line, at) => (line.startsWith('{"checkpoint"') ? [at] : []))
  expect(signs.length).toBeGreaterThan(2)
  for (const at of signs) {
    const { sequence } = JSON.parse(lines[at]!).checkpoint
    const found = { harm: 'signature-removed', sequence, text: `the signature at link ${sequence} was removed` }
    expect(await told(lines.toSpliced(at, 1))).toMatchObject(found)
  }
  // The reference to the previous signature cannot be forged.
  const { before } = JSON.parse(lines[signs.at(-1)!]!).checkpoint
  const other = lines[signs.at(-1)!]!.replace(`"before":"${before}"`, '"before":"1"')
  expect(await told(lines.with(signs.at(-1)!, other))).toMatchObject({ harm: 'unsigned' })

  const kept = join(folder, 'kept.json')
  const text = JSON.stringify(await newestCheckpoint(database.db), undefined, 2)
  writeFileSync(kept, text)
  expect(readKeptCheckpoint(kept)).toMatchObject({ format: 'prakriya-audit-checkpoint-2', before })
  writeFileSync(kept, text.replace('{', '{"hash":"00",'))
  expect(() => readKeptCheckpoint(kept)).toThrow('a key appears twice')
  writeFileSync(kept, text.replace('{', '{"note":1,'))
  expect(() => readKeptCheckpoint(kept)).toThrow('is no checkpoint')
})

test('entries sealed late are signed with their seal: the trail is intact after the sealer was away', async () => {
  await database.owner.pool.query(`
    insert into app.audit_entry (at, actor, action, commitment) values
      (now() - interval '10 minutes', 'somebody', 'thing.done', '\\x00'), (now(), 'somebody', 'thing.done', '\\x01')`)
  expect(await chain.seal()).toBe(2)
  expect(await examine(linesOf(await exportAudit(database.db)), keys)).toMatchObject({ first: null, unvouched: 0 })
})

test('after a change of key, the stored keys together verify everything', async () => {
  const next = aKey()
  await record({ by: 'the next key' })
  const memory = signedHeadFile(join(folder, 'audit-keys.json'))
  const { sequence, hash } = (await exportAudit(database.db)).checkpoints.at(-1)!
  memory.write({ sequence, hash, keys: [key.id] })
  const other = sealer({ db: database.db, key: next, memory, onError: (error) => failures.push(error) })
  expect(await other.seal()).toBe(1)
  await record({ by: 'the next key' })
  expect(await other.seal()).toBe(1)
  expect([await other.checkpoint(), await other.checkpoint()]).toEqual([true, false])
  // A key added by somebody else is not ours.
  const foreign = aKey()
  const pem = foreign.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await tamper(`insert into app.audit_key (id, public_key) values ('${foreign.id}', '${pem}')`)
  const kept = keysIn((await publicKeysOf(database.db, next, memory)).pems.join(''))
  expect([...kept.keys()]).toEqual([next.id, key.id])
  expect(await first(undefined, kept)).toBeNull()
  expect(await first(undefined, known(next))).toMatchObject({ harm: 'unsigned', sequence: '41' })
  expect(await first()).toMatchObject({
    harm: 'unsigned',
    text: expect.stringContaining(`by the unknown key ${next.id}`),
  })
  // The id of a known key does not make a valid signature.
  const { links, checkpoints } = await exportAudit(database.db)
  const posing = checkpoints.map((one) => ({ ...one, keyId: key.id }))
  expect(await first({ links, checkpoints: posing })).toMatchObject({
    harm: 'unsigned',
    text: expect.stringMatching(/names/),
  })
})

test('a chain rewritten behind its signature is not signed again until that is resolved', async () => {
  const told: unknown[] = []
  const memory = signedHeadFile(join(folder, 'audit-head.json'))
  const guarded = () => sealer({ db: database.db, key, memory, onError: (error) => told.push(error) })
  const listed = async () => {
    const { rows } = await database.owner.pool.query(
      `select kind, message from app.incident where id = 'audit:rewritten' and resolved_at is null`,
    )
    return rows
  }
  await record({ before: 'anything was signed' })
  let own = guarded()
  expect(await own.seal()).toBe(1)
  const signed = memory.read()!
  expect(signed).toMatchObject({ sequence: (await exportAudit(database.db)).checkpoints.at(-1)!.sequence })
  const cut = `sequence >= ${signed.sequence}`
  await tamper(`
    create table app.taken as select * from app.audit_seal where ${cut};
    create table app.taken_signs as select * from app.audit_checkpoint where ${cut};
    delete from app.audit_checkpoint where ${cut};
    delete from app.audit_seal where ${cut}`)
  await record({ after: 'the end was cut off' })
  // The same in the next round and after a restart; a direct seal gets no signature either.
  expect([await own.seal(), await own.seal(), await own.checkpoint()]).toEqual([0, 0, false])
  expect(told.splice(0)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('was signed and is missing') }),
  ])
  expect(await listed()).toMatchObject([{ kind: 'audit-rewritten', message: expect.stringContaining('link') }])
  await tamper(`insert into app.audit_seal select sequence, entry_id, previous, '\\xab' from app.taken`)
  own = guarded()
  expect([await own.seal(), await own.checkpoint()]).toEqual([0, false])
  expect(told.splice(0)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('differs from its signature') }),
  ])
  await tamper(`
    delete from app.audit_seal where ${cut};
    insert into app.audit_seal select * from app.taken;
    insert into app.audit_checkpoint select * from app.taken_signs;
    drop table app.taken, app.taken_signs`)
  expect(await own.seal()).toBe(1)
  expect([await listed(), told]).toEqual([[], []])
  writeFileSync(join(folder, 'audit-head.json'), '{"sequ')
  expect([await guarded().seal(), await guarded().checkpoint(), await listed()]).toMatchObject([0, false, [{}]])
})

function resealed(links: AuditExport['links']): AuditExport['links'] {
  let previous = links[0]!.previous
  return links.map(({ salt: _salt, payload: _payload, ...link }) => {
    const sealed = { ...link, previous, hash: sealHash(previous, link.sequence, link.entry) }
    previous = sealed.hash
    return sealed
  })
}

test('canonical text does not depend on the order of members', () => {
  expect(canonical({ b: 1, a: { d: [2, undefined], c: 'x' } })).toBe('{"a":{"c":"x","d":[2,null]},"b":1}')
})
