import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { files } from '../../api/platform/records/files/files.ts'
import { folderStore } from '../../api/platform/records/files/store.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'prakriya-files-'))
let database: TestDatabase
let own: ReturnType<typeof files>
let owner: string
beforeAll(async () => {
  database = await freshDatabase()
  own = files({ db: database.db, store: folderStore(folder) })
  owner = await anAccount(database.db)
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7a1f2b' } })
    .png()
    .toBuffer()

test.each([
  ['an empty file', Buffer.alloc(0), 'platform.file-empty'],
  ['a program named as a picture', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0'), 'platform.file-type-refused'],
  [
    'an SVG, which a browser would run',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    'platform.file-type-refused',
  ],
  ['a page', Buffer.from('  <!doctype html><script>alert(1)</script>'), 'platform.file-type-refused'],
  ['half a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'platform.file-broken'],
])('%s is refused', async (_, content, code) => {
  await expect(own.save({ name: 'a.png', content, owner })).rejects.toMatchObject({ code })
  expect(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
})

test('a form’s limits of type and size apply', async () => {
  const content = await picture(10, 10)
  await expect(own.save({ name: 'a', content, owner, accept: ['application/pdf'] })).rejects.toMatchObject({
    code: 'platform.file-type-refused',
    values: { type: 'image/png' },
  })
  await expect(own.save({ name: 'a', content, owner, maxSize: 20 })).rejects.toMatchObject({
    code: 'platform.file-too-large',
  })
  await expect(own.save({ name: 'a', content, owner, accept: ['image/*'] })).resolves.toMatchObject({
    contentType: 'image/png',
  })
})

test('a picture is stored in three sizes, and its name is only a name', async () => {
  const saved = await own.save({ name: '../../etc/ha\nll.PNG', content: await picture(2000, 1000), owner })
  expect(saved).toMatchObject({ name: 'hall.PNG', contentType: 'image/png', width: 2000, height: 1000, public: false })
  const widths = await Promise.all(
    (['small', 'medium', 'original'] as const).map(async (size) => {
      const { content, contentType } = await own.open(saved, size)
      return [contentType, (await sharp(await buffer(content)).metadata()).width]
    }),
  )
  expect(widths).toEqual([
    ['image/webp', 400],
    ['image/webp', 1200],
    ['image/png', 2000],
  ])
})

test('text without markup is text, also in Sinhala', async () => {
  const saved = await own.save({ name: 'සටහන.txt', content: Buffer.from('සංගීත ශාලාව\n'), owner })
  expect(saved).toMatchObject({ name: 'සටහන.txt', contentType: 'text/plain', width: null })
})

test('the folder accepts no key that leads out of it', async () => {
  await expect(folderStore(folder).put('../x', Buffer.alloc(1))).rejects.toThrow('not a storage key')
})

test('unattached files are limited for each person, and deleted after a week with their bytes', async () => {
  const hoarder = await anAccount(database.db)
  const note = (name: string) => own.save({ name, content: Buffer.from(name), owner: hoarder })
  const first = await note('first')
  for (let index = 1; index < 60; index += 1) await note(`note ${index}`)
  await expect(note('one too many')).rejects.toMatchObject({ code: 'platform.files-too-many' })
  const caseId = await aCase(database.db, hoarder)
  await database.db.insertInto('case_file').values({ case_id: caseId, file_id: first.id, path: '/a' }).execute()
  const last = await note('the last')

  await database.owner.db
    .updateTable('file')
    .set({ created_at: sql`now() - interval '8 days'` })
    .where('owner_id', '=', hoarder)
    .execute()
  for (let index = 0; index < 7; index += 1) await own.save({ name: 'b', content: Buffer.from('b'), owner })
  const left = await database.db.selectFrom('file').select('id').where('owner_id', '=', hoarder).execute()
  expect(left.map(({ id }) => id)).toEqual([first.id])
  const kept = readdirSync(join(folder, 'files'))
  expect([kept.includes(first.id), kept.includes(last.id)]).toEqual([true, false])
})
