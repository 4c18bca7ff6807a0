/** On which side an account grows: assets and expenses by debits, the others by credits. */
export type AccountKind = 'asset' | 'liability' | 'income' | 'expense'

/** What `forms/<area>/<name>.register.json` says of a register. Fields are JSON pointers into an item's data. */
export interface RegisterDefinition {
  /** Text key. */
  title: string
  /** JSON Schema of an item's data, with hints. */
  item: FieldSchema
  titleField: string
  /** Fields that stand before the title wherever an item is named. */
  titleWith?: string[]
  codeField?: string
  /** Where an item is to be found, for calendars. */
  place?: string
  statuses: string[]
  /** Statuses after which an item is never changed again. */
  final?: string[]
  /**
   * Fields that somebody else than who changed them has to certify: a new item, and one of which they change, is in the
   * second status until then.
   */
  certified?: string[]
  /** Items are made and changed by the product; people only put them into another status. */
  fixed?: boolean
  /** Reports that an item's page leads to, each with the field of its filter that takes the item. */
  reports?: { report: string; field: string }[]
  /**
   * Every item has ledger accounts, `<register>:<item id>:<name>`. A change of its `amount` (cents) is posted from one of
   * them to another; those of `clear` have to be empty before it gets a final status.
   */
  books?: { amount: string; accounts: Record<string, AccountKind>; from: string; to: string; clear: string[] }
  /** What anybody sees without signing in; absent means nothing. */
  public?: { where?: Record<string, string | number | boolean>; fields: string[] }
  search?: string[]
  filters?: string[]
  columns?: string[]
  /** Roles, `Role@kind` for the scope named in the item, `*` for everybody who is signed in. */
  changedBy: string[]
  seenBy: string[]
  /** Whoever holds a role of `seenBy` in one unit sees the items of all units, and those of none. */
  seenAnywhere?: boolean
  /** Who reads `x-sensitive` fields, beside those who may change the item. */
  sensitiveTo?: string[]
  /** Lists on an item's page: the items of another register that name it in a field. */
  related?: { register: string; field: string; title: string }[]
}

/** A JSON Schema with our hints, as far as registers and forms read them. */
export interface FieldSchema {
  type?: string
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  'x-register'?: string
  /** No other item has the value; or no other one that is alike in these fields. */
  'x-unique'?: true | string[]
  'x-widget'?: string
  'x-sensitive'?: boolean
  /** An id that the register gives; nobody types it. */
  'x-made'?: boolean
  [keyword: string]: unknown
}

/** A value with the field it stands in. */
export interface Leaf {
  /** JSON pointer with array positions. */
  path: string
  schema: FieldSchema
  value: unknown
}

/** Every value that the schema knows a field for, arrays opened. */
export function leaves(schema: FieldSchema, value: unknown, path = ''): Leaf[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(schema.items ?? {}, one, `${path}/${index}`))
  if (typeof value !== 'object') return [{ path, schema, value }]
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    leaves(field, (value as Record<string, unknown>)[name], `${path}/${name}`),
  )
}

/** A value with an id wherever the register has to give one and there is none yet. */
export function withMadeIds<T>(schema: FieldSchema, value: T, make: () => string): T
export function withMadeIds(schema: FieldSchema, value: unknown, make: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withMadeIds(schema.items ?? {}, one, make))
  if (typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const made = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field['x-made'] === true
      ? [[name, given[name] ?? make()]]
      : given[name] === undefined
        ? []
        : [[name, withMadeIds(field, given[name], make)]],
  )
  return { ...given, ...Object.fromEntries(made) }
}

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

/** The sensitive fields in which an item has something, as JSON pointers. */
export function sensitiveFields(schema: FieldSchema, value: unknown): string[] {
  return leaves(schema, value)
    .filter((leaf) => leaf.schema['x-sensitive'] === true)
    .map((leaf) => leaf.path)
}

/** The status in which an item of a register may be referred to: the first. */
export function inUse({ statuses }: Pick<RegisterDefinition, 'statuses'>): string {
  return statuses[0]!
}

/** The value that a JSON pointer names, or undefined. */
export function at(data: unknown, pointer: string): unknown {
  return pathOf(pointer).reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], data)
}

/** A JSON pointer as the path that PostgreSQL's `#>>` takes. */
export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
