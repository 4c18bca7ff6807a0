import useSWR from 'swr'
import { type Asked, askedBy, askedOf, missingRows } from '../../../../forms/platform/asked.ts'
import { request } from '../client/client.ts'
import type { FormSchema } from '../client/types.ts'
import { isBlank } from '../record/fields.ts'
import type { FormValue, ShownField } from './conditions.ts'
import type { FieldError } from './validator.ts'

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
  if (error) return { wanted: new Set(), unwanted: new Set(), rows: new Map() }
  return askedOf(schema, (field) => data?.find(({ id }) => id === value[field])?.data)
}

/** The fields without those that the entries do not ask for; the others of these are required. */
export const askedFields = (fields: readonly ShownField[], { wanted, unwanted }: Asked): ShownField[] =>
  fields
    .filter(({ name }) => !unwanted.has(name))
    .map((field) => (wanted.has(field.name) ? { ...field, required: true } : field))

/** What is required and has no value, and the rows that are asked for and have no file. */
export function missingIn(fields: readonly ShownField[], { rows }: Asked, data: FormValue): FieldError[] {
  const lacking = fields.flatMap(({ name }): FieldError[] => {
    const titles = missingRows(rows.get(name) ?? [], data[name]).join(', ')
    return titles ? [{ field: `/${name}`, code: 'platform.rows-missing', values: { titles } }] : []
  })
  const blank = fields.filter(({ name, required }) => required && isBlank(data[name]))
  return [
    ...lacking,
    ...blank.map(({ name, schema }) => ({
      field: `/${name}`,
      code: schema['x-messages']?.['required'] ?? 'platform.field-required',
    })),
  ]
}
