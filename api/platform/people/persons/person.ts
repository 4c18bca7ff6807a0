import { known } from '../../kernel/known.ts'
/** A role and its scope. */
export interface Grant {
  role: string
  scopeKind: string | null
  scopeId: string | null
}

/** An absent person, and the limits of their substitute. */
export interface Stead {
  /** The substitution. */
  id: string
  absent: { id: string; name: string }
  /** The absent person's principals, without their account and without roles that see everything. */
  principals: string[]
  /** Null: every flow. */
  flows: string[] | null
  /** In cents; cases above it or without an amount are not covered. Null: no limit. */
  amountLimit: bigint | null
}

/** A person with their present rights. */
export interface Person {
  id: string
  username: string
  name: string
  email: string
  post: string | null
  /** Present grants. */
  grants: Grant[]
  /** What tasks and lists are offered to: `user:<id>`, `<role>`, `<role>@<kind>:<id>`. */
  principals: string[]
  /** The permission groups of their roles; people who see everything hold all. */
  groups: string[]
  /** The roles through which they hold each group. */
  groupRoles: Readonly<Record<string, readonly string[]>>
  /** Holds ADMIN or SA; the audit trail names that right wherever it was needed. */
  seesAll: boolean
  /** The absent people they substitute for now. */
  standsIn: Stead[]
  /** How they got access without signing in; logged in the audit trail. */
  through?: 'tracking'
}

/** Roles that see everything, hold every permission group, and have no unit. */
export const SEES_ALL = ['ADMIN', 'SA']

/** The inbox principal of people who see everything. */
export const everything = '*'

/**
 * Whether a person has a staff role; those of students and applicants (temporary employees in the sources) are none.
 */
export function isStaff({ grants }: Pick<Person, 'grants'>): boolean {
  return grants.some(({ role }) => !/student$/i.test(role) && role !== 'Temporary Employee')
}

/**
 * The principals of a person. A grant at a unit also counts as its bare role: what is offered to any `HOD` is for every
 * head.
 */
function principals(accountId: string, grants: readonly Grant[]): string[] {
  const named = grants.flatMap((grant) => [grant.role, principalOf(grant)])
  return [...new Set([`user:${accountId}`, ...named])]
}

/** Builds a person from an account and its grants. */
export function personOf(
  account: { id: string; username: string; name: string; email: string; post: string | null },
  grants: Grant[],
  groupRoles: Readonly<Record<string, readonly string[]>>,
  standsIn: Stead[] = [],
): Person {
  const { id, username, name, email, post } = account
  const seesAll = grants.some(({ role, scopeKind }) => scopeKind === null && SEES_ALL.includes(role))
  const groups = Object.keys(groupRoles).sort()
  const named = principals(id, grants)
  return { id, username, name, email, post, grants, principals: named, groups, groupRoles, seesAll, standsIn }
}

/** The principals that a substitute gets: never the account itself, and never a role that sees everything. */
export function principalsForSubstitute(grants: readonly Grant[]): string[] {
  const passed = grants.filter(({ role }) => !SEES_ALL.includes(role))
  return [...new Set(passed.flatMap((grant) => [grant.role, principalOf(grant)]))]
}

/** Whether a substitution covers such cases; the amount is in cents. */
function covers(
  { flows, amountLimit }: Pick<Stead, 'flows' | 'amountLimit'>,
  { flow, amount }: { flow: string; amount: string | null },
): boolean {
  if (flows !== null && !flows.includes(flow)) return false
  return amountLimit === null || (amount !== null && BigInt(amount) <= amountLimit)
}

/** The absent people that a person may act for on a case with these candidates, and the principal that permits it. */
export function steadsFor(
  person: Pick<Person, 'standsIn'>,
  about: { flow: string; amount: string | null },
  offered: readonly string[],
): (Stead & { through: string })[] {
  return person.standsIn.flatMap((stead) => {
    const through = covers(stead, about) ? offered.find((one) => stead.principals.includes(one)) : undefined
    return through === undefined ? [] : [{ ...stead, through }]
  })
}

/** Prefix of a permission group in a list of roles. */
export const GROUP = 'group:'

/** The units of an object, by kind. */
export type Place = Readonly<Record<string, unknown>>

/**
 * The grants of a person that match an entry of a list of roles: `Role`, `Role@kind`, or `group:<permission group>`.
 */
export function grantsMeant({ grants, groupRoles }: Pick<Person, 'grants' | 'groupRoles'>, entry: string): Grant[] {
  const roles = entry.startsWith(GROUP) ? (groupRoles[entry.slice(GROUP.length)] ?? []) : [roleOf(entry)]
  const [, kind] = entry.startsWith(GROUP) ? [] : entry.split('@')
  return grants.filter(({ role, scopeKind }) => roles.includes(role) && (kind === undefined || scopeKind === kind))
}

/**
 * The right that a list of roles, `Role@kind`, `group:<permission group>` or `*` gives a person; undefined if none. A
 * grant at a unit covers only objects of that unit, as `place` says. Without `place` the question is whether there is
 * any object they may access. The result is the audit trail's `acted_as`.
 */
export function admits(person: Person, allowed: readonly string[], place?: Place): string | undefined {
  if (allowed.includes('*')) return `user:${person.id}`
  for (const entry of person.seesAll ? [] : allowed) {
    const grant = grantsMeant(person, entry).find(
      ({ scopeKind, scopeId }) => place === undefined || scopeKind === null || place[scopeKind] === scopeId,
    )
    if (grant) return entry.startsWith(GROUP) ? entry : principalOf(grant)
  }
  if (person.seesAll) return rightOfAll(person.grants)
  return undefined
}

/** The right by which a person starts a flow by hand: none at all where only a step of another flow begins it. */
export function admitsToStart(
  person: Person,
  { startedBy }: { startedBy: readonly string[] },
  place?: Place,
): string | undefined {
  return startedBy.length === 0 ? undefined : admits(person, startedBy, place)
}

/** The role of a person who sees everything, for the audit trail. */
export function rightOfAll(grants: readonly Grant[]): string {
  return known(
    grants.find(({ role }) => SEES_ALL.includes(role)),
    'the role that sees everything',
  ).role
}

/** The role of a principal or of an entry in a list of roles: what stands before its scope. */
export function roleOf(entry: string): string {
  const [role = entry] = entry.split('@')
  return role
}

function principalOf({ role, scopeKind, scopeId }: Grant): string {
  return scopeKind === null ? role : `${role}@${scopeKind}:${scopeId}`
}
