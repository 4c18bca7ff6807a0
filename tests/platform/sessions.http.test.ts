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

test('a wrong password and an unknown name are answered alike', async () => {
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
    })
  }
})

test('what is missing or of another kind is named', async () => {
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

test('guessing at one name is slowed, for its owner too, and nobody else', async () => {
  const guess = () => askForToken(own.app, { grant_type: 'password', username: 'Guessed', password: 'no' })
  for (let n = 0; n < 10; n++) expect((await guess()).statusCode).toBe(401)
  const slowed = await guess()
  expect([slowed.statusCode, slowed.json().code]).toEqual([429, 'platform.sign-in-slowed'])
  expect((await signIn(own.app, 'kamala')).statusCode).toBe(200)
})

test('without a token, with a broken one and with one of another key nothing is answered', async () => {
  const { access_token } = (await signIn(own.app, 'kamala')).json()
  const other = await testApp(database, { tokens: (await import('../../api/platform/keys.ts')).tokenKey('another') })
  const forged = (await signIn(other.app, 'kamala')).json().access_token
  await other.close()
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${access_token.split('.')[1]}.`
  for (const authorization of [
    undefined,
    'Bearer x',
    `Bearer ${forged}`,
    `Bearer ${unsigned}`,
    `Basic ${access_token}`,
  ]) {
    const answer = await own.send('GET', '/api/me', undefined, authorization ? { authorization } : {})
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'platform.not-signed-in'])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  }
})

test('a token tells who somebody is, and what they may is read anew each time', async () => {
  const { access_token } = (await signIn(own.app, 'kamala')).json()
  const me = () => own.send('GET', '/api/me', undefined, { authorization: `Bearer ${access_token}` })
  expect((await me()).json()).toMatchObject({
    username: 'kamala',
    email: 'kamala@example.lk',
    seesAll: false,
    grants: [{ role: 'HOD', scope: { kind: 'department', id: '12', name: '12' } }],
    groups: ['ResourceReservationViews'],
  })
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ preferred_username: 'kamala', userId: claims.sub, realm_access: { roles: ['HOD'] } })
  await database.owner.pool.query(`update app.role_grant set ends_at = now() where role = 'HOD' and starts_at < now()`)
  expect((await me()).json()).toMatchObject({ grants: [], groups: [] })
})

test('a refresh token that comes again later ends the session: newer tokens of both kinds are refused', async () => {
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

test('a browser has its refresh token in a cookie that no script reads, and signs out by it', async () => {
  const signedIn = await signIn(own.app, 'kamala', { client_id: 'web' })
  expect(signedIn.json()).not.toHaveProperty('refresh_token')
  const [cookie] = signedIn.cookies
  expect(cookie).toMatchObject({
    name: 'prakriya_refresh',
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: 86_400,
  })
  const withCookie = (value: string) => ({ cookie: `prakriya_refresh=${value}` })
  const next = await askForToken(own.app, { grant_type: 'refresh_token', client_id: 'web' }, withCookie(cookie!.value))
  expect(next.statusCode).toBe(200)
  const out = await own.send('POST', '/api/auth/logout', undefined, withCookie(next.cookies[0]!.value))
  expect([out.statusCode, out.cookies[0]!.value]).toEqual([204, ''])
  const after = await askForToken(own.app, { grant_type: 'refresh_token' }, withCookie(next.cookies[0]!.value))
  expect(after.statusCode).toBe(401)
})
