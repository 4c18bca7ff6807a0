import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type TestApp, askForToken, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

let database: TestDatabase
let own: TestApp
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  await own.person('kamala', { role: 'HOD', scope: { kind: 'department', id: '12' } })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

/** Browsers get another cookie too, which identifies the device. */
const refreshCookie = ({ cookies }: LightMyRequestResponse) =>
  cookies.find(({ name }) => name.endsWith('prakriya_refresh'))!

test('a wrong password and an unknown name get the same answer', async () => {
  const answers = await Promise.all([
    askForToken(own.app, { grant_type: 'password', username: 'kamala', password: 'wrong' }),
    askForToken(own.app, { grant_type: 'password', username: 'nobody', password: 'wrong' }),
  ])
  for (const answer of answers) {
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['content-type']).toMatch('application/problem+json')
    expect(answer.json()).toEqual({
      type: 'urn:prakriya:problem:platform.sign-in-refused',
      title: 'Username or password is not right',
      status: 401,
      code: 'platform.sign-in-refused',
      errors: [],
      error: 'invalid_grant',
      error_description: 'Username or password is not right',
    })
  }
})

test('the token endpoint also states errors as OAuth clients expect, in ASCII in any language; other routes do not', async () => {
  const send = (form: Record<string, string>, headers = {}) => askForToken(own.app, form, headers)
  const told = async (answer: ReturnType<typeof send>) => {
    const { error, error_description } = (await answer).json()
    return [error, error_description]
  }
  expect(await told(send({ grant_type: 'magic' }))).toEqual([
    'unsupported_grant_type',
    expect.stringMatching(/^grant_type: /),
  ])
  const missing = ['invalid_request', 'password: This field is required']
  expect(await told(send({ grant_type: 'password', username: 'kamala' }))).toEqual(missing)
  const wrong = { grant_type: 'password', username: 'kamala', password: 'no' }
  const refused = await send(wrong, { 'accept-language': 'si' })
  expect(refused.json().title).not.toMatch(/^[ -~]*$/)
  expect(refused.json().error_description).toBe('Username or password is not right')
  expect(await told(send({ grant_type: 'refresh_token', refresh_token: 'none' }))).toEqual([
    'invalid_grant',
    expect.stringMatching(/^[ !#-[\]-~]+$/),
  ])
  expect((await own.send('GET', '/api/me')).json()).not.toHaveProperty('error')
})

test('missing and mistyped fields are named', async () => {
  const missing = await askForToken(own.app, { grant_type: 'password', username: 'kamala' })
  expect([missing.statusCode, missing.json().errors]).toEqual([
    422,
    [{ field: '/password', code: 'platform.field-required', message: 'This field is required' }],
  ])
  const kind = await askForToken(own.app, { grant_type: 'magic' })
  expect([kind.statusCode, kind.json().errors[0].field]).toEqual([400, '/grant_type'])
  const json = await own.send('POST', '/api/auth/token', { grant_type: 'password', username: 'kamala', password: 'x' })
  expect([json.statusCode, json.json().code]).toEqual([415, 'platform.media-type-unknown'])
})

test('a token identifies a person, and their rights are read each time', async () => {
  const { access_token } = (await signIn(own.app, 'kamala')).json()
  const me = () => own.send('GET', '/api/me', undefined, { authorization: `Bearer ${access_token}` })
  expect((await me()).json()).toMatchObject({
    username: 'kamala',
    email: 'kamala@example.lk',
    seesAll: false,
    grants: [{ role: 'HOD', scope: { kind: 'department', id: '12', name: '12' } }],
    groups: expect.arrayContaining(['ResourceReservationViews', 'roleSetup']),
  })
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ preferred_username: 'kamala', userId: claims.sub, realm_access: { roles: ['HOD'] } })
  await database.owner.pool.query(`update app.role_grant set ends_at = now() where role = 'HOD' and starts_at < now()`)
  expect((await me()).json()).toMatchObject({ grants: [], groups: [] })
})

test('concurrent requests are answered each for its own person, and one that is over affects no other', async () => {
  const people = []
  for (const name of ['one', 'two', 'three', 'four']) people.push(await own.person(name, { role: `Role of ${name}` }))
  const gone = await own.person('gone')
  await database.owner.pool.query(
    `update app.session set ended_at = now(), end_reason = 'a test' where account_id = $1`,
    [gone.id],
  )
  const asked = [...people, gone, ...people].map((who) => who.send('GET', '/api/me'))
  const answers = (await Promise.all(asked)).map((answer) => answer.json())
  const names = ['one', 'two', 'three', 'four']
  expect(answers.map(({ username, code }) => username ?? code)).toEqual([...names, 'platform.not-signed-in', ...names])
  for (const { username, grants } of answers.filter(({ code }) => !code))
    expect(grants).toEqual([{ role: `Role of ${username}`, scope: null }])
})

test('a reused refresh token ends the session: newer tokens of both kinds are refused', async () => {
  const first = (await signIn(own.app, 'kamala')).json()
  const second = (
    await askForToken(own.app, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
  ).json()
  expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
  const me = (token: string) => own.send('GET', '/api/me', undefined, { authorization: `Bearer ${token}` })
  expect((await me(second.access_token)).statusCode).toBe(200)
  await database.owner.pool.query(
    `update app.refresh_token set used_at = now() - interval '1 minute' where used_at is not null`,
  )
  for (const refresh_token of [first.refresh_token, second.refresh_token]) {
    const again = await askForToken(own.app, { grant_type: 'refresh_token', refresh_token })
    expect([again.statusCode, again.json().code]).toEqual([401, 'platform.session-ended'])
  }
  expect((await me(second.access_token)).statusCode).toBe(401)
})

test('a browser has its refresh token in a cookie that no script reads, and signs out with it', async () => {
  const signedIn = await signIn(own.app, 'kamala', { client_id: 'web' })
  expect(signedIn.json()).not.toHaveProperty('refresh_token')
  const cookie = refreshCookie(signedIn)
  expect(cookie).toMatchObject({
    name: 'prakriya_refresh',
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: 86_400,
  })
  const withCookie = (value: string) => ({ cookie: `prakriya_refresh=${value}` })
  const next = await askForToken(own.app, { grant_type: 'refresh_token', client_id: 'web' }, withCookie(cookie.value))
  expect(next.statusCode).toBe(200)
  const out = await own.send('POST', '/api/auth/logout', undefined, withCookie(refreshCookie(next).value))
  expect([out.statusCode, refreshCookie(out).value]).toEqual([204, ''])
  const after = await askForToken(own.app, { grant_type: 'refresh_token' }, withCookie(refreshCookie(next).value))
  expect(after.statusCode).toBe(401)
})

test('a page of another site can neither sign a browser in, nor refresh its session, nor sign it out', async () => {
  const from = { 'sec-fetch-site': 'cross-site' }
  const form = { grant_type: 'password', username: 'kamala', password: 'Prakriya2026', client_id: 'web' }
  expect((await askForToken(own.app, form, from)).statusCode).toBe(403)
  const { value } = refreshCookie(await signIn(own.app, 'kamala', { client_id: 'web' }))
  const cookie = `prakriya_refresh=${value}`
  const refresh = (headers: object) => askForToken(own.app, { grant_type: 'refresh_token' }, { cookie, ...headers })
  expect((await refresh(from)).statusCode).toBe(403)
  const away = [from, { origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }]
  const leave = (headers: object) => own.send('POST', '/api/auth/logout', undefined, { cookie, ...headers })
  const { challenge } = (await own.send('POST', '/api/auth/passkey/options')).json()
  const byPasskey = (headers: object) =>
    own.send(
      'POST',
      '/api/auth/passkey',
      { client_id: 'web', challenge, response: { id: 'none', response: {} } },
      { ...headers },
    )
  for (const headers of away) {
    expect([headers, (await byPasskey(headers)).json().code]).toEqual([headers, 'platform.not-allowed'])
    expect([headers, (await refresh(headers)).statusCode]).toEqual([headers, 403])
    expect([headers, (await leave(headers)).statusCode]).toEqual([headers, 403])
  }
  const here = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4400' }
  expect((await byPasskey(here)).json().code).not.toBe('platform.not-allowed')
  expect((await refresh(here)).statusCode).toBe(200)
  // A browser that uses another host name than the mails sends that one.
  expect((await refresh({ host: 'campus.example.lk', origin: 'https://campus.example.lk' })).statusCode).toBe(200)
  expect((await leave(here)).statusCode).toBe(204)
  expect((await refresh(here)).statusCode).toBe(401)
})

test('over https the cookie is secure and named so; only known proxies are trusted', async () => {
  const https = await testApp(database, { publicUrl: 'https://prakriya.example.lk' })
  const told = { 'x-forwarded-for': '203.0.113.9' }
  const form = { grant_type: 'password', username: 'kamala', password: 'Prakriya2026', client_id: 'web' }
  const cookie = refreshCookie(await askForToken(https.app, form, told))
  expect(cookie).toMatchObject({ name: '__Secure-prakriya_refresh', secure: true, httpOnly: true, path: '/api/auth' })
  await https.close()
  const behind = await testApp(database, { trustProxy: 'loopback' })
  await askForToken(behind.app, form, told)
  await behind.close()
  const { rows } = await database.pool.query(
    `select host(address) as address from app.session order by created_at desc limit 2`,
  )
  expect(rows).toEqual([{ address: '203.0.113.9' }, { address: '127.0.0.1' }])
})
