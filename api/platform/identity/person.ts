/** A role and where it holds. */
export interface Grant {
  role: string
  scopeKind: string | null
  scopeId: string | null
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
  /** Holds ADMIN or SA; the audit says so wherever that is what let them in. */
  seesAll: boolean
}

/** Roles that see everything, hold every permission group, and hold everywhere or not at all. */
export const SEES_ALL = ['ADMIN', 'SA']

/** The principals of a person. A scoped grant also counts as its bare role: what is offered to any `HOD` is for each head. */
function principals(accountId: string, grants: readonly Grant[]): string[] {
  const named = grants.flatMap(({ role, scopeKind, scopeId }) =>
    scopeKind === null ? [role] : [role, `${role}@${scopeKind}:${scopeId}`],
  )
  return [...new Set([`user:${accountId}`, ...named])]
}

/** Builds a person out of an account and its grants. */
export function personOf(
  account: { id: string; username: string; name: string; email: string; post: string | null },
  grants: Grant[],
  groups: string[],
): Person {
  const { id, username, name, email, post } = account
  const seesAll = grants.some(({ role, scopeKind }) => scopeKind === null && SEES_ALL.includes(role))
  return { id, username, name, email, post, grants, principals: principals(id, grants), groups, seesAll }
}

/** How a permission group is written where roles stand. */
export const GROUP = 'group:'

/**
 * What lets somebody in where `allowed` lists roles, `Role@kind`, `group:<permission group>` or `*`; undefined when
 * nothing does. `scope` names the thing's own faculty, department and so on. Used for the audit's `acted_as`.
 */
export function admits(
  person: Person,
  allowed: readonly string[],
  scope: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if (allowed.includes('*')) return `user:${person.id}`
  for (const entry of allowed) {
    if (entry.startsWith(GROUP)) {
      if (!person.seesAll && person.groups.includes(entry.slice(GROUP.length))) return entry
      continue
    }
    const [role, kind] = entry.split('@')
    const principal = kind === undefined ? role! : `${role}@${kind}:${scope[kind]}`
    if (person.principals.includes(principal)) return principal
  }
  if (person.seesAll) return person.grants.find(({ role }) => SEES_ALL.includes(role))!.role
  return undefined
}
