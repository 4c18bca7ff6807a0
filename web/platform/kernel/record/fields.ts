import { fieldSchemas } from '../../../../forms/platform/answers.ts'
import type { FormSchema } from '../client/types.ts'

export interface Field {
  name: string
  schema: FormSchema
}

/** The fields of an object schema in display order, with those that only a condition adds. */
export function fieldsOf(schema: FormSchema): Field[] {
  const all = fieldSchemas(schema)
  // Without `x-order`, required fields come first, in the order of `required`.
  const order = schema['x-order'] ?? schema.required ?? []
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(all)
    .map(([name, field]) => ({ name, schema: field }))
    .filter((field) => !field.schema['x-made'])
    .sort((a, b) => place(a.name) - place(b.name))
}

/** Whether a value is an object or a list. */
export const isRecord = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null

/** A time span of a week's opening hours; parts are missing until they are chosen. */
export interface Hours {
  day?: string
  from?: string | undefined
  until?: string | undefined
}

/** The spans in the value of a field with the widget `week`. */
export function hoursOf(value: unknown): Hours[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows of such a field have these properties
  return Array.isArray(value) ? (value as Hours[]) : []
}

/** The value at a JSON pointer such as `/from`. */
export function at(data: unknown, pointer: string): unknown {
  let found = data
  for (const step of pointer.split('/').slice(1)) {
    if (!isRecord(found)) return undefined
    found = found[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return found
}

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
