import type { TSchema } from 'typebox'

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
  const plain = JSON.parse(JSON.stringify(schema)) as Json
  const text = textOf(plain)
  const known = components.get(name)
  if (known && known.text !== text) throw new Error(`two schemas are called ${name}`)
  components.set(name, { schema: plain, text })
  return schema
}

/** Replaces named schemas in the document by references. Unused names are left out. */
export function withComponents<T extends object>(document: T): T {
  const names = new Map([...components].map(([name, { text }]) => [text, name]))
  const used = new Set<string>()

  function within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => within(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, referred(part)]))
  }
  function referred(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => referred(one))
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(textOf(value as Json))
    if (name === undefined) return within(value)
    used.add(name)
    return { $ref: `#/components/schemas/${name}` }
  }

  const { components: given = {}, ...rest } = document as { components?: { schemas?: Json } }
  const body = within(rest) as Json
  const schemas: Json = { ...given.schemas }
  // A component may be used only by another one.
  for (const name of used) schemas[name] = within(components.get(name)!.schema)
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, ...body, components: { ...given, schemas: sorted } }
}

/**
 * Equal text for equal schemas, whatever the order of their keywords. Pattern properties become plain ones, as in the
 * document.
 */
function textOf(schema: Json): string {
  return JSON.stringify(schema, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { patternProperties, ...rest } = value as { patternProperties?: Json }
    const read = patternProperties ? { ...rest, additionalProperties: Object.values(patternProperties)[0] } : rest
    return Object.fromEntries(Object.entries(read).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
