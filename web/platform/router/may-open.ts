import type { Me } from '../api/types.ts'
import type { Screen } from './match.ts'

/** Whether a person may open a screen: by its permission group and by its role list. The API checks again. */
export function mayOpen(me: Me, { guard, roles }: Screen): boolean {
  if (me.seesAll) return true
  const inGroup = guard === null || guard === 'none' || guard === 'public' || me.groups.includes(guard)
  return inGroup && (!roles || me.grants.some(({ role }) => roles.includes(role)))
}
