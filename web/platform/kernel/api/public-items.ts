import useSWR from 'swr'
import { request, withQuery, type Problem } from '../client/client.ts'
import type { Page } from '../client/types.ts'

/** A register entry as the public sees it. */
export interface PublicItem {
  id: string
  title: string
  data: Record<string, unknown>
}

/** The first entries of a public register that match; keeps the previous ones until the new ones load. */
export const usePublicItems = (register: string, search: string, limit: number) =>
  useSWR<Page<PublicItem>, Problem>(
    withQuery(`/api/public/registers/${register}/items`, { search, limit }),
    (path: string) => request<Page<PublicItem>>('GET', path),
    { keepPreviousData: true },
  )
