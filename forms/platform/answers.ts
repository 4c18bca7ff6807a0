import { withDerived } from './derived.ts'

/** A JSON Schema, as far as conditions ask. */
interface Schema {
  type?: unknown
  const?: unknown
  enum?: readonly unknown[]
  pattern?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean
  dependentRequired?: Record<string, readonly string[]>
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  not?: Schema
  if?: Schema
  then?: Schema
  else?: Schema
  /** `when-required`, `never`, or a schema that the whole form has to fit. */
  'x-shown'?: 'when-required' | 'never' | Schema
  'x-made'?: boolean
}

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf'
type Size = 'minLength' | 'maxLength' | 'minItems' | 'maxItems'

interface Values {
  [name: string]: unknown
}

/** The answers of a form that count, and what the form asks for because of them. */
export interface FormState<Data> {
  data: Data
  shown: ReadonlySet<string>
  required: ReadonlySet<string>
}

/**
 * Whether a value fits the small schemas that conditions are made of: all rules of a form but its formats and our own
 * hints. The full check is the compiled validator's.
 */
export function fits(schema: object | boolean | undefined, value: unknown): boolean {
  if (schema === undefined || typeof schema === 'boolean') return schema ?? true
  const rules = schema as Schema
  if ('const' in rules && rules.const !== value) return false
  if (rules.enum && !rules.enum.includes(value)) return false
  if (rules.type !== undefined && !isOf(rules.type, value)) return false
  if (typeof value === 'string' && !stringFits(rules, value)) return false
  if (typeof value === 'number' && !numberFits(rules, value)) return false
  if (Array.isArray(value) && !(sizeFits(rules, 'minItems', 'maxItems', value.length) && rowsFit(rules, value)))
    return false
  if (isObject(value) && !objectFits(rules, value)) return false
  if (rules.allOf && !rules.allOf.every((part) => fits(part, value))) return false
  if (rules.anyOf && !rules.anyOf.some((part) => fits(part, value))) return false
  if (rules.oneOf && rules.oneOf.filter((part) => fits(part, value)).length !== 1) return false
  if (rules.not !== undefined && fits(rules.not, value)) return false
  return fits(branchOf(rules, value), value)
}

function isOf(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function stringFits(rules: Schema, value: string): boolean {
  if (rules.pattern !== undefined && !new RegExp(rules.pattern, 'u').test(value)) return false
  return sizeFits(rules, 'minLength', 'maxLength', value.length)
}

function sizeFits(rules: Schema & { [name in Size]?: number }, least: Size, most: Size, size: number): boolean {
  return size >= (rules[least] ?? 0) && size <= (rules[most] ?? Infinity)
}

function numberFits(rules: Schema & { [name in Bound]?: number }, value: number): boolean {
  if (value < (rules.minimum ?? -Infinity) || value > (rules.maximum ?? Infinity)) return false
  if (rules.exclusiveMinimum !== undefined && value <= rules.exclusiveMinimum) return false
  if (rules.exclusiveMaximum !== undefined && value >= rules.exclusiveMaximum) return false
  return rules.multipleOf === undefined || Number.isInteger(value / rules.multipleOf)
}

function rowsFit({ items }: Schema, rows: readonly unknown[]): boolean {
  return items === undefined || rows.every((row) => fits(items, row))
}

function objectFits({ required, properties = {}, ...rules }: Schema, value: Values): boolean {
  const has = (name: string) => value[name] !== undefined
  if (required?.some((name) => !has(name))) return false
  const beside = Object.entries(rules.dependentRequired ?? {})
  if (beside.some(([name, others]) => has(name) && !others.every(has))) return false
  if (
    rules.additionalProperties === false &&
    Object.keys(value).some((name) => has(name) && !Object.hasOwn(properties, name))
  )
    return false
  return Object.entries(properties).every(([name, part]) => !has(name) || fits(part, value[name]))
}

function branchOf(rules: Schema, value: unknown): Schema | undefined {
  if (rules.if === undefined) return undefined
  return fits(rules.if, value) ? rules.then : rules.else
}

/** The fields of an object schema, with those that only a condition brings in. */
export function fieldSchemas<Field extends object>(schema: Field): Record<string, Field> {
  const all: Record<string, Schema> = {}
  const collect = (part: Schema | undefined) => {
    if (!part) return
    for (const [name, field] of Object.entries(part.properties ?? {}))
      // A condition restates a field only to narrow it; the full one carries title and hints.
      if (!all[name] || Object.keys(field).length > Object.keys(all[name]).length) all[name] = field
    for (const each of part.allOf ?? []) collect(each)
    collect(part.then)
    collect(part.else)
  }
  collect(schema)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parts of a schema have its own type
  return all as Record<string, Field>
}

/** The names that are demanded of this value: always, by a condition that holds, or by another field that is filled. */
function requiredOf(schema: Schema, value: Values): Set<string> {
  const names = new Set(schema.required)
  for (const [name, others] of Object.entries(schema.dependentRequired ?? {}))
    if (value[name] !== undefined) for (const other of others) names.add(other)
  for (const part of [branchOf(schema, value), ...(schema.allOf ?? [])])
    if (part) for (const name of requiredOf(part, value)) names.add(name)
  return names
}

/**
 * What of a form's answers counts: those of fields that are shown, where only answers that count decide what is shown.
 * What a changed answer has hidden is left out, and so is what only that had brought in; an answer that is shown stays,
 * whatever was hidden before it. Lists, and what the schema does not know, stay as they are. What follows from the rest
 * by itself is added (`withDerived`). Browser and server use this one rule, before they check.
 */
export function formState<Data extends object>(schema: object, given: Data): FormState<Data> {
  const all = fieldSchemas(schema as Schema)
  const fields = Object.entries(all).filter(([, field]) => !field['x-made'])
  const nameSet = (some: typeof fields) => new Set(some.map(([name]) => name))
  const hideable = nameSet(fields.filter(([, { 'x-shown': when }]) => when !== undefined && when !== 'never'))
  const answers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, within(all[name], value)]))

  const counting = (shown: ReadonlySet<string>): Values => {
    const only = (values: Values) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => !hideable.has(name) || shown.has(name)))
    return only(withDerived(schema, only(answers)))
  }
  const look = (data: Values) => {
    const required = requiredOf(schema as Schema, data)
    const isShown = ([name, { 'x-shown': when }]: [string, Schema]) =>
      when === undefined || required.has(name) || (isObject(when) && fits(when, data))
    return { shown: nameSet(fields.filter(isShown)), required }
  }

  let shown = hideable
  // Each round settles the fields that hang on those of the round before, so there are no more rounds than fields.
  for (let rounds = fields.length; ; rounds -= 1) {
    const next = look(counting(shown))
    // Conditions that go round in a circle never settle. In the end, what was hidden stays so.
    const settled = rounds > 0 ? next.shown : new Set([...shown].filter((name) => next.shown.has(name)))
    if (isSame(settled, shown)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Data` are answers, each of which may be hidden
      return { shown, required: next.required, data: counting(shown) as Data }
    }
    shown = settled
  }
}

/** What of a form's answers counts, to be checked and stored. */
export function effectiveAnswers<Data extends object>(schema: object, given: Data): Data {
  return formState(schema, given).data
}

/** The same for what a field holds: an object, or the rows of a list. */
function within(field: Schema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return field?.items ? value.map((row) => within(field.items, row)) : value
  return field?.properties && isObject(value) ? effectiveAnswers(field, value) : value
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((name) => others.has(name))
}
