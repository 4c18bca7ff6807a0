/**
 * Says of a field that it is asked only while the register entry that a sibling names has a value in a field, or with
 * `is` that very value. With `rows` that value is a list, and the field has a row for each of its rows: the same `title`, and a `file` that may be
 * left out unless the row is `required`.
 */
export interface AskedBy {
  entry: string
  has: string
  is?: string
  rows?: boolean
}

/** A row that is asked for. */
export interface AskedRow {
  title: string
  required: boolean
}

interface Fields {
  properties?: Record<string, { 'x-asked'?: AskedBy }>
}

/** Fields with `x-asked`: those that the chosen entries ask for, which are then required, and those that they do not. */
export interface Asked {
  wanted: ReadonlySet<string>
  unwanted: ReadonlySet<string>
  /** What rows they ask for, by field. */
  rows: ReadonlyMap<string, readonly AskedRow[]>
}

/** The conditions of a form, by field. */
export const askedBy = (schema: Fields): (readonly [name: string, by: AskedBy])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, { 'x-asked': by }]) => (by ? [[name, by] as const] : []))

/** What the chosen entries ask for. `dataOf` has the entry that a field names. */
export function askedOf(schema: Fields, dataOf: (field: string) => object | undefined): Asked {
  const valueOf = ({ entry, has }: AskedBy): unknown =>
    Object.entries(dataOf(entry) ?? {}).find(([name]) => name === has)?.[1]
  const isBlank = (value: unknown) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  const all = askedBy(schema).map(([name, by]) => ({ name, value: valueOf(by), is: by.is, isList: by.rows === true }))
  const rows = new Map(all.flatMap(({ name, value, isList }) => (isList ? [[name, rowsOf(value)] as const] : [])))
  const asked = all.filter(({ value, is }) => (is === undefined ? !isBlank(value) : value === is))
  const needed = asked.filter(({ name }) => rows.get(name)?.some(({ required }) => required) ?? true)
  const names = (some: typeof all) => new Set(some.map(({ name }) => name))
  return { wanted: names(needed), unwanted: names(all.filter((one) => !asked.includes(one))), rows }
}

/** The rows of an entry's list, each title once. */
function rowsOf(value: unknown): AskedRow[] {
  const found = new Map<string, boolean>()
  for (const { title, required } of objectsIn(value))
    if (typeof title === 'string') found.set(title, found.get(title) === true || required === true)
  return [...found].map(([title, required]) => ({ title, required }))
}

const objectsIn = (value: unknown): { title?: unknown; required?: unknown; file?: unknown }[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

/** The titles of the required rows that a value has no file for. */
export function missingRows(rows: readonly AskedRow[], value: unknown): string[] {
  const filled = new Set(objectsIn(value).flatMap(({ title, file }) => (file ? [title] : [])))
  return rows.filter(({ title, required }) => required && !filled.has(title)).map(({ title }) => title)
}

/** The places of a value's rows that nobody asks for, or that are there twice. */
export function strangeRows(rows: readonly AskedRow[], value: unknown): number[] {
  const titles = objectsIn(value).map(({ title }) => title)
  const wanted = new Set<unknown>(rows.map(({ title }) => title))
  return titles.flatMap((title, at) => (wanted.has(title) && titles.indexOf(title) === at ? [] : [at]))
}
