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
  return Object.keys(all)
    .filter((name) => !all[name]?.['x-made'])
    .sort((a, b) => place(a) - place(b))
    .map((name) => ({ name, schema: all[name] as FormSchema }))
}

/** The value at a JSON pointer such as `/from`. */
export function at(data: unknown, pointer: string): unknown {
  let found = data
  for (const step of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return found
}

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
