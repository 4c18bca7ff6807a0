import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Logger, runOnce } from 'graphile-worker'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { passwordLinkTasks } from '../../api/platform/people/identity/password-links.ts'
import { type TestApp, askForToken, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { until } from './kit/poll.ts'
import { challenge, proof, solved, writeAsStranger } from './kit/proof.ts'
import { aProgramme, anItem } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const PUBLIC_URL = 'http://localhost:4400'
const GOOD = 'Anicca Dukkha 3'
const BETTER = 'Natum saha 7 Geta bera'

let database: TestDatabase
let own: TestApp
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})
beforeEach(() => database.owner.pool.query('truncate app.throttle'))

const write = (url: string, payload: object, headers: Record<string, string> = {}) =>
  writeAsStranger(own.app, url, payload, headers)

/** Sends all requested links, as the API process does. */
async function work(): Promise<void> {
  const taskList = passwordLinkTasks({ db: database.db, library, publicUrl: PUBLIC_URL })
  await until('all links that were asked for are mailed', async () => {
    await database.owner.pool.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), now()) from graphile_worker.jobs
       where task_identifier = 'mail-password-links'`,
    )
    await runOnce({ pgPool: database.pool, taskList, logger: new Logger(() => () => undefined), noHandleSignals: true })
    const { rows } = await database.pool.query(
      `select id from graphile_worker.jobs where task_identifier = 'mail-password-links'`,
    )
    return rows.length === 0
  })
}

/** The mails to an address, newest first. */
const mailsTo = (address: string) =>
  database.db.selectFrom('mail').selectAll().where('recipient', '=', address).orderBy('id', 'desc').execute()

/** The token in the newest mail to an address. */
async function tokenFor(address: string, page = '/applicant/account/setupPwd'): Promise<string> {
  const mail = (await mailsTo(address)).find(({ body }) => body.includes(page))
  const link = new RegExp(`${PUBLIC_URL}${page}\\?token=([A-Za-z0-9_-]{43})\\s`).exec(mail!.body)
  return link![1]!
}

const anApplicant = (email: string, more: object = {}) => ({
  email,
  first_name: 'Kumari',
  full_name: 'Kumari Perera',
  nic: '991234567v',
  mobile_no: '0771231231',
  ...more,
})

const codeOf = (answer: { statusCode: number; json(): any }) => [answer.statusCode, answer.json().code]
const entry = (username: string, password: string) =>
  askForToken(own.app, { grant_type: 'password', username, password })

describe('a proof of work', () => {
  const check = (headers: Record<string, string>) =>
    own.send('GET', '/api/auth/email?email=a@example.lk', undefined, headers)

  test('is required of anonymous callers who write or search for people', async () => {
    for (const path of ['/api/auth/register', '/api/auth/accounts', '/api/auth/forgot-password']) {
      const answer = await own.send('POST', path, { email: 'a@example.lk', password: GOOD })
      expect([...codeOf(answer), answer.json().difficulty]).toEqual([428, 'platform.proof-wanted', 0])
    }
    expect(codeOf(await check({}))).toEqual([428, 'platform.proof-wanted'])
  })

  test('works once', async () => {
    const headers = await proof(own.app)
    expect((await check(headers)).statusCode).toBe(200)
    expect(codeOf(await check(headers))).toEqual([422, 'platform.proof-refused'])
  })

  test('works once, also when sent many times at once', async () => {
    const headers = await proof(own.app)
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => check(headers)))).map((one) => one.statusCode)
    expect(statuses.sort()).toEqual([200, ...Array<number>(7).fill(422)])
  })

  test('is refused when forged, guessed, changed, expired or malformed', async () => {
    const given = await challenge(own.app)
    const { parameters, signature } = given
    const pack = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')
    const right = JSON.parse(Buffer.from(await solved(given), 'base64').toString())
    const easier = { parameters: { ...parameters, keyPrefix: '00', keySignature: '00' }, signature }
    const elsewhere = await testApp(database, {
      vault: (await import('../../api/platform/kernel/keys.ts')).vault(
        'the secret of another installation, long enough',
      ),
    })
    const foreign = await solved(await challenge(elsewhere.app))
    await elsewhere.close()
    for (const header of [
      pack({ challenge: given, solution: { counter: 1, derivedKey: 'ab'.repeat(32) } }),
      pack({
        challenge: given,
        solution: { ...right.solution, derivedKey: right.solution.derivedKey.replace(/.$/, 'g') },
      }),
      pack({ ...right, challenge: easier }),
      pack({
        ...right,
        challenge: { parameters: { ...parameters, expiresAt: parameters.expiresAt + 600 }, signature },
      }),
      pack({ ...right, challenge: { parameters: { ...parameters, data: { difficulty: 5 } }, signature } }),
      pack({ ...right, challenge: { parameters } }),
      foreign,
      pack(null),
      'AAAA',
      'x'.repeat(9000),
    ])
      expect(codeOf(await check({ 'x-proof': header }))).toEqual([422, 'platform.proof-refused'])
    expect((await check({ 'x-proof': pack(right) })).statusCode).toBe(200)
  })

  test('expires', async () => {
    const headers = await proof(own.app)
    const now = Date.now
    Date.now = () => now() + 601_000
    try {
      expect(codeOf(await check(headers))).toEqual([422, 'platform.proof-refused'])
    } finally {
      Date.now = now
    }
  })

  test('gets harder for an address that asks often, and the easier one is refused', async () => {
    const cheap = await proof(own.app)
    await check(await proof(own.app))
    await database.db.updateTable('throttle').set({ count: 100 }).execute()
    const answer = await check(cheap)
    expect([...codeOf(answer), answer.json().difficulty]).toEqual([428, 'platform.proof-wanted', 1])
    // A forged `X-Forwarded-For` does not change the address.
    expect((await check({ ...cheap, 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' })).statusCode).toBe(
      428,
    )
    expect((await challenge(own.app)).parameters.data.difficulty).toBe(1)
    expect((await check(await proof(own.app))).statusCode).toBe(200)
  })
})

describe('the e-mail check', () => {
  test.each([
    ['nobody@example.lk', true, 'Valid Email'],
    ['Taken@Example.LK', false, 'This Email is Already Taken!'],
    ['not an address', false, 'Email is not valid'],
  ])('answers %s', async (email, valid, message) => {
    await own.person('taken')
    const answer = await own.send(
      'GET',
      `/api/auth/email?email=${encodeURIComponent(email)}`,
      undefined,
      await proof(own.app),
    )
    expect(answer.json()).toEqual({ valid, message })
    await database.owner.pool.query(
      `delete from app.refresh_token; delete from app.session; delete from app.account where username = 'taken'`,
    )
  })
})

describe('signing up', () => {
  test('is refused if the address is taken, also as a user name, with the field named', async () => {
    await write('/api/auth/register', { email: 'sunil@example.lk', password: GOOD })
    const again = await write('/api/auth/register', { email: 'SUNIL@example.lk', password: GOOD })
    expect(codeOf(again)).toEqual([409, 'platform.email-taken'])
    expect(again.json().errors).toEqual([
      { field: '/email', code: 'platform.email-taken', message: 'This Email is Already Taken!' },
    ])
    // A name that looks like somebody's counts as theirs in any notation.
    const named = (email: string, username: string) => write('/api/auth/register', { email, username, password: GOOD })
    expect((await named('sampath@example.lk', '\uFF33ampath')).json().username).toBe('Sampath')
    expect(codeOf(await named('sampath2@example.lk', '\uFF53ampath'))).toEqual([409, 'platform.username-taken'])
    for (const username of ['sunil@example.lk', 'someone@else.lk', 'a', 'ad min'])
      expect(
        (await write('/api/auth/register', { email: 'other@example.lk', username, password: GOOD })).json().errors,
      ).toMatchObject([{ field: '/username', code: 'platform.username-refused' }])
  })

  test('is refused with a weak password, with the message of the form', async () => {
    for (const [password, code] of [
      ['short', 'platform.password-rule'],
      ['Password123', 'platform.password-common'],
      ['Weak.Person1', 'platform.password-personal'],
    ]) {
      const answer = await write('/api/auth/register', { email: 'weak.person@example.lk', password })
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        [{ field: '/password', code, message: library.text(code!) }],
      ])
    }
    expect((await entry('weak.person@example.lk', 'Password123')).statusCode).toBe(401)
  })

  test('creates an account that signs in, holds no role, and gets an email to confirm its address', async () => {
    const made = await write(
      '/api/auth/register',
      { email: 'nimal@example.lk', password: GOOD },
      { 'accept-language': 'si' },
    )
    expect([made.statusCode, made.json().username]).toEqual([201, 'nimal@example.lk'])
    expect((await entry('nimal@example.lk', GOOD)).statusCode).toBe(200)
    const row = () =>
      database.db.selectFrom('account').selectAll().where('username', '=', 'nimal@example.lk').executeTakeFirstOrThrow()
    expect(await row()).toMatchObject({
      email_confirmed_at: null,
      language: 'si',
      password_changed_at: expect.any(Date),
    })
    expect((await mailsTo('nimal@example.lk'))[0]!.subject).toBe(
      library.text('platform.mail.confirm-email-subject', {}, 'si'),
    )
    const token = await tokenFor('nimal@example.lk', '/session/confirm-email')
    expect((await own.send('POST', '/api/auth/tokens/look', { token })).json()).toEqual({
      purpose: 'confirm-email',
      email: 'nimal@example.lk',
    })
    expect((await own.send('POST', '/api/auth/confirm-email', { token })).statusCode).toBe(204)
    expect((await row()).email_confirmed_at).not.toBeNull()
    expect(codeOf(await own.send('POST', '/api/auth/confirm-email', { token }))).toEqual([410, 'platform.link-spent'])
  })

  test('sends the confirmation link again, up to a limit', async () => {
    const person = await own.person('again')
    expect((await own.send('POST', '/api/me/confirm-email')).statusCode).toBe(401)
    for (let n = 0; n < 5; n++) expect((await person.send('POST', '/api/me/confirm-email')).statusCode).toBe(202)
    expect((await person.send('POST', '/api/me/confirm-email')).statusCode).toBe(429)
    expect(await mailsTo('again@example.lk')).toHaveLength(5)
  })
})

describe('an applicant', () => {
  const cookieOf = (answer: any) => answer.cookies.find(({ name }: any) => name === 'prakriya_setup')
  const setPassword = (body: object, cookie?: string) =>
    own.send('POST', '/api/auth/reset-password', body, cookie ? { cookie: `prakriya_setup=${cookie}` } : {})

  test('sees what is wrong with the account form, field by field, in their language', async () => {
    const answer = await write(
      '/api/auth/accounts',
      { email: 'x', first_name: '  ', nic: '1', mobile_no: '07712', role: 'ADMIN' },
      {
        'accept-language': 'ta',
      },
    )
    expect(answer.statusCode).toBe(422)
    expect(Object.fromEntries(answer.json().errors.map(({ field, message }: any) => [field, message]))).toMatchObject({
      '/first_name': library.text('applicant-accounts.field-required', {}, 'ta'),
      '/full_name': library.text('applicant-accounts.field-required', {}, 'ta'),
      '/email': library.text('applicant-accounts.email-invalid', {}, 'ta'),
      '/nic': library.text('applicant-accounts.nic-invalid', {}, 'ta'),
      '/mobile_no': library.text('applicant-accounts.mobile-invalid', {}, 'ta'),
      '/role': expect.any(String),
    })
  })

  test('sets the password once in the browser that created the account, and in no other', async () => {
    const made = await write('/api/auth/accounts', anApplicant('a1@example.lk', { request_ids: ['vacancy-1'] }))
    expect(made.statusCode).toBe(201)
    const cookie = cookieOf(made)
    expect(cookie).toMatchObject({ path: '/api/auth', httpOnly: true, sameSite: 'Strict', maxAge: 1800 })
    const other = cookieOf(await write('/api/auth/accounts', anApplicant('a2@example.lk')))
    const body = { username: 'a1@example.lk', password: GOOD }
    expect(codeOf(await setPassword(body))).toEqual([403, 'platform.password-proof-wanted'])
    expect(codeOf(await setPassword(body, other.value))).toEqual([403, 'platform.password-proof-wanted'])
    await work()
    // The cookie's secret is not accepted as a mailed token, nor the reverse.
    expect(codeOf(await setPassword({ ...body, token: cookie.value }))).toEqual([410, 'platform.link-spent'])
    expect(codeOf(await setPassword(body, await tokenFor('a1@example.lk')))).toEqual([
      403,
      'platform.password-proof-wanted',
    ])
    expect((await setPassword({ ...body, password: 'Password123' }, cookie.value)).json().errors).toMatchObject([
      { field: '/password', code: 'platform.password-common' },
    ])
    const set = await setPassword(body, cookie.value)
    expect([set.statusCode, set.json(), cookieOf(set).value]).toEqual([
      201,
      { message: 'Password Creation Successfull!' },
      '',
    ])
    expect(codeOf(await setPassword({ ...body, password: BETTER }, cookie.value))).toEqual([
      403,
      'platform.password-proof-wanted',
    ])
    // A link mailed meanwhile is void.
    expect(
      (await own.send('POST', '/api/auth/tokens/look', { token: await tokenFor('a1@example.lk') })).statusCode,
    ).toBe(410)
    expect((await entry('a1@example.lk', GOOD)).statusCode).toBe(200)
    expect((await mailsTo('a1@example.lk')).map(({ template }) => template)).toEqual([
      'platform.mail.confirm-email',
      'platform.mail.set-password',
    ])
  })

  test('gets no link to set the password when it was set at once', async () => {
    const made = await write('/api/auth/accounts', anApplicant('a9@example.lk'))
    expect(await mailsTo('a9@example.lk')).toEqual([])
    await setPassword({ username: 'a9@example.lk', password: GOOD }, cookieOf(made).value)
    await work()
    expect((await mailsTo('a9@example.lk')).map(({ template }) => template)).toEqual(['platform.mail.confirm-email'])
  })

  test('is a temporary employee, with an entry in the register; a second one with the same NIC gets the same answer', async () => {
    const made = await write(
      '/api/auth/accounts',
      anApplicant('a3@example.lk', { nic: '199981234567', sur_name: 'Perera' }),
    )
    const again = await write('/api/auth/accounts', anApplicant('a4@example.lk', { nic: '199981234567' }))
    expect(again.statusCode).toBe(made.statusCode)
    expect(Object.keys(again.json())).toEqual(Object.keys(made.json()))
    const { rows } = await database.pool.query(
      `select r.register, r.data, g.role, g.scope_kind from app.account a join app.register_item r on r.id = a.record_id
       join app.role_grant g on g.account_id = a.id where a.id = $1`,
      [made.json().id],
    )
    expect(rows).toEqual([
      {
        register: 'platform/temporary-employee',
        role: 'Temporary Employee',
        scope_kind: null,
        data: {
          email: 'a3@example.lk',
          first_name: 'Kumari',
          sur_name: 'Perera',
          full_name: 'Kumari Perera',
          nic: '199981234567',
          contact_no: '0771231231',
        },
      },
    ])
    expect(codeOf(await write('/api/auth/accounts', anApplicant('A3@example.lk')))).toEqual([
      409,
      'platform.email-taken',
    ])
  })

  test('may set the password with the mailed link instead, which confirms the address', async () => {
    await write('/api/auth/accounts', anApplicant('a5@example.lk'))
    await work()
    const token = await tokenFor('a5@example.lk')
    expect(codeOf(await setPassword({ username: 'a1@example.lk', password: GOOD, token }))).toEqual([
      410,
      'platform.link-spent',
    ])
    expect((await own.send('POST', '/api/auth/tokens/look', { token })).json()).toEqual({
      purpose: 'set-password',
      email: 'a5@example.lk',
    })
    expect((await setPassword({ username: 'A5@example.lk', password: GOOD, token })).statusCode).toBe(201)
    expect(codeOf(await setPassword({ username: 'a5@example.lk', password: BETTER, token }))).toEqual([
      410,
      'platform.link-spent',
    ])
    const { email_confirmed_at } = await database.db
      .selectFrom('account')
      .select('email_confirmed_at')
      .where('email', '=', 'a5@example.lk')
      .executeTakeFirstOrThrow()
    expect(email_confirmed_at).not.toBeNull()
  })

  test('uses a link once, even if it is sent twice at once', async () => {
    await write('/api/auth/accounts', anApplicant('a6@example.lk'))
    await work()
    const token = await tokenFor('a6@example.lk')
    const answers = await Promise.all(
      [GOOD, BETTER, `${GOOD}!`].map((password) => setPassword({ username: 'a6@example.lk', password, token })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 410, 410])
  })

  test('cannot set a password with an expired link, or one for a former address', async () => {
    await write('/api/auth/accounts', anApplicant('a7@example.lk'))
    await work()
    const token = await tokenFor('a7@example.lk')
    const body = { username: 'a7@example.lk', password: GOOD, token }
    await database.db
      .updateTable('account')
      .set({ email: 'moved@example.lk' })
      .where('email', '=', 'a7@example.lk')
      .execute()
    expect(codeOf(await setPassword(body))).toEqual([410, 'platform.link-spent'])
    await database.db
      .updateTable('account')
      .set({ email: 'a7@example.lk' })
      .where('email', '=', 'moved@example.lk')
      .execute()
    await database.owner.pool.query(
      `update app.one_time_token set expires_at = now() where address = 'a7@example.lk' and mailed`,
    )
    expect(codeOf(await setPassword(body))).toEqual([410, 'platform.link-spent'])
    expect(codeOf(await own.send('POST', '/api/auth/tokens/look', { token }))).toEqual([410, 'platform.link-spent'])
  })

  test('no secret that opens an account is stored or logged in plain text', async () => {
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    const logged = await testApp(database, { log })
    const made = await logged.app.inject({
      method: 'POST',
      url: '/api/auth/accounts',
      payload: anApplicant('a8@example.lk'),
      headers: await proof(logged.app),
    })
    const secret = cookieOf(made).value
    await work()
    const token = await tokenFor('a8@example.lk')
    await logged.app.inject({
      method: 'POST',
      url: '/api/auth/reset-password',
      payload: { username: 'a8@example.lk', password: GOOD, token },
    })
    await logged.close()
    const told = lines.join('')
    expect(told).toContain('/api/auth/reset-password')
    for (const word of [secret, token, GOOD]) expect(told).not.toContain(word)
    const { rows } = await database.owner.pool.query('select * from app.one_time_token t, app.audit_payload p')
    for (const word of [secret, token, GOOD]) expect(JSON.stringify(rows)).not.toContain(word)
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) => write('/api/auth/forgot-password', { email })

  test('gets the same answer with and without an account', async () => {
    await own.person('forgetful')
    const answers = await Promise.all([ask('forgetful@example.lk'), ask('nobody-at-all@example.lk')])
    const [known, unknown] = answers.map(({ statusCode, headers, body }) => ({
      statusCode,
      body,
      headers: Object.keys(headers).sort(),
    }))
    expect(known).toEqual(unknown)
    expect(known!.statusCode).toBe(202)
    // The same work in both cases: one job each, which looks for the account later.
    const { rows } = await database.pool.query(
      `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'mail-password-links'`,
    )
    expect(rows.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ email: 'forgetful@example.lk' }, { email: 'nobody-at-all@example.lk' }]),
    )
    expect(await mailsTo('forgetful@example.lk')).toEqual([])
    await work()
    expect(await mailsTo('forgetful@example.lk')).toHaveLength(1)
    expect(await mailsTo('nobody-at-all@example.lk')).toEqual([])
  })

  test('takes about as long for both', async () => {
    await own.person('timed')
    const times: Record<string, number[]> = { 'timed@example.lk': [], 'untimed@example.lk': [] }
    for (let n = 0; n < 15; n++)
      for (const email of Object.keys(times)) {
        const headers = await proof(own.app)
        const remoteAddress = `10.1.${n}.${times[email]!.length}`
        const began = performance.now()
        await own.app.inject({
          method: 'POST',
          url: '/api/auth/forgot-password',
          payload: { email },
          headers,
          remoteAddress,
        })
        times[email]!.push(performance.now() - began)
      }
    const [known, unknown] = Object.values(times).map((all) => all.sort((a, b) => a - b)[7]!)
    expect(known! / unknown!).toBeGreaterThan(0.4)
    expect(known! / unknown!).toBeLessThan(2.5)
    await work()
  })

  test('accepts every link until one is used, then none; sessions end, and the owner is notified', async () => {
    const person = await own.person('wimal')
    const page = '/session/forgot-password'
    await ask('wimal@example.lk')
    await work()
    const older = await tokenFor('wimal@example.lk', page)
    await ask('wimal@example.lk')
    await work()
    const newer = await tokenFor('wimal@example.lk', page)
    const set = (token: string) =>
      own.send('POST', '/api/auth/reset-password', { username: 'wimal', password: BETTER, token })
    expect((await person.send('GET', '/api/me')).statusCode).toBe(200)
    const done = await set(older)
    expect([done.statusCode, done.json()]).toEqual([201, { message: 'Password Reset Successfull!' }])
    for (const spent of [older, newer]) expect(codeOf(await set(spent))).toEqual([410, 'platform.link-spent'])
    expect((await person.send('GET', '/api/me')).statusCode).toBe(401)
    expect((await signIn(own.app, 'wimal')).statusCode).toBe(401)
    expect((await entry('wimal', BETTER)).statusCode).toBe(200)
    expect((await mailsTo('wimal@example.lk')).map(({ template }) => template)).toEqual([
      'platform.mail.password-changed',
      'platform.mail.reset-password',
      'platform.mail.reset-password',
    ])
  })

  test('floods nobody’s mailbox, and opens no deactivated account', async () => {
    const { id } = await own.person('flooded')
    for (let n = 0; n < 8; n++) await ask('flooded@example.lk')
    await work()
    expect(await mailsTo('flooded@example.lk')).toHaveLength(5)
    const token = await tokenFor('flooded@example.lk', '/session/forgot-password')
    await database.owner.pool.query('update app.account set active = false where id = $1', [id])
    expect(
      codeOf(await own.send('POST', '/api/auth/reset-password', { username: 'flooded', password: BETTER, token })),
    ).toEqual([410, 'platform.link-spent'])
    await database.owner.pool.query('truncate app.throttle')
    await ask('flooded@example.lk')
    await work()
    expect(await mailsTo('flooded@example.lk')).toHaveLength(5)
  })
})

test('public forms are read and checked without signing in, others are not found', async () => {
  expect((await own.send('GET', '/api/public/forms/resource-reservation/booking-approval')).statusCode).toBe(404)
  const form = (await own.send('GET', '/api/public/forms/applicant-accounts/account')).json()
  expect(form.schema.properties.nic['x-messages'].format).toBe('applicant-accounts.nic-invalid')
  const validator = await own.send('GET', `/api/forms/${form.hash}/validator.js`)
  expect([validator.statusCode, validator.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(validator.body).toContain('export function check')
})

test('requests without proofs, or with invalid tokens, do not keep others at the address from resetting a password', async () => {
  await own.person('neighbour')
  const at = (url: string, payload: object, headers: Record<string, string> = {}) =>
    own.app.inject({ method: 'POST', url, payload, headers, remoteAddress: '10.9.9.9' })
  const forgot = (headers = {}) => at('/api/auth/forgot-password', { email: 'neighbour@example.lk' }, headers)
  const look = (token: string) => at('/api/auth/tokens/look', { token })
  const reset = (token?: string) =>
    at('/api/auth/reset-password', { username: 'neighbour', password: BETTER, ...(token && { token }) })
  for (let n = 0; n < 130; n++) {
    expect((await forgot()).statusCode).toBe(428)
    expect((await look(`none-${n}`)).statusCode).toBe(410)
    expect((await reset(`none-${n}`)).statusCode).toBe(410)
    expect((await own.app.inject({ url: '/api/public/proof', remoteAddress: '10.9.9.9' })).statusCode).toBe(200)
  }
  expect((await forgot(await proof(own.app))).statusCode).toBe(202)
  await work()
  const token = await tokenFor('neighbour@example.lk', '/session/forgot-password')
  expect((await look(token)).statusCode).toBe(200)
  expect((await reset(token)).statusCode).toBe(201)
})

test('tries of one token are limited', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 41; n++)
    statuses.add((await write('/api/auth/reset-password', { username: 'a', password: GOOD, token: 'x' })).statusCode)
  expect([...statuses]).toEqual([410, 429])
})

test('everything an address requests with proofs makes the next proof harder', async () => {
  await database.owner.pool.query('truncate app.throttle')
  const remoteAddress = '10.9.9.8'
  for (const [url, payload] of [
    ['/api/auth/register', { email: 'dearer@example.lk', password: GOOD }],
    ['/api/auth/forgot-password', { email: 'dearer@example.lk' }],
    ['/api/auth/register', { email: 'no address', password: GOOD }],
  ] as const)
    await own.app.inject({ method: 'POST', url, payload, remoteAddress, headers: await proof(own.app) })
  const { rows } = await database.pool.query(`select count from app.throttle where key like 'stranger:%'`)
  expect(rows).toEqual([{ count: 3 }])
})

describe('an account created with somebody else’s address', () => {
  /** Signs up and inserts an authenticator and a passkey, as if they had been added in another way. */
  async function squatter(email: string) {
    await write('/api/auth/register', { email, password: GOOD })
    const token = (await entry(email, GOOD)).json().access_token
    const { id } = await database.db
      .selectFrom('account')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const send = (url: string, payload: object) =>
      own.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } })
    return { id, send }
  }

  async function plantFactors(id: string): Promise<void> {
    await database.owner.pool.query(
      `insert into app.totp (account_id, sealed_secret, confirmed_at) values ($1::uuid, '', now())`,
      [id],
    )
    await database.owner.pool.query(
      `insert into app.passkey (id, account_id, name, public_key, counter, transports)
      values ('key-' || $1, $1::uuid, 'theirs', '', 0, '{}')`,
      [id],
    )
    await database.owner.pool.query(`insert into app.recovery_code (account_id, hash) values ($1, '')`, [id])
    await database.owner.pool.query(
      `insert into app.challenge (id, kind, account_id, value, expires_at)
      values (gen_random_uuid(), 'second-factor', $1, '', now() + interval '5 minutes')`,
      [id],
    )
  }

  const factorsLeft = async (id: string) =>
    (
      await database.owner.pool.query(
        `select (select count(*) from app.totp where account_id = $1) + (select count(*) from app.passkey where account_id = $1)
         + (select count(*) from app.recovery_code where account_id = $1) + (select count(*) from app.challenge where account_id = $1)
         + (select count(*) from app.session where account_id = $1 and ended_at is null) as left`,
        [id],
      )
    ).rows[0].left

  test('accepts no second factor', async () => {
    const { id, send } = await squatter('squat1@example.lk')
    for (const url of ['/api/me/totp', '/api/me/passkeys/options'])
      expect(codeOf(await send(url, { password: GOOD }))).toEqual([403, 'platform.email-unconfirmed'])
    await database.owner.pool.query(`update app.account set email_confirmed_at = now() where id = $1`, [id])
    for (const url of ['/api/me/totp', '/api/me/passkeys/options'])
      expect((await send(url, { password: GOOD })).statusCode).toBe(200)
  })

  test('belongs to the owner of the address once they set a password by the mailed link', async () => {
    const { id } = await squatter('squat2@example.lk')
    await plantFactors(id)
    await write('/api/auth/forgot-password', { email: 'squat2@example.lk' })
    await work()
    const token = await tokenFor('squat2@example.lk', '/session/forgot-password')
    await write('/api/auth/reset-password', { username: 'squat2@example.lk', password: BETTER, token })
    expect(await factorsLeft(id)).toBe('0')
    expect((await entry('squat2@example.lk', BETTER)).statusCode).toBe(200)
  })

  test('keeps its second factors if the address was confirmed', async () => {
    const { id } = await squatter('squat3@example.lk')
    await database.owner.pool.query(`update app.account set email_confirmed_at = now() where id = $1`, [id])
    await plantFactors(id)
    await write('/api/auth/forgot-password', { email: 'squat3@example.lk' })
    await work()
    const token = await tokenFor('squat3@example.lk', '/session/forgot-password')
    await write('/api/auth/reset-password', { username: 'squat3@example.lk', password: BETTER, token })
    expect((await entry('squat3@example.lk', BETTER)).json().code).toBe('platform.second-factor-wanted')
  })

  test('belongs to the student once the student office sends them a link', async () => {
    const { id } = await squatter('squat4@students.example.lk')
    await plantFactors(id)
    const admin = await own.person('office', { role: 'ADMIN' })
    const student = await anItem(database.db, 'platform/student', {
      status: 'active',
      data: {
        reg_no: 'FM/2025/099',
        full_name: 'Squatted',
        email: 'squat4@students.example.lk',
        faculty: randomUUID(),
        programme: await aProgramme(database.db),
      },
    })
    const sent = await admin.send('POST', '/api/students/password-links', { items: [student] })
    expect(sent.json()).toMatchObject({ sent: 1, skipped: [] })
    expect(await factorsLeft(id)).toBe('0')
  })
})

test('a large body is refused', async () => {
  const answer = await own.send(
    'POST',
    '/api/auth/accounts',
    anApplicant('big@example.lk', { full_name: 'x'.repeat(20_000) }),
  )
  expect(codeOf(answer)).toEqual([413, 'platform.body-too-large'])
})

describe('password links for students', () => {
  const MUSIC = '8f4a4c1e-0000-4000-8000-000000000001'
  const VISUAL = '8f4a4c1e-0000-4000-8000-000000000002'
  const INTAKE = '8f4a4c1e-0000-4000-8000-000000000003'
  let programme: string
  beforeAll(async () => {
    programme = await aProgramme(database.db)
  })
  const student = (n: number, more: { status?: string; faculty?: string; email?: string } = {}) =>
    anItem(database.db, 'platform/student', {
      status: more.status ?? 'active',
      data: {
        reg_no: `FM/2025/00${n}`,
        full_name: `Student Number ${n}`,
        email: more.email ?? `s${n}@students.example.lk`,
        faculty: more.faculty ?? MUSIC,
        intake: INTAKE,
        programme,
      },
    })

  test('are sent by the student office, each within its scope, and create accounts', async () => {
    await database.owner.pool.query(`update app.permission_group set roles = '{MA}' where name = 'AllStudents'`)
    const clerk = await own.person('clerk', { role: 'MA', scope: { kind: 'faculty', id: MUSIC } })
    const stranger = await own.person('stranger', { role: 'Lecturer' })
    const lecturer = await own.person('lecturer', { role: 'Lecturer' })
    await database.owner.pool.query(`update app.account set email_confirmed_at = null where id = $1`, [lecturer.id])
    const [one, two, suspended, elsewhere, squatted, namesake, applied] = await Promise.all([
      student(1),
      student(2),
      student(3, { status: 'suspended' }),
      student(4, { faculty: VISUAL }),
      student(5),
      student(6, { email: 'lecturer@example.lk' }),
      student(7),
    ])
    // Somebody created an account with a student's address, which nobody has confirmed.
    await write('/api/auth/register', { email: 's5@students.example.lk', password: GOOD })
    const squatter = await write('/api/auth/accounts', anApplicant('s7@students.example.lk'))
    const url = '/api/students/password-links'
    expect((await own.send('POST', url, { items: [one] })).statusCode).toBe(401)
    expect((await stranger.send('POST', url, { items: [one] })).statusCode).toBe(403)
    expect((await stranger.send('GET', url)).statusCode).toBe(403)
    const listed = (await clerk.send('GET', `${url}?intake=${INTAKE}&limit=5`)).json()
    expect(listed).toMatchObject({ total: 6, next: expect.any(String) })
    const next = (await clerk.send('GET', `${url}?intake=${INTAKE}&cursor=${listed.next}`)).json()
    expect(next.next).toBeNull()
    const links = Object.fromEntries([...listed.items, ...next.items].map(({ id, link }: any) => [id, link]))
    expect(links).toEqual({
      [one]: 'first',
      [two]: 'first',
      [suspended]: 'not-active',
      [squatted]: 'first',
      [namesake]: 'address-in-use',
      [applied]: 'first',
    })
    const first = await clerk.send('POST', url, {
      items: [one, suspended, elsewhere, squatted, namesake, applied, MUSIC],
    })
    expect([first.statusCode, first.json()]).toEqual([
      202,
      {
        sent: 3,
        resent: 0,
        skipped: expect.arrayContaining([
          { id: suspended, name: 'Student Number 3', reason: 'not-active' },
          { id: elsewhere, name: null, reason: 'not-found' },
          { id: namesake, name: 'Student Number 6', reason: 'address-in-use' },
          { id: MUSIC, name: null, reason: 'not-found' },
        ]),
      },
    ])
    const { rows: told } = await database.owner.pool.query(
      `select acted_as, payload->>'role' as role, payload->'scope'->>'id' as scope
       from app.audit_entry e join app.audit_payload p on p.entry_id = e.id where action = 'grant.given' and actor = $1`,
      [clerk.id],
    )
    const granted = { acted_as: 'group:AllStudents', role: 'Undergraduate Student', scope: MUSIC }
    expect(told).toEqual([granted, granted, granted])
    expect((await entry('s5@students.example.lk', GOOD)).statusCode).toBe(401)
    const late = await own.send(
      'POST',
      '/api/auth/reset-password',
      { username: 's7@students.example.lk', password: GOOD },
      { cookie: `prakriya_setup=${squatter.cookies[0]!.value}` },
    )
    expect(codeOf(late)).toEqual([403, 'platform.password-proof-wanted'])
    expect((await lecturer.send('GET', '/api/me')).statusCode).toBe(200)
    await work()
    const token = await tokenFor('s1@students.example.lk')
    await own.send('POST', '/api/auth/reset-password', { username: 'FM/2025/001', password: GOOD, token })
    const again = await clerk.send('POST', url, { filter: { intake: INTAKE } })
    expect(again.json()).toEqual({
      sent: 1,
      resent: 2,
      skipped: expect.arrayContaining([
        { id: one, name: 'Student Number 1', reason: 'has-password' },
        { id: suspended, name: 'Student Number 3', reason: 'not-active' },
      ]),
    })
    await work()
    expect(await mailsTo('s5@students.example.lk')).toHaveLength(3)
    const me = await own.send('GET', '/api/me', undefined, {
      authorization: `Bearer ${(await entry('FM/2025/001', GOOD)).json().access_token}`,
    })
    expect(me.json()).toMatchObject({
      username: 'FM/2025/001',
      grants: [{ role: 'Undergraduate Student', scope: { kind: 'faculty', id: MUSIC } }],
      record: { id: one },
    })
    expect(two).toBeDefined()
  })
})
