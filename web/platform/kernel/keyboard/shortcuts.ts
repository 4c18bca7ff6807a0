import { useEffect, useRef, useSyncExternalStore } from 'react'

/** One key and its action. */
export interface Shortcut {
  /** As in `KeyboardEvent.key`: a letter, a sign, `Enter` or `Escape`. */
  key: string
  /** Text key of the action, for the overview. */
  title: string
  run(): void
  /** Whether the action is available now; the overview lists it in any case. */
  when?: boolean
  /** Precedes others with the same key, as an act on many tasks precedes one on a single task. */
  first?: boolean
  /** Whether holding the key repeats the action. */
  repeats?: boolean
  /** The focused element handles this key itself: it is only listed. */
  native?: boolean
}

/** The shortcuts of one part of a page, under the text key of its heading. */
export interface ShortcutGroup {
  title: string
  shortcuts: readonly Shortcut[]
}

const remembered = 'prakriya.shortcuts'
const groups = new Set<{ current: ShortcutGroup }>()
const watchers = new Set<() => void>()
let on = localStorage.getItem(remembered) !== 'off'
let helpOpen = false

const tell = () => {
  for (const watcher of watchers) watcher()
}
const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Whether single letters and signs are shortcuts; people who use speech input or type with one hand turn them off. */
export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, () => on)

/** Turns single letters and signs on or off, for this device. */
export function turnShortcuts(to: boolean): void {
  on = to
  if (to) localStorage.removeItem(remembered)
  else localStorage.setItem(remembered, 'off')
  tell()
}

/** Whether the overview of shortcuts is open. */
export const useShortcutHelp = (): boolean => useSyncExternalStore(subscribe, () => helpOpen)

/** Opens or closes the overview of shortcuts. */
export function showShortcutHelp(open: boolean): void {
  helpOpen = open
  tell()
}

/** The available shortcuts, by parts of the page. */
export function presentShortcuts(): ShortcutGroup[] {
  const byTitle = new Map<string, Map<string, Shortcut>>()
  for (const { current } of groups) {
    const of = byTitle.get(current.title) ?? new Map<string, Shortcut>()
    for (const shortcut of current.shortcuts) of.set(`${shortcut.key} ${shortcut.title}`, shortcut)
    byTitle.set(current.title, of)
  }
  return [...byTitle].map(([title, shortcuts]) => ({ title, shortcuts: [...shortcuts.values()] }))
}

/**
 * Listens to keys while the component is mounted. Letters typed into a field, and keys in a dialog or an open menu,
 * keep their meaning.
 */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const group = useRef<ShortcutGroup>({ title, shortcuts })
  useEffect(() => {
    group.current = { title, shortcuts }
  })
  useEffect(() => {
    groups.add(group)
    if (groups.size === 1) window.addEventListener('keydown', press)
    return () => {
      groups.delete(group)
      if (groups.size === 0) window.removeEventListener('keydown', press)
    }
  }, [])
}

const typing =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=menu], [role=listbox], [role=dialog]'

/** The Latin letter of a key, also with a Sinhala or Tamil keyboard. */
const keyOf = ({ key, code }: KeyboardEvent): string =>
  key.length === 1 && !/[\x20-\x7e]/.test(key) ? (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key) : key

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  const key = keyOf(event)
  if (key.length === 1 && !on) return
  const target = event.target instanceof Element ? event.target : document.body
  if (target.closest(typing) || target.closest('[aria-expanded=true]')) return
  const heard = [...groups]
    .flatMap(({ current }) => current.shortcuts)
    .filter((each) => each.key === key && !each.native && each.when !== false && (!event.repeat || each.repeats))
  const chosen = heard.find(({ first }) => first) ?? heard[0]
  if (!chosen) return
  event.preventDefault()
  chosen.run()
}
