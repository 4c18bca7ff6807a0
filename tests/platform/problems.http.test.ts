import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

let database: TestDatabase
let own: TestApp
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

test('every route has a rule, a unique name, and an input and an output schema', () => {
  const { doors } = own.app
  expect(doors.length).toBeGreaterThan(25)
  expect(new Set(doors.map(({ operationId }) => operationId)).size).toBe(doors.length)
  const document = own.app.swagger() as unknown as { paths: Record<string, Record<string, { responses: object }>> }
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(described.length).toBe(doors.length - 1) // all but the document itself
  for (const operation of described)
    expect(Object.keys(operation.responses).some((status) => /^[23]/.test(status))).toBe(true)
})

test('every route that is not public answers 401 to a visitor, whatever is sent', async () => {
  for (const { method, url, rule } of own.app.doors.filter((door) => door.rule !== 'public')) {
    const path = url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    const answer = await own.send(
      method as 'GET',
      path,
      method === 'GET' || method === 'DELETE' ? undefined : { nonsense: true },
    )
    expect([method, url, rule, answer.statusCode]).toEqual([method, url, rule, 401])
  }
})

test('an invalid query is refused parameter by parameter', async () => {
  const answer = await own.send(
    'GET',
    '/api/public/allocations?item=x&from=yesterday&until=2027-02-30T00:00:00Z&more=1',
  )
  expect(answer.statusCode).toBe(400)
  expect(answer.json().code).toBe('platform.request-invalid')
  expect(
    answer
      .json()
      .errors.map((error: { field: string }) => error.field)
      .toSorted(),
  ).toEqual(['query/from', 'query/item', 'query/more', 'query/until'])
})

test('the texts of a problem are in the requested language, where available', async () => {
  const answer = await own.send('GET', '/api/nowhere', undefined, { 'accept-language': 'de, en;q=0.5' })
  expect([answer.statusCode, answer.json().title]).toEqual([404, 'This was not found'])
})

test('a body that is not JSON, has text that cannot be stored or is too large is refused with the place of the error', async () => {
  const { token } = await own.person('sender', { role: 'ADMIN' })
  const post = (payload: string, type = 'application/json') =>
    own.app.inject({
      method: 'POST',
      url: '/api/registers/platform/faculty/items',
      payload,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
    })
  const refused = async (payload: string) => {
    const { code, status, errors, detail } = (await post(payload)).json()
    return [code, status, errors[0]?.field, detail]
  }
  const says = (field: string, words: RegExp) =>
    expect.arrayContaining(['platform.request-invalid', 400, field, expect.stringMatching(words)])
  expect(await refused('{"data": ')).toEqual(says('', /^\/: The body is not JSON: .*JSON/))
  expect(await refused('')).toEqual(says('', /The body is empty/))
  expect(await refused('{"data": {"name": "a\\u0000b"}}')).toEqual(says('/data/name', /NUL/))
  expect(await refused('{"data": {"a/b\\u0000": 1}}')).toEqual(says('/data', /NUL/))
  expect(await refused('{"data": {"name": ["x", "\\ud800"]}}')).toEqual(says('/data/name/1', /incomplete character/))
  expect(await refused('{"data": {"__proto__": {"x": 1}}}')).toEqual(says('/data', /__proto__/))
  expect(await refused('{"\\u005f_proto__": null}')).toEqual(says('', /__proto__/))
  expect(await refused('{"constructor": {"prototype": {}}}')).toEqual(says('', /constructor/))
  expect(await refused(`{"data": ${'['.repeat(70)}${']'.repeat(70)}}`)).toEqual(says('', /more than 64 levels/))
  expect((await own.send('GET', '/api/public/holidays?from=%00')).json().detail).toMatch(/^query\/from: .*NUL/)
  expect((await post(JSON.stringify({ data: { name: 'x'.repeat(600_000) } }))).statusCode).toBe(413)
  expect((await post('<x/>', 'text/xml')).statusCode).toBe(415)
})

test('an internal error reveals its reference and nothing else', async () => {
  const fails = async () => Promise.reject(new Error('secret path /etc'))
  const broken = await testApp(database, {
    readiness: { database: fails, engine: async () => true, feed: async () => ({ lagMilliseconds: 0, parked: 0 }) },
  })
  const answer = await broken.send('GET', '/api/health/ready', undefined, { 'x-request-id': 'request-0042' })
  await broken.close()
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({
    type: 'urn:prakriya:problem:platform.fault',
    title: 'Something went wrong on our side',
    status: 500,
    code: 'platform.fault',
    errors: [],
    reference: 'request-0042',
  })
  expect(answer.headers['x-request-id']).toBe('request-0042')
})

test('an unavailable database is a 503 with a time to retry', async () => {
  const { connect } = await import('../../api/platform/kernel/db/database.ts')
  const away = connect('postgres://nobody@127.0.0.1:1/none', { name: 'test' })
  const broken = await testApp(database, { db: away.db })
  const answer = await broken.send('GET', '/api/public/holidays')
  await broken.close()
  await away.close()
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'platform.database-away'])
  expect(answer.headers['retry-after']).toBe('2')
})

test('readiness is 503 while the engine is unavailable, liveness is not', async () => {
  const broken = await testApp(database, {
    readiness: {
      database: async () => true,
      engine: async () => false,
      feed: async () => ({ lagMilliseconds: 7, parked: 1 }),
    },
  })
  const ready = await broken.send('GET', '/api/health/ready')
  const live = await broken.send('GET', '/api/health/live')
  await broken.close()
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    { ready: false, database: true, engine: false, feed: { lagMilliseconds: 7, parked: 1 } },
  ])
  expect(live.statusCode).toBe(200)
})

test('metrics are for this machine and for ADMIN, and for nobody outside', async () => {
  const outside = await own.app.inject({ url: '/metrics', remoteAddress: '10.0.0.7' })
  expect(outside.statusCode).toBe(404)
  const here = await own.send('GET', '/metrics')
  expect(here.body).toContain('prakriya_http_request_seconds_bucket')
  expect(here.body).toMatch(/prakriya_feed_lag_seconds 0/)
})

test('the API document and the page that shows it exist', async () => {
  const document = await own.send('GET', '/api/openapi.json')
  expect(document.json()).toMatchObject({
    openapi: '3.1.0',
    paths: { '/api/me': { get: { security: [{ bearer: [] }] } } },
  })
  expect((await own.send('GET', '/api/docs/')).statusCode).toBe(200)
})

test('requests per address are limited', async () => {
  const limited = await testApp(database)
  const answers = await Promise.all(
    Array.from({ length: 1250 }, () => limited.app.inject({ url: '/api/public/holidays', remoteAddress: '10.1.1.1' })),
  )
  await limited.close()
  expect(answers.filter((answer) => answer.statusCode === 429).length).toBeGreaterThanOrEqual(50)
  expect(answers.at(-1)!.json().code).toBe('platform.too-many-requests')
})
