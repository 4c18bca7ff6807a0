/** What decides which pages somebody may open: `groups` are the permission groups that they hold. */
interface Opener {
  seesAll: boolean
  groups: readonly string[]
  grants: readonly { role: string }[]
}

/** A page's permission group, and its list of roles where it has one. */
interface Guarded {
  guard: string | null
  roles?: readonly string[]
}

/** Whether a person may open a page: by its permission group and by its role list. The API checks each act again. */
export function mayOpen({ seesAll, groups, grants }: Opener, { guard, roles }: Guarded): boolean {
  if (seesAll) return true
  const inGroup = guard === null || guard === 'none' || guard === 'public' || groups.includes(guard)
  return inGroup && (!roles || grants.some(({ role }) => roles.includes(role)))
}
