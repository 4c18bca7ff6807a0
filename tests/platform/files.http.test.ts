import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
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
