import type { Parts, Scenario } from '../../../kernel/api/scenarios.ts'
import type { FormSchema } from '../../../kernel/client/types.ts'
import type { FormValue } from '../../../kernel/form/conditions.ts'
import { optionsOf } from '../../../kernel/form/widget.ts'

export type Step = Scenario['steps'][number]
export type StepKind = 'desk' | 'passes' | 'fires' | 'message'
export type Values = NonNullable<Scenario['start']>
export type Answer = Exclude<NonNullable<Scenario['topics']>[string], unknown[]>

export const kindOf = (step: Step): StepKind =>
  'desk' in step ? 'desk' : 'passes' in step ? 'passes' : 'fires' in step ? 'fires' : 'message'

/** A first step; undefined if the diagram has none of the kind. */
export function firstOf(kind: StepKind, { desks, timers, messages }: Parts): Step | undefined {
  if (kind === 'passes') return { passes: 'P1D' }
  const [named] = { desk: desks, fires: timers, message: messages }[kind]
  if (!named) return undefined
  if (kind === 'desk') return { desk: named.id }
  return kind === 'fires' ? { fires: named.id } : { message: named.id }
}

/**
 * A form whose choices are drop-downs, which take less room and may stay empty; a present value is added to the
 * options.
 */
export function asLists(schema: FormSchema, value: FormValue): FormSchema {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const choices =
      field.type === 'boolean' ? yesOrNo : optionsOf(field)?.map(({ value: one, title }) => ({ const: one, title }))
    if (!choices) return [name, field] as const
    const held = value[name]
    const own =
      held === undefined || choices.some((one) => one.const === held) ? [] : [{ const: held, title: String(held) }]
    return [name, { ...field, 'x-widget': 'select', oneOf: [...choices, ...own] }] as const
  })
  const required = schema.properties?.['outcome'] ? ['outcome'] : []
  return { ...schema, required, properties: Object.fromEntries(fields) }
}

const yesOrNo = [
  { const: true, title: 'platform.yes' },
  { const: false, title: 'platform.no' },
]

/** A form's values as variables, without blanks. */
export function valuesOf(value: FormValue): Values {
  const values: Values = {}
  for (const [name, one] of Object.entries(value))
    if (typeof one === 'number' || typeof one === 'boolean' || one === null) values[name] = one
    else if (typeof one === 'string' && one !== '') values[name] = one
  return values
}

/** Names of values that no field of the form has. */
export const besides = (values: Values, { properties }: FormSchema, names: readonly string[] = []): string[] =>
  Object.keys(values).filter((name) => !properties?.[name] && !names.includes(name))

/** Names; equal ones get a distinguishing suffix. */
export function distinct<T extends { id: string; name: string }>(all: readonly T[]): T[] {
  return all.map((one) =>
    all.some(({ id, name }) => id !== one.id && name === one.name) ? { ...one, name: `${one.name} (${one.id})` } : one,
  )
}
