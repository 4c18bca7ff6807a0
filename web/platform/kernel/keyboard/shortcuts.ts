import { useEffect, useRef, useSyncExternalStore } from 'react'

/** One key and what it does where it is heard. */
export interface Shortcut {
  /** As `KeyboardEvent.key` gives it: a letter, a sign, `Enter` or `Escape`. */
  key: string
  /** Text key of what it does, for the overview. */
  title: string
  run(): void
  /** Whether there is anything to do it with now; it stands in the overview all the same. */
  when?: boolean
  /** Goes before others that hear the same key, as what is done with many tasks does before what is done with one. */
  first?: boolean
  /** Whether holding the key down goes on doing it. */
  repeats?: boolean
  /** The key does this by itself where the focus is: it is only listed. */
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

/** Whether single letters and signs do something; whoever speaks to the machine, or types with one hand, turns them off. */
export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, () => on)

/** Turns single letters and signs on or off, for this device. */
export function turnShortcuts(to: boolean): void {
  on = to
  if (to) localStorage.removeItem(remembered)
  else localStorage.setItem(remembered, 'off')
  tell()
}

/** Whether the overview of all keys is shown. */
export const useShortcutHelp = (): boolean => useSyncExternalStore(subscribe, () => helpOpen)

/** Shows or hides the overview of all keys. */
export function showShortcutHelp(open: boolean): void {
  helpOpen = open
  tell()
}

/** What can be pressed now, by the parts of the page. */
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
 * Hears keys as long as the component is shown. Letters typed into a field, and whatever is pressed in a dialog or an
 * open menu, stay what they are.
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

/** The Latin letter of a key, also where the keyboard writes Sinhala or Tamil. */
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
