import { request, withQuery } from '../../platform/kernel/client/client.ts'
import { usePages, useRead } from '../../platform/kernel/api/read.ts'
import type { Page } from '../../platform/kernel/client/types.ts'
import { hasText, type Translate } from '../../platform/kernel/texts/texts.ts'
import type { Prices } from '../../../forms/resource-reservation/estimate.ts'

/** The public fields of a resource. */
export interface ResourceData extends Omit<Partial<Prices>, 'amenities'> {
  name: string
  resource_ref_id: string
  resource_type?: string
  faculty?: string
  department?: string
  division?: string
  description?: string
  location?: string
  location_type?: string
  pictures?: string[]
  internal_use?: boolean
  external_use?: boolean
  currently_associated?: boolean
  past_associated?: boolean
  reservation_required?: boolean
  past_reservation_required?: boolean
  seating_capacity?: number
  theory_lec_capacity?: number
  practical_lec_capacity?: number
  theory_exam_capacity?: number
  practical_exam_capacity?: number
  size?: string
  amenities?: Amenity[]
  /** Ids: `titles` has their names. */
  parent?: string
  opening_hours?: Opening[]
  outside_hours?: boolean
  blackouts?: { from: string; until: string; reason: string }[]
  notice_min_hours?: number
  notice_max_days?: number
  length_min_hours?: number
  length_max_hours?: number
  quota_per_person?: number
  approval_committee?: string
  approval_designation?: string
  recommending_designation?: string
}

/** A day may have several. */
export interface Opening {
  day: string
  from: string
  until: string
}

export interface Amenity {
  id: string
  type: string
  quantity: number
  /** Cents for each. */
  amount: number
}

export interface Resource {
  id: string
  title: string
  data: ResourceData
  /** Names of what the resource refers to, by id. */
  titles: Record<string, string>
}

/** The filters of the page; the names are those of the address bar. */
export interface ResourceFilter {
  search: string
  resource_type_id: string
  faculty_id: string
  dep_id: string
  division_id: string
}

const register = '/api/public/registers/resource-reservation/resource/items'

export const useResources = (filter: ResourceFilter) =>
  usePages<Omit<Resource, 'titles'>>(
    withQuery(register, {
      search: filter.search,
      'filter.resource_type': filter.resource_type_id,
      'filter.faculty': filter.faculty_id,
      'filter.department': filter.dep_id,
      'filter.division': filter.division_id,
      limit: 24,
    }),
  )

export const useResource = (id: string | null) => useRead<Resource>(id ? `${register}/${encodeURIComponent(id)}` : null)

interface Choice {
  id: string
  title: string
}

const choices = (key: string) => withQuery(`/api/public/registers/${key}/items`, { limit: 100 })
const useChoices = (key: string) =>
  useRead<Page<Choice & { data: { theme?: string; faculty?: string } }>>(choices(key)).data?.items

/** The owners to filter by, with names and colours. */
export function useOwners() {
  const faculties = useChoices('platform/faculty')
  const departments = useChoices('platform/department')
  const divisions = useChoices('platform/division')
  const ready = faculties && departments && divisions
  const all = [...(faculties ?? []), ...(departments ?? []), ...(divisions ?? [])]
  const names = new Map(all.map(({ id, title }) => [id, title]))
  const themes = new Map(faculties?.map(({ id, data }) => [id, data.theme]))
  for (const { id, data } of departments ?? []) themes.set(id, themes.get(data.faculty ?? ''))
  return {
    faculties: faculties ?? [],
    departments: departments ?? [],
    divisions: divisions ?? [],
    ready: Boolean(ready),
    /** The owner's name, and the faculty whose colour it has. */
    of: ({ faculty, department, division }: ResourceData): { name: string | undefined; theme: string | undefined } => {
      const id = faculty ?? department ?? division ?? ''
      return { name: names.get(id), theme: themes.get(id) }
    },
  }
}

export type Owners = ReturnType<typeof useOwners>

export const useTypes = () => useChoices('resource-reservation/resource-type')

/** The name of a type in the reader's language; a type added by staff stays as written. */
export function typeName(title: string | undefined, t: Translate): string | undefined {
  if (title === undefined) return undefined
  const key = `resource-reservation.type.${title.toLowerCase().replaceAll(' ', '-')}`
  return hasText(key) ? t(key) : title
}

/** The newest picture of a resource. */
export const pictureOf = ({ pictures }: ResourceData, size: 'small' | 'medium'): string | undefined => {
  const id = pictures?.at(-1)
  return id && `/api/files/${encodeURIComponent(id)}?size=${size}`
}

export interface Taken {
  id: string
  title: string | null
  from: string
  until: string
  state: 'hold' | 'claimed' | 'final'
}

/** From start to end the slot is kept free; `booked` is the event itself. */
export interface TakenSlot extends Taken {
  item: string
  booked: { from: string; until: string }
}

/** The path of a resource's taken slots, which are public. */
const takenPath = (item: string, from: string, until: string) =>
  withQuery('/api/public/allocations', { item, from, until })
export const useTaken = (item: string, from: string, until: string) =>
  useRead<{ items: TakenSlot[] }>(takenPath(item, from, until))

export interface Hold {
  id: string
  item: string
  from: string
  until: string
  expiresAt: string
}

export const bookingFlow = 'resource-reservation/resource-booking'

interface Wanted {
  resource: string
  from: string
  until: string
}

/**
 * Holds a slot for some minutes; it replaces an earlier hold of the same resource. A cookie identifies a guest's
 * browser.
 */
export async function holdSlot(data: Wanted, guest: boolean): Promise<Hold> {
  const body = { flow: bookingFlow, data }
  if (!guest) return request<Hold>('POST', '/api/holds', { body })
  const { proved } = await import('../../platform/kernel/session/proof.ts')
  return proved((headers) => request<Hold>('POST', '/api/public/holds', { body, headers }))
}

export const releaseHold = (id: string, guest: boolean) =>
  request<void>('DELETE', `${guest ? '/api/public/holds' : '/api/holds'}/${encodeURIComponent(id)}`)

/** Another free time, or another resource that is free at the same time. */
export interface Alternative extends Span {
  resource: { id: string; title: string }
}
interface Span {
  from: string
  until: string
}

/** Whether the resource's rules allow this time; if not, why, and what is free instead. */
export type Availability =
  | { free: true }
  | { free: false; field: string; code: string; message: string; alternatives: Alternative[] }

export const askAvailability = (data: Wanted & { association_to_uni?: unknown }, signal: AbortSignal) =>
  request<Availability>('POST', '/api/public/availability', { body: { flow: bookingFlow, data }, signal })
