import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { findForSignIn } from '../../api/platform/people/identity/accounts.ts'
import { externalSessions } from '../../api/platform/features/accounts/external-sessions.ts'
import { identityServer } from '../../api/platform/people/identity/oidc.ts'
import { issueToken } from '../../api/platform/people/identity/one-time-tokens.ts'
import { networkOf } from '../../api/platform/http/network.ts'
import { vault } from '../../api/platform/kernel/keys.ts'
import { logOf } from '../../api/platform/kernel/log.ts'
import { pino } from 'pino'
import { type Caller, type TestApp, askForToken, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { proof } from './kit/proof.ts'

const PUBLIC_URL = 'https://portal.example.lk'
const web = mkdtempSync(join(tmpdir(), 'prakriya-web-'))
const lines: string[] = []

let database: TestDatabase
let own: TestApp
let admin: Caller
beforeAll(async () => {
  mkdirSync(join(web, 'assets'))
  mkdirSync(join(web, '.vite'))
  writeFileSync(join(web, 'index.html'), '<!doctype html><title>page</title>')
  for (const file of ['page.js', 'codes.worker-1.js']) writeFileSync(join(web, 'assets', file), 'export {}')
  writeFileSync(join(web, '.vite/manifest.json'), '{"from": "the build"}')
  database = await freshDatabase()
  const log = logOf('api', { logLevel: 'trace', nodeName: 'test' }, { write: (line) => void lines.push(line) })
  own = await testApp(database, {
    web,
    log,
    publicUrl: PUBLIC_URL,
    readiness: {
      database: async () => {
        await database.pool.query(`insert into app.account (id, username, name) values (null, 'who', 'a-row-to-hide')`)
        return true
      },
      engine: async () => true,
      feed: async () => ({ lagMilliseconds: 0, parked: 0 }),
    },
  })
  admin = await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
  rmSync(web, { recursive: true })
})

const get = (url: string, headers = {}) => own.app.inject({ url, headers })

async function aFile(): Promise<string> {
  const form = new FormData()
  form.set('file', new File(['some words'], 'words.txt'))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const type = { 'content-type': request.headers.get('content-type')! }
  const answer = await admin.send('POST', '/api/files', Buffer.from(await request.arrayBuffer()), type)
  return answer.headers['location'] as string
}

test('a page, an asset, an API answer, a refusal, an error and a file all carry security headers', async () => {
  const of = { authorization: `Bearer ${admin.token}` }
  const answers = {
    page: [200, await get('/')],
    'address of a page': [200, await get('/inbox')],
    asset: [200, await get('/assets/page.js')],
    answer: [200, await get('/api/me', of)],
    'not signed in': [401, await get('/api/me')],
    'not found': [404, await get('/api/nowhere')],
    'no asset': [404, await get('/assets/nowhere.js')],
    'no address': [400, await get('/api/files/%zz')],
    fault: [500, await get('/api/health/ready')],
    file: [200, await get(await aFile(), of)],
    documentation: [200, await get('/api/docs/')],
  } as const
  for (const [what, [status, { statusCode, headers }]] of Object.entries(answers)) {
    expect([what, statusCode]).toEqual([what, status])
    const policy = String(headers['content-security-policy'])
    const scripts = /script-src([^;]*)/.exec(policy)?.[1] ?? /default-src([^;]*)/.exec(policy)?.[1]
    expect([what, scripts]).not.toEqual([what, expect.stringMatching(/unsafe|http|\*|data:|blob:/)])
    expect([what, policy]).toEqual([what, expect.stringMatching(/default-src|sandbox/)])
    // Nothing is loaded from elsewhere: the policy names no scheme and no host.
    expect([what, policy]).toEqual([what, expect.not.stringMatching(/https?:|\w\.\w/)])
    expect([what, headers['strict-transport-security']]).toEqual([what, 'max-age=31536000; includeSubDomains'])
    expect([what, headers['x-content-type-options']]).toEqual([what, 'nosniff'])
    expect([what, headers['referrer-policy']]).toEqual([what, 'no-referrer'])
    expect([what, headers['access-control-allow-origin'], headers['x-powered-by'], headers['server']]).toEqual([what])
  }
})

test('a page runs our own files only, cannot be framed, and is served over https only', async () => {
  const { headers } = await get('/inbox')
  const policy = String(headers['content-security-policy']).split(';')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]),
  )
  // Under any host name: a proxy may terminate TLS, and browsers ignore the header without it.
  const plain = await testApp(database)
  for (const url of ['/api/health/live', '/api/nowhere', '/api/files/%zz', '/metrics'])
    expect((await plain.send('GET', url)).headers['strict-transport-security']).toBe(
      headers['strict-transport-security'],
    )
  await plain.close()
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
})

test('only the worker that reads codes may compile WebAssembly, and pages get no device but the camera', async () => {
  const { headers } = await get('/inbox')
  expect(headers['permissions-policy']).toMatch(/^camera=\(self\), microphone=\(\), geolocation=\(\)/)
  expect(headers['content-security-policy']).not.toMatch(/wasm/)
  const worker = await get('/assets/codes.worker-1.js')
  expect([worker.statusCode, worker.headers['content-security-policy']]).toEqual([
    200,
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  ])
})

test('API answers are never cached, refusals least of all', async () => {
  expect((await admin.send('GET', '/api/people')).headers['cache-control']).toBe('no-store')
  // A found answer is cached for ever.
  const missing = await get(`/api/forms/${'0'.repeat(64)}`)
  expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, 'no-store'])
})

test('other files of the build are not served', async () => {
  expect((await get('/.vite/manifest.json')).body).not.toContain('the build')
  expect((await get('/assets/../../package.json')).body).not.toContain('dependencies')
  expect((await get('/assets/%2e%2e/%2e%2e/package.json')).body).not.toContain('dependencies')
})

test('cookies are hidden from scripts, unencrypted pages and other sites', async () => {
  await own.person('kamala')
  const answers = [
    await signIn(own.app, 'kamala', { client_id: 'web' }),
    await own.send('POST', '/api/auth/accounts', anApplicant, await proof(own.app)),
  ]
  const cookies = answers.flatMap((answer) => answer.cookies)
  expect(cookies.map(({ name }) => name).toSorted()).toEqual([
    '__Secure-prakriya_device',
    '__Secure-prakriya_refresh',
    '__Secure-prakriya_setup',
  ])
  for (const cookie of cookies)
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/api/auth' })
})

const anApplicant = {
  email: 'sunil@example.lk',
  first_name: 'Sunil',
  full_name: 'Sunil Perera',
  nic: '901234567V',
  mobile_no: '0711234567',
}

test('a body that is too large is a 413 at any path, and one nested too deeply a 400', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const items = '/api/registers/platform/faculty/items'
  const large = {
    json: await admin.send('POST', items, { data: { name: 'x'.repeat(600_000) } }),
    form: await own.send('POST', '/api/auth/token', `grant_type=password&password=${'x'.repeat(600_000)}`, form),
    stranger: await own.send('POST', '/api/auth/register', { email: 'x'.repeat(17_000) }),
    csv: await admin.send('POST', '/api/registers/platform/faculty/imports', {
      csv: 'x'.repeat(4.1 * 1024 * 1024),
      commit: false,
    }),
  }
  for (const [what, answer] of Object.entries(large))
    expect([what, answer.statusCode, answer.json().code]).toEqual([what, 413, 'platform.body-too-large'])
  const deep = await admin.send('POST', items, `{"data": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, {
    'content-type': 'application/json',
  })
  expect([deep.statusCode, deep.json().code]).toEqual([400, 'platform.request-invalid'])
})

test('no log line contains a password, a code, a token, a cookie or a row', async () => {
  const { db } = database
  const kumari = await own.person('kumari')
  const secrets: string[] = ['Prakriya2026', kumari.token, 'a-row-to-hide']
  const secret = (value: string) => {
    secrets.push(value)
    return value
  }
  const look = (token: string) => own.send('POST', '/api/auth/tokens/look', { token })
  const reset = (token: string, password: string) =>
    own.send('POST', '/api/auth/reset-password', { username: 'kumari', password: secret(password), token })

  await signIn(own.app, 'kumari', { password: secret('Wrong-Guess-1') })
  await signIn(own.app, secret('Typed-As-Name-2'), { password: 'x' })
  const entered = (await signIn(own.app, 'kumari', { client_id: 'web' })).cookies
  for (const { value } of entered) secret(value)
  const refresh = entered.find(({ name }) => name.endsWith('_refresh'))!
  const cookie = `${refresh.name}=${refresh.value}`
  const renewed = await askForToken(own.app, { grant_type: 'refresh_token', client_id: 'web' }, { cookie })
  secret(renewed.json().access_token)
  secret(renewed.cookies[0]!.value)
  await askForToken(own.app, { grant_type: 'refresh_token', refresh_token: secret('no-token-of-ours-3') })
  await askForToken(own.app, {
    grant_type: 'second_factor',
    challenge: '00000000-0000-4000-8000-000000000000',
    code: secret('839201'),
  })
  const forged = { authorization: `Bearer ${secret(`${kumari.token.slice(0, -6)}AAAAAA`)}` }
  expect((await get('/api/me', forged)).statusCode).toBe(401)

  const { token } = await issueToken(db, kumari.id, 'set-password', { mailed: true })
  await get(`/applicant/account/setupPwd?token=${secret(token)}`)
  expect((await look(token)).statusCode).toBe(200)
  expect((await reset(token, 'short')).statusCode).toBe(422)
  expect((await reset(token, 'Entirely-New-4')).statusCode).toBe(201)
  expect((await reset(token, 'Once-More-5')).statusCode).toBe(410)
  await look(secret('no-link-of-ours-6'))
  for (const path of ['/decide', '/api/task-links', '/answer', '/api/public/answers'])
    await get(`${path}/${secret('no-decision-of-ours-7')}`)
  const proven = await proof(own.app)
  await own.send('POST', '/api/auth/forgot-password', { email: 'kumari@example.lk' }, proven)
  secret(proven['x-proof'])
  expect((await get('/api/health/ready')).statusCode).toBe(500)

  const log = lines.join('')
  for (const one of secrets) expect([one, log.includes(one)]).toEqual([one, false])
  const account = (await findForSignIn(db, 'kumari'))!.id
  expect(log).toContain(`"account":"${account}","address":"127.0.0.1","msg":"sign-in refused"`)
  expect(log).toContain('"path":"/applicant/account/setupPwd"')
  expect(log).toContain('"path":"/api/task-links/:token"')
  expect(log).toContain('violates not-null constraint')
})

test('the API redirects browsers to its own pages only', async () => {
  const { db } = database
  // Nothing answers there.
  const server = identityServer(
    { issuer: 'http://127.0.0.1:1', clientId: 'us', clientSecret: 'secret', name: 'Campus', admin: undefined },
    { publicUrl: PUBLIC_URL, log: pino({ level: 'silent' }) },
  )
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const offers = { definitions: definitionStore(db), roles: library.roles }
  const sessions = externalSessions({
    db,
    library,
    offers,
    server,
    vault: vault('only for this test, and long enough'),
  })
  const abroad = await testApp(database, { identity: { server, sessions } })
  const start = (to: string) => abroad.send('GET', `/api/auth/oidc/start?to=${encodeURIComponent(to)}`)
  for (const to of ['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'javascript:a()'])
    expect([to, (await start(to)).statusCode]).toEqual([to, 400])
  const kept = await start('/cases?page=2')
  expect([kept.statusCode, kept.headers['location']]).toEqual([
    303,
    '/session/signin?to=%2Fcases%3Fpage%3D2&problem=platform.identity-server-away',
  ])
  const { paths } = abroad.app.swagger() as unknown as { paths: Record<string, Record<string, { responses: object }>> }
  const leading = Object.entries(paths).filter(([, methods]) =>
    Object.values(methods).some(({ responses }) =>
      Object.keys(responses).some((status) => ['301', '302', '303', '307', '308'].includes(status)),
    ),
  )
  await abroad.close()
  expect(leading.map(([path]) => path)).toEqual(['/api/auth/oidc/start', '/api/auth/oidc/callback'])
})

test('clients cannot choose their own address, and an IPv6 network counts as one', async () => {
  const forwarded = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' }
  const metrics = await own.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9', headers: forwarded })
  expect(metrics.statusCode).toBe(404)
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:0db8:0:0:ffff::2'))
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'))
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
})
