import type { Me } from '../client/types.ts'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { screens } from './screens.ts'
import type { Translate } from '../texts/texts.ts'
import { menuRules } from './menu-rules.ts'

interface MenuEntry {
  route: string
  /** Text key. */
  title: string
}

export interface MenuGroup {
  /** Text key of the heading; the first group shows none. */
  group: string
  entries: MenuEntry[]
}

/** The first group, which has no heading. */
export const FIRST = 'platform.menu.work'

/**
 * This person's menu: built screens with a menu entry that they may open and whose rule accepts them; the mailbox only
 * in a demonstration.
 */
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
    .sort((a, b) => (a.group === FIRST ? -1 : b.group === FIRST ? 1 : a.group.localeCompare(b.group)))
}

/** Normalises a text for searching. */
const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase()

/** Whether each typed word occurs in these texts. */
export const hasWords = (typed: string, texts: readonly string[]): boolean => {
  const all = plain(texts.join(' '))
  return plain(typed)
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/**
 * Menu entries that match the typed words, by their names and their groups' names; names that start with them come
 * first.
 */
export function entriesFor(
  groups: readonly MenuGroup[],
  typed: string,
  t: Translate,
): (MenuEntry & { group: string })[] {
  const words = plain(typed.trim())
  return groups
    .flatMap(({ group, entries }) => entries.map((entry) => ({ ...entry, group })))
    .filter(({ title, group }) => hasWords(words, group === FIRST ? [t(title)] : [t(title), t(group)]))
    .map((entry) => ({ entry, begins: plain(t(entry.title)).startsWith(words) }))
    .sort((a, b) => Number(b.begins) - Number(a.begins))
    .map(({ entry }) => entry)
}
