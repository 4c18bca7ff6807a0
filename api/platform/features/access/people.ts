import type { Kysely, Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { formats } from '../../kernel/formats.ts'
import { createAccount, isNameTaken, isUsername, plainName } from '../../people/identity/accounts.ts'
import { clearOut } from '../../people/identity/clear-out.ts'
import { answerName, waitingName } from '../../people/identity/names.ts'
import { revokeTokens } from '../../people/identity/one-time-tokens.ts'
import { mail } from '../../records/mail/mail.ts'
import { passwordLinks } from '../../people/identity/password-links.ts'
import { GROUP, type Person, SEES_ALL, admits } from '../../people/persons/person.ts'
import { endSessions } from '../../people/identity/sessions.ts'
import { type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import { type AccessDependencies, accessChanges } from '../../work/access/changes.ts'
import { type GrantView, grantView, refusalOfOwners } from './grants.ts'
import { principalsOf, type Scope, type Units, readUnits, scopeFrom } from '../../people/access/units.ts'
import { type HolderView, holderView } from './posts.ts'
import { invalid } from '../../people/access/refusals.ts'
import { lockAccess } from '../../people/access/lock.ts'
import {
  type PersonRow,
  changePersonRow,
  findPersonRow,
  getPersonDetails,
  listPersonRows,
} from '../../people/access/people-repository.ts'
import {
  type GrantRow,
  countHolders,
  isAdministratorLeft,
  listGrants,
  listGroups,
  listPostsOf,
} from '../../people/access/repository.ts'
import { FLOW_SCOPE, PROCESS_OWNER } from '../../people/access/process-owners.ts'
import { listSecondOwners } from '../../people/access/second-owners.ts'
import {
  grantable,
  isAdministrator,
  mayChangeAccount,
  mayGrant,
  overseen,
  scopeOfRole,
} from '../../people/access/rights.ts'

/** The permission group that opens people administration. */
const OPENS = 'roleSetup'

/** What somebody is to the university, by their own entry in a register and by their roles. */
export type Kind = 'staff' | 'student' | 'temporary' | 'other'

/**
 * Somebody in the list of people. Of people outside one's own units only id, name and post show: who appoints has to find
 * them.
 */
export interface PersonSummary {
  id: string
  username: string | null
  name: string
  email: string | null
  post: string | null
  active: boolean
  /** An entry of a register answers for the name. */
  registered: boolean
  kind: Kind
  lastSeenAt: string | null
  grants: { role: string; scope: { kind: string; id: string; name: string } | null }[]
}

export interface PeopleListQuery {
  search?: string
  role?: string
  scope?: Scope
  state?: 'active' | 'inactive'
  cursor?: string
  limit?: number
}

/** What an administrator writes of an account. */
export interface AccountData {
  name: string
  email: string
  post: string | null
}

/* Accounts: seeing, making, changing and closing them. */

/** Whose accounts somebody sees whole. */
async function sight(on: Kysely<DB>, person: Person, units: Units) {
  const opening = (await listGroups(on)).find(({ name }) => name === OPENS)
  return { overseen: overseen(person, [...(opening?.roles ?? []), ...SEES_ALL], units), asker: person.id }
}

async function personRow(on: Kysely<DB>, person: Person, id: string, units: Units): Promise<PersonRow> {
  const found = await findPersonRow(on, id, await sight(on, person, units))
  if (!found || (!found.own && !found.active)) throw new BusinessError('platform.not-found')
  return found
}

function mayChange(person: Person, grants: readonly GrantRow[], units: Units): boolean {
  const holds = grants
    .filter(({ state }) => state !== 'ended')
    .map(({ role, scope_kind, scope_id }) => ({ role, scope: scopeFrom(scope_kind, scope_id) }))
  return mayChangeAccount(person, holds, units)
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

export async function readPerson(dependencies: AccessDependencies, person: Person, id: string) {
  const { db, library } = dependencies
  const rolesOfUnits = [...library.roles].filter((role) => role !== PROCESS_OWNER)
  const units = await readUnits(db)
  const found = await personRow(db, person, id, units)

  const [details, grants, posts, secondOwners] = await Promise.all([
    getPersonDetails(db, id),
    listGrants(db, id),
    listPostsOf(db, id),
    listSecondOwners(db),
  ])
  const asking = new Set(secondOwners)
  const views = grants.map((grant) => grantView(person, grant, units, asking))
  return {
    ...summary(found, units),
    version: details.version,
    language: found.own ? (details.language as Language) : null,
    emailConfirmed: found.own && details.email_confirmed_at !== null,
    hasPassword: found.own && details.has_password,
    secondFactor: found.own && details.second_factor,
    sessions: found.own ? details.sessions : 0,
    record:
      found.own && details.record_id !== null
        ? { register: details.register!, id: details.record_id, title: details.title! }
        : null,
    // Of others one sees the grants that one may end.
    grants: views.filter((grant): grant is GrantView => found.own || grant.mayEnd || grant.endRefusal !== null),
    posts: found.own
      ? posts.map((one): PostOfPerson => {
          const { holderId, acting, startsAt, endsAt } = holderView(one)
          const title = units.find({ kind: 'post', id: one.post_id })?.name ?? ''
          return { holderId, post: { id: one.post_id, title }, acting, startsAt, endsAt }
        })
      : [],
    nameChange: mayChange(person, grants, units) ? await waitingName(db, id) : null,
    mayChange: mayChange(person, grants, units),
    mayErase: isAdministrator(person) && id !== person.id,
    mayGrant:
      id === person.id || !found.active
        ? []
        : [...grantable(person, rolesOfUnits, units), ...ownership(dependencies, person, units)].map(
            ({ role, anywhere, scopes }) => ({
              role,
              anywhere,
              scoped: scopeOfRole(role),
              scopes: scopes.map(({ kind, id: unit, name }) => ({
                kind,
                id: unit,
                name,
                refusal: (role === PROCESS_OWNER && asking.has(unit) && refusalOfOwners(person, 'give')) || null,
              })),
            }),
          ),
  }
}

/** The flows that somebody may give an owner to. */
function ownership(
  { library }: AccessDependencies,
  person: Person,
  units: Units,
): { role: string; anywhere: false; scopes: (Scope & { name: string })[] }[] {
  const scopes = [...library.flows.values()]
    .map(({ manifest }) => ({ kind: FLOW_SCOPE, id: manifest.process, name: library.text(manifest.title) }))
    .filter((scope) => mayGrant(person, PROCESS_OWNER, scope, units))
  return scopes.length > 0 ? [{ role: PROCESS_OWNER, anywhere: false, scopes }] : []
}

/** People by name. */
export async function listPeople(
  { db, library }: AccessDependencies,
  person: Person,
  query: PeopleListQuery,
): Promise<Page<PersonSummary>> {
  const { search, role, scope, state, cursor, limit = 20 } = query
  const units = await readUnits(db)
  const [name, id] = cursor === undefined ? [] : readCursor(cursor, ['text', 'id'])
  const { rows, count } = await listPersonRows(db, {
    ...(await sight(db, person, units)),
    ...(search !== undefined && { search }),
    ...(role !== undefined && { role: library.roleAliases.get(role) ?? role }),
    ...(scope && { within: units.below(scope) }),
    ...(state && { active: state === 'active' }),
    ...(name !== undefined && { after: { name, id: id! } }),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((one) => summary(one, units)),
    next: rows.length > limit && last ? cursorOf([last.name, last.id]) : null,
    count: counted(count),
  }
}

/** Every role with how many people hold it now, and its other names. */
export async function listRoles({ db, library }: AccessDependencies) {
  const holders = await countHolders(db)
  return [...library.roles].map((role) => ({
    role,
    holders: holders.get(role) ?? 0,
    aliases: [...library.roleAliases].filter(([, meant]) => meant === role).map(([alias]) => alias),
  }))
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

interface PostOfPerson extends Omit<HolderView, 'account' | 'reason'> {
  post: { id: string; title: string }
}

function summary(row: PersonRow, units: Units): PersonSummary {
  const { id, name, post, active, own, registered } = row
  return {
    id,
    username: own ? row.username : null,
    name,
    email: own ? row.email : null,
    post,
    active,
    registered,
    kind: kindOf(row),
    lastSeenAt: own ? (row.last_seen_at?.toISOString() ?? null) : null,
    grants: own
      ? row.grants.map(({ role, kind, id: unit }) => ({
          role,
          scope: kind === null ? null : { kind, id: unit!, name: units.find({ kind, id: unit! })?.name ?? unit! },
        }))
      : [],
  }
}

/** Roles that end in *student* make a student. */
export function kindOf({ register, grants }: Pick<PersonRow, 'register' | 'grants'>): Kind {
  const roles = grants.map(({ role }) => role)
  const students = roles.filter((role) => /student$/i.test(role))
  const temporary = roles.filter((role) => role === 'Temporary Employee')
  if (register === 'platform/employee' || roles.length > students.length + temporary.length) return 'staff'
  if (register === 'platform/student' || students.length > 0) return 'student'
  return register === 'platform/temporary-employee' || temporary.length > 0 ? 'temporary' : 'other'
}
