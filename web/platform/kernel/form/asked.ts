import useSWR from 'swr'
import { type Asked, askedBy, askedOf } from '../../../../forms/platform/asked.ts'
import { request } from '../client/client.ts'
import type { FormSchema } from '../client/types.ts'
import type { FormValue, ShownField } from './conditions.ts'

interface Entry {
  id: string
  data: FormValue
}

/** What the chosen register entries ask for, as far as they have been read. If one cannot be read, all is shown. */
export function useAsked(schema: FormSchema, value: FormValue): Asked {
  const named = new Set(askedBy(schema).map(([, { entry }]) => entry))
  const places = [...named].flatMap((name) => {
    const register = schema.properties?.[name]?.['x-register']
    const id = value[name]
    return register && typeof id === 'string' && id !== ''
      ? [`/api/registers/${register}/items/${encodeURIComponent(id)}?sensitive=false`]
      : []
  })
  const { data, error } = useSWR(places.length > 0 ? places : null, (paths: string[]) =>
    Promise.all(paths.map((path) => request<Entry>('GET', path))),
  )
  if (error) return { wanted: new Set(), unwanted: new Set() }
  return askedOf(schema, (field) => data?.find(({ id }) => id === value[field])?.data)
}

/** The fields without those that the entries do not ask for; the others of these are required. */
export const askedFields = (fields: readonly ShownField[], { wanted, unwanted }: Asked): ShownField[] =>
  fields
    .filter(({ name }) => !unwanted.has(name))
    .map((field) => (wanted.has(field.name) ? { ...field, required: true } : field))
