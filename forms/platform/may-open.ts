/** What decides which pages somebody may open: `groups` are the permission groups that they hold. */
interface Opener {
  seesAll: boolean
  groups: readonly string[]
  grants: readonly { role: string; scopeKind?: string | null; scope?: { kind: string } | null }[]
}

/**
 * A page's permission group, and its list of roles where it has one: `Role`, or `Role@department` for who holds it
 * there. The roles of `alsoFor` open it without the group. Who sees everything opens it too, unless it is `sealed`.
 */
interface Guarded {
  guard: string | null
  roles?: readonly string[]
  alsoFor?: readonly string[]
  sealed?: boolean
}

/** Whether a person may open a page: by its permission group and by its role list. The API checks each act again. */
export function mayOpen({ seesAll, groups, grants }: Opener, { guard, roles, alsoFor, sealed }: Guarded): boolean {
  const holds = (entry: string) => grants.some((grant) => isMeant(entry, grant))
  if ((seesAll && !sealed) || alsoFor?.some(holds)) return true
  const inGroup = guard === null || guard === 'none' || guard === 'public' || groups.includes(guard)
  return inGroup && (!roles || roles.some(holds))
}

/** Whether a role of a page's list is this grant. */
export function isMeant(entry: string, { role, scopeKind, scope }: Opener['grants'][number]): boolean {
  const [name, kind] = entry.split('@')
  return role === name && (kind === undefined || (scopeKind ?? scope?.kind) === kind)
}
