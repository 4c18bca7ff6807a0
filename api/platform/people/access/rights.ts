import { type Person, SEES_ALL } from '../persons/person.ts'
import { FLOW_SCOPE, PROCESS_OWNER } from './process-owners.ts'
import { type Scope, type Unit, type Units, scopeFrom } from './units.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** Roles that need a unit, which the database enforces too, or a flow. */
const NEED_SCOPE = ['MA', 'AR', PROCESS_OWNER]

/** Whether a role is granted at a unit always, never, or optionally. */
export function scopeOfRole(role: string): 'always' | 'never' | 'either' {
  if (SEES_ALL.includes(role)) return 'never'
  return NEED_SCOPE.includes(role) ? 'always' : 'either'
}

/** A role that a person may grant: everywhere, or in these units and below. */
export interface Grantable {
  role: string
  anywhere: boolean
  scopes: Unit[]
}

/** Whether a person may grant any role. */
export function isAdministrator({ grants }: Person): boolean {
  return grants.some(({ role, scopeKind }) => role === 'ADMIN' && scopeKind === null)
}

/**
 * Whether a person may grant a role there, and end such a grant. Administrators may grant any; others what they hold,
 * at the unit of their own grant or below. Callers check that nobody does it for themselves.
 */
export function mayGrant(person: Person, role: string, scope: Scope | null, units: Units): boolean {
  if (isAdministrator(person)) return true
  return person.grants.some((own) => own.role === role && units.within(scope, scopeFrom(own.scopeKind, own.scopeId)))
}

/** All that a person may grant, by role. */
export function grantable(person: Person, roles: Iterable<string>, units: Units): Grantable[] {
  const all = isAdministrator(person)
  return [...roles].flatMap((role): Grantable[] => {
    if (role === POST_HOLDER) return []
    const own = person.grants.filter((grant) => grant.role === role)
    if (all || own.some(({ scopeKind }) => scopeKind === null)) return [{ role, anywhere: true, scopes: [] }]
    const below = new Set(unitsBelow(own, units))
    const scopes = units.list().filter(({ id, active }) => active && below.has(id))
    return scopes.length > 0 ? [{ role, anywhere: false, scopes }] : []
  })
}

/** The ids of the units of grants and of all units below them. */
function unitsBelow(grants: Person['grants'], units: Units): string[] {
  return grants.flatMap(({ scopeKind, scopeId }) => {
    const scope = scopeFrom(scopeKind, scopeId)
    return scope ? units.below(scope) : []
  })
}

/**
 * The units whose people a person administers: those of their grants that open people administration, and all below.
 * `everybody` means the whole university.
 */
export function overseen(person: Person, openers: readonly string[], units: Units): 'everybody' | string[] {
  const own = person.grants.filter(({ role }) => openers.includes(role))
  if (person.seesAll || own.some(({ scopeKind }) => scopeKind === null)) return 'everybody'
  return [...new Set(unitsBelow(own, units))]
}

/**
 * Whether a person may change an account, end its sessions, or send it a password link; `holds` lists its present and
 * future grants. A person who can set an account's address can take the account over, so SA may only do it where that
 * gives no additional rights.
 */
export function mayChangeAccount(
  person: Person,
  holds: readonly { role: string; scope: Scope | null }[],
  units: Units,
): boolean {
  if (isAdministrator(person)) return true
  return person.seesAll && holds.every(({ role, scope }) => mayGrant(person, role, scope, units))
}

/** What is wrong with a scope; undefined if nothing is. Owners need a flow, other roles a unit. */
export function scopeTrouble(
  role: string,
  scope: Scope | null,
  units: Units,
  flows: readonly string[] = [],
): string | undefined {
  const wants = scopeOfRole(role)
  if (scope === null) return wants === 'always' ? 'platform.scope-wanted' : undefined
  if (wants === 'never') return 'platform.scope-unwanted'
  if (scope.kind === FLOW_SCOPE || role === PROCESS_OWNER)
    return scope.kind === FLOW_SCOPE && role === PROCESS_OWNER && flows.includes(scope.id)
      ? undefined
      : 'platform.scope-unknown'
  return units.find(scope)?.active ? undefined : 'platform.scope-unknown'
}
