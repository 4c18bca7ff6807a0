/** A role and where it holds. */
export interface Grant {
  role: string
  scopeKind: string | null
  scopeId: string | null
}

/** Somebody who is away, and how far another person acts in their stead. */
export interface Stead {
  /** The substitution. */
  id: string
  absent: { id: string; name: string }
  /** What the absent person may act as, save by name and as one who sees everything. */
  principals: string[]
  /** Null: every flow. */
  flows: string[] | null
  /** In cents; what is dearer, or has no amount, is not covered. Null: no limit. */
  amountLimit: bigint | null
}

/** Somebody who acts, with what they may act as at this moment. */
export interface Person {
  id: string
  username: string
  name: string
  email: string
  post: string | null
  /** In force now. */
  grants: Grant[]
  /** What tasks and lists are offered to: `user:<id>`, `<role>`, `<role>@<kind>:<id>`. */
  principals: string[]
  /** The permission groups that one of the roles holds; whoever sees all holds all of them. */
  groups: string[]
  /** By which of their roles they hold each of these groups. */
  groupRoles: Readonly<Record<string, readonly string[]>>
  /** Holds ADMIN or SA; the audit says so wherever that is what let them in. */
  seesAll: boolean
  /** In whose stead they act at this moment. */
  standsIn: Stead[]
  /** By what they came in, where it was no sign-in; the audit says so. */
  through?: 'tracking'
}

/** Roles that see everything, hold every permission group, and hold everywhere or not at all. */
export const SEES_ALL = ['ADMIN', 'SA']

/** The inbox principal of those who see everything. */
export const everything = '*'

/** Whether somebody holds a role of staff; students and applicants, who are temporary employees to the sources, do not. */
export function isStaff({ grants }: Pick<Person, 'grants'>): boolean {
  return grants.some(({ role }) => !/student$/i.test(role) && role !== 'Temporary Employee')
}

/** The principals of a person. A scoped grant also counts as its bare role: what is offered to any `HOD` is for each head. */
function principals(accountId: string, grants: readonly Grant[]): string[] {
  const named = grants.flatMap((grant) => [grant.role, principalOf(grant)])
  return [...new Set([`user:${accountId}`, ...named])]
}

/** Builds a person out of an account and its grants. */
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

/** What somebody's grants let a substitute act as: never by name, and never as one who sees everything. */
export function principalsForSubstitute(grants: readonly Grant[]): string[] {
  const passed = grants.filter(({ role }) => !SEES_ALL.includes(role))
  return [...new Set(passed.flatMap((grant) => [grant.role, principalOf(grant)]))]
}

/** Whether a substitution is for cases like this one; the amount in cents. */
function covers(
  { flows, amountLimit }: Pick<Stead, 'flows' | 'amountLimit'>,
  { flow, amount }: { flow: string; amount: string | null },
): boolean {
  if (flows !== null && !flows.includes(flow)) return false
  return amountLimit === null || (amount !== null && BigInt(amount) <= amountLimit)
}

/** In whose stead somebody may act on what belongs to such a case and is offered to these principals, and through which. */
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

/** How a permission group is written where roles stand. */
export const GROUP = 'group:'

/** The units that a thing belongs to, by kind. */
export type Place = Readonly<Record<string, unknown>>

/** A person's grants that an entry of a list of roles means: `Role`, `Role@kind`, or `group:<permission group>`. */
export function grantsMeant({ grants, groupRoles }: Pick<Person, 'grants' | 'groupRoles'>, entry: string): Grant[] {
  const roles = entry.startsWith(GROUP) ? (groupRoles[entry.slice(GROUP.length)] ?? []) : [entry.split('@')[0]!]
  const [, kind] = entry.startsWith(GROUP) ? [] : entry.split('@')
  return grants.filter(({ role, scopeKind }) => roles.includes(role) && (kind === undefined || scopeKind === kind))
}

/**
 * What lets somebody in where `allowed` lists roles, `Role@kind`, `group:<permission group>` or `*`; undefined when
 * nothing does. A grant that holds in a unit lets in to what belongs to that unit, as `place` says, and to nothing
 * else; without `place` it is asked whether there is anything at all that they may. Used for the audit's `acted_as`.
 */
export function admits(person: Person, allowed: readonly string[], place?: Place): string | undefined {
  if (allowed.includes('*')) return `user:${person.id}`
  for (const entry of person.seesAll ? [] : allowed) {
    const grant = grantsMeant(person, entry).find(
      ({ scopeKind, scopeId }) => place === undefined || scopeKind === null || place[scopeKind] === scopeId,
    )
    if (grant) return entry.startsWith(GROUP) ? entry : principalOf(grant)
  }
  if (person.seesAll) return person.grants.find(({ role }) => SEES_ALL.includes(role))!.role
  return undefined
}

function principalOf({ role, scopeKind, scopeId }: Grant): string {
  return scopeKind === null ? role : `${role}@${scopeKind}:${scopeId}`
}
