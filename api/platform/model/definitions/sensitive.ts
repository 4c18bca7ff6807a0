import { isObject } from '../../kernel/objects.ts'
import { type FieldSchema, leaves } from './register.ts'

/** A value without the fields that are marked sensitive. */
export function withoutSensitive<T>(schema: FieldSchema, value: T): T
export function withoutSensitive(schema: FieldSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSensitive(schema.items ?? {}, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => schema.properties?.[name]?.['x-sensitive'] !== true)
      .map(([name, one]) => [name, withoutSensitive(schema.properties?.[name] ?? {}, one)]),
  )
}

/** The sensitive fields of an entry that have a value, as JSON pointers; a sensitive list is one field. */
export function sensitiveFields(schema: FieldSchema, value: unknown, path = ''): string[] {
  if (leaves(schema, value).length === 0) return []
  if (schema['x-sensitive'] === true) return [path]
  if (Array.isArray(value))
    return value.flatMap((one, index) => sensitiveFields(schema.items ?? {}, one, `${path}/${index}`))
  if (!isObject(value)) return []
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    sensitiveFields(field, value[name], `${path}/${name}`),
  )
}
