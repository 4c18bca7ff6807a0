import { effectiveAnswers, formState } from '../../../../forms/platform/answers.ts'
import type { FormSchema } from '../client/types.ts'
import { fieldsOf, isBlank, isRecord, type Field } from '../record/fields.ts'

/** The value of a form while it is being filled in. */
export interface FormValue {
  [name: string]: unknown
}

export interface ShownField extends Field {
  required: boolean
}

/**
 * The fields to show for this value, in order. A field marked `when-required` shows once it is required, one marked
 * with a schema once the form matches it. Hidden answers have no effect.
 */
export function shownFields(schema: FormSchema, value: FormValue): ShownField[] {
  const { shown, required } = formState(schema, typed(schema, value))
  return fieldsOf(schema)
    .filter(({ name }) => shown.has(name))
    .map((field) => ({ ...field, required: required.has(field.name) }))
}

/**
 * The value to send: trimmed, without blanks and without answers that are now hidden. Values without a field here
 * belong to another part of the form and stay.
 */
export const sendable = (schema: FormSchema, value: FormValue): FormValue =>
  effectiveAnswers(schema, typed(schema, value))

/** The typed value: trimmed, and without blanks. */
function typed(schema: FormSchema, value: FormValue): FormValue {
  const kept = cleanedFields(value)
  // A trailing space belongs to a password.
  for (const { name, schema: field } of fieldsOf(schema))
    if (field['x-widget'] === 'password' && !isBlank(value[name])) kept[name] = value[name]
  return kept
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(cleaned).filter((each) => !isBlank(each))
  return isRecord(value) ? cleanedFields(value) : value
}

function cleanedFields(value: FormValue): FormValue {
  const entries = Object.entries(value).map(([name, each]) => [name, cleaned(each)] as const)
  return Object.fromEntries(entries.filter(([, each]) => !isBlank(each)))
}

/**
 * A changed value without what the change makes meaningless: choices that depended on another choice, rows that
 * another entry asked for, and what a yes of
 * `x-same` had copied before it became a no.
 */
export function withoutDependents(schema: FormSchema, before: FormValue, changed: FormValue): FormValue {
  const gone = fieldsOf(schema).flatMap(
    ({ name, schema: { 'x-within': within, 'x-asked': asked, 'x-same': same } }) => [
      ...(within && before[within.field] !== changed[within.field] ? [name] : []),
      ...(asked?.rows && before[asked.entry] !== changed[asked.entry] ? [name] : []),
      ...(same && before[name] === true && changed[name] !== true ? Object.keys(same) : []),
    ],
  )
  return Object.fromEntries(Object.entries(changed).filter(([name]) => !gone.includes(name)))
}

/** The initial value of a form: its schema's defaults. */
export function startingValue(schema: FormSchema): FormValue {
  const defaults = fieldsOf(schema).filter(({ schema: field }) => field['default'] !== undefined)
  return Object.fromEntries(defaults.map(({ name, schema: field }) => [name, field['default']]))
}
