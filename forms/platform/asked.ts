/** Says of a field that it is asked only while the register entry that a sibling names has a value in a field. */
export interface AskedBy {
  entry: string
  has: string
}

interface Fields {
  properties?: Record<string, { 'x-asked'?: AskedBy }>
}

/** Fields with `x-asked`: those that the chosen entries ask for, which are then required, and those that they do not. */
export interface Asked {
  wanted: ReadonlySet<string>
  unwanted: ReadonlySet<string>
}

/** The conditions of a form, by field. */
export const askedBy = (schema: Fields): (readonly [name: string, by: AskedBy])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, { 'x-asked': by }]) => (by ? [[name, by] as const] : []))

/** What the chosen entries ask for. `dataOf` has the entry that a field names. */
export function askedOf(schema: Fields, dataOf: (field: string) => object | undefined): Asked {
  const hasValue = ([, { entry, has }]: readonly [string, AskedBy]) => {
    const value: unknown = Object.entries(dataOf(entry) ?? {}).find(([name]) => name === has)?.[1]
    return value !== undefined && value !== null && value !== ''
  }
  const all = askedBy(schema)
  const names = (some: typeof all) => new Set(some.map(([name]) => name))
  return { wanted: names(all.filter(hasValue)), unwanted: names(all.filter((one) => !hasValue(one))) }
}
