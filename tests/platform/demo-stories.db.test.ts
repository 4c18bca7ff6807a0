import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { pino } from 'pino'
import { accountId, itemId } from '../../api/platform/edge/demo/names.ts'
import { awaitStories, playStories, type StoryDependencies } from '../../api/platform/edge/demo/stories.ts'
import { createAccount } from '../../api/platform/people/identity/accounts.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { freshDatabase, type TestDatabase } from './kit/database.ts'
import { anItem } from './kit/rows.ts'

const KIND = 'setup/appeal-type'

let database: TestDatabase
let root: string
let playing: StoryDependencies
beforeAll(async () => {
  ;[database, root] = await Promise.all([freshDatabase(), mkdtemp(join(tmpdir(), 'stories-'))])
  const { db } = database
  const by = 'teller'
  await createAccount(db, { id: accountId(by), username: by, name: by, email: `${by}@example.lk` })
  for (const key of ['one', 'two', 'three'])
    await anItem(db, KIND, { id: itemId(KIND, key), data: { name: key }, status: 'Active' })
  const renames = (key: string) => ({ item: `@${KIND}/${key}`, by, change: { name: `${key} renamed` } })
  mkdirSync(join(root, 'forms/setup'), { recursive: true })
  writeFileSync(join(root, 'forms/setup/stories.demo.json'), JSON.stringify(['one', 'two', 'three'].map(renames)))
  playing = { db, root, library: loadLibrary(process.cwd()), log: pino({ enabled: false }) } as StoryDependencies
  playing.signal = new AbortController().signal
})
afterAll(async () => {
  await database?.drop()
  await rm(root, { recursive: true, force: true })
})

const names = async () =>
  (await database.db.selectFrom('register_item').select('title').orderBy('title').execute()).map(({ title }) => title)
const played = async () =>
  (
    await sql<{ failed: string[] }>`
      select p.payload -> 'failed' as failed from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
        where e.action = 'demo.played' order by e.id`.execute(database.owner.db)
  ).rows

test('demo cases that an interrupted start has left are played at the next one, none twice', async () => {
  const { db } = database
  // Nothing waits where the demo data is older, or was played to its end.
  await playStories(playing)
  expect(await played()).toEqual([])
  await awaitStories(db, root)
  await db.updateTable('demo_story').set({ state: 'told' }).where('nr', '=', 0).execute()
  await db.updateTable('demo_story').set({ state: 'begun' }).where('nr', '=', 1).execute()
  const before = await names()
  await playStories(playing)
  expect((await names()).filter((name) => !before.includes(name))).toEqual(['three renamed'])
  expect(await played()).toEqual([{ failed: [expect.stringContaining('setup 1: it was interrupted')] }])
  await playStories(playing)
  expect(await played()).toHaveLength(1)
})

test('two nodes do not play at the same time', async () => {
  await database.db.updateTable('demo_story').set({ state: 'waiting' }).execute()
  await Promise.all([playStories(playing), playStories(playing)])
  expect(await played()).toHaveLength(2)
})
