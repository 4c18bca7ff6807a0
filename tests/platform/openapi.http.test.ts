import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { InjectOptions } from 'fastify'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { caseServices } from './kit/case-services.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { stack } from './kit/stack.ts'

interface Operation {
  operationId: string
  /** Empty if no sign-in is needed. */
  security: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: { type?: string; format?: string } }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

/** One operation of the document. */
interface Described extends Operation {
  method: Uppercase<string>
  path: string
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
/** Streams do not end, so they are not awaited. */
const ENDLESS = ['getEvents']

let database: TestDatabase
let own: TestApp
let operations: Described[]
/** The document as served. */
let served: string
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const { engineUrl, engineSecret, url } = stack()
  const engine = operaton({ url: engineUrl, secret: engineSecret })
  const { definitions, sender, cases, tasks } = caseServices({ db, library, engine, publicUrl: url })
  own = await testApp(database, { library, definitions, engine, sender, cases, tasks })
  served = (await own.send('GET', '/api/openapi.json')).body
  const document = JSON.parse(served) as { paths: Record<string, Record<string, Operation>> }
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...one,
      method: method.toUpperCase() as Uppercase<string>,
      path,
    })),
  )
  operations = all.filter(({ operationId }) => !ENDLESS.includes(operationId))
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const writes = ({ method }: Described) => method !== 'GET'
const json = { 'content-type': 'application/json' }

/** The address of an operation, with a value for each of its parameters. */
const addressOf = ({ path }: Described, id = UNKNOWN) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(id))

let sent = 0
/** Sends as somebody, each from a different address, because of the limits per address. */
function send({ method }: Described, url: string, headers: Record<string, string>, payload?: string) {
  sent += 1
  const remoteAddress = `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`
  const options: InjectOptions = { method: method as 'GET', url, headers, remoteAddress }
  return own.app.inject(payload === undefined ? options : { ...options, payload })
}

/** What is wrong with a request, and how to send it as somebody with all rights; undefined if that is impossible. */
const wrongs: Record<
  string,
  (of: Described) => { url: string; headers?: Record<string, string>; body?: string } | undefined
> = {
  'an unknown id': (of) =>
    of.path.includes('{') ? { url: addressOf(of), ...(writes(of) ? { headers: json, body: '{}' } : {}) } : undefined,
  'no id at all': (of) => (of.path.includes('{') ? { url: addressOf(of, 'no id') } : undefined),
  'parameters of the wrong type': (of) => {
    const query = (of.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => `${name}=%00`)
    return query.length > 0 ? { url: `${addressOf(of)}?${query.join('&')}` } : undefined
  },
  'a parameter that there is not': (of) => (writes(of) ? undefined : { url: `${addressOf(of)}?no.such=1` }),
  'a body of the wrong type': (of) =>
    of.requestBody ? { url: addressOf(of), headers: json, body: '[17]' } : undefined,
  'a body that is no JSON': (of) => (writes(of) ? { url: addressOf(of), headers: json, body: '{"a": ' } : undefined),
  'a body that is too large': (of) =>
    writes(of) ? { url: addressOf(of), headers: { ...json, 'content-length': '99999999' }, body: '{}' } : undefined,
  'a body of an unknown type': (of) =>
    writes(of) ? { url: addressOf(of), headers: { 'content-type': 'text/xml' }, body: '<x/>' } : undefined,
  'parts without a boundary': (of) =>
    writes(of) ? { url: addressOf(of), headers: { 'content-type': 'multipart/form-data' }, body: 'x' } : undefined,
}

/** What a response has beyond the document; undefined if the document covers it. */
function undocumented(of: Described, answer: Awaited<ReturnType<typeof send>>): string | undefined {
  const said = of.responses[answer.statusCode]
  const type = String(answer.headers['content-type'] ?? '').split(';')[0]!
  const types = Object.keys(said?.content ?? {})
  if (answer.statusCode === 500 || !said) return `${answer.statusCode} ${answer.body.slice(0, 200)}`
  if (answer.body === '') return undefined
  return types.includes(type) || types.includes('*/*')
    ? undefined
    : `${answer.statusCode} as ${type}, not ${types.join(', ')}`
}

test('a public linter finds no problems in the document', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The address is the installation's: on a laptop it is localhost.
      'no-server-example.com': 'off',
      // Sign-in at an identity server only redirects.
      'operation-2xx-response': 'off',
    },
  })
  const found = await lintFromString({ source: served, absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('a named schema occurs in the document once', () => {
  const { paths, components } = JSON.parse(served) as { paths: object; components: { schemas: Record<string, object> } }
  const named = Object.entries(components.schemas)
  const inline = JSON.stringify(paths)
  expect(named.flatMap(([name, schema]) => (inline.includes(JSON.stringify(schema)) ? [name] : []))).toEqual([])
  const unused = named.filter(([name]) => !served.includes(`"#/components/schemas/${name}"`))
  expect(unused).toEqual([])
})

test('each operation answers visitors, and callers with an expired token, as documented', async () => {
  const wrong: string[] = []
  const stale = (await own.person('somebody')).token.replace(/.{6}$/, 'AAAAAA')
  for (const of of operations)
    for (const who of ['visitor', 'stale']) {
      const headers: Record<string, string> = who === 'stale' ? { authorization: `Bearer ${stale}` } : {}
      const answer = await send(of, addressOf(of), headers)
      const told = undocumented(of, answer)
      if (told) wrong.push(`${of.method} ${of.path}, ${who}: ${told}`)
      // The tracking routes take tokens of another kind.
      const refused = answer.statusCode === 401
      if (of.security.length > 0 && !refused)
        wrong.push(`${of.method} ${of.path}, ${who}: ${answer.statusCode} without a token`)
      if (of.security.length === 0 && who === 'stale' && refused && answer.json().code === 'platform.not-signed-in')
        wrong.push(`${of.method} ${of.path}: a visitor is refused for a token that has run out`)
    }
  expect(wrong).toEqual([])
})

test('well-formed requests for things that do not exist are answered as documented', async () => {
  const admin = await own.person('admin', { role: 'ADMIN' })
  const form = new FormData()
  for (const [name, value] of Object.entries({ form: '0'.repeat(64), field: '/slip' })) form.set(name, value)
  form.set('file', new File(['some words'], 'words.txt'))
  const upload = new Request('http://localhost', { method: 'POST', body: form })
  const type = upload.headers.get('content-type')!
  const file = Buffer.from(await upload.arrayBuffer())
  const resent = { reference: 'RR-2026-000001', email: 'nobody@example.lk' }
  const answers = {
    startBulk: [404, await admin.send('POST', '/api/bulk', { kind: 'claim', tasks: [UNKNOWN] })],
    uploadFile: [404, await admin.send('POST', '/api/files', file, { 'content-type': type })],
    getMetrics: [404, await own.app.inject({ url: '/metrics', remoteAddress: '10.9.9.9' })],
    resendTracking: [422, await own.send('POST', '/api/public/tracking/resend', resent, { 'x-proof': 'none' })],
  } as const
  for (const [operation, [status, answer]] of Object.entries(answers)) {
    const of = operations.find(({ operationId }) => operationId === operation)!
    expect([operation, answer.statusCode, undocumented(of, answer)]).toEqual([operation, status, undefined])
  }
})

test('each operation answers invalid requests as documented', async () => {
  const wrong: string[] = []
  let asked = 0
  for (const [what, request] of Object.entries(wrongs)) {
    const admin: Caller = await own.person(`admin-${what.replaceAll(' ', '-')}`, { role: 'ADMIN' })
    for (const of of operations) {
      const given = request(of)
      if (!given) continue
      asked += 1
      const headers = {
        ...(of.security.length > 0 ? { authorization: `Bearer ${admin.token}` } : {}),
        ...given.headers,
      }
      const answer = await send(of, given.url, headers, given.body)
      const told = undocumented(of, answer)
      if (told) wrong.push(`${of.method} ${of.path}, ${what}: ${told}`)
    }
  }
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(operations.length * 3)
})
