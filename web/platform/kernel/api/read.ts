import { useEffect, useMemo, useState } from 'react'
import useSWR, { type SWRResponse } from 'swr'
import useSWRInfinite from 'swr/infinite'
import { concerns, useHints } from '../live/live.ts'
import { request, type Problem } from '../client/client.ts'
import type { Count, Page } from '../client/types.ts'

/** Reads a path and keeps it fresh; null waits. */
export function useRead<T>(path: string | null): SWRResponse<T, Problem> {
  return useSWR<T, Problem>(path, (p: string) => request<T>('GET', p))
}

export interface Pages<T> {
  items: T[] | undefined
  count: Count | undefined
  /** Of what the items refer to, by id, where the list gives them. */
  titles: Record<string, string>
  /** How the people that the items are about stand in a flow, by id, where the list was asked for that. */
  cases: NonNullable<Page<T>['cases']>
  /** There was too much to look through: what is shown is of a part of it. */
  narrow: boolean
  error: Problem | undefined
  more: boolean
  loading: boolean
  /** What is shown is being read again, or for the first time. */
  checking: boolean
  loadMore(): void
  reload(): void
}

/** Reads a list by keyset, page after page; hints read all shown pages again. */
export function usePages<T>(path: string | null): Pages<T> {
  const { data, error, size, setSize, mutate, isValidating } = useSWRInfinite<Page<T>, Problem>(
    (index, previous: Page<T> | null) => {
      if (path === null || (previous && !previous.next)) return null
      if (index === 0) return path
      return `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(previous?.next ?? '')}`
    },
    (p: string) => request<Page<T>>('GET', p),
    // A further page does not read the first one again; a page that is opened anew does, for hints passed it by.
    { revalidateFirstPage: false, revalidateOnMount: true },
  )
  // A list that is opened again, also in the place of another, shows what was read before, and that is looked at anew.
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
  // The same array as long as the same was read: lists compare it.
  const items = useMemo(() => data?.flatMap((page) => page.items), [data])
  return {
    items,
    count: data?.[0]?.count,
    titles: Object.assign({}, ...(data ?? []).map((page) => page.titles)) as Record<string, string>,
    cases: Object.assign({}, ...(data ?? []).map((page) => page.cases)) as NonNullable<Page<T>['cases']>,
    narrow: Boolean(data?.some((page) => page.narrow)),
    error,
    more: Boolean(data?.at(-1)?.next),
    checking: isValidating || looked !== path,
    loading: isValidating && (data?.length ?? 0) < size,
    loadMore: () => void setSize(size + 1),
    reload: () => void mutate(),
  }
}
