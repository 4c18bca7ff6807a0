import type { Me } from '../api/types.ts'
import { mayOpen } from '../router/may-open.ts'
import { screens } from '../router/screens.ts'

export interface MenuGroup {
  /** Text key of the heading; the first group has none that is shown. */
  group: string
  entries: { route: string; title: string }[]
}

/** What this person's menu holds: the built screens that ask for a place in it and that they may open; a mailbox in demonstrations only. */
export function menuOf(me: Me, demo: boolean): MenuGroup[] {
  const found = new Map<string, { route: string; title: string; order: number }[]>()
  for (const screen of screens) {
    if (!screen.menu || !screen.built || !mayOpen(me, screen) || (screen.page === 'mailbox' && !demo)) continue
    const { group, order } = screen.menu
    found.set(group, [...(found.get(group) ?? []), { route: screen.route, title: screen.title, order }])
  }
  return [...found]
    .map(([group, entries]) => ({ group, entries: entries.sort((a, b) => a.order - b.order) }))
    .sort((a, b) =>
      a.group === 'platform.menu.work' ? -1 : b.group === 'platform.menu.work' ? 1 : a.group.localeCompare(b.group),
    )
}
