import type { Kysely } from 'kysely'
import { entryOf } from '../../people/identity/own-entry.ts'
import { oneOf } from '../../kernel/one-of.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { languages } from '../../model/library/library.ts'
import { waitingName } from '../../people/identity/names.ts'
import { type Person, SEES_ALL } from '../../people/persons/person.ts'
import { type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { type GrantView, grantView, refusalOfOwners } from './grants.ts'
import { type Scope, type Units, readUnits, scopeFrom } from '../../people/access/units.ts'
import { type HolderView, holderView } from './posts.ts'
import {
  type PersonRow,
  findPersonRow,
  getPersonDetails,
  listPersonRows,
} from '../../people/access/people-repository.ts'
import { type GrantRow, countHolders, listGrants } from '../../people/access/grant-rows.ts'
import { listGroups } from '../../people/access/group-rows.ts'
import { listPostsOf } from '../../people/access/holder-rows.ts'
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
export const OPENS = 'roleSetup'

/** Kind of person, by their own register entry and their roles. */
export type Kind = 'staff' | 'student' | 'temporary' | 'other'

/**
 * A person in the list. People outside the reader's units show only id, name and post, so that they can be appointed.
 */
export interface PersonSummary {
  id: string
  username: string | null
  name: string
  email: string | null
  post: string | null
  active: boolean
  /** A register entry supplies the name. */
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

/* Accounts: listing, creating, changing and closing them. */

/** The people whose accounts the reader sees in full. */
async function sight(on: Kysely<DB>, person: Person, units: Units) {
  const opening = (await listGroups(on)).find(({ name }) => name === OPENS)
  return { overseen: overseen(person, [...(opening?.roles ?? []), ...SEES_ALL], units), asker: person.id }
}

export async function personRow(on: Kysely<DB>, person: Person, id: string, units: Units): Promise<PersonRow> {
  const found = await findPersonRow(on, id, await sight(on, person, units))
  if (!found || (!found.own && !found.active)) throw new BusinessError('platform.not-found')
  return found
}

export function mayChange(person: Person, grants: readonly GrantRow[], units: Units): boolean {
  const holds = grants
    .filter(({ state }) => state !== 'ended')
    .map(({ role, scope_kind, scope_id }) => ({ role, scope: scopeFrom(scope_kind, scope_id) }))
  return mayChangeAccount(person, holds, units)
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
    language: found.own ? oneOf(languages, details.language) : null,
    emailConfirmed: found.own && details.email_confirmed_at !== null,
    hasPassword: found.own && details.has_password,
    secondFactor: found.own && details.second_factor,
    sessions: found.own ? details.sessions : 0,
    record: found.own ? entryOf(details) : null,
    // For other people, only the grants that the reader may end.
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

/** The flows that the reader may appoint owners of. */
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
  const after = cursor === undefined ? undefined : readCursor(cursor, ['text', 'id'])
  const { rows, count } = await listPersonRows(db, {
    ...(await sight(db, person, units)),
    ...(search !== undefined && { search }),
    ...(role !== undefined && { role: library.roleAliases.get(role) ?? role }),
    ...(scope && { within: units.below(scope) }),
    ...(state && { active: state === 'active' }),
    ...(after && { after: { name: after[0], id: after[1] } }),
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

/** Every role with its other names and the number of present holders. */
export async function listRoles({ db, library }: AccessDependencies) {
  const holders = await countHolders(db)
  return [...library.roles].map((role) => ({
    role,
    holders: holders.get(role) ?? 0,
    aliases: [...library.roleAliases].filter(([, meant]) => meant === role).map(([alias]) => alias),
  }))
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
      ? row.grants.map(({ role, kind, id: unit }) => {
          const scope = scopeFrom(kind, unit)
          return { role, scope: scope && { ...scope, name: units.find(scope)?.name ?? scope.id } }
        })
      : [],
  }
}

/** Roles whose names end in *student* make a person a student. */
export function kindOf({ register, grants }: Pick<PersonRow, 'register' | 'grants'>): Kind {
  const roles = grants.map(({ role }) => role)
  const students = roles.filter((role) => /student$/i.test(role))
  const temporary = roles.filter((role) => role === 'Temporary Employee')
  if (register === 'platform/employee' || roles.length > students.length + temporary.length) return 'staff'
  if (register === 'platform/student' || students.length > 0) return 'student'
  return register === 'platform/temporary-employee' || temporary.length > 0 ? 'temporary' : 'other'
}
