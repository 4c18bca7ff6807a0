import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SignJWT, exportJWK } from 'jose'
import { pino } from 'pino'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { externalSessions } from '../../api/platform/features/accounts/external-sessions.ts'
import { identityServer } from '../../api/platform/people/identity/oidc.ts'
import { vault } from '../../api/platform/kernel/keys.ts'
import { type TestApp, askForToken, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

// A minimal identity server like Keycloak; `npm run test:keycloak` tests the real one.
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
let issuer: string
let database: TestDatabase
let own: TestApp
let server: Server
let active = true

beforeAll(async () => {
  const key = { ...(await exportJWK(publicKey)), kid: 'k', use: 'sig', alg: 'RS256' }
  server = createServer((request, response) => {
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer,
        jwks_uri: `${issuer}/keys`,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        introspection_endpoint: `${issuer}/introspect`,
      },
      '/keys': { keys: [key] },
      '/introspect': { active },
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[request.url!] ?? {}))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  database = await freshDatabase()
  const { db } = database
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const identity = identityServer(
    { issuer, clientId: 'us', clientSecret: 'secret', name: 'Campus', admin: undefined },
    { publicUrl: 'http://localhost:4400', log: pino({ level: 'silent' }) },
  )
  const offers = { definitions: definitionStore(db), roles: library.roles }
  const deps = { db, library, offers, server: identity, vault: vault('only for this test, and long enough for it') }
  own = await testApp(database, { identity: { server: identity, sessions: externalSessions(deps) } })
})
afterAll(async () => {
  await own.close()
  await database.drop()
  server.close()
})

const access = { typ: 'Bearer', preferred_username: 'kamala', email: 'kamala@example.lk', email_verified: true }

/** A token of the identity server, for us and valid by default. */
function token(claims: object, { by = privateKey, age = 0 } = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000) - age
  const whole = { iss: issuer, aud: 'us', sub: 'kamala', iat: now, exp: now + 300, jti: randomUUID(), ...claims }
  return new SignJWT(whole).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(by)
}

const me = (bearer: string) => own.send('GET', '/api/me', undefined, { authorization: `Bearer ${bearer}` })
const logout = (logout_token: string) =>
  own.app.inject({
    method: 'POST',
    url: '/api/auth/oidc/backchannel-logout',
    payload: new URLSearchParams({ logout_token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('every endpoint of the built-in sign-in is closed', async () => {
  const grants = ['password', 'second_factor'].map((grant_type) => askForToken(own.app, { grant_type }))
  const doors = own.app.doors.filter(
    ({ url }) =>
      /\/(password|totp|recovery-codes|passkeys?|register|reset-password|forgot-password|confirm-email)(\/|$)/.test(
        url,
      ) && /^\/api\/(auth|me)\//.test(url),
  )
  expect(doors.length).toBeGreaterThan(10)
  const bearer = await token(access)
  for (const { method, url } of doors) {
    const answer = await own.send(method as 'POST', url.replace(':id', 'x'), undefined, {
      authorization: `Bearer ${bearer}`,
    })
    expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'platform.identity-server-only'])
  }
  for (const answer of await Promise.all(grants)) expect(answer.json().code).toBe('platform.identity-server-only')
})

test('tokens of another kind, issuer, audience, key or time are refused', async () => {
  const strange = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const refused = {
    identity: await token({ ...access, typ: 'ID' }),
    refresh: await token({ ...access, typ: 'Refresh' }),
    otherAudience: await token({ ...access, aud: 'account' }),
    otherKey: await token(access, { by: strange }),
    old: await token(access, { age: 400 }),
    logout: await token({ events: LOGOUT }),
    withoutSubject: await token({ ...access, sub: undefined }),
  }
  for (const [name, one] of Object.entries(refused)) {
    const answer = await me(one)
    expect([name, answer.statusCode, answer.json().code]).toEqual([name, 401, 'platform.not-signed-in'])
  }
  expect((await me(await token({ ...access, email_verified: false, sub: 'x' }))).json().code).toBe(
    'platform.identity-unverified',
  )
  expect((await me(await token(access))).json()).toMatchObject({ username: 'kamala' })
})

test('a token that the identity server has revoked is refused before it expires', async () => {
  active = false
  expect((await me(await token(access))).statusCode).toBe(401)
  active = true
})

test('a public route treats a person that the identity server does not confirm as a visitor', async () => {
  const bearer = await token({ ...access, email_verified: false, sub: 'x' })
  const headers = { authorization: `Bearer ${bearer}` }
  const answer = await own.send('GET', '/api/public/holidays', undefined, headers)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
})

test('an invalid logout notice is refused, without the reason', async () => {
  const bad = [
    await token({ events: LOGOUT, nonce: 'n' }),
    await token({ events: {} }),
    await token({}),
    await token({ events: LOGOUT, sub: undefined }),
    await token({ events: LOGOUT }, { age: 200 }),
    await token({ events: LOGOUT, aud: 'somebody else' }),
  ]
  for (const one of bad) {
    const answer = await logout(one)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'platform.request-invalid'])
  }
  expect((await logout(await token({ events: LOGOUT }))).statusCode).toBe(200)
})

test('the redirect to the identity server carries state, nonce and a challenge, stored where no script reads', async () => {
  const answer = await own.send('GET', '/api/auth/oidc/start?to=%2Finbox')
  const at = new URL(answer.headers.location as string)
  expect([answer.statusCode, at.origin + at.pathname]).toEqual([303, `${issuer}/auth`])
  expect(Object.fromEntries(at.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'us',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^.{43}$/),
    state: expect.stringMatching(/^.{43}$/),
    nonce: expect.stringMatching(/^.{43}$/),
    redirect_uri: 'http://localhost:4400/api/auth/oidc/callback',
  })
  const [cookie] = answer.cookies
  expect(cookie).toMatchObject({
    name: 'prakriya_oidc',
    httpOnly: true,
    sameSite: 'Lax',
    path: '/api/auth/oidc',
    maxAge: 600,
  })
  for (const secret of [at.searchParams.get('state')!, at.searchParams.get('nonce')!])
    expect(Buffer.from(cookie!.value, 'base64url').toString('latin1')).not.toContain(secret)
})
