import { useState } from 'react'
import { useRead } from '../api/read.ts'
import { withQuery } from '../client/client.ts'
import type { Page } from '../client/types.ts'
import { useDebounced } from '../clock/rested.ts'

interface Item {
  id: string
  title: string
  /** Whose it is. */
  owner?: string
}

type Query = Parameters<typeof withQuery>[1]

/**
 * The options for a choice among the entries of a register, which the server finds by the typed words; the chosen entry
 * is always one of them. `queryOf` gives the query for those words.
 */
export function useItemSearch(register: string, value: string, queryOf: (search: string) => Query) {
  const [typed, onSearch] = useState('')
  const items = `/api/registers/${register}/items`
  const { data, error, isLoading } = useRead<Page<Item>>(withQuery(items, queryOf(useDebounced(typed))))
  const found = data?.items ?? []
  const missing = value !== '' && !found.some(({ id }) => id === value)
  const chosen = useRead<Item>(missing ? `${items}/${encodeURIComponent(value)}?sensitive=false` : null).data
  // Last, so that Enter takes the first entry that was found.
  const all = missing ? [...found, chosen ?? { id: value, title: '…' }] : found
  const options = all.map(({ id, title, owner }) => ({
    value: id,
    label: owner === undefined ? title : `${title}, ${owner}`,
  }))
  return { options, error, isLoading, onSearch }
}
