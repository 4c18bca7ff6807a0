import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { proof } from './kit/proof.ts'

const PASSWORD = 'Prakriya2026'

let database: TestDatabase
let own: TestApp
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  await own.person('kamala')
  await own.person('sunil')
})
afterAll(async () => {
  await own.close()
  await database.drop()
})
beforeEach(() => database.owner.pool.query('truncate app.throttle'))

interface From {
  address?: string
  device?: string
  headers?: Record<string, string>
}

function attempt(username: string, password: string, { address = '192.0.2.1', device, headers = {} }: From = {}) {
  return own.app.inject({
    method: 'POST',
    url: '/api/auth/token',
    remoteAddress: address,
    payload: new URLSearchParams({ grant_type: 'password', username, password, client_id: 'web' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(device ? { cookie: `prakriya_device=${device}` } : {}),
      ...headers,
    },
  })
}

/** Fails this many times in a row, with a proof if one is required, as an attacker does. */
async function hammers(username: string, times: number, from: From = {}): Promise<void> {
  for (let n = 0; n < times; n++) {
    const answer = await attempt(username, `wrong ${n}`, from)
    if (answer.statusCode === 428) {
      const headers = await proof(own.app, answer.json().difficulty)
      expect((await attempt(username, `wrong ${n}`, { ...from, headers })).statusCode).toBe(401)
    }
  }
}

/** Signs in and returns the device cookie. */
async function deviceOf(username: string): Promise<string> {
  const answer = await attempt(username, PASSWORD)
  const cookie = answer.cookies.find(({ name }) => name === 'prakriya_device')!
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/auth', maxAge: 365 * 86_400 })
  return cookie.value
}

const seen = (answer: { statusCode: number; json(): any }) => [answer.statusCode, answer.json().code]

test('concurrent guesses at one name count like consecutive ones, whether or not it exists', async () => {
  for (const name of ['kamala', 'nobody']) {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => attempt(name, `wrong ${n}`)))
    const codes = answers.map((answer) => answer.json().code)
    expect(codes.filter((code) => code === 'platform.sign-in-refused')).toHaveLength(5)
    expect(codes.filter((code) => code === 'platform.proof-wanted')).toHaveLength(25)
  }
})

test('any number of concurrent correct passwords succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => attempt('kamala', PASSWORD)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})

test('a name is one however it is typed, and an existing one gets the same answer as an unknown one', async () => {
  const typed = (name: string) => [
    name,
    name.toUpperCase(),
    ` ${name} `,
    `\u3000${name}`,
    `\uFF2B${name.slice(1)}`,
    name,
  ]
  for (const name of ['kamala', 'kobody']) {
    const answers = []
    for (const one of typed(name)) answers.push(await attempt(one, 'wrong'))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401, 428])
    expect(seen(await attempt(`${name}\u00A0`, 'wrong'))).toEqual([428, 'platform.proof-wanted'])
  }
})

test('signs in by the name as it is counted', async () => {
  for (const name of [' kamala ', 'Kamala@Example.lk', '\uFF2Bamala'])
    expect((await attempt(name, PASSWORD)).statusCode).toBe(200)
})

test('failures by name do not reveal which email address an account has', async () => {
  await hammers('kamala', 8)
  for (const name of ['kamala@example.lk', 'sunil@example.lk', 'nobody@example.lk'])
    expect(seen(await attempt(name, 'wrong'))).toEqual([401, 'platform.sign-in-refused'])
  expect(seen(await attempt('kamala', 'wrong'))).toEqual([428, 'platform.proof-wanted'])
})

test('guessing with proofs gets harder, up to a limit; claimed addresses change nothing', async () => {
  await hammers('kamala', 5)
  const levels: number[] = []
  for (const count of [5, 8, 11, 14, 17, 500]) {
    await database.db.updateTable('throttle').set({ count }).where('key', 'like', 'account-address:%').execute()
    const headers = { 'x-forwarded-for': `198.51.100.${count % 250}` }
    levels.push((await attempt('kamala', 'wrong', { headers })).json().difficulty)
  }
  expect(levels).toEqual([1, 2, 3, 4, 5, 5])
  const cheap = await proof(own.app, 4)
  expect(seen(await attempt('kamala', PASSWORD, { headers: cheap }))).toEqual([428, 'platform.proof-wanted'])
})

test.each([
  ['at the same address', '192.0.2.1'],
  ['elsewhere', '203.0.113.5'],
])('an attack on an account %s does not lock out its owner', async (_where, address) => {
  const device = await deviceOf('kamala')
  await hammers('kamala', 12, { address })
  await database.db.updateTable('throttle').set({ count: 40 }).where('count', '>', 4).execute()
  // In a browser that was signed in before, no proof is required.
  expect((await attempt('kamala', PASSWORD, { device })).statusCode).toBe(200)
  // In another one a proof of the highest difficulty is required, and with it the owner signs in.
  const wanted = await attempt('kamala', PASSWORD)
  expect(seen(wanted)).toEqual([428, 'platform.proof-wanted'])
  const headers = await proof(own.app, wanted.json().difficulty)
  expect((await attempt('kamala', PASSWORD, { headers })).statusCode).toBe(200)
})

test('an attack from many addresses makes everybody but the owner solve proofs', async () => {
  const device = await deviceOf('kamala')
  for (let n = 0; n < 20; n++) await attempt('kamala', 'wrong', { address: `198.51.100.${n}` })
  expect(seen(await attempt('kamala', 'wrong', { address: '198.51.100.200' }))).toEqual([428, 'platform.proof-wanted'])
  expect((await attempt('sunil', PASSWORD, { address: '198.51.100.200' })).statusCode).toBe(200)
  expect((await attempt('kamala', PASSWORD, { device })).statusCode).toBe(200)
})

test('an address that tries many names needs proofs for each, and others do not', async () => {
  for (let n = 0; n < 50; n++) await attempt(`name-${n}`, 'wrong')
  expect(seen(await attempt('sunil', PASSWORD))).toEqual([428, 'platform.proof-wanted'])
  expect((await attempt('sunil', PASSWORD, { address: '192.0.2.77' })).statusCode).toBe(200)
})

test('counts halve in a quarter of an hour', async () => {
  await attempt('kamala', 'wrong')
  await database.db.updateTable('throttle').set({ count: 8 }).where('key', 'like', 'account-address:%').execute()
  expect((await attempt('kamala', 'wrong')).statusCode).toBe(428)
  await database.owner.pool.query(`update app.throttle set until = until - interval '15 minutes'`)
  expect((await attempt('kamala', 'wrong')).statusCode).toBe(401)
  expect((await attempt('kamala', 'wrong')).statusCode).toBe(428)
})

test('a device mark works for its own account and unaltered only, and its guesses count too', async () => {
  const device = await deviceOf('kamala')
  await hammers('sunil', 5, { device })
  expect(seen(await attempt('sunil', 'wrong', { device }))).toEqual([428, 'platform.proof-wanted'])
  const [account, id, at, mac] = device.split('.')
  const { rows } = await database.pool.query(`select id from app.account where username = 'sunil'`)
  for (const forged of [
    [rows[0].id, id, at, mac],
    [account, id, Number(at) + 1, mac],
    [account, id, at, ''],
    [account, id, at],
  ])
    expect((await attempt('sunil', 'wrong', { device: forged.join('.') })).statusCode).toBe(428)
  await database.owner.pool.query('truncate app.throttle')
  for (let n = 0; n < 10; n++) expect((await attempt('kamala', 'wrong', { device })).statusCode).toBe(401)
  expect(seen(await attempt('kamala', 'wrong', { device }))).toEqual([428, 'platform.proof-wanted'])
})
