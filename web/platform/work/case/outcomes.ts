import type { FormSchema } from '../../kernel/client/types.ts'
import { fieldsOf, isRecord } from '../../kernel/record/fields.ts'
import type { Translate } from '../../kernel/texts/texts.ts'

export interface Outcome {
  value: string
  /** Text key of the button. */
  title: string
  /** The fields that only this outcome shows. */
  asks: string[]
  /** Those of them that it needs. */
  demands: string[]
}

export interface Desk {
  outcomes: Outcome[]
  /** Fields that every outcome shows: what the desk records. */
  always: string[]
}

const alternatives = (schema: FormSchema | undefined): { value: string; title: string }[] => {
  if (schema?.oneOf)
    return schema.oneOf.map(({ const: value, title }) => ({ value: String(value), title: title ?? String(value) }))
  return (schema?.enum ?? []).map((value) => ({ value: String(value), title: String(value) }))
}

/** Whether a condition on the outcome holds; other conditions are left to the form. */
function holds(condition: FormSchema | undefined, outcome: string): boolean | undefined {
  const on = condition?.properties?.['outcome']
  if (!on) return undefined
  return on.const === outcome || Boolean(on.enum?.includes(outcome))
}

/** Reads a desk's form: its buttons, and the fields that each of them shows. A reason is asked only if it is needed. */
export function deskOf(schema: FormSchema): Desk {
  const conditions = [schema, ...(schema.allOf ?? [])].filter((part) => holds(part.if, '') !== undefined)
  const named = (part: FormSchema | undefined) => [...(part?.required ?? []), ...Object.keys(part?.properties ?? {})]
  const conditional = new Set(conditions.flatMap((part) => [...named(part.then), ...named(part.else)]))
  const fields = fieldsOf(schema).filter(({ name }) => name !== 'outcome')
  // A field that an outcome shows and does not need.
  const shown = ({ 'x-shown': when }: FormSchema, outcome: string) =>
    isRecord(when) ? holds(when, outcome) : undefined
  return {
    always: fields.flatMap(({ name, schema: field }) =>
      conditional.has(name) || shown(field, '') !== undefined ? [] : [name],
    ),
    outcomes: alternatives(schema.properties?.['outcome']).map(({ value, title }) => {
      const needed = new Set(conditions.flatMap((part) => named(holds(part.if, value) ? part.then : part.else)))
      const asked = fields.filter(({ name, schema: field }) => needed.has(name) || shown(field, value) === true)
      const asks = asked.map(({ name }) => name)
      return { value, title, asks, demands: asks.filter((name) => needed.has(name)) }
    }),
  }
}

/** The schema of these fields only. The requirements of the whole form are checked on sending. */
export function partOf(schema: FormSchema, names: string[], demanded: string[]): FormSchema {
  const { if: _if, then: _then, else: _else, ...rest } = schema
  const fields = new Map(fieldsOf(schema).map(({ name, schema: field }) => [name, field]))
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, fields.get(name) ?? {}])),
    required: names.filter((name) => schema.required?.includes(name) || demanded.includes(name)),
    'x-order': names,
  }
}

/** A button's dots announce a further question; once it is answered, the dots are removed. */
export const withoutDots = (words: string) => words.replace(/…$/, '')

export function outcomeText(schema: FormSchema | undefined, outcome: string | null, t: Translate): string {
  const chosen = alternatives(schema?.properties?.['outcome']).find(({ value }) => value === outcome)
  return chosen ? withoutDots(t(chosen.title)) : (outcome ?? '')
}

/** Whether an outcome rejects: its button and its stage are marked so. */
export const refuses = (outcome: string | null): boolean => /reject|refuse|cancel|decline/i.test(outcome ?? '')

/** Whether an outcome returns the case for correction. */
export const returns = (outcome: string | null): boolean => outcome === 'return'
