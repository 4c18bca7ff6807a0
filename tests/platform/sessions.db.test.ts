import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { getPerson, grantRole, principalsOf } from '../../api/platform/people/identity/accounts.ts'
import { admits } from '../../api/platform/people/persons/person.ts'
import {
  listSessions,
  refreshSession,
  isSessionOpen,
  signInByPassword,
  signOut,
} from '../../api/platform/people/identity/sessions.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

let database: TestDatabase
let id: string
const client = { userAgent: 'a test', address: '192.0.2.7' }
const signIn = (name = 'nimal', password = 'correct horse') => signInByPassword(database.db, name, password, client)
beforeAll(async () => {
  database = await freshDatabase()
  id = await anAccount(database.db, { username: 'nimal', password: 'correct horse' })
  // Without an administrator no account can be closed.
  await grantRole(database.db, await anAccount(database.db), { role: 'ADMIN' })
})
afterAll(() => database.drop())

test('a wrong password, an unknown name, an account without password and a deactivated one get the same refusal', async () => {
  await anAccount(database.db, { username: 'no-password' })
  const closed = await anAccount(database.db, { username: 'closed', password: 'correct horse' })
  await database.db.updateTable('account').set({ active: false }).where('id', '=', closed).execute()
  for (const [name, password] of [
    ['nimal', 'wrong'],
    ['nobody', 'correct horse'],
    ['no-password', ''],
    ['closed', 'correct horse'],
  ] as const)
    await expect(signIn(name, password)).rejects.toMatchObject({ code: 'platform.sign-in-refused', values: {} })
})

test('people sign in by name or address, in any case', async () => {
  await expect(signIn('Nimal')).resolves.toMatchObject({
    person: { id, username: 'nimal' },
    expiresIn: 86_400,
  })
  expect((await listSessions(database.db, id))[0]).toMatchObject({
    method: 'password',
    user_agent: 'a test',
    address: '192.0.2.7',
  })
  await expect(signIn('NIMAL@example.lk')).resolves.toMatchObject({ person: { id } })
})

/** As if the seconds in which a token may be reused had passed. */
const later = (family: string) =>
  database.db
    .updateTable('refresh_token')
    .set({ used_at: sql`used_at - interval '11 seconds'` })
    .where('family', '=', family)
    .execute()
const over = { code: 'platform.session-ended' }

test('a reused refresh token ends its family, the newest token included', async () => {
  const first = await signIn()
  const second = await refreshSession(database.db, first.refreshToken)
  expect(second.family).toBe(first.family)
  expect(await isSessionOpen(database.db, first.family)).toBe(true)
  await later(first.family)
  await expect(refreshSession(database.db, first.refreshToken)).rejects.toMatchObject(over)
  await expect(refreshSession(database.db, second.refreshToken)).rejects.toMatchObject(over)
  expect(await isSessionOpen(database.db, first.family)).toBe(false)
})

test('a stolen refresh token ends the session of both, regardless of who refreshes first', async () => {
  for (const order of ['the thief', 'the owner']) {
    const { refreshToken: stolen, family } = await signIn()
    const first = await refreshSession(database.db, stolen)
    await later(family)
    await expect(refreshSession(database.db, stolen)).rejects.toMatchObject(over)
    await expect(refreshSession(database.db, first.refreshToken)).rejects.toMatchObject(over)
    expect([order, await isSessionOpen(database.db, family)]).toEqual([order, false])
  }
})

test('a copy used within the same seconds gets no tokens of its own, and is found at the next step', async () => {
  const { refreshToken: stolen, family } = await signIn()
  const [owner, thief] = [await refreshSession(database.db, stolen), await refreshSession(database.db, stolen)]
  expect(thief.refreshToken).toBe(owner.refreshToken)
  const next = await refreshSession(database.db, thief.refreshToken)
  await later(family)
  await expect(refreshSession(database.db, owner.refreshToken)).rejects.toMatchObject(over)
  await expect(refreshSession(database.db, next.refreshToken)).rejects.toMatchObject(over)
})

test('two tabs that refresh at once, and one whose answer was lost, keep their session', async () => {
  const { refreshToken, family } = await signIn()
  const both = await Promise.all([refreshSession(database.db, refreshToken), refreshSession(database.db, refreshToken)])
  for (const session of both)
    await expect(refreshSession(database.db, session.refreshToken)).resolves.toMatchObject({ family })
  // The first tab's answer comes last, so the browser keeps its older token.
  const late = await refreshSession(database.db, refreshToken)
  await later(family)
  await expect(refreshSession(database.db, late.refreshToken)).resolves.toMatchObject({ family })
})

test('a session does not outlive its day, however often it is refreshed', async () => {
  const { refreshToken, family } = await signIn()
  const ends = (at: Date) =>
    database.db.updateTable('session').set({ expires_at: at }).where('id', '=', family).execute()
  await ends(new Date(Date.now() + 60_000))
  const next = await refreshSession(database.db, refreshToken)
  expect(next.expiresIn).toBeLessThanOrEqual(60)
  await ends(new Date())
  await expect(refreshSession(database.db, next.refreshToken)).rejects.toMatchObject(over)
  expect(await isSessionOpen(database.db, family)).toBe(false)
})

test('sign-ins remove expired rows; valid ones stay', async () => {
  const { family } = await signIn()
  const old = await signIn()
  await database.owner.pool.query(
    `update app.refresh_token set expires_at = now() - interval '31 days' where family = $1`,
    [old.family],
  )
  await database.owner.pool.query(`update app.session set expires_at = now() - interval '31 days' where id = $1`, [
    old.family,
  ])
  await database.owner.pool.query(`
    insert into app.challenge (id, kind, value, expires_at) values
      ('00000000-0000-4000-8000-000000000001', 'passkey-sign-in', 'old', now() - interval '1 minute'),
      ('00000000-0000-4000-8000-000000000002', 'passkey-sign-in', 'new', now() + interval '1 minute');
    insert into app.throttle (key, count, until) values ('old', 1, now() - interval '1 minute'), ('new', 1, now() + interval '1 hour');
    insert into app.spent_proof (id, expires_at) values ('old', now() - interval '1 minute'), ('new', now() + interval '1 hour')`)
  await aCase(database.db, id)
  await database.pool.query(
    `insert into app.start_draft (account_id, flow, form_hash, data, saved_at)
      select $1, flow, hash, '{}', now() - age from (select hash from app.artifact limit 1) as form,
        (values ('a/old', interval '91 days'), ('a/new', interval '89 days')) as draft (flow, age)`,
    [id],
  )
  await signIn()
  // A session is deleted after its tokens.
  await signIn()
  const { rows } = await database.pool.query(
    `
    select (select count(*) from app.refresh_token where family = $1)::int as tokens,
      (select array_agg(id) from app.session where id in ($1, $2)) as sessions,
      (select array_agg(value) from app.challenge) as challenges, (select array_agg(key) from app.throttle) as counts,
      (select array_agg(id) from app.spent_proof) as proofs, (select array_agg(flow) from app.start_draft) as drafts`,
    [old.family, family],
  )
  expect(rows).toEqual([
    { tokens: 0, sessions: [family], challenges: ['new'], counts: ['new'], proofs: ['new'], drafts: ['a/new'] },
  ])
})

test('signing out ends the session; no token is stored in plain text', async () => {
  const { refreshToken, family } = await signIn()
  await signOut(database.db, refreshToken)
  expect(await isSessionOpen(database.db, family)).toBe(false)
  const { rows } = await database.pool.query('select hash from app.refresh_token')
  expect(rows.some((row) => row.hash.toString() === refreshToken)).toBe(false)
})

test('grants apply from their first to their last day, and scoped ones count in both forms', async () => {
  const day = 86_400_000
  const head = await anAccount(database.db)
  await grantRole(database.db, head, { role: 'HOD', scope: { kind: 'department', id: '12' } })
  await grantRole(database.db, head, { role: 'Lecturer' })
  await grantRole(database.db, head, { role: 'Registrar', startsAt: new Date(Date.now() + day) })
  await grantRole(database.db, head, {
    role: 'Dean',
    startsAt: new Date(Date.now() - 2 * day),
    endsAt: new Date(Date.now() - day),
  })
  expect(await principalsOf(database.db, head)).toEqual([`user:${head}`, 'HOD', 'HOD@department:12', 'Lecturer'])
})

test('a scope admits the head of that scope alone; ADMIN is admitted and named as such', async () => {
  const head = await anAccount(database.db)
  await grantRole(database.db, head, { role: 'HOD', scope: { kind: 'department', id: '12' } })
  const admin = await anAccount(database.db)
  await grantRole(database.db, admin, { role: 'ADMIN' })
  const [asHead, asAdmin] = [await getPerson(database.db, head), await getPerson(database.db, admin)]
  expect(admits(asHead, ['HOD@department'], { department: '12' })).toBe('HOD@department:12')
  expect(admits(asHead, ['HOD@department'], { department: '13' })).toBeUndefined()
  expect(admits(asHead, ['HOD@department'], {})).toBeUndefined()
  expect(admits(asHead, ['*'])).toBe(`user:${head}`)
  expect(admits(asAdmin, ['HOD@department'], { department: '13' })).toBe('ADMIN')
})
