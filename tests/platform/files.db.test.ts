import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { files } from '../../api/platform/files/files.ts'
import { folderStore } from '../../api/platform/files/store.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount } from './kit/rows.ts'

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

test("a form's limits of type and size hold", async () => {
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

test('a picture is kept in three sizes, and its name is only a name', async () => {
  const saved = await own.save({ name: '../../etc/ha\nll.PNG', content: await picture(2000, 1000), owner })
  expect(saved).toMatchObject({ name: 'hall.PNG', contentType: 'image/png', width: 2000, height: 1000, public: false })
  const widths = await Promise.all(
    (['small', 'medium', 'original'] as const).map(async (size) => {
      const { content, contentType } = own.open(saved, size)
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

test('the folder takes no key that leads out of it', async () => {
  await expect(folderStore(folder).put('../x', Buffer.alloc(1))).rejects.toThrow('not a storage key')
})
