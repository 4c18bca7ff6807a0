import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { accounts, principalsOf } from '../../api/platform/identity/accounts.ts'
import { admits } from '../../api/platform/identity/person.ts'
import { sessions } from '../../api/platform/identity/sessions.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount } from './kit/rows.ts'

let database: TestDatabase
let own: ReturnType<typeof sessions>
let id: string
beforeAll(async () => {
  database = await freshDatabase()
  own = sessions(database.db)
  id = await anAccount(database.db, { username: 'nimal', password: 'correct horse' })
})
afterAll(() => database.drop())

test('a wrong password, an unknown name, an account without password and a closed one are refused alike', async () => {
  await anAccount(database.db, { username: 'no-password' })
  const closed = await anAccount(database.db, { username: 'closed', password: 'correct horse' })
  await database.db.updateTable('account').set({ active: false }).where('id', '=', closed).execute()
  for (const [name, password] of [
    ['nimal', 'wrong'],
    ['nobody', 'correct horse'],
    ['no-password', ''],
    ['closed', 'correct horse'],
  ] as const)
    await expect(own.signIn(name, password)).rejects.toMatchObject({ code: 'platform.sign-in-refused', values: {} })
})

test('people sign in by name or address, without regard to capitals', async () => {
  await expect(own.signIn('Nimal', 'correct horse')).resolves.toMatchObject({
    person: { id, username: 'nimal' },
    expiresIn: 86_400,
  })
  await expect(own.signIn('NIMAL@example.lk', 'correct horse')).resolves.toMatchObject({ person: { id } })
})

test('a refresh token that comes again later ends its family, the newest token included', async () => {
  const first = await own.signIn('nimal', 'correct horse')
  const second = await own.refresh(first.refreshToken)
  expect(second.family).toBe(first.family)
  expect(await own.stands(first.family)).toBe(true)
  await database.db
    .updateTable('refresh_token')
    .set({ used_at: new Date(Date.now() - 11_000) })
    .where('family', '=', first.family)
    .where('used_at', 'is not', null)
    .execute()
  await expect(own.refresh(first.refreshToken)).rejects.toMatchObject({ code: 'platform.session-ended' })
  await expect(own.refresh(second.refreshToken)).rejects.toMatchObject({ code: 'platform.session-ended' })
  expect(await own.stands(first.family)).toBe(false)
})

test('two tabs that refresh at once, and one whose answer was lost, keep their session', async () => {
  const { refreshToken, family } = await own.signIn('nimal', 'correct horse')
  const both = await Promise.all([own.refresh(refreshToken), own.refresh(refreshToken)])
  for (const session of both) await expect(own.refresh(session.refreshToken)).resolves.toMatchObject({ family })
  expect(await own.stands(family)).toBe(true)
})

test('a session does not outlive its day, however often it is refreshed', async () => {
  const { refreshToken, family } = await own.signIn('nimal', 'correct horse')
  await database.db
    .updateTable('refresh_token')
    .set({ expires_at: new Date(Date.now() + 60_000) })
    .where('family', '=', family)
    .execute()
  const next = await own.refresh(refreshToken)
  expect(next.expiresIn).toBeLessThanOrEqual(60)
  await database.db.updateTable('refresh_token').set({ expires_at: new Date() }).where('family', '=', family).execute()
  await expect(own.refresh(next.refreshToken)).rejects.toMatchObject({ code: 'platform.session-ended' })
})

test('signing out ends the session; no token is stored as it is', async () => {
  const { refreshToken, family } = await own.signIn('nimal', 'correct horse')
  await own.signOut(refreshToken)
  expect(await own.stands(family)).toBe(false)
  const { rows } = await database.pool.query('select hash from app.refresh_token')
  expect(rows.some((row) => row.hash.toString() === refreshToken)).toBe(false)
})

test('grants hold from their first to their last day, and scoped ones count in both forms', async () => {
  const day = 86_400_000
  const head = await anAccount(database.db)
  const give = accounts(database.db).grant
  await give(head, { role: 'HOD', scope: { kind: 'department', id: '12' } })
  await give(head, { role: 'Lecturer' })
  await give(head, { role: 'Registrar', startsAt: new Date(Date.now() + day) })
  await give(head, { role: 'Dean', startsAt: new Date(Date.now() - 2 * day), endsAt: new Date(Date.now() - day) })
  expect(await principalsOf(database.db, head)).toEqual([`user:${head}`, 'HOD', 'HOD@department:12', 'Lecturer'])
})

test('a scope lets in the head of that scope alone; ADMIN is let in and named as such', async () => {
  const head = await anAccount(database.db)
  await accounts(database.db).grant(head, { role: 'HOD', scope: { kind: 'department', id: '12' } })
  const admin = await anAccount(database.db)
  await accounts(database.db).grant(admin, { role: 'ADMIN' })
  const [asHead, asAdmin] = [await accounts(database.db).getPerson(head), await accounts(database.db).getPerson(admin)]
  expect(admits(asHead, ['HOD@department'], { department: '12' })).toBe('HOD@department:12')
  expect(admits(asHead, ['HOD@department'], { department: '13' })).toBeUndefined()
  expect(admits(asHead, ['HOD@department'], {})).toBeUndefined()
  expect(admits(asHead, ['*'])).toBe(`user:${head}`)
  expect(admits(asAdmin, ['HOD@department'], { department: '13' })).toBe('ADMIN')
})
