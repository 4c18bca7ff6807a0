import { effectiveAnswers, standingOf } from '../../../../forms/platform/answers.ts'
import type { FormSchema } from '../client/types.ts'
import { fieldsOf, isBlank, type Field } from '../record/fields.ts'

/** What a form holds while it is being filled in. */
export interface FormValue {
  [name: string]: unknown
}

export interface ShownField extends Field {
  required: boolean
}

/**
 * The fields to show for this value, in order; one that is marked `when-required` waits until it is demanded, and one
 * that is marked with a schema until the form fits it. Answers that are hidden bring nothing in.
 */
export function shownFields(schema: FormSchema, value: FormValue): ShownField[] {
  const { shown, required } = standingOf(schema, typed(schema, value))
  return fieldsOf(schema)
    .filter(({ name }) => shown.has(name))
    .map((field) => ({ ...field, required: required.has(field.name) }))
}

/**
 * What is to be sent: trimmed, without blanks, and without what a changed answer has hidden meanwhile. What this schema
 * has no field for belongs to another part of the form and stays.
 */
export const sendable = (schema: FormSchema, value: FormValue): FormValue =>
  effectiveAnswers(schema, typed(schema, value))

/** What has been typed: trimmed, and without blanks. */
function typed(schema: FormSchema, value: FormValue): FormValue {
  const kept = cleaned(value) as FormValue
  // A blank at the end of a password belongs to it.
  for (const { name, schema: field } of fieldsOf(schema))
    if (field['x-widget'] === 'password' && !isBlank(value[name])) kept[name] = value[name]
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
