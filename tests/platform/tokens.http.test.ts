import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CryptoKey, type JWTHeaderParameters, SignJWT, createLocalJWKSet, importJWK, jwtVerify } from 'jose'
import { tokenKeys } from '../../api/platform/people/identity/token-keys.ts'
import { vault } from '../../api/platform/kernel/keys.ts'
import { type Caller, type TestApp, askForToken, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

const ISSUER = 'http://localhost:4400'
const MINUTE = 60_000
let database: TestDatabase
let own: TestApp
let kamala: Caller
let claims: { sub: string; sid: string }
let kid: string
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  kamala = await own.person('kamala')
  const [header, payload] = kamala.token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  claims = JSON.parse(payload!)
  kid = JSON.parse(header!).kid
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const me = (bearer: string) => own.send('GET', '/api/me', undefined, { authorization: `Bearer ${bearer}` })
const ourKey = async () => (await tokenKeys({ db: database.db, vault: secrets }).signing()).privatePem
const secrets = vault('only for tests, and long enough for it')

/** A token that is valid except for the given claims. */
async function token({
  key,
  header = {},
  issuer = ISSUER,
  audience = ISSUER,
  expires = '5m',
  more = {},
}: {
  key?: CryptoKey | Uint8Array | Parameters<SignJWT['sign']>[0]
  header?: Partial<JWTHeaderParameters>
  issuer?: string | null
  audience?: string
  expires?: string | null
  more?: object
} = {}): Promise<string> {
  const made = new SignJWT({ ...claims, iss: undefined, aud: undefined, exp: undefined, ...more } as never)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
    .setAudience(audience)
  if (issuer !== null) made.setIssuer(issuer)
  if (expires !== null) made.setExpirationTime(expires)
  return made.sign(key ?? createPrivateKey(await ourKey()))
}

test('any invalid token gets a 401 without a reason', async () => {
  const other = generateKeyPairSync('ed25519').privateKey
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const { keys } = (await own.send('GET', '/.well-known/jwks.json')).json()
  const [header, payload, signature] = kamala.token.split('.')
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const publicBytes = Buffer.from(keys[0].x, 'base64url')
  const pem = (await tokenKeys({ db: database.db, vault: secrets }).verifying(kid))!
  const wrong: Record<string, string | Promise<string>> = {
    'no token at all': 'x',
    'an empty signature': `${header}.${payload}.`,
    'alg none': `${encoded({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`,
    'alg none with a signature': `${encoded({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.${signature}`,
    'another payload': `${header}.${encoded({ ...claims, sub: randomUUID() })}.${signature}`,
    'HS256 with the public key as bytes': token({ key: publicBytes, header: { alg: 'HS256' } }),
    'HS256 with the public key as PEM': token({ key: Buffer.from(pem), header: { alg: 'HS256' } }),
    'another key under our id': token({ key: other }),
    'another algorithm under our id': token({ key: rsa, header: { alg: 'RS256' } }),
    'an unknown id': token({ key: other, header: { kid: 'unknown' } }),
    'no id': token({ header: { kid: undefined as never } }),
    'an id that is no text': `${encoded({ alg: 'EdDSA', typ: 'at+jwt', kid: { toString: 1 } })}.${payload}.${signature}`,
    'an extension that nobody knows': token({ header: { crit: ['b64'], b64: true } }),
    'another type': token({ header: { typ: 'JWT' } }),
    'another issuer': token({ issuer: 'http://localhost:4401' }),
    'another audience': token({ audience: 'http://localhost:4401' }),
    'no issuer': token({ issuer: null }),
    'run out': token({ expires: '-1s' }),
    'no end': token({ expires: null }),
    'no session': token({ more: { sid: undefined } }),
    'a session that is none': token({ more: { sid: randomUUID() } }),
    'the session of somebody else': own.person('somebody').then(({ id }) => token({ more: { sub: id } })),
  }
  for (const [what, made] of Object.entries(wrong)) {
    const answer = await me(await made)
    expect([what, answer.statusCode, answer.json().code]).toEqual([what, 401, 'platform.not-signed-in'])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  }
  for (const authorization of ['Bearer', `Basic ${kamala.token}`, `Bearer ${kamala.token} ${kamala.token}`]) {
    const answer = await own.send('GET', '/api/me', undefined, { authorization })
    expect([authorization.slice(0, 8), answer.statusCode]).toEqual([authorization.slice(0, 8), 401])
  }
  expect((await own.send('GET', '/api/me')).statusCode).toBe(401)
  expect((await me(await token())).statusCode).toBe(200)
})

test('published keys verify our tokens, reveal no secret, and may be cached for five minutes', async () => {
  const answer = await own.send('GET', '/.well-known/jwks.json')
  expect(answer.headers['cache-control']).toBe('public, max-age=300')
  const { keys } = answer.json()
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid, use: 'sig', alg: 'EdDSA' }])
  await importJWK(keys[0])
  const { payload } = await jwtVerify(kamala.token, createLocalJWKSet({ keys }), { issuer: ISSUER, audience: ISSUER })
  expect(payload.sub).toBe(kamala.id)
  const { rows } = await database.pool.query('select sealed_private_key as sealed from app.token_key')
  expect(() => vault('another secret, and as long as it gets').open(`token-key:${kid}`, rows[0].sealed)).toThrow(
    'authenticate',
  )
  expect(() => secrets.open('token-key:another', rows[0].sealed)).toThrow('authenticate')
  expect(secrets.open(`token-key:${kid}`, rows[0].sealed)).toHaveLength(48)
})

test('only an administrator renews the keys, and gives a reason', async () => {
  expect((await kamala.send('POST', '/api/token-keys/rotate', { reason: 'why not' })).statusCode).toBe(403)
  const admin = await own.person('admin', { role: 'ADMIN' })
  expect((await admin.send('POST', '/api/token-keys/rotate', {})).statusCode).toBe(400)
  const answer = await admin.send('POST', '/api/token-keys/rotate', { reason: 'A laptop was lost' })
  expect(answer.statusCode).toBe(200)
  const { id, signsFrom } = answer.json()
  expect(Date.parse(signsFrom) - Date.now()).toBeGreaterThan(9 * MINUTE)
  // Published before it signs; until then the old one does.
  const { keys } = (await own.send('GET', '/.well-known/jwks.json')).json()
  expect(keys.map((key: { kid: string }) => key.kid)).toEqual(expect.arrayContaining([kid, id]))
  const next = (await signIn(own.app, 'kamala')).json().access_token
  expect(JSON.parse(Buffer.from(next.split('.')[0], 'base64url').toString())).toMatchObject({ kid, typ: 'at+jwt' })
  expect((await me(kamala.token)).statusCode).toBe(200)
})

test('with another secret a node signs with its own key at once, and nobody is signed out', async () => {
  const other = await testApp(database, {
    tokens: tokenKeys({ db: database.db, vault: vault('the secret was changed, and is long enough') }),
  })
  const after = (await signIn(other.app, 'kamala')).json().access_token
  const old = await other.send('GET', '/api/me', undefined, { authorization: `Bearer ${kamala.token}` })
  expect(old.statusCode).toBe(200)
  await other.close()
  // A node that does not know the key yet reads it once.
  const fresh = await testApp(database)
  expect((await fresh.send('GET', '/api/me', undefined, { authorization: `Bearer ${after}` })).statusCode).toBe(200)
  await fresh.close()
})

test('ending a session, anywhere, ends its access tokens at once', async () => {
  const signedIn = (await signIn(own.app, 'kamala')).json()
  expect((await me(signedIn.access_token)).statusCode).toBe(200)
  await own.send('POST', '/api/auth/logout', { refresh_token: signedIn.refresh_token })
  expect((await me(signedIn.access_token)).statusCode).toBe(401)
  const again = await askForToken(own.app, { grant_type: 'refresh_token', refresh_token: signedIn.refresh_token })
  expect(again.json().code).toBe('platform.session-ended')
})

test('a new key takes over on every node at the same moment, and tokens of both are valid until they expire', async () => {
  await database.db.deleteFrom('token_key').execute()
  let at = Date.now()
  const node = () => tokenKeys({ db: database.db, vault: secrets, now: () => at })
  const [one, two] = [node(), node()]
  const old = await one.signing()
  expect((await two.signing()).id).toBe(old.id)
  const { id } = await one.rotate(kamala.id, 'a test')
  at += 9 * MINUTE
  expect([(await one.signing()).id, (await two.signing()).id]).toEqual([old.id, old.id])
  at += 2 * MINUTE
  expect([(await one.signing()).id, (await two.signing()).id]).toEqual([id, id])
  at += 14 * MINUTE
  expect(await two.verifying(old.id)).toBeDefined()
  at += 6 * MINUTE
  expect(await two.verifying(old.id)).toBeUndefined()
  expect(await two.verifying(id)).toBeDefined()
})

test('of two nodes with different secrets neither signs a token that outlives its key', async () => {
  await database.db.deleteFrom('token_key').execute()
  let at = Date.now()
  const node = (secret: string) => tokenKeys({ db: database.db, vault: vault(secret), now: () => at })
  const nodes = [node('the secret of one node, and long enough'), node('the secret of another, and long enough')]
  for (let minute = 0; minute < 60; minute++, at += MINUTE)
    for (const { signing } of nodes) {
      const { id } = await signing()
      const { retired_at: end } = await database.db
        .selectFrom('token_key')
        .select('retired_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      // An access token lives for fifteen minutes.
      expect(end?.getTime() ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(at + 14 * MINUTE)
    }
  const { count } = await database.db
    .selectFrom('token_key')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBeLessThan(20)
})

test('after thirty days another key follows by itself, once for all nodes', async () => {
  await database.db.deleteFrom('token_key').execute()
  let at = Date.now()
  const nodes = Array.from({ length: 3 }, () => tokenKeys({ db: database.db, vault: secrets, now: () => at }))
  const old = await nodes[0]!.signing()
  at += 29 * 24 * 60 * MINUTE
  await nodes[0]!.signing()
  expect(await nodes[0]!.published()).toHaveLength(1)
  at += 2 * 24 * 60 * MINUTE
  const used = await Promise.all(nodes.map((node) => node.signing()))
  expect(used.map(({ id }) => id)).toEqual([old.id, old.id, old.id])
  expect(await nodes[0]!.published()).toHaveLength(2)
  at += 11 * MINUTE
  expect((await nodes[1]!.signing()).id).not.toBe(old.id)
})
