import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { SMTPServer } from 'smtp-server'
import { type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { type Product, startProduct } from '../platform/kit/product.ts'
import { stack } from '../platform/kit/stack.ts'
import { type Keycloak, SECRETS, passwordOf, prepareKeycloak } from './keycloak.ts'
import { traveller } from './traveller.ts'

let keycloak: Keycloak
let product: Product
let browser: Visitors
/** Mails that Keycloak has sent; `refusing` is a failing mail server. */
const mails: string[] = []
let refusing = false
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    let text = ''
    stream.on('data', (part: Buffer) => (text += part.toString()))
    stream.on('end', () => {
      if (refusing) return done(new Error('out of order'))
      mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      done()
    })
  },
})

beforeAll(async () => {
  const began = Date.now()
  keycloak = await prepareKeycloak()
  const fetched = (Date.now() - began) / 1000
  await new Promise<void>((listening) => mailServer.listen(0, '127.0.0.1', listening))
  product = await startProduct({
    OIDC_ISSUER: keycloak.issuer,
    OIDC_CLIENT_ID: 'prakriya',
    OIDC_CLIENT_SECRET: SECRETS.client,
    OIDC_NAME: 'Campus account',
    OIDC_ADMIN_CLIENT_ID: 'prakriya-admin',
    OIDC_ADMIN_CLIENT_SECRET: SECRETS.admin,
  })
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
  const { port } = mailServer.server.address() as { port: number }
  const seconds = await keycloak.start({ PRODUCT_URL: stack().url, SMTP_PORT: String(port) })
  console.log(
    `Keycloak: fetched in ${fetched.toFixed(1)} s, answers after ${seconds.toFixed(1)} s, ${keycloak.megabytes()} MB`,
  )
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await keycloak?.stop()
  await new Promise<void>((closed) => mailServer.close(closed))
}, 60_000)

const me = (token: string) => send('GET', '/api/me', { token })
const rolesOf = async (token: string): Promise<string[]> =>
  (await me(token)).body.grants.map(({ role, scope }: { role: string; scope: { kind: string } | null }) =>
    scope ? `${role}@${scope.kind}` : role,
  )
const problemIn = (answer: Response) => {
  const at = new URL(answer.headers.get('location')!, stack().url)
  return [answer.status, at.pathname, at.searchParams.get('problem')]
}

test('the built-in sign-in is off and says where to sign in', async () => {
  const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) })
  const answers = await Promise.all([
    send('POST', '/api/auth/token', form({ grant_type: 'password', username: 'admin', password: 'Prakriya2026' })),
    send('POST', '/api/auth/passkey/options'),
    send('POST', '/api/auth/register', { body: { email: 'a@b.lk', password: 'Prakriya2026' } }),
    send('POST', '/api/auth/forgot-password', { body: { email: 'a@b.lk' } }),
  ])
  for (const { status, body } of answers)
    expect([status, body.code, body.title]).toEqual([
      403,
      'platform.identity-server-only',
      "This is done at the university's sign-in service (Campus account), not here",
    ])
  const { body } = await send('GET', '/api/auth/methods')
  expect(body).toEqual({ password: false, oidc: { name: 'Campus account' }, signUp: false })
})

test('a wrong password stays at Keycloak; the right one leads to the requested page', async () => {
  const visitor = await browser.arrives()
  await visitor.opens('/session/signin?to=/myprofile')
  const button = visitor.page.getByRole('link', { name: 'Sign in with Campus account' })
  await button.waitFor()
  await visitor.picture('keycloak-button')
  await button.click()
  await visitor.page.locator('#username').fill('registrar1')
  await visitor.page.locator('#password').fill('wrong')
  await visitor.page.getByRole('button', { name: 'Sign In' }).click()
  await reads(visitor.page, 'Invalid username or password')
  await visitor.page.locator('#password').fill(passwordOf('registrar1'))
  await visitor.page.getByRole('button', { name: 'Sign In' }).click()
  await visitor.page.waitForURL((at) => at.href === `${stack().url}/myprofile`)
  await reads(visitor.page, 'Kumudini Ratnayake')
  await visitor.picture('keycloak-signed-in')
  expect(visitor.troubles()).toEqual([])
})

test('roles in the token apply by their local names; unknown roles and roles that need a unit are ignored', async () => {
  const who = traveller()
  await who.signsIn('registrar1')
  const token = await who.token()
  expect(await rolesOf(token)).toEqual(['Registrar', 'Vice Chancellor'])
  expect((await me(token)).body).toMatchObject({ username: 'registrar1', email: 'registrar1@campus.test' })
  const { body } = await send('GET', '/api/me/sessions', { token })
  expect(body.items.map(({ method }: { method: string }) => method)).toContain('oidc')
})

test('an authorization response that was not requested, or not by this browser, signs nobody in', async () => {
  const one = traveller()
  const other = traveller()
  const back = (await one.fillsIn(await one.leaves(), 'lecturer1')).headers.get('location')!
  await other.leaves()
  const refused = ['/session/signin', 'platform.identity-refused']
  expect(problemIn(await traveller().visit(back))).toEqual([303, ...refused])
  expect(problemIn(await other.visit(back))).toEqual([303, ...refused])
  expect(problemIn(await one.visit(back.replace('state=', 'state=x')))).toEqual([303, ...refused])
  for (const to of [
    '//elsewhere.example',
    'https://elsewhere.example',
    '/\t/elsewhere.example',
    '/\\elsewhere.example',
  ])
    expect((await send('GET', `/api/auth/oidc/start?to=${encodeURIComponent(to)}`)).status).toBe(400)
})

test('an address that Keycloak has not confirmed opens no account', async () => {
  expect(problemIn(await traveller().signsIn('unconfirmed1'))).toEqual([
    303,
    '/session/signin',
    'platform.identity-unverified',
  ])
})

test('an existing account is found by its confirmed address, and a former head of a unit heads none', async () => {
  await keycloak.addUser('kumari', 'hod.indigenous-dance@prakriya.example', ['HOD', 'Bursar'])
  const head = traveller()
  await head.signsIn('kumari')
  const token = await head.token()
  expect((await me(token)).body).toMatchObject({ username: 'hod.indigenous-dance', name: 'Kumari Senanayake' })
  const roles = await rolesOf(token)
  expect(roles).toContain('HOD@department')
  expect(roles).toContain('Bursar')
  expect(roles).not.toContain('HOD')

  const admin = traveller()
  await admin.signsIn('admin1')
  const administrator = await admin.token()
  const { id } = (await me(token)).body
  const { posts } = (await send('GET', `/api/people/${id}`, { token: administrator })).body
  const end = { token: administrator, body: { reason: 'Her term is over' } }
  expect((await send('POST', `/api/post-holders/${posts[0].holderId}/end`, end)).status).toBe(200)
  const afterwards = await rolesOf(await head.token())
  expect(afterwards).toContain('Bursar')
  expect(afterwards.filter((role) => role.startsWith('HOD'))).toEqual([])
})

test('a role removed in Keycloak ends with the next refresh', async () => {
  await keycloak.addUser('bursar1', 'bursar1@campus.test', ['Bursar'])
  const who = traveller()
  await who.signsIn('bursar1')
  expect(await rolesOf(await who.token())).toEqual(['Bursar'])
  await keycloak.takeRole('bursar1', 'Bursar')
  expect(await rolesOf(await who.token())).toEqual([])
})

test('an account disabled in Keycloak is signed out at once after an idle period, and gets no refresh', async () => {
  const resting = traveller()
  const refreshing = traveller()
  await resting.signsIn('student1')
  await refreshing.signsIn('student1')
  const token = await resting.token()
  await keycloak.setEnabled('student1', false)
  const bearer = await me(token)
  const refresh = await refreshing.refreshes()
  await keycloak.setEnabled('student1', true)
  expect([bearer.status, bearer.body.code]).toEqual([401, 'platform.not-signed-in'])
  expect([refresh.status, refresh.body.code]).toEqual([401, 'platform.session-ended'])
})

test('ending a session in Keycloak ends that session here, and no other', async () => {
  const one = traveller()
  const other = traveller()
  const before = new Set((await keycloak.sessionsOf('head1')).map(({ id }) => id))
  await one.signsIn('head1')
  const [session] = (await keycloak.sessionsOf('head1')).filter(({ id }) => !before.has(id))
  await other.signsIn('head1')
  const [first, second] = [await one.token(), await other.token()]
  expect([(await me(first)).status, (await me(second)).status]).toEqual([200, 200])
  const began = Date.now()
  await keycloak.admin('DELETE', `/sessions/${session!.id}`)
  await until('the session ends', async () => (await me(first)).status === 401)
  console.log(`Back-channel logout: out here ${Date.now() - began} ms after it was ended in Keycloak`)
  expect((await me(second)).status).toBe(200)
  expect((await one.refreshes()).status).toBe(401)
})

test('a forged logout notice ends nothing', async () => {
  const who = traveller()
  await who.signsIn('head1')
  const token = await who.token()
  const { access_token, id_token } = await keycloak.tokens('head1')
  for (const logout_token of ['x', access_token, id_token, unsigned(id_token)]) {
    const body = new URLSearchParams({ logout_token })
    const answer = await send('POST', '/api/auth/oidc/backchannel-logout', { body })
    expect([answer.status, answer.body.code]).toEqual([400, 'platform.request-invalid'])
  }
  expect((await me(token)).status).toBe(200)
})

test('signing out here also signs out in Keycloak', async () => {
  const who = traveller()
  await who.signsIn('registrar1')
  const before = await keycloak.sessionsOf('registrar1')
  // Keycloak still knows the browser: it redirects back without a form.
  expect((await who.leaves()).status).toBe(302)
  expect((await who.signsOut()).status).toBe(204)
  expect((await keycloak.sessionsOf('registrar1')).length).toBe(before.length - 1)
  expect((await who.leaves()).status).toBe(200)
  expect((await who.refreshes()).status).toBe(401)
})

test("Keycloak's access tokens are accepted from programs; its other tokens, and forged ones, are not", async () => {
  const { access_token, refresh_token, id_token } = await keycloak.tokens('registrar1')
  const accepted = await me(access_token)
  expect([accepted.status, accepted.body.username]).toEqual([200, 'registrar1'])
  expect((await send('GET', '/api/tasks', { token: access_token })).status).toBe(200)
  expect((await send('GET', '/api/me/sessions', { token: access_token })).status).toBe(200)

  const [header, payload] = access_token.split('.') as [string, string]
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const certs = await fetch(`${keycloak.issuer}/protocol/openid-connect/certs`)
  const { keys } = (await certs.json()) as { keys: { kid: string }[] }
  const publicKey = createPublicKey({ key: keys.find((one) => one.kid === kid)! as object, format: 'jwk' } as never)
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const withKey = (named: string) => {
    const text = `${encoded({ alg: 'RS256', typ: 'JWT', kid: named })}.${payload}`
    return `${text}.${sign('sha256', Buffer.from(text), other).toString('base64url')}`
  }
  const hmac = () => {
    const text = `${encoded({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
  }
  const { access_token: ofOtherClient } = await keycloak.tokens('registrar1', 'library')
  const changed = `${header}.${encoded({ ...claims, sub: 'x' })}.${access_token.split('.')[2]}`
  const refused = { refresh_token, id_token, ofOtherClient, unsigned: unsigned(access_token), hmac: hmac(), changed }
  for (const [name, token] of Object.entries({ ...refused, known: withKey(kid), unknown: withKey('no-such-key') })) {
    const { status, body } = await me(token)
    expect([name, status, body.code]).toEqual([name, 401, 'platform.not-signed-in'])
  }
})

test('Keycloak mails the link to set a password; if it cannot, the reason is shown', async () => {
  const admin = traveller()
  await admin.signsIn('admin1')
  const token = await admin.token()
  const lecturer = traveller()
  await lecturer.signsIn('lecturer1')
  const { id } = (await me(await lecturer.token())).body
  refusing = true
  const failed = await send('POST', `/api/people/${id}/password-link`, { token })
  expect([failed.status, failed.body.code]).toEqual([503, 'platform.identity-mail-failed'])
  refusing = false
  const sent = await send('POST', `/api/people/${id}/password-link`, { token })
  expect(sent.status).toBe(202)
  const [mail] = mails.splice(0)
  expect(mail).toMatch('To: lecturer1@campus.test')
  expect(mail).toMatch(`${keycloak.issuer}/login-actions/action-token?key=`)
})

test('while Keycloak is unavailable, sessions wait and nobody can sign in', async () => {
  const who = traveller()
  await who.signsIn('head1')
  const token = await who.token()
  await keycloak.stop()
  const refresh = await who.refreshes()
  expect([refresh.status, refresh.body.code]).toEqual([503, 'platform.identity-server-away'])
  expect((await me(token)).status).toBe(200)
  const start = await fetch(`${stack().url}/api/auth/oidc/callback?code=x&state=y`, { redirect: 'manual' })
  expect(problemIn(start)).toEqual([303, '/session/signin', 'platform.identity-refused'])
})

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** The same token without a signature, with `alg: none`. */
function unsigned(token: string): string {
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`
}
