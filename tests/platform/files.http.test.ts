import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { clamd } from '../../api/platform/records/files/clamd.ts'
import { folderStore } from '../../api/platform/records/files/store.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { fakeClamd } from './kit/clamd.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase } from './kit/rows.ts'

let database: TestDatabase
let own: TestApp
let [nuwan, selvi, admin]: Caller[] = []
const visibleTo = new Set<string>()
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database, {
    visible: async (person, ids) => (visibleTo.has(person.id) ? ids : { cases: [], tasks: [] }),
  })
  nuwan = await own.person('nuwan')
  selvi = await own.person('selvi')
  admin = await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

async function upload(who: Caller, content: Buffer, name: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File([new Uint8Array(content)], name, { type: 'image/png' }))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return who.send('POST', '/api/files', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type')!,
  })
}

const VIRUS = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*')

const aPicture = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a1f2b' } })
    .png()
    .toBuffer()

test('an upload that is malformed, empty or mislabelled is refused', async () => {
  expect((await nuwan!.send('POST', '/api/files', { file: 'x' })).statusCode).toBe(415)
  expect((await upload(nuwan!, Buffer.alloc(0), 'empty.png')).json().code).toBe('platform.file-empty')
  const page = await upload(nuwan!, Buffer.from('<html><script>1</script>'), 'photo.png')
  expect([page.statusCode, page.json().title]).toEqual([
    415,
    'Files of this type are not accepted (application/octet-stream)',
  ])
  const large = await upload(nuwan!, Buffer.alloc(21 * 1024 * 1024, 65), 'large.txt')
  expect([large.statusCode, large.json().title]).toEqual([413, 'The file is larger than 20 MB'])
})

/** Malformed uploads, and the answers to them. */
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome words'
test.each([
  ['no boundary', 'multipart/form-data', PART, 'names no boundary'],
  ['an empty boundary', 'multipart/form-data; boundary=""', PART, 'ends too early'],
  ['a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(300)}`, PART, 'names no boundary'],
  ['a file cut in the middle', 'multipart/form-data; boundary=b', PART, 'ends too early'],
  ['a head cut in the middle', 'multipart/form-data; boundary=b', PART.slice(0, 30), 'ends too early'],
  ['a field and no end', 'multipart/form-data; boundary=b', PART.replace('; filename="a.txt"', ''), 'ends too early'],
  ['another boundary', 'multipart/form-data; boundary=c', PART, 'ends too early'],
])('an upload with %s is refused with the reason', async (_what, type, body, why) => {
  const answer = await nuwan!.send('POST', '/api/files', Buffer.from(body), { 'content-type': type })
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.json()).toMatchObject({
    status: 400,
    code: 'platform.request-invalid',
    detail: expect.stringContaining(why),
  })
})

test('the limits of the form’s field apply', async () => {
  const fields = { register: 'resource-reservation/resource', field: '/pictures' }
  const text = await upload(nuwan!, Buffer.from('some words'), 'a.txt', fields)
  expect([text.statusCode, text.json().code]).toEqual([415, 'platform.file-type-refused'])
  const unknown = await upload(nuwan!, await aPicture(), 'a.png', { ...fields, field: '/nothing' })
  expect([unknown.statusCode, unknown.json().errors[0].code]).toEqual([422, 'platform.field-unknown'])
  expect((await upload(nuwan!, await aPicture(), 'a.png', fields)).statusCode).toBe(201)
})

test('a file is for its owner, for people who see its case, and for ADMIN; for others it does not exist', async () => {
  const saved = await upload(nuwan!, await aPicture(), 'සංගීත ශාලාව.png')
  expect(saved.json()).toEqual({
    id: expect.any(String),
    name: 'සංගීත ශාලාව.png',
    contentType: 'image/png',
    size: expect.any(Number),
  })
  const url = saved.headers['location'] as string
  for (const who of [own, selvi!]) expect((await who.send('GET', url)).statusCode).toBe(404)
  for (const who of [nuwan!, admin!]) expect((await who.send('GET', url)).statusCode).toBe(200)
  const caseId = await aCase(database.db, nuwan!.id)
  await database.db
    .insertInto('case_file')
    .values({ case_id: caseId, file_id: saved.json().id, path: '/file' })
    .execute()
  expect((await selvi!.send('GET', url)).statusCode).toBe(404)
  visibleTo.add(selvi!.id)
  expect((await selvi!.send('GET', url)).statusCode).toBe(200)
})

test('a picture comes in the requested size, and no browser runs anything in it', async () => {
  const saved = await upload(nuwan!, await aPicture(), 'hall.png')
  const small = await nuwan!.send('GET', `${saved.headers['location'] as string}?size=small`)
  expect((await sharp(small.rawPayload).metadata()).width).toBe(400)
  expect(small.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'content-disposition': "inline; filename*=UTF-8''hall.png",
    'x-content-type-options': 'nosniff',
  })
  expect((await nuwan!.send('GET', `${saved.headers['location'] as string}?size=huge`)).statusCode).toBe(400)
})

test('a public file is for everybody', async () => {
  const saved = await upload(nuwan!, await aPicture(), 'hall.png')
  await database.db.updateTable('file').set({ public: true }).where('id', '=', saved.json().id).execute()
  const seen = await own.send('GET', saved.headers['location'] as string)
  expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'public, max-age=86400'])
})

test('with a scanner only clean files are kept and served, and none while it is away', async () => {
  const scanner = await fakeClamd()
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-scanned-'))
  const before = await testApp(database, { store: folderStore(folder) })
  const early = await before.person('scan-early')
  const old = (await upload(early, Buffer.from('from before'), 'old.txt')).json().id
  const oldVirus = (await upload(early, VIRUS, 'old-virus.txt')).json().id
  await before.close()

  const scanning = await testApp(database, { store: folderStore(folder, clamd(scanner.url)) })
  const who = await scanning.person('scan-late')
  const authorization = `Bearer ${early.token}`
  const clean = await upload(who, Buffer.alloc(200_000, 'clean words '), 'clean.txt')
  expect([clean.statusCode, scanner.scanned()]).toEqual([201, 1])
  expect((await who.send('GET', `/api/files/${clean.json().id}`)).statusCode).toBe(200)
  expect(scanner.scanned()).toBe(1)
  const infected = await upload(who, VIRUS, 'invoice.txt')
  expect([infected.statusCode, infected.json().errors]).toEqual([
    422,
    [expect.objectContaining({ field: '/file', message: expect.stringContaining('Eicar-Test-Signature') })],
  ])
  // Files from before are scanned once, at their first download.
  const reads = async (id: string) =>
    (await scanning.send('GET', `/api/files/${id}`, undefined, { authorization })).statusCode
  expect([await reads(old), await reads(old), await reads(oldVirus)]).toEqual([200, 200, 422])
  expect(scanner.scanned()).toBe(4)
  // What the scanner does not take as a whole is not clean.
  expect((await upload(who, Buffer.alloc(1_500_000, 'words '), 'long.txt')).json().code).toBe('platform.scanner-away')

  await scanner.close()
  const away = await upload(who, Buffer.from('words'), 'words.txt')
  expect([away.statusCode, away.json().code]).toEqual([503, 'platform.scanner-away'])
  expect(await reads(oldVirus)).toBe(503)
  await scanning.close()
})
