import useSWR from 'swr'
import { request, withQuery, type Problem } from '../client/client.ts'
import type { Page } from '../client/types.ts'

/** An item of a register, as anybody may see it. */
export interface PublicItem {
  id: string
  title: string
  data: Record<string, unknown>
}

/** The first items of a public register that fit some words; the ones before stay until the new ones are there. */
export const usePublicItems = (register: string, search: string, limit: number) =>
  useSWR<Page<PublicItem>, Problem>(
    withQuery(`/api/public/registers/${register}/items`, { search, limit }),
    (path: string) => request<Page<PublicItem>>('GET', path),
    { keepPreviousData: true },
  )
