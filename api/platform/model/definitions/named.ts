import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { type FieldSchema, at, leaves, pathOf } from './register.ts'

/** The part of a register entry that the data of a case needs. */
export interface NamedItem {
  id: string
  title: string
  status: string
  version: number
  data: JsonObject
}

/** The entries that a form names, by the pointer of their field. */
export type NamedItems = ReadonlyMap<string, NamedItem>

/**
 * Resolves a manifest's pointer: `/field`, or `/item#/title` and `/item#/data/field` of the entry that a field names.
 */
export function resolve(pointer: string, data: unknown, items: NamedItems): unknown {
  const [field, within] = partsOf(pointer)
  if (within === undefined) return at(data, field)
  return at(items.get(field), within)
}

/** The field of a pointer, and the pointers within the entries that it leads to. */
export function partsOf(pointer: string): [field: string, ...within: string[]] {
  const [field = pointer, ...within] = pointer.split('#')
  return [field, ...within]
}

/** Finds a register entry by its id, in any register. */
export type FindItem = (id: string) => Promise<NamedItem | undefined>

/** Look up each entry once. */
export function remembered(find: FindItem): FindItem {
  const read = new Map<string, ReturnType<FindItem>>()
  return (id) => {
    const found = read.get(id) ?? find(id)
    read.set(id, found)
    return found
  }
}

/** The value at the end of a pointer that leads from entry to entry; undefined if an entry names none. */
export async function valueAt(pointer: string, data: unknown, items: NamedItems, find: FindItem): Promise<unknown> {
  const [field, first, ...further] = partsOf(pointer)
  let value = first === undefined ? at(data, field) : at(items.get(field), first)
  for (const hop of further) {
    if (typeof value !== 'string' || value === '') return undefined
    value = at(await find(value), hop)
  }
  return value
}

/** Like `resolve` with only the data at hand: finds the entry that the pointer's field names by its id. */
export async function lookUp(pointer: string, data: unknown, find: FindItem): Promise<unknown> {
  const [named] = partsOf(pointer)
  const item = await find(String(at(data, named)))
  return valueAt(pointer, data, new Map(item ? [[named, item]] : []), find)
}

/** The values at a path, in which `*` stands for every row of a list. */
export function valuesAt(data: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return data === undefined || data === null ? [] : [data]
  if (first === '*') return Array.isArray(data) ? data.flatMap((row) => valuesAt(row, rest)) : []
  return typeof data === 'object' && data !== null ? valuesAt(Reflect.get(data, first), rest) : []
}

/** The entries to which a pointer leads from entry to entry, in which `*` stands for every row of a list. */
export async function entriesAt<Entry extends NamedItem>(
  pointer: string,
  data: unknown,
  find: (id: string) => Promise<Entry | undefined>,
): Promise<Entry[]> {
  let entries: readonly { data: unknown }[] = [{ data }]
  let found: Entry[] = []
  for (const hop of pointer.replaceAll('#/data', '#').split('#')) {
    const ids = entries.flatMap((entry) => valuesAt(entry.data, pathOf(hop)))
    const named = await Promise.all(ids.map((id) => find(String(id))))
    found = named.filter((one) => one !== undefined)
    entries = found
  }
  return found
}

/** A field that names a register entry. */
interface Reference {
  path: string
  register: string
  id: string
  /** The statuses in which it can be named; undefined means only the one in use. */
  statuses: readonly string[] | undefined
}

/** Fields of a form that name register entries. */
export function referencesOf(schema: FieldSchema, data: unknown): Reference[] {
  return leaves(schema, data).flatMap(({ path, schema: field, value }) =>
    field['x-register'] && typeof value === 'string'
      ? [{ path, register: field['x-register'], id: value, statuses: field['x-statuses'] }]
      : [],
  )
}
