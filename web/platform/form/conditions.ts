import type { FormSchema } from '../api/types.ts'
import { fieldsOf, isBlank, type Field } from '../record/fields.ts'

/** What a form holds while it is being filled in. */
export interface FormValue {
  [name: string]: unknown
}

export interface ShownField extends Field {
  required: boolean
}

type Bounds = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems'

/** Whether a value fits the small schemas that conditions are made of. The form's full check is the compiled validator. */
export function fits(schema: FormSchema | boolean | undefined, value: unknown): boolean {
  if (schema === undefined || typeof schema === 'boolean') return schema ?? true
  const bound = (name: Bounds) => schema[name] as number | undefined
  if ('const' in schema && schema.const !== value) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (typeof value === 'string') {
    if (schema['pattern'] && !new RegExp(String(schema['pattern'])).test(value)) return false
    if (value.length < (bound('minLength') ?? 0) || value.length > (bound('maxLength') ?? Infinity)) return false
  }
  if (typeof value === 'number' && (value < (bound('minimum') ?? -Infinity) || value > (bound('maximum') ?? Infinity)))
    return false
  if (Array.isArray(value) && value.length < (bound('minItems') ?? 0)) return false
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const held = value as FormValue
    if (schema.required?.some((name) => held[name] === undefined)) return false
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      if (held[name] !== undefined && !fits(part, held[name])) return false
  }
  if (schema.allOf && !schema.allOf.every((part) => fits(part, value))) return false
  if (schema['anyOf'] && !(schema['anyOf'] as FormSchema[]).some((part) => fits(part, value))) return false
  if (schema['not'] !== undefined && fits(schema['not'] as FormSchema, value)) return false
  return true
}

/** The names that are demanded of this value: always, by a condition that holds, or by another field that is filled. */
function requiredOf(schema: FormSchema, value: FormValue): Set<string> {
  const names = new Set(schema.required)
  const dependent = (schema['dependentRequired'] ?? {}) as Record<string, string[]>
  for (const [name, others] of Object.entries(dependent))
    if (!isBlank(value[name])) for (const other of others) names.add(other)
  const branch = schema.if === undefined ? undefined : fits(schema.if, value) ? schema.then : schema.else
  for (const part of [branch, ...(schema.allOf ?? [])])
    if (part) for (const name of requiredOf(part, value)) names.add(name)
  return names
}

/**
 * The fields to show for this value, in order; one that is marked `when-required` waits until it is demanded, and one
 * that is marked with a schema until the form fits it.
 */
export function shownFields(schema: FormSchema, value: FormValue): ShownField[] {
  const required = requiredOf(schema, value)
  const isShown = (name: string, shown: unknown) =>
    shown === undefined || required.has(name) || (shown !== 'when-required' && fits(shown as FormSchema, value))
  return fieldsOf(schema)
    .filter(({ name, schema: field }) => isShown(name, field['x-shown']))
    .map((field) => ({ ...field, required: required.has(field.name) }))
}

/**
 * What is to be sent: trimmed, without blanks, and without what a changed answer has hidden meanwhile. What this schema
 * has no field for belongs to another part of the form and stays.
 */
export function sendable(schema: FormSchema, value: FormValue): FormValue {
  const hidden = (from: FormValue) => {
    const shown = new Set(shownFields(schema, from).map(({ name }) => name))
    return fieldsOf(schema).filter(({ name }) => from[name] !== undefined && !shown.has(name))
  }
  const kept = cleaned(value) as FormValue
  // A blank at the end of a password belongs to it.
  for (const { name, schema: field } of fieldsOf(schema))
    if (field['x-widget'] === 'password' && !isBlank(value[name])) kept[name] = value[name]
  // Hiding one field may hide the next, so it goes on until nothing hidden holds a value.
  for (let gone = hidden(kept); gone.length > 0; gone = hidden(kept)) for (const { name } of gone) delete kept[name]
  return kept
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(cleaned).filter((each) => !isBlank(each))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, cleaned(each)] as const)
  return Object.fromEntries(entries.filter(([, each]) => !isBlank(each)))
}

/** What a fresh form begins with: the defaults of its schema. */
export function startingValue(schema: FormSchema): FormValue {
  const defaults = fieldsOf(schema).filter(({ schema: field }) => field['default'] !== undefined)
  return Object.fromEntries(defaults.map(({ name, schema: field }) => [name, field['default']]))
}
