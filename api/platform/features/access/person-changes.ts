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

/** What an administrator writes of an account. */
export interface AccountData {
  name: string
  email: string
  post: string | null
}

/** The account, if the person may do something to it; it is given nothing until the transaction ends. */
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
    ...(formats['email']!.test(email) ? [] : [{ field: '/email', code: 'platform.email-invalid' }]),
  ]
  if (wrong.length > 0) throw invalid(wrong)
  if (await isNameTaken(trx, email, except))
    throw new BusinessError('platform.email-taken', {}, [{ field: '/email', code: 'platform.email-taken' }])
}

/** Makes an account without any role, and mails its owner the link to set a password. */
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
    // An identity server does not know them by that: they are entered there too.
    if (!dependencies.identity) await passwordLinks(trx, dependencies).send(made)
    return made
  })
  return readPerson(dependencies, person, id)
}

/**
 * Changes an account, or closes it: then its sessions end, what it holds is free again, and its posts are vacant until
 * it is opened again or somebody follows.
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
      // The old address is told while it is theirs; one of a closed account is written to as it is.
      const to = before.active ? id : before.email
      const values = { address: data.email, link: dependencies.publicUrl }
      await mail(trx, dependencies).send({ to, template: 'platform.mail.email-changed', values })
      // What was sent there opens nothing any more, also where the account gets that address back.
      for (const purpose of ['set-password', 'confirm-email'] as const) await revokeTokens(trx, id, purpose)
    }
    if (!(await changePersonRow(trx, id, version, { ...data, active })))
      throw new BusinessError('platform.changed-meanwhile')
    const changed = Object.entries({ ...data, active }).filter(
      ([field, value]) => before[field as keyof PersonRow] !== value,
    )
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: before.active === active ? 'account.changed' : active ? 'account.opened' : 'account.closed',
      object: `account:${id}`,
      payload: {
        before: Object.fromEntries(changed.map(([field]) => [field, before[field as keyof PersonRow]])),
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

/** Confirms the name that somebody asks for, or refuses it. */
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

/** Ends every session of somebody. */
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

/** Takes away all second factors of somebody who has lost them; the way in is then by the password alone. */
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

/** Mails somebody the link to set a password. */
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
