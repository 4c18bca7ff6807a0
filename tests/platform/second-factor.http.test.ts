import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Secret, TOTP } from 'otpauth'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { findPerson } from '../../api/platform/people/identity/accounts.ts'
import { beginPasskey, registerPasskey } from '../../api/platform/people/identity/passkeys.ts'
import { type Caller, type TestApp, askForToken, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

const PASSWORD = 'Prakriya2026'
const password = PASSWORD
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
// Resets the throttle: all tests come from one address.
beforeEach(async () => {
  await database.db.deleteFrom('throttle').execute()
})

/** The authenticator's code this many steps from now. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** A person with an authenticator, whose present code was used to confirm it: the next one is valid. */
async function withTotp(
  username: string,
): Promise<{ who: Caller; secret: string; used: string; recoveryCodes: string[] }> {
  const who = await own.person(username)
  const { secret } = (await who.send('POST', '/api/me/totp', { password })).json()
  const used = codeOf(secret)
  const confirmed = await who.send('POST', '/api/me/totp/confirm', { code: used })
  return { who, secret, used, recoveryCodes: confirmed.json().recoveryCodes }
}

const challenged = async (username: string) => (await signIn(own.app, username)).json().challenge as string
const answer = (challenge: string, code: string) =>
  askForToken(own.app, { grant_type: 'second_factor', challenge, code })
const mailsTo = async ({ id }: Caller) =>
  (await database.db.selectFrom('mail').select('template').where('recipient_id', '=', id).orderBy('id').execute()).map(
    ({ template }) => template,
  )

test('an authenticator is set up with the password, and counts from its first correct code', async () => {
  const nimal = await own.person('nimal')
  const wrong = await nimal.send('POST', '/api/me/totp', { password: 'wrong' })
  expect([wrong.statusCode, wrong.json().errors[0].code]).toEqual([422, 'platform.password-wrong'])
  const early = await nimal.send('POST', '/api/me/totp/confirm', { code: '123456' })
  expect([early.statusCode, early.json().errors[0].field]).toEqual([422, '/code'])
  const begun = (await nimal.send('POST', '/api/me/totp', { password })).json()
  expect(begun).toMatchObject({
    uri: expect.stringContaining('otpauth://totp/Prakriya:nimal?'),
    qr: expect.stringContaining('<svg'),
  })
  expect((await signIn(own.app, 'nimal')).statusCode).toBe(200)
  expect((await nimal.send('POST', '/api/me/totp/confirm', { code: codeOf(begun.secret, 5) })).statusCode).toBe(422)
  const confirmed = await nimal.send('POST', '/api/me/totp/confirm', { code: codeOf(begun.secret) })
  expect(new Set(confirmed.json().recoveryCodes).size).toBe(10)
  expect((await nimal.send('POST', '/api/me/totp', { password })).json().code).toBe('platform.totp-there-already')
  expect((await nimal.send('GET', '/api/me')).json().secondFactor).toEqual({
    totp: true,
    passkeys: 0,
    recoveryCodes: 10,
    wanted: false,
  })
  expect(await mailsTo(nimal)).toEqual(['platform.mail.second-factor-added'])
  const stored = JSON.stringify([
    (await database.pool.query('select encode(sealed_secret, $1) from app.totp', ['escape'])).rows,
    (await database.pool.query('select encode(hash, $1) from app.recovery_code', ['escape'])).rows,
  ])
  for (const secret of [begun.secret, confirmed.json().recoveryCodes[0].replaceAll('-', '')])
    expect(stored).not.toContain(secret)
})

test('the password alone no longer signs in; with the code it does, once', async () => {
  const { secret, used } = await withTotp('kamala')
  const asked = await signIn(own.app, 'kamala')
  expect(asked.statusCode).toBe(401)
  expect(asked.json()).toMatchObject({
    code: 'platform.second-factor-wanted',
    challenge: expect.any(String),
    methods: ['totp', 'recovery-code'],
  })
  expect(asked.cookies).toEqual([])
  const { challenge } = asked.json()
  expect((await answer(challenge, used)).json().code).toBe('platform.second-factor-refused')
  const code = codeOf(secret, 1)
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
  expect((await answer(challenge, spaced)).statusCode).toBe(200)
  expect((await answer(challenge, codeOf(secret, 1))).json().code).toBe('platform.challenge-ended')
  const replayed = await answer(await challenged('kamala'), code)
  expect([replayed.statusCode, replayed.json().code]).toEqual([401, 'platform.second-factor-refused'])
})

test('two concurrent sign-ins with one code get one session', async () => {
  const { secret } = await withTotp('twice')
  const challenges = [await challenged('twice'), await challenged('twice')]
  const answers = await Promise.all(challenges.map((challenge) => answer(challenge, codeOf(secret, 1))))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
})

test('a challenge allows five tries, lives five minutes, and cannot be made up', async () => {
  const { secret } = await withTotp('guessed')
  const challenge = await challenged('guessed')
  const wrong = codeOf(secret, 10)
  for (let n = 0; n < 5; n += 1) {
    expect((await answer(challenge, wrong)).json().code).toBe('platform.second-factor-refused')
    await database.db.deleteFrom('throttle').execute()
  }
  expect((await answer(challenge, codeOf(secret, 1))).json().code).toBe('platform.challenge-ended')
  const old = await challenged('guessed')
  await database.pool.query(`update app.challenge set expires_at = now() where id = $1`, [old])
  expect((await answer(old, codeOf(secret, 1))).json().code).toBe('platform.challenge-ended')
  expect((await answer('5b7c5f0e-3d7e-4c38-a0f4-55d3c4a4bb3e', '123456')).statusCode).toBe(410)
  expect((await answer('x', '123456')).statusCode).toBe(400)
})

test('guessing codes with the password is limited; the owner is notified, and has other ways in', async () => {
  const { who, secret, recoveryCodes } = await withTotp('hunted')
  const counted = async () =>
    database.pool.query(
      `insert into app.throttle values ('second-factor:' || $1, 9, now() + interval '1 hour') on conflict (key) do nothing`,
      [who.id],
    )
  await counted()
  const challenge = await challenged('hunted')
  expect((await answer(challenge, codeOf(secret, 10))).statusCode).toBe(401)
  expect((await answer(challenge, codeOf(secret, 1))).json().code).toBe('platform.second-factor-exhausted')
  expect(await mailsTo(who)).toContain('platform.mail.second-factor-guessed')
  expect((await answer(challenge, recoveryCodes[0]!)).statusCode).toBe(200)
})

test('a recovery code signs in once, and its owner is notified', async () => {
  const { who, recoveryCodes } = await withTotp('lost')
  const typed = recoveryCodes[3]!.toLowerCase().replaceAll('-', ' ')
  expect((await answer(await challenged('lost'), typed)).statusCode).toBe(200)
  const again = await answer(await challenged('lost'), typed)
  expect([again.statusCode, again.json().code]).toEqual([401, 'platform.second-factor-refused'])
  expect((await who.send('GET', '/api/me')).json().secondFactor.recoveryCodes).toBe(9)
  expect(await mailsTo(who)).toContain('platform.mail.recovery-code-used')
  const renewed = (await who.send('POST', '/api/me/recovery-codes', { password })).json().recoveryCodes
  expect((await answer(await challenged('lost'), recoveryCodes[4]!)).statusCode).toBe(401)
  expect((await answer(await challenged('lost'), renewed[0])).statusCode).toBe(200)
})

test('a code of one person does not work for another', async () => {
  const { recoveryCodes } = await withTotp('anura')
  const { secret } = await withTotp('bimal')
  expect((await answer(await challenged('bimal'), recoveryCodes[0]!)).statusCode).toBe(401)
  expect((await answer(await challenged('anura'), codeOf(secret, 1))).statusCode).toBe(401)
})

test('without the password the authenticator stays; without any factor there are no recovery codes', async () => {
  const { who } = await withTotp('leaver')
  expect((await who.send('DELETE', '/api/me/totp', { password: 'wrong' })).statusCode).toBe(422)
  expect((await signIn(own.app, 'leaver')).statusCode).toBe(401)
  expect((await who.send('DELETE', '/api/me/totp', { password })).statusCode).toBe(204)
  expect((await signIn(own.app, 'leaver')).statusCode).toBe(200)
  expect((await who.send('GET', '/api/me')).json().secondFactor).toMatchObject({ totp: false, recoveryCodes: 0 })
  expect((await who.send('POST', '/api/me/recovery-codes', { password })).json().code).toBe(
    'platform.second-factor-missing',
  )
  expect(await mailsTo(who)).toEqual(['platform.mail.second-factor-added', 'platform.mail.second-factor-removed'])
})

test('staff who need a second factor reach their own account and nothing else until they have one', async () => {
  const strict = await testApp(database, { secondFactor: 'staff' })
  const [head, student] = [
    await strict.person('head', { role: 'HOD', scope: { kind: 'department', id: '12' } }),
    await strict.person('student', { role: 'Undergraduate Student' }),
  ]
  const refused = await head.send('GET', '/api/mailbox')
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'platform.second-factor-wanted-setup'])
  expect((await student.send('GET', '/api/mailbox')).statusCode).toBe(200)
  expect((await head.send('GET', '/api/me')).json().secondFactor.wanted).toBe(true)
  const { secret } = (await head.send('POST', '/api/me/totp', { password })).json()
  expect((await head.send('GET', '/api/mailbox')).statusCode).toBe(403)
  await head.send('POST', '/api/me/totp/confirm', { code: codeOf(secret) })
  expect((await head.send('GET', '/api/mailbox')).statusCode).toBe(200)
  await strict.close()
})

test('an invalid passkey is refused and the cause is logged; an internal error is not mistaken for one', async () => {
  const who = await own.person('keyed')
  const debug = jest.fn()
  const letters = { library: loadLibrary(join(import.meta.dirname, '../..')), publicUrl: 'http://localhost:4400' }
  const keyContext = { db: database.db, letters, publicUrl: letters.publicUrl, log: { debug } as never }
  const person = (await findPerson(database.db, who.id))!
  const kept = async (response: object) => {
    const { challenge } = await beginPasskey(keyContext, person)
    return registerPasskey(keyContext, who.id, {
      challenge,
      name: 'a key',
      response: response as RegistrationResponseJSON,
    })
  }
  const told = (clientData: string) => ({ clientDataJSON: Buffer.from(clientData).toString('base64url') })
  const key = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
  for (const response of [{}, told('null'), told('not JSON'), told('{}')])
    await expect(kept({ ...key, response })).rejects.toMatchObject({ code: 'platform.passkey-refused' })
  expect(debug.mock.calls).toEqual([[{ err: expect.any(Error) }, 'a passkey was refused']])
  const fault = new TypeError('a mistake of ours')
  const faulty = {
    response: told('{}'),
    get id() {
      throw fault
    },
  }
  await expect(kept(faulty)).rejects.toBe(fault)
})
