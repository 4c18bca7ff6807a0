import type { Me } from '../api/types.ts'
import { mayOpen } from '../../../forms/platform/may-open.ts'
import { screens } from '../router/screens.ts'
import { menuRules } from './menu-rules.ts'

export interface MenuGroup {
  /** Text key of the heading; the first group has none that is shown. */
  group: string
  entries: { route: string; title: string }[]
}

/** What this person's menu holds: the built screens that ask for a place in it, that they may open and that their rule offers them; a mailbox in demonstrations only. */
export function menuOf(me: Me, demo: boolean): MenuGroup[] {
  const roles = me.grants.map(({ role }) => role)
  const found = new Map<string, { route: string; title: string; order: number }[]>()
  for (const screen of screens) {
    if (!screen.menu || !screen.built || !mayOpen(me, screen) || (screen.page === 'mailbox' && !demo)) continue
    const { group, order, rule } = screen.menu
    if (rule && !menuRules[rule](roles, me.record?.register)) continue
    found.set(group, [...(found.get(group) ?? []), { route: screen.route, title: screen.title, order }])
  }
  return [...found]
    .map(([group, entries]) => ({ group, entries: entries.sort((a, b) => a.order - b.order) }))
    .sort((a, b) =>
      a.group === 'platform.menu.work' ? -1 : b.group === 'platform.menu.work' ? 1 : a.group.localeCompare(b.group),
    )
}
