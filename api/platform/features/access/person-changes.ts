import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { formats } from '../../kernel/formats.ts'
import { createAccount, isNameTaken, isUsername, plainName } from '../../people/identity/accounts.ts'
import { clearOut } from '../../people/identity/clear-out.ts'
import { answerName } from '../../people/identity/names.ts'
import { revokeTokens } from '../../people/identity/one-time-tokens.ts'
import { mail } from '../../records/mail/mail.ts'
import { passwordLinks } from '../../people/identity/password-links.ts'
import { GROUP, type Person, admits } from '../../people/persons/person.ts'
import { endSessions } from '../../people/identity/sessions.ts'
import { type AccessDependencies, accessChanges } from '../../work/access/changes.ts'
import { principalsOf, readUnits, scopeFrom } from '../../people/access/units.ts'
import { invalid } from '../../people/access/refusals.ts'
import { lockAccess } from '../../people/access/lock.ts'
import { type PersonRow, changePersonRow } from '../../people/access/people-repository.ts'
import { isAdministratorLeft, listGrants } from '../../people/access/grant-rows.ts'
import { OPENS, personRow, mayChange, readPerson } from './people.ts'

/** The account data that an administrator enters. */
export interface AccountData {
  name: string
  email: string
  post: string | null
}

/** The account, if the person may change it. No grant can be added to it until the transaction ends. */
async function changeable(trx: Transaction<DB>, person: Person, id: string): Promise<PersonRow> {
  await lockAccess(trx, 'shared')
  const units = await readUnits(trx)
  const found = await personRow(trx, person, id, units)
  if (!mayChange(person, await listGrants(trx, id), units)) throw new BusinessError('platform.not-allowed')
  return found
}

async function checkAccountData(
  trx: Transaction<DB>,
  { name, email }: AccountData,
  except: string | null,
): Promise<void> {
  const wrong = [
    ...(name.trim() === '' ? [{ field: '/name', code: 'platform.field-required' }] : []),
    ...(formats.email.test(email) ? [] : [{ field: '/email', code: 'platform.email-invalid' }]),
  ]
  if (wrong.length > 0) throw invalid(wrong)
  if (await isNameTaken(trx, email, except))
    throw new BusinessError('platform.email-taken', {}, [{ field: '/email', code: 'platform.email-taken' }])
}

/** Creates an account without roles, and mails its owner the link to set a password. */
export async function createPerson(
  dependencies: AccessDependencies,
  person: Person,
  { username, language, reason, ...data }: AccountData & { username?: string; language?: Language; reason: string },
) {
  const { db } = dependencies
  const id = await db.transaction().execute(async (trx) => {
    await checkAccountData(trx, data, null)
    const chosen = plainName(username ?? data.email)
    if (chosen !== data.email) {
      if (!isUsername(chosen)) throw invalid([{ field: '/username', code: 'platform.username-refused' }])
      if (await isNameTaken(trx, chosen))
        throw new BusinessError('platform.username-taken', {}, [
          { field: '/username', code: 'platform.username-taken' },
        ])
    }
    const made = await createAccount(trx, { ...data, username: chosen })
    if (language) await trx.updateTable('account').set({ language }).where('id', '=', made).execute()
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, [`group:${OPENS}`]) ?? null,
      action: 'account.created',
      object: `account:${made}`,
      payload: { username: chosen, ...data, reason },
    })
    // With an identity server, passwords are set there.
    if (!dependencies.identity) await passwordLinks(trx, dependencies).send(made)
    return made
  })
  return readPerson(dependencies, person, id)
}

/**
 * Changes or closes an account. Closing ends its sessions, releases its tasks, and leaves its posts vacant until it is
 * reopened or somebody else is appointed.
 */
export async function changePerson(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  version: number,
  { active, reason, ...data }: AccountData & { active: boolean; reason: string },
) {
  const changes = accessChanges(dependencies)
  await changes.make(async (trx) => {
    const before = await changeable(trx, person, id)
    if (id === person.id && !active) throw new BusinessError('platform.own-grant')
    await checkAccountData(trx, data, id)
    if (data.name !== before.name) {
      if (before.record_id !== null) throw invalid([{ field: '/name', code: 'platform.name-of-register' }])
      if (id === person.id) throw new BusinessError('platform.own-name')
    }
    if (before.active && !active && !(await isAdministratorLeft(trx, { account: id })))
      throw new BusinessError('platform.last-administrator')
    if (data.email.toLowerCase() !== before.email.toLowerCase()) {
      // Notify the old address while it still belongs to the account; a closed account is mailed at its old address.
      const to = before.active ? id : before.email
      const values = { address: data.email, link: dependencies.publicUrl }
      await mail(trx, dependencies).send({ to, template: 'platform.mail.email-changed', values })
      // Links sent to the old address become invalid, even if the account gets that address back.
      for (const purpose of ['set-password', 'confirm-email'] as const) await revokeTokens(trx, id, purpose)
    }
    if (!(await changePersonRow(trx, id, version, { ...data, active })))
      throw new BusinessError('platform.changed-meanwhile')
    const was: Readonly<Record<string, unknown>> = { ...before }
    const changed = Object.entries({ ...data, active }).filter(([field, value]) => was[field] !== value)
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: before.active === active ? 'account.changed' : active ? 'account.opened' : 'account.closed',
      object: `account:${id}`,
      payload: {
        before: Object.fromEntries(changed.map(([field]) => [field, was[field]])),
        now: Object.fromEntries(changed),
        reason,
      },
    })
    if (!active) await endSessions(trx, id, { by: person.id, reason: 'the account was closed' })
    const principals = before.grants.flatMap(({ role, kind, id: unit }) => principalsOf(role, scopeFrom(kind, unit)))
    const shift = { accounts: [id], principals: before.active === active ? [] : [...principals, `user:${id}`] }
    return { result: undefined, shift }
  })
  return readPerson(dependencies, person, id)
}

/** Approves or rejects a requested name change. */
export async function decideNameChange(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  { change, ...answer }: { change: string; accept: boolean; reason: string },
): Promise<void> {
  const changes = accessChanges(dependencies)
  await changes.make(async (trx) => {
    await changeable(trx, person, id)
    const actedAs = admits(person, [GROUP + OPENS]) ?? null
    await answerName(trx, dependencies, person, { account: id, id: change, ...answer, actedAs })
    return { result: undefined, shift: { accounts: [id], principals: [] } }
  })
}

/** Ends every session of a person. */
export async function signOutPerson(
  { db }: AccessDependencies,
  person: Person,
  id: string,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await changeable(trx, person, id)
    const ended = await endSessions(trx, id, { by: person.id, reason })
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: 'account.signed-out',
      object: `account:${id}`,
      payload: { sessions: ended, reason },
    })
  })
  await announce(db, { principals: [], cases: [], tasks: [], people: [id] })
}

/** Removes all second factors of a person who has lost them; they then sign in with the password alone. */
export async function endSecondFactor(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  reason: string,
): Promise<void> {
  const { db } = dependencies
  await db.transaction().execute(async (trx) => {
    await changeable(trx, person, id)
    if (id === person.id) throw new BusinessError('platform.own-second-factor')
    const gone = await clearOut(trx, id, { by: person.id, reason })
    if (gone === 0) throw new BusinessError('platform.second-factor-missing')
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: 'account.second-factor-ended',
      object: `account:${id}`,
      payload: { reason },
    })
    const values = { link: `${dependencies.publicUrl}/myprofile` }
    await mail(trx, dependencies).send({ to: id, template: 'platform.mail.second-factor-removed', values })
  })
  await announce(db, { principals: [], cases: [], tasks: [], people: [id] })
}

/** Mails a person the link to set a password. */
export async function sendPasswordLink(dependencies: AccessDependencies, person: Person, id: string): Promise<void> {
  const { db } = dependencies
  await db.transaction().execute(async (trx) => {
    const { active } = await changeable(trx, person, id)
    if (!active) throw new BusinessError('platform.account-closed')
    await passwordLinks(trx, dependencies).send(id)
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: 'account.password-link-sent',
      object: `account:${id}`,
      payload: {},
    })
  })
}
