import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { getPerson, grantRole } from '../../api/platform/people/identity/accounts.ts'
import {
  type ExternalAccountDependencies,
  resolveExternalAccount,
} from '../../api/platform/features/accounts/external-accounts.ts'
import type { IdentityClaims } from '../../api/platform/people/identity/oidc.ts'
import { isSessionOpen } from '../../api/platform/people/identity/sessions.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount } from './kit/rows.ts'

let database: TestDatabase
let context: ExternalAccountDependencies
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  context = { db, library, offers: { definitions: definitionStore(db), roles: library.roles } }
})
afterAll(() => database.drop())

/** The identity server's claims about somebody, each at a different second. */
let second = Date.parse('2026-03-02T09:00:00Z')
function told(username: string, roles: string[] = [], more: Partial<IdentityClaims> = {}): IdentityClaims {
  const email = `${username}@example.lk`
  const issuedAt = new Date((second += 1000))
  return { subject: `sub-${username}`, username, name: username, email, emailVerified: true, roles, issuedAt, ...more }
}

const grantsOf = async (id: string) =>
  (await getPerson(database.db, id)).grants.map(({ role, scopeKind }) => (scopeKind ? `${role}@${scopeKind}` : role))
const rowOf = (id: string) =>
  database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Ends a role that was granted here. */
const endHere = (id: string, role: string) =>
  database.db
    .updateTable('role_grant')
    .set({ ends_at: new Date() })
    .where('account_id', '=', id)
    .where('role', '=', role)
    .where('origin', '<>', 'token')
    .execute()

test('an address that is not confirmed, or that belongs to somebody else by now, is refused', async () => {
  await resolveExternalAccount(context, told('asela'))
  await expect(resolveExternalAccount(context, told('asela', [], { subject: 'another' }))).rejects.toMatchObject({
    code: 'platform.identity-taken',
  })
  await expect(resolveExternalAccount(context, told('unknown', [], { emailVerified: false }))).rejects.toMatchObject({
    code: 'platform.identity-unverified',
  })
  await expect(resolveExternalAccount(context, told('unknown', [], { email: undefined }))).rejects.toMatchObject({
    code: 'platform.identity-unverified',
  })
})

test('a deactivated account stays so, whatever the identity server says', async () => {
  const { subject: identity_subject, username, name, email } = told('closed')
  const bound = { id: randomUUID(), identity_subject, username, name, email: email!, active: false }
  const other = told('closed.unbound').email!
  const unbound = { ...bound, id: randomUUID(), identity_subject: null, username: 'closed.unbound', email: other }
  await database.db.insertInto('account').values([bound, unbound]).execute()
  for (const who of ['closed', 'closed.unbound'])
    await expect(resolveExternalAccount(context, told(who, ['Bursar']))).rejects.toMatchObject({
      code: 'platform.identity-refused',
    })
  expect(await rowOf(bound.id)).toMatchObject({ active: false })
  expect(await rowOf(unbound.id)).toMatchObject({ active: false, identity_subject: null })
  expect(await database.db.selectFrom('role_grant').select('id').where('account_id', '=', bound.id).execute()).toEqual(
    [],
  )
})

test('an account is not found by an address that the identity server has not confirmed', async () => {
  const id = await anAccount(database.db, { username: 'unproved' })
  await expect(resolveExternalAccount(context, told('unproved', [], { emailVerified: false }))).rejects.toMatchObject({
    code: 'platform.identity-unverified',
  })
  expect((await rowOf(id)).identity_subject).toBeNull()
})

test('an account created with somebody else’s address is closed to its creator once the owner comes', async () => {
  const id = await anAccount(database.db, { username: 'victim', password: 'Known2the-other' })
  await database.db.updateTable('account').set({ email_confirmed_at: null }).where('id', '=', id).execute()
  await database.db
    .insertInto('recovery_code')
    .values({ account_id: id, hash: Buffer.from('theirs') })
    .execute()
  const session = randomUUID()
  await database.db
    .insertInto('session')
    .values({ id: session, account_id: id, expires_at: new Date(Date.now() + 60_000) })
    .execute()
  expect(await resolveExternalAccount(context, told('victim'))).toBe(id)
  const { password_hash, email_confirmed_at } = await rowOf(id)
  expect([password_hash, email_confirmed_at]).toEqual([null, expect.any(Date)])
  expect(await isSessionOpen(database.db, session)).toBe(false)
  expect(await database.db.selectFrom('recovery_code').selectAll().where('account_id', '=', id).execute()).toEqual([])
})

test('a taken name does not lock out its namesake', async () => {
  await anAccount(database.db, { username: 'namesake' })
  const id = await resolveExternalAccount(context, told('namesake', [], { email: 'other.namesake@example.lk' }))
  expect((await rowOf(id)).username).toBe('other.namesake@example.lk')
})

test('two concurrent sign-ins of one person lead to one account, new or existing', async () => {
  const known = await anAccount(database.db, { username: 'twice.known' })
  const twice = (who: string) =>
    Promise.all([resolveExternalAccount(context, told(who)), resolveExternalAccount(context, told(who))])
  const [one, other] = await twice('twice')
  expect(one).toBe(other)
  expect(await twice('twice.known')).toEqual([known, known])
})

test('roles come and go with the tokens; unknown roles and roles that need a unit give nothing', async () => {
  const inUnits = ['Lecturer', 'MA', 'AR', 'Management Assistant', 'HOD', 'DEAN', 'Division Head', 'Committee Member']
  const id = await resolveExternalAccount(context, told('roles', ['VC', 'Bursar', ...inUnits, 'uma_authorization']))
  expect(await grantsOf(id)).toEqual(['Bursar', 'Vice Chancellor'])
  await resolveExternalAccount(context, told('roles', ['Bursar']))
  expect(await grantsOf(id)).toEqual(['Bursar'])
  await resolveExternalAccount(context, told('roles', ['Bursar', 'VC']))
  expect(await grantsOf(id)).toEqual(['Bursar', 'Vice Chancellor'])
})

test('a former head of a department heads none, even if the token still says so', async () => {
  const id = await resolveExternalAccount(context, told('head', ['HOD']))
  await grantRole(database.db, id, { role: 'HOD', scope: { kind: 'department', id: '12' } })
  await resolveExternalAccount(context, told('head', ['HOD']))
  expect(await grantsOf(id)).toEqual(['HOD@department'])
  await endHere(id, 'HOD')
  await resolveExternalAccount(context, told('head', ['HOD']))
  expect(await grantsOf(id)).toEqual([])
})

test('a token does not widen a role held in a unit, and does not end grants made here', async () => {
  const id = await resolveExternalAccount(context, told('nurse', ['Nurse']))
  expect(await grantsOf(id)).toEqual(['Nurse'])
  await grantRole(database.db, id, { role: 'Nurse', scope: { kind: 'division', id: '12' } })
  await grantRole(database.db, id, { role: 'Bursar' })
  await resolveExternalAccount(context, told('nurse', ['Nurse', 'Bursar']))
  expect(await grantsOf(id)).toEqual(['Bursar', 'Nurse@division'])
  await resolveExternalAccount(context, told('nurse'))
  expect(await grantsOf(id)).toEqual(['Bursar', 'Nurse@division'])
  await endHere(id, 'Nurse')
  await resolveExternalAccount(context, told('nurse', ['Nurse']))
  expect(await grantsOf(id)).toEqual(['Bursar'])
})

test('a later grant of ours takes over from the token’s', async () => {
  const id = await resolveExternalAccount(context, told('later'))
  const begins = new Date(Date.now() + 86_400_000)
  await grantRole(database.db, id, { role: 'Bursar', startsAt: begins })
  await resolveExternalAccount(context, told('later', ['Bursar']))
  expect(await grantsOf(id)).toEqual(['Bursar'])
  const grant = database.db.selectFrom('role_grant').select('ends_at').where('account_id', '=', id)
  expect(await grant.where('origin', '=', 'token').executeTakeFirst()).toEqual({ ends_at: begins })
})

test('an older token does not restore what a newer one removed', async () => {
  const older = told('stale', ['Bursar'])
  const id = await resolveExternalAccount(context, told('stale', ['Bursar']))
  await resolveExternalAccount(context, told('stale'))
  await resolveExternalAccount(context, older)
  expect(await grantsOf(id)).toEqual([])
})

test('the last administrator stays until there is another', async () => {
  const id = await resolveExternalAccount(context, told('first', ['ADMIN']))
  await resolveExternalAccount(context, told('first'))
  expect(await grantsOf(id)).toEqual(['ADMIN'])
  await resolveExternalAccount(context, told('second', ['ADMIN']))
  await resolveExternalAccount(context, told('first'))
  expect(await grantsOf(id)).toEqual([])
})
