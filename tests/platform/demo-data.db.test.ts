import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountId, itemId } from '../../api/platform/edge/demo/names.ts'
import { seed } from '../../api/platform/edge/demo/seed.ts'
import { fieldKeys } from '../../api/platform/kernel/field-keys.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { endGrants } from '../../api/platform/people/access/grant-rows.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { files } from '../../api/platform/records/files/files.ts'
import { folderStore } from '../../api/platform/records/files/store.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'prakriya-demo-'))
const owner = accountId('owner.flows')

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

const start = () =>
  seed({
    db: database.db,
    library: loadLibrary(root),
    files: files({ db: database.db, store: folderStore(folder) }),
    root,
    fieldKeys: fieldKeys('test:only-for-tests-and-long-enough-for-it'),
    demo: true,
  })

const waiting = () => database.db.selectFrom('demo_story').select('nr').where('state', '<>', 'told').execute()

const owned = () =>
  database.db
    .selectFrom('role_grant')
    .select(['id', 'scope_id', 'ends_at'])
    .where('account_id', '=', owner)
    .orderBy('scope_id')
    .execute()

test('where somebody has entered what an initial entry holds, that entry stands in, and others refer to it', async () => {
  const { db } = database
  const library = loadLibrary(root)
  const data = { name: 'Bachelor in Performing Arts', code: 'bpa', level: 'Bachelor', years: 4, credits: 120 }
  const faculty = { name: 'Our Faculty of Music', code: 'fom' }
  const [own, music] = await db.transaction().execute(async (trx) => {
    const on = registers(trx, library)
    return [await on.create('setup/degree', data, null), await on.create('platform/faculty', faculty, null)] as const
  })
  await start()
  expect((await waiting()).length).toBeGreaterThan(100)
  const named = (register: string, title: string) =>
    db.selectFrom('register_item').selectAll().where('register', '=', register).where('title', '=', title).execute()
  expect(await named('setup/degree', 'Bachelor of Performing Arts (Honours)')).toEqual([])
  const [programme] = await named('setup/degree-program', 'Oriental Music')
  expect(programme?.data).toMatchObject({ degree: own.id, faculty: music.id })

  // Rights are given in the unit that stands in, also by a later start.
  await start()
  const grantsIn = async (unit: string) =>
    (await db.selectFrom('role_grant').select('id').where('scope_id', '=', unit).execute()).length
  expect(await grantsIn(music.id)).toBeGreaterThan(0)
  expect(await grantsIn(itemId('platform/faculty', 'music'))).toBe(0)
}, 60_000)

test('an existing owner gets a flow that is new since the last start; a grant that was ended stays ended', async () => {
  const [added, ended, ...others] = await owned()
  expect(others.length).toBeGreaterThan(0)
  await database.owner.db.deleteFrom('role_grant').where('id', '=', added!.id).execute()
  await endGrants(database.db, [ended!.id], null, owner, 'Has left')

  // Its cases are not played again.
  await database.db.updateTable('demo_story').set({ state: 'told' }).execute()
  await start()
  expect(await waiting()).toEqual([])
  const present = await owned()
  expect(present.map((grant) => grant.scope_id)).toEqual([added, ended, ...others].map((grant) => grant!.scope_id))
  expect(present.filter((grant) => grant.ends_at !== null).map(({ id }) => id)).toEqual([ended!.id])

  await start()
  expect(await owned()).toEqual(present)
}, 60_000)
