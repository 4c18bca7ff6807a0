import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { audit } from '../../api/platform/audit/audit.ts'
import { exportAudit } from '../../api/platform/audit/export.ts'
import { canonical } from '../../api/platform/audit/format.ts'
import { type Sealer, sealer } from '../../api/platform/audit/sealer.ts'
import { verifyAudit } from '../../api/platform/audit/verify.ts'
import { signingKey } from '../../api/platform/keys.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { until } from './kit/poll.ts'

const aKey = () =>
  signingKey(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'))
const key = aKey()
const failures: unknown[] = []
let database: TestDatabase
let chain: Sealer

beforeAll(async () => {
  database = await freshDatabase()
  chain = sealer({ db: database.db, key, onError: (error) => failures.push(error) })
})
afterAll(() => database.drop())

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

async function problems(): Promise<string[]> {
  return verifyAudit(await exportAudit(database.db), key.publicKey)
}

/** Changes the database as nobody may: as its owner, with the triggers off. */
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

test('entries are chained and a signed checkpoint vouches for them', async () => {
  await record(
    { amount: 1.5, big: 1e21, name: 'නුවන්', nested: { b: [1, null], a: undefined, when: new Date(0) } },
    { caseId: randomUUID() },
  )
  await Promise.all(Array.from({ length: 40 }, (_, n) => record({ n })))
  const sealed = await Promise.all([chain.seal(), chain.seal(), chain.seal()])
  expect(sealed.reduce((sum, n) => sum + n) + (await chain.seal())).toBe(41)
  expect(await chain.checkpoint()).toBe(true)
  expect(await chain.checkpoint()).toBe(false)
  const exported = await exportAudit(database.db)
  expect(exported.links).toHaveLength(41)
  expect(exported.checkpoints).toMatchObject([{ sequence: '41', keyId: key.id }])
  expect(verifyAudit(JSON.parse(JSON.stringify(exported)), key.publicKey)).toEqual([])
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
  expect(await problems()).toEqual([])
})

test('what the sealer does by itself is done within a second', async () => {
  const own = sealer({ db: database.db, key, onError: (error) => failures.push(error) })
  own.start()
  const before = (await exportAudit(database.db)).links.length
  const since = Date.now()
  await record({ by: 'itself' })
  await until('the entry is sealed', async () => (await exportAudit(database.db)).links.length === before + 1, {
    everyMilliseconds: 25,
  })
  expect(Date.now() - since).toBeLessThan(1000)
  await own.stop()
  expect(failures).toEqual([])
})

test('the app role changes and deletes nothing of it', async () => {
  for (const table of ['audit_entry', 'audit_seal', 'audit_checkpoint', 'audit_payload'])
    for (const statement of [
      `delete from app.${table}`,
      `update app.${table} set ${table === 'audit_payload' ? 'salt = salt' : 'at = now()'}`,
    ])
      await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
})

test('not even the owner changes an entry unless the trigger is switched off', async () => {
  await expect(database.owner.pool.query(`update app.audit_entry set actor = 'x'`)).rejects.toThrow(
    'never changed or deleted',
  )
})

test('a payload that was erased leaves the chain whole', async () => {
  await database.owner.pool.query(
    'delete from app.audit_payload where entry_id = (select min(entry_id) from app.audit_payload)',
  )
  expect(await problems()).toEqual([])
})

test('a payload that was changed is found', async () => {
  await tamper(`update app.audit_payload set payload = '{"n": 77}' where payload = '{"n": 7}'`)
  expect(await problems()).toEqual([expect.stringMatching(/the payload of entry \d+ is not what was committed to/)])
  await tamper(`update app.audit_payload set payload = '{"n": 7}' where payload = '{"n": 77}'`)
})

test('an entry that was changed is found', async () => {
  await tamper(`update app.audit_entry set acted_as = 'Registrar' where id = 5`)
  expect(await problems()).toEqual([expect.stringMatching(/entry 5 is not what link \d+ sealed/)])
  await tamper(`update app.audit_entry set acted_as = 'ADMIN' where id = 5`)
})

test('a chain that was written anew does not fit the checkpoint, and another key cannot sign it', async () => {
  const exported = await exportAudit(database.db)
  expect(verifyAudit(exported, aKey().publicKey)).toContain('the signature of checkpoint 41 is not of this key')
  const checkpoint = { ...exported.checkpoints[0]!, hash: 'ff'.repeat(32) }
  expect(verifyAudit({ ...exported, checkpoints: [checkpoint] }, key.publicKey)).toEqual([
    expect.stringContaining('is not of this key'),
    expect.stringContaining('signs another chain'),
  ])
})

test('a link that was taken out is found', async () => {
  const { links, checkpoints } = await exportAudit(database.db)
  expect(verifyAudit({ links: links.toSpliced(9, 1), checkpoints }, key.publicKey)).toEqual([
    'link 10 is missing',
    'link 11 does not follow the one before it',
  ])
})

test('canonical text does not depend on the order of members', () => {
  expect(canonical({ b: 1, a: { d: [2, undefined], c: 'x' } })).toBe('{"a":{"c":"x","d":[2,null]},"b":1}')
})
