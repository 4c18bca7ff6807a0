import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type FieldKeys, fieldKeys } from '../../api/platform/kernel/field-keys.ts'
import { admitKeys, keysInUse } from '../../api/platform/records/registers/keys-in-use.ts'
import { sealedFields } from '../../api/platform/records/registers/sealed.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { until } from '../platform/kit/poll.ts'
import { anItem } from '../platform/kit/rows.ts'

const root = join(import.meta.dirname, '../..')
const REGISTER = 'medical/patient'
const secret = (letter: string) => letter.repeat(32)
const OLD = `old:${secret('x')}`
const BOTH = `new:${secret('y')} ${OLD}`
const NEW = `new:${secret('y')}`

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const writes = (keys: FieldKeys, id: string, version: number, secrets: object) =>
  database.db
    .transaction()
    .execute((trx) => sealedFields(trx, keys).write({ id, register: REGISTER, version }, { ...secrets }))
const reads = (keys: FieldKeys, ids: string[]) =>
  database.db.transaction().execute((trx) => sealedFields(trx, keys).read(REGISTER, ids))
const under = async (key: string) =>
  Number(
    (
      await database.db
        .selectFrom('sealed_fields')
        .select(({ fn }) => fn.countAll().as('some'))
        .where('key_id', '=', key)
        .executeTakeFirstOrThrow()
    ).some,
  )

const COMMAND = ['--disable-warning=ExperimentalWarning', join(root, 'api/platform/edge/commands/field-keys.ts')]
const environment = (setting: string) => ({
  ...process.env,
  OWNER_DATABASE_URL: database.ownerUrl,
  FIELD_KEYS: setting,
})
const keysCommand = (mode: string | string[], setting: string) => {
  const told = spawnSync(process.execPath, [...COMMAND, ...[mode].flat()], {
    encoding: 'utf8',
    env: environment(setting),
  })
  return { status: told.status, said: told.stdout.trim().split('\n'), failed: told.stderr.trim() }
}

test('two keys of one name are refused, a start without a key that is needed, and a key with another secret', async () => {
  expect(() => fieldKeys(`a:${secret('x')} a:${secret('y')}`)).toThrow('names a key twice')
  const ids = await Promise.all(Array.from({ length: 500 }, () => anItem(database.db, REGISTER)))
  const old = fieldKeys(OLD)
  await admitKeys(database.db, old)
  await database.db.transaction().execute(async (trx) => {
    for (const [at, id] of ids.entries())
      await sealedFields(trx, old).write({ id, register: REGISTER, version: 1 }, { conditions: `Condition ${at}` })
  })
  await expect(admitKeys(database.db, fieldKeys(NEW))).rejects.toThrow('need: old')
  await expect(admitKeys(database.db, fieldKeys(`old:${secret('z')}`))).rejects.toThrow('another secret for old')
  expect(keysCommand('status', NEW)).toEqual({
    ...{ status: 1, failed: '' },
    said: ['new: 0 versions of entries, encrypts', 'old: 500 versions of entries, MISSING in FIELD_KEYS'],
  })
})

test('nothing is encrypted under a key with which the product was never started', async () => {
  expect(keysCommand('rotate', BOTH)).toMatchObject({ status: 1, failed: expect.stringContaining('start every part') })
  expect(await under('new')).toBe(0)
})

test('a killed rotation goes on where it stopped, while the product reads and writes; then the old key can go', async () => {
  const both = fieldKeys(BOTH)
  await admitKeys(database.db, both)
  const rows = await database.db.selectFrom('sealed_fields').select('item_id as id').orderBy('item_id').execute()
  const ids = rows.map(({ id }) => id)
  const before = await reads(both, ids)

  // The second step waits for a row that somebody holds: killed there, the first step stays and the second is undone.
  const { promise: mayGo, resolve: lets } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = database.owner.db.transaction().execute(async (trx) => {
    await trx.selectFrom('sealed_fields').select('version').where('item_id', '=', ids[300]!).forUpdate().execute()
    held()
    await mayGo
  })
  await isHeld
  const child = spawn(process.execPath, [...COMMAND, 'rotate'], { env: environment(BOTH), stdio: 'ignore' })
  const gone = new Promise((ended) => child.once('close', ended))
  await until('the first step is kept', async () => (await under('new')) > 0)
  child.kill('SIGKILL')
  await gone
  lets()
  await holding
  expect([await under('new'), await under('old')]).toEqual([200, 300])

  expect(await reads(both, ids)).toEqual(before)
  await expect(reads(fieldKeys(OLD), ids)).rejects.toThrow('field key new is missing')
  await expect(admitKeys(database.db, fieldKeys(NEW))).rejects.toThrow('need: old')

  const rotating = spawn(process.execPath, [...COMMAND, 'rotate'], { env: environment(BOTH), stdio: 'ignore' })
  const ended = new Promise<number | null>((settle) => rotating.once('close', settle))
  // A part that was not restarted yet goes on writing with the old key, into what is done already and into what is not.
  let [version, late] = [1, 0]
  while (rotating.exitCode === null) {
    expect((await reads(both, ids)).size).toBe(500)
    version += 1
    late += 2
    for (const [keys, id] of [
      [both, ids[0]!],
      [fieldKeys(OLD), ids[1]!],
      [fieldKeys(OLD), ids[450]!],
    ] as const)
      await writes(keys, id, version, { conditions: `Written ${version}` })
  }
  expect(await ended).toBe(0)
  expect(keysCommand('rotate', BOTH)).toMatchObject({ status: 0, failed: '' })
  expect(await keysInUse(database.db)).toEqual(['new'])
  expect(keysCommand('status', BOTH).said[1]).toBe('old: 0 versions of entries, can go')

  const alone = fieldKeys(NEW)
  await admitKeys(database.db, alone)
  for (const at of [0, 1, 450]) before.set(ids[at]!, { conditions: `Written ${version}` })
  expect(await reads(alone, ids)).toEqual(before)
  expect(keysCommand('rotate', NEW)).toMatchObject({ status: 0 })
  const { rows: told } = await database.owner.pool.query(
    `select sum((p.payload ->> 'versions')::int)::int as versions from app.audit_entry e
       join app.audit_payload p on p.entry_id = e.id where e.action = 'field-key.rotated'`,
  )
  expect(told).toEqual([{ versions: 500 + late }])
})

test('a start that is refused notes no key, and neither does one whose key opens nothing', async () => {
  await expect(admitKeys(database.db, fieldKeys(`typo:${secret('t')} new:${secret('z')}`))).rejects.toThrow('another')
  const names = async () => (await database.db.selectFrom('field_key').select('id').execute()).map(({ id }) => id)
  expect((await names()).toSorted()).toEqual(['new', 'old'])
  // As after an upgrade: the name was never noted, and its key is another one.
  const id = await anItem(database.db, REGISTER)
  await writes(fieldKeys(`early:${secret('e')}`), id, 1, { conditions: 'Asthma' })
  await expect(admitKeys(database.db, fieldKeys(`${NEW} early:${secret('w')}`))).rejects.toThrow('opens nothing')
  expect((await names()).toSorted()).toEqual(['new', 'old'])
  await admitKeys(database.db, fieldKeys(`${NEW} early:${secret('e')}`))
  expect((await names()).toSorted()).toEqual(['early', 'new', 'old'])

  // It is gone for good: the operator declares it, and everything else goes on.
  await expect(admitKeys(database.db, fieldKeys(NEW))).rejects.toThrow('npm run keys -- lost')
  const warned = keysCommand(['lost', 'early'], NEW)
  expect(warned).toMatchObject({ status: 1, failed: expect.stringContaining('WARNING') })
  expect(warned.said[0]).toBe('medical/patient: 1 entries in 1 versions are encrypted with early')
  await expect(admitKeys(database.db, fieldKeys(NEW))).rejects.toThrow('need: early')
  const there = keysCommand(['lost', 'new', '--because', 'A try'], NEW)
  expect(there).toMatchObject({ status: 1, failed: expect.stringContaining('has a key new') })
  expect(keysCommand(['lost', 'early', '--because', 'The safe burnt'], NEW)).toMatchObject({ status: 0, failed: '' })
  await admitKeys(database.db, fieldKeys(NEW))
  const { rows } = await database.owner.pool.query(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id where e.action = 'field-key.lost'`,
  )
  expect(rows).toMatchObject([
    { payload: { key: 'early', reason: 'The safe burnt', loss: [{ register: REGISTER, entries: 1, versions: 1 }] } },
  ])
  const lost = (setting: string) =>
    database.db.transaction().execute((trx) => sealedFields(trx, fieldKeys(setting)).isLost(id))
  expect([await lost(NEW), (await reads(fieldKeys(NEW), [id])).size]).toEqual([true, 0])
  // The same secret was found after all.
  const found = `${NEW} early:${secret('e')}`
  await admitKeys(database.db, fieldKeys(found))
  expect([await lost(found), (await reads(fieldKeys(found), [id])).get(id)]).toEqual([false, { conditions: 'Asthma' }])
  // Somebody writes the entry again: it is readable again.
  await writes(fieldKeys(NEW), id, 2, { conditions: 'Asked again' })
  expect([await lost(NEW), (await reads(fieldKeys(NEW), [id])).get(id)]).toEqual([false, { conditions: 'Asked again' }])
  await expect(
    database.db.insertInto('lost_field_key').values({ id: 'new', reason: 'Not the owner' }).execute(),
  ).rejects.toThrow('permission denied')
})

test('a version that does not open is named and left, and the others are encrypted again', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, () => anItem(database.db, REGISTER)))
  const both = fieldKeys(BOTH)
  const old = fieldKeys(OLD)
  for (const id of ids) await writes(old, id, 1, { conditions: 'Asthma' })
  const damaged = ids.toSorted()[0]!
  await database.owner.pool.query('alter table app.sealed_fields disable trigger changes_key')
  await database.owner.pool.query(`update app.sealed_fields set sealed = set_byte(sealed, 20, 1 # get_byte(sealed, 20))
    where item_id = '${damaged}'`)
  await database.owner.pool.query('alter table app.sealed_fields enable trigger changes_key')
  expect(keysCommand('rotate', BOTH)).toMatchObject({
    ...{ status: 1, failed: expect.stringContaining(`does not open: ${REGISTER} ${damaged} 1 (old)`) },
    said: expect.arrayContaining(['old: 1 versions of entries, decrypts']),
  })
  const others = ids.filter((id) => id !== damaged)
  expect((await reads(both, others)).size).toBe(2)
  expect(await under('old')).toBe(1)
  const other = keysCommand('rotate', `new:${secret('q')} ${OLD}`)
  expect(other).toMatchObject({ status: 1, failed: expect.stringContaining('another secret for new') })
})

test('the application changes no key, and nobody changes anything else', async () => {
  const change = { key_id: 'other', sealed: Buffer.alloc(40) }
  await expect(database.db.updateTable('sealed_fields').set(change).execute()).rejects.toThrow('permission denied')
  const owner = database.owner.db
  for (const wrong of [
    { ...change, key_id: 'new' },
    { ...change, version: 99 },
  ])
    await expect(owner.updateTable('sealed_fields').set(wrong).execute()).rejects.toThrow('nothing but their key')
  await expect(owner.deleteFrom('sealed_fields').execute()).rejects.toThrow('nothing but their key')
})
