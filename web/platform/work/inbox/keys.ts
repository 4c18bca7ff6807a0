import type { InputRef } from 'antd'
import type { RefObject } from 'react'
import { claimTask } from '../../kernel/api/tasks.ts'
import { useShortcuts } from '../../kernel/keyboard/shortcuts.ts'
import { useAction } from '../../kernel/states/act.ts'
import type { Address } from './address.ts'

const linksIn = (page: HTMLElement | null) => [...(page?.querySelectorAll<HTMLAnchorElement>('[data-row]') ?? [])]

/** Focuses a row once it has rendered. */
export function focusRow(page: HTMLElement | null, id: string): void {
  requestAnimationFrame(() => {
    const link = linksIn(page).find(({ dataset }) => dataset['row'] === id)
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  })
}

function focusedRow(page: HTMLElement | null): string | undefined {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLAnchorElement>('[data-row]')
  return row && page?.contains(row) ? row.dataset['row'] : undefined
}

interface KeysOf {
  page: RefObject<HTMLDivElement | null>
  /** The rows in the order shown. */
  ids: readonly string[]
  /** Id of the open task. */
  open: string | undefined
  address: Address
  toggle(id: string): void
  searchField: RefObject<InputRef | null>
}

/** Keyboard navigation of the list: move, open, select, claim. */
export function useListKeys({ page, ids, open, address, toggle, searchField }: KeysOf): void {
  const attempt = useAction()
  const { navigate, toTask } = address
  /** The focused row, else that of the open task. */
  const meant = () => focusedRow(page.current) ?? open
  const walk = (step: 1 | -1) => {
    const links = linksIn(page.current)
    const now = links.findIndex(({ dataset }) => dataset['row'] === meant())
    const to = links[now < 0 ? 0 : Math.min(links.length - 1, Math.max(0, now + step))]
    to?.focus({ preventScroll: true })
    to?.scrollIntoView({ block: 'nearest' })
  }
  const show = (id: string | undefined) => {
    if (!id) return
    navigate(toTask(id), { replace: open !== undefined })
    focusRow(page.current, id)
  }
  const some = ids.length > 0
  useShortcuts('platform.inbox.keys-of-list', [
    { key: 'j', title: 'platform.inbox.key.down', run: () => walk(1), when: some, repeats: true },
    { key: 'k', title: 'platform.inbox.key.up', run: () => walk(-1), when: some, repeats: true },
    { key: 'Enter', title: 'platform.inbox.key.open', run: () => {}, native: true },
    { key: 'o', title: 'platform.inbox.key.open', run: () => show(meant()), when: some },
    {
      key: 'u',
      title: 'platform.inbox.key.next',
      when: some,
      // After a decision the focus may still be on the row that disappears, so the open task counts.
      run: () => show(ids[ids.indexOf(open ?? meant() ?? '') + 1]),
    },
    {
      key: 'x',
      title: 'platform.inbox.key.select',
      when: some,
      run: () => {
        const id = meant()
        if (id) toggle(id)
      },
    },
    {
      key: 'e',
      title: 'platform.inbox.key.claim',
      when: some,
      run: () => {
        const id = meant()
        if (id) void attempt(() => claimTask(id))
      },
    },
    { key: '/', title: 'platform.inbox.key.search', run: () => searchField.current?.focus({ cursor: 'all' }) },
    {
      key: 'Escape',
      title: 'platform.inbox.key.close',
      when: open !== undefined,
      run: () => {
        navigate(toTask(undefined))
        if (open) focusRow(page.current, open)
      },
    },
  ])
}
