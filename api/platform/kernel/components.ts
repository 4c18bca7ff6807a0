import type { TSchema } from 'typebox'
import { known } from './known.ts'

interface Json {
  [key: string]: unknown
}

/** Component name → its schema in the document. */
const components = new Map<string, { schema: Json; text: string }>()

/**
 * Names a schema: the OpenAPI document describes it once and refers to it elsewhere. Validation and serialisation
 * ignore the name. Throws if another schema has the name.
 */
export function component<T extends TSchema>(name: string, schema: T): T {
  const plain: Json = JSON.parse(JSON.stringify(schema))
  const text = textOf(plain)
  const present = components.get(name)
  if (present && present.text !== text) throw new Error(`two schemas are called ${name}`)
  components.set(name, { schema: plain, text })
  return schema
}

/** Replaces named schemas in the document by references. Unused names are left out. */
export function withComponents<T extends object>(document: T): T {
  const names = new Map([...components].map(([name, { text }]) => [text, name]))
  const used = new Set<string>()

  function within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => within(one))
    return typeof value === 'object' && value !== null ? withReferences(value) : value
  }
  function withReferences(value: object): Json {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, referred(part)]))
  }
  function referred(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => referred(one))
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(textOf(value))
    if (name === undefined) return within(value)
    used.add(name)
    return { $ref: `#/components/schemas/${name}` }
  }

  const { components: given = {}, ...rest } = document as { components?: { schemas?: Json } }
  const body = withReferences(rest)
  const schemas: Json = { ...given.schemas }
  // A component may be used only by another one.
  for (const name of used) schemas[name] = within(known(components.get(name), `the schema ${name}`).schema)
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, ...body, components: { ...given, schemas: sorted } }
}

/**
 * Equal text for equal schemas, whatever the order of their keywords. Pattern properties become plain ones, as in the
 * document.
 */
function textOf(schema: object): string {
  return JSON.stringify(schema, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { patternProperties, ...rest } = value as { patternProperties?: Json }
    const read = patternProperties ? { ...rest, additionalProperties: Object.values(patternProperties)[0] } : rest
    return Object.fromEntries(Object.entries(read).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
