import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { asFilters, withQuery } from '../../kernel/client/client.ts'
import { queues, sorts, type Queue, type Sort } from '../../kernel/api/inbox.ts'

export const groupings = ['none', 'flow', 'desk', 'due', 'requester'] as const
export type Grouping = (typeof groupings)[number]

/** Filters of a list, besides the fields of a flow (`filter.<field>`). */
const named = [
  'flow',
  'status',
  'desk',
  'requester',
  'faculty',
  'amountFrom',
  'amountTo',
  'from',
  'until',
  'for',
] as const

/** The list in the address. */
export interface Wanted {
  queue: Queue
  sort: Sort
  /** Undefined if the reader's saved choice applies. */
  group: Grouping | undefined
  /** The search words; '' for none. */
  words: string
  /** All other filters, by their API names. */
  filters: Record<string, string>
  /** Id of the saved view that the list started from. */
  view: string | undefined
  /** The address has no query: the reader's start view applies. */
  bare: boolean
}

const isFilter = (name: string) => named.some((each) => each === name) || name.startsWith('filter.')
const oneOf = <T extends string>(all: readonly T[], given: string | null): T | undefined =>
  all.find((each) => each === given)

/** Parses the query of an address. */
function read(search: string): Wanted {
  const given = new URLSearchParams(search)
  return {
    queue: oneOf(queues, given.get('queue')) ?? 'open',
    sort: oneOf(sorts, given.get('sort')) ?? '-created',
    group: oneOf(groupings, given.get('group')),
    words: given.get('search') ?? '',
    filters: Object.fromEntries([...given].filter(([name, value]) => isFilter(name) && value !== '')),
    view: given.get('view') ?? undefined,
    bare: given.size === 0,
  }
}

/** A list as a query for addresses and saved views; defaults are left out, except the queue. */
export function write({ queue, sort, group, words, filters }: Omit<Wanted, 'view' | 'bare'>): Record<string, string> {
  return {
    queue,
    ...(sort === '-created' ? {} : { sort }),
    ...(group && { group }),
    ...(words ? { search: words } : {}),
    ...filters,
  }
}

/** What the screen of a list fixes. */
interface Fixed {
  flow: string | undefined
  desk?: string | undefined
  /** The status of the cases, where several desks of the flow are on the list. */
  status?: string | undefined
  /** Fields of the flow, each with its value. */
  only?: Readonly<Record<string, string>>
}

/** The API query of a list; grouping is done by the page. */
export function apiQuery(wanted: Wanted, { flow, desk, status, only = {} }: Fixed): Record<string, string> {
  const { group: _, ...query } = write(wanted)
  const fixed = { ...(flow && { flow }), ...(desk && { desk }), ...(status && { status }) }
  return { ...query, ...fixed, ...asFilters(only) }
}

/** Whether two queries are equal, in any order. */
export const same = (one: Record<string, string>, other: Record<string, string>): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())

/** The inbox's address: which list, which task is open, and links to others. */
export function useAddress() {
  const [path, navigate] = useLocation()
  const search = new URLSearchParams(useSearch())
  const task = search.get('task') ?? undefined
  search.delete('task')
  const rest = search.toString()
  const list = useMemo(() => {
    const wanted = { ...read(rest), bare: rest === '' }
    const { view } = wanted
    const at = (query: Record<string, string | undefined>) => withQuery(path, query)
    const to = (change: Partial<Wanted>) => at({ ...write({ ...wanted, ...change }), view })
    return {
      wanted,
      /** The address of another list; it keeps the view that it started from. */
      to,
      go: (change: Partial<Wanted>) => navigate(to(change), { replace: true }),
      /** The address of a task within the list, or of the list alone. */
      toTask: (id: string | undefined) => at({ ...Object.fromEntries(new URLSearchParams(rest)), task: id }),
    }
  }, [path, rest, navigate])
  return { ...list, path, navigate, task, bare: list.wanted.bare && task === undefined }
}

export type Address = ReturnType<typeof useAddress>
