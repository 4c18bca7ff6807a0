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
  /** Text key of the heading; the first group has none that is shown. */
  group: string
  entries: MenuEntry[]
}

/** The group that stands first, without a heading. */
export const FIRST = 'platform.menu.work'

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
    .sort((a, b) => (a.group === FIRST ? -1 : b.group === FIRST ? 1 : a.group.localeCompare(b.group)))
}

/** A text as a search compares it. */
const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase()

/** Whether each word that somebody typed stands somewhere in these texts. */
export const hasWords = (typed: string, texts: readonly string[]): boolean => {
  const all = plain(texts.join(' '))
  return plain(typed)
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** The entries that somebody means by the words typed, by their own names and those of their groups; names that begin so come first. */
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
