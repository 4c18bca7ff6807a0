import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { CDPSession } from 'playwright-core'
import { openBrowser, type Visitor, type Visitors } from './kit/browser.ts'
import { as, PASSWORD, send } from './kit/people.ts'

let visitors: Visitors
let visitor: Visitor
let device: CDPSession
let authenticator: string
beforeAll(async () => {
  visitors = await openBrowser()
  visitor = await visitors.arrives()
  await visitor.opens('/session/signin')
  device = await visitor.page.context().newCDPSession(visitor.page)
  await device.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const added = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  authenticator = added.authenticatorId
})
afterAll(() => visitors.close())

/** As the page's code does: passes the options to the browser, and its answer back. */
const make = (options: object): Promise<any> =>
  visitor.page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON)
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)
const use = (options: object): Promise<any> =>
  visitor.page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON)
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)

const begin = async () => (await send('POST', '/api/auth/passkey/options')).body
const signIn = (challenge: string, response: object) =>
  send('POST', '/api/auth/passkey', { body: { challenge, response } })

test('a passkey is created with the password, signs in without it, once for each challenge, and is removed with it', async () => {
  const piumi = await as('student.piumi')
  expect((await piumi.send('POST', '/api/me/passkeys/options', { password: 'wrong' })).status).toBe(422)
  const asked = await piumi.ok('POST', '/api/me/passkeys/options', { password: PASSWORD })
  expect(asked.options).toMatchObject({ rp: { id: 'localhost' }, authenticatorSelection: { residentKey: 'required' } })
  const made = await make(asked.options)
  const stranger = await as('student.imran')
  const body = { challenge: asked.challenge, name: 'My laptop', response: made }
  expect((await stranger.send('POST', '/api/me/passkeys', body)).body.code).toBe('platform.challenge-ended')
  const kept = await piumi.ok('POST', '/api/me/passkeys', body)
  expect(kept).toMatchObject({ name: 'My laptop', lastUsedAt: null, recoveryCodes: { length: 10 } })
  expect((await piumi.send('POST', '/api/me/passkeys', body)).body.code).toBe('platform.challenge-ended')

  // The password alone is no longer enough to sign in.
  const form = new URLSearchParams({ grant_type: 'password', username: 'student.piumi', password: PASSWORD })
  const alone = await send('POST', '/api/auth/token', { body: form })
  expect([alone.status, alone.body.methods]).toEqual([401, ['passkey', 'recovery-code']])

  const { challenge, options } = await begin()
  const response = await use(options)
  const other = await begin()
  expect((await signIn(other.challenge, response)).body.code).toBe('platform.passkey-refused')
  expect((await signIn(other.challenge, response)).body.code).toBe('platform.challenge-ended')
  const forged = { ...response, id: 'AAAA', rawId: 'AAAA' }
  expect((await signIn((await begin()).challenge, forged)).body.code).toBe('platform.passkey-refused')
  const signedIn = await signIn(challenge, response)
  expect([signedIn.status, Object.keys(signedIn.body)]).toEqual([200, expect.arrayContaining(['refresh_token'])])
  expect((await signIn(challenge, response)).status).toBe(410)
  const token = signedIn.body.access_token
  const me = await send('GET', '/api/me', { token })
  expect(me.body).toMatchObject({ username: 'student.piumi', secondFactor: { passkeys: 1, recoveryCodes: 10 } })
  const { items } = (await send('GET', '/api/me/sessions', { token })).body
  expect(items.find(({ current }: { current: boolean }) => current).method).toBe('passkey')

  // An older state of the same device was copied: its counter goes back.
  const [credential] = (await device.send('WebAuthn.getCredentials', { authenticatorId: authenticator })).credentials
  await device.send('WebAuthn.removeCredential', {
    authenticatorId: authenticator,
    credentialId: credential!.credentialId,
  })
  await device.send('WebAuthn.addCredential', {
    authenticatorId: authenticator,
    credential: { ...credential!, signCount: 0 },
  })
  const copied = await begin()
  expect((await signIn(copied.challenge, await use(copied.options))).body.code).toBe('platform.passkey-refused')

  const path = `/api/me/passkeys/${kept.id}`
  expect((await piumi.send('DELETE', path, { password: 'wrong' })).status).toBe(422)
  expect((await stranger.send('DELETE', path, { password: PASSWORD })).status).toBe(404)
  expect((await piumi.send('DELETE', path, { password: PASSWORD })).status).toBe(204)
  const gone = await begin()
  expect((await signIn(gone.challenge, await use(gone.options))).body.code).toBe('platform.passkey-refused')
  expect((await send('POST', '/api/auth/token', { body: form })).status).toBe(200)
})

test('a device that does not verify its user is not enough', async () => {
  const imran = await as('student.imran')
  const { challenge, options } = await imran.ok('POST', '/api/me/passkeys/options', { password: PASSWORD })
  await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: authenticator })
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true },
  })
  const authenticatorSelection = { residentKey: 'discouraged', userVerification: 'discouraged' }
  const response = await make({ ...options, authenticatorSelection })
  const refused = await imran.send('POST', '/api/me/passkeys', { challenge, name: 'Lax', response })
  expect([refused.status, refused.body.code]).toEqual([422, 'platform.passkey-refused'])
})
