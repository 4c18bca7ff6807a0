import useSWR from 'swr'
import { request, withQuery, type Problem } from '../client/client.ts'
import type { FormSchema, Page } from '../client/types.ts'
import { readAll, useRead } from './read.ts'

/** A register entry as the public sees it. */
export interface PublicItem {
  id: string
  title: string
  data: Record<string, unknown>
}

/** What a public register tells of itself: its public fields, and those that filter it. */
export interface PublicRegister {
  title: string
  schema: FormSchema
  filters: string[]
}

const placeOf = (register: string) => `/api/public/registers/${register}`

/** The first entries of a public register that match; keeps the previous ones until the new ones load. */
export const usePublicItems = (register: string, search: string, limit: number) =>
  useSWR<Page<PublicItem>, Problem>(
    withQuery(`${placeOf(register)}/items`, { search, limit }),
    (path: string) => request<Page<PublicItem>>('GET', path),
    { keepPreviousData: true },
  )

/** All entries of a public register, page after page; of none without a register. */
export const useAllPublicItems = (register: string | undefined) =>
  useSWR<Awaited<ReturnType<typeof readAll<PublicItem>>>, Problem>(
    register === undefined ? null : [placeOf(register), 'all'],
    ([path]: [string]) => readAll<PublicItem>(`${path}/items`),
  )

export const usePublicRegister = (register: string) => useRead<PublicRegister>(placeOf(register))

/** One public entry, with the titles of what it refers to. */
export const usePublicItem = (register: string, id: string) =>
  useRead<PublicItem & { titles: Record<string, string> }>(`${placeOf(register)}/items/${encodeURIComponent(id)}`)

export const readPublicItem = (register: string, id: string) =>
  request<PublicItem>('GET', `${placeOf(register)}/items/${encodeURIComponent(id)}`)
