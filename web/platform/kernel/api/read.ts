import { useEffect, useMemo, useState } from 'react'
import useSWR, { type SWRResponse } from 'swr'
import useSWRInfinite from 'swr/infinite'
import { concerns, useHints } from '../live/live.ts'
import { request, withQuery, type Problem } from '../client/client.ts'
import type { Count, Page } from '../client/types.ts'

/** Reads a path and keeps it fresh; null waits. */
export function useRead<T>(path: string | null): SWRResponse<T, Problem> {
  return useSWR<T, Problem>(path, (p: string) => request<T>('GET', p))
}

/** A whole list. */
export type All<T> = Pick<Pages<T>, 'titles' | 'cases'> & { items: T[] }

/** Reads all pages of a list, one after the other. */
export async function readAll<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<All<T>> {
  const all: All<T> = { items: [], titles: {}, cases: {} }
  let cursor: string | null = ''
  do {
    const page: Page<T> = await request('GET', withQuery(path, { limit: 100, ...query, cursor }))
    all.items.push(...page.items)
    Object.assign(all.titles, page.titles)
    Object.assign(all.cases, page.cases)
    cursor = page.next
  } while (cursor)
  return all
}

export interface Pages<T> {
  items: T[] | undefined
  count: Count | undefined
  /** Titles of referenced entries by id, if the list returns them. */
  titles: Record<string, string>
  /** The state of each person's case in a flow, by id, if the list was asked for it. */
  cases: NonNullable<Page<T>['cases']>
  /** There were too many rows to examine: the result covers a part of them. */
  narrow: boolean
  error: Problem | undefined
  more: boolean
  loading: boolean
  /** Whether the list is being read, again or for the first time. */
  checking: boolean
  loadMore(): void
  reload(): void
  /** Reads the whole list again, with what is not loaded. */
  all(): Promise<All<T>>
}

/** Reads a list by keyset, page after page; hints reload all loaded pages. */
export function usePages<T>(path: string | null): Pages<T> {
  const { data, error, size, setSize, mutate, isValidating } = useSWRInfinite<Page<T>, Problem>(
    (index, previous: Page<T> | null) => {
      if (path === null || (previous && !previous.next)) return null
      if (index === 0) return path
      return withQuery(path, { cursor: previous?.next })
    },
    (p: string) => request<Page<T>>('GET', p),
    // Loading a further page does not reload the first one; a mounted list does, because it missed the hints before.
    { revalidateFirstPage: false, revalidateOnMount: true },
  )
  // A list that opens with cached data, also after a change of path, shows it at once and reloads it.
  const known = data !== undefined
  const [looked, setLooked] = useState(known ? undefined : path)
  useEffect(() => {
    if (looked === path) return
    const again = path === null || !known ? Promise.resolve() : mutate()
    void again.finally(() => setLooked(path))
  }, [path, looked, known, mutate])
  useHints((hint) => {
    if (path !== null && concerns(path, hint)) void mutate()
  })
  // A stable array as long as the data is the same: lists compare it.
  const items = useMemo(() => data?.flatMap((page) => page.items), [data])
  return {
    items,
    count: data?.[0]?.count,
    titles: Object.fromEntries((data ?? []).flatMap((page) => Object.entries(page.titles ?? {}))),
    cases: Object.fromEntries((data ?? []).flatMap((page) => Object.entries(page.cases ?? {}))),
    narrow: Boolean(data?.some((page) => page.narrow)),
    error,
    more: Boolean(data?.at(-1)?.next),
    checking: isValidating || looked !== path,
    loading: isValidating && (data?.length ?? 0) < size,
    loadMore: () => void setSize(size + 1),
    reload: () => void mutate(),
    all: () => readAll<T>(path ?? ''),
  }
}
