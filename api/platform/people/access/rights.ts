import { type Person, SEES_ALL } from '../persons/person.ts'
import { FLOW_SCOPE, PROCESS_OWNER } from './process-owners.ts'
import { type Scope, type Unit, type Units, scopeFrom } from './units.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** Roles that nobody holds without a unit, which the database refuses too, or without a flow. */
const NEED_SCOPE = ['MA', 'AR', PROCESS_OWNER]

/** Whether a role is granted for a unit always, never, or as one likes. */
export function scopeOfRole(role: string): 'always' | 'never' | 'either' {
  if (SEES_ALL.includes(role)) return 'never'
  return NEED_SCOPE.includes(role) ? 'always' : 'either'
}

/** A role that somebody may grant: everywhere, or in these units and below. */
export interface Grantable {
  role: string
  anywhere: boolean
  scopes: Unit[]
}

/** Who may grant any role. */
export function isAdministrator({ grants }: Person): boolean {
  return grants.some(({ role, scopeKind }) => role === 'ADMIN' && scopeKind === null)
}

/**
 * Whether somebody may grant a role there, and end such a grant: an administrator any; everybody else what they hold
 * themselves, where their own grant holds or below. That nobody does it to themselves is asked elsewhere.
 */
export function mayGrant(person: Person, role: string, scope: Scope | null, units: Units): boolean {
  if (isAdministrator(person)) return true
  return person.grants.some((own) => own.role === role && units.within(scope, scopeFrom(own.scopeKind, own.scopeId)))
}

/** All that somebody may grant, role by role. */
export function grantable(person: Person, roles: Iterable<string>, units: Units): Grantable[] {
  const all = isAdministrator(person)
  return [...roles].flatMap((role): Grantable[] => {
    if (role === POST_HOLDER) return []
    const own = person.grants.filter((grant) => grant.role === role)
    if (all || own.some(({ scopeKind }) => scopeKind === null)) return [{ role, anywhere: true, scopes: [] }]
    const below = new Set(own.flatMap(({ scopeKind, scopeId }) => units.below({ kind: scopeKind!, id: scopeId! })))
    const scopes = units.list().filter(({ id, active }) => active && below.has(id))
    return scopes.length > 0 ? [{ role, anywhere: false, scopes }] : []
  })
}

/**
 * The units whose people somebody administers: those of their grants that open people administration, and all below.
 * `everybody`: the whole university.
 */
export function overseen(person: Person, openers: readonly string[], units: Units): 'everybody' | string[] {
  const own = person.grants.filter(({ role }) => openers.includes(role))
  if (person.seesAll || own.some(({ scopeKind }) => scopeKind === null)) return 'everybody'
  return [...new Set(own.flatMap(({ scopeKind, scopeId }) => units.below({ kind: scopeKind!, id: scopeId! })))]
}

/**
 * Whether somebody may change an account itself, end its sessions or have a password link sent to it; `holds` is all
 * that it holds now or will. Who can set the address of an account can become whoever it belongs to, so SA may only
 * where they gain nothing by it.
 */
export function mayChangeAccount(
  person: Person,
  holds: readonly { role: string; scope: Scope | null }[],
  units: Units,
): boolean {
  if (isAdministrator(person)) return true
  return person.seesAll && holds.every(({ role, scope }) => mayGrant(person, role, scope, units))
}

/** What is wrong with a scope; undefined when nothing is. Flows are owned, and all else holds in a unit. */
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
