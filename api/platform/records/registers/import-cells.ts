import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import {
  type FieldSchema,
  type RegisterDefinition,
  begun,
  inUse,
  isNoBeginning,
  pathOf,
} from '../../model/definitions/register.ts'
import { isNic, longNic } from '../../../../forms/platform/nic.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { type Row, type Wrong, fold } from './csv.ts'
import type { Column } from './import-columns.ts'
import type { NewItem } from './item.ts'
import { known } from '../../kernel/known.ts'

/** Stands for a reference that was not found, so that the rest of the row can be checked. */
const UNKNOWN_ITEM = '00000000-0000-0000-0000-000000000000'

/** An entry that a cell may refer to. */
export interface Target {
  id: string
  title: string
  status: string
  code: string | null
  data: JsonObject
}

/** Of entries of a register, those that the sender of the file sees there. */
export type SeenOf = (register: string, targets: readonly Target[]) => Promise<Target[]>

/**
 * The entries that cells may refer to, by register: those with this code, title or id. For who does not see an entry
 * it does not exist.
 */
export async function referenced(
  { trx, library, seenOf }: { trx: Transaction<DB>; library: Pick<Library, 'registers'>; seenOf: SeenOf },
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<Map<string, Target[]>> {
  const wanted = new Map<string, Set<string>>()
  for (const { name, schema, rows: list } of columns) {
    const register = schema['x-register']
    if (register === undefined) continue
    const texts = wanted.get(register) ?? new Set()
    for (const text of rows.flatMap(({ cells }) => namedIn(cells[name] ?? '', list))) texts.add(text.toLowerCase())
    wanted.set(register, texts)
  }
  const found = new Map<string, Target[]>()
  for (const [register, texts] of wanted) {
    const { codeField } = known(library.registers.get(register), 'the register of a column')
    const code = codeField === undefined ? sql<null>`null` : sql<string | null>`data #>> ${pathOf(codeField)}::text[]`
    const { rows: targets } = await sql<Target>`
      select id, title, status, ${code} as code, data from register_item
      where register = ${register}
        and (lower(title) = any(${[...texts]}::text[]) or lower(${code}) = any(${[...texts]}::text[])
          or id::text = any(${[...texts]}::text[]))`.execute(trx)
    found.set(register, await seenOf(register, targets))
  }
  return found
}

/** What a cell names: one entry, or the codes of several, between which are spaces, commas or semicolons. */
function namedIn(text: string, list: string | undefined): string[] {
  return list === undefined ? [text].filter(Boolean) : text.split(/[\s,;]+/).filter(Boolean)
}

/** Whether a line and an entry that it names hold the same in the field that confirms it. */
export interface Compared {
  entry: string
  same: boolean
}

interface Reading {
  definition: RegisterDefinition
  columns: readonly Column[]
  targets: ReadonlyMap<string, Target[]>
  /** Lines whose values are not compared. */
  unclear: ReadonlySet<string>
  library: Pick<Library, 'registers' | 'text'>
}

/**
 * Lines, with their column, that name an entry which other lines name with another value. Which of the values is right
 * is not told: a file could try out all.
 */
export function unclearLines(columns: readonly Column[], rows: readonly Row[]): Set<string> {
  const unclear = columns.flatMap(({ name, confirms }) => {
    if (confirms === undefined) return []
    const naming = rows.filter(({ cells }) => cells[confirms] !== undefined && cells[name] !== undefined)
    const groups = Map.groupBy(naming, ({ cells }) => fold(cells[confirms] ?? ''))
    const several = [...groups.values()].filter(
      (group) => new Set(group.map(({ cells }) => comparable(cells[name] ?? ''))).size > 1,
    )
    return several.flat().map(({ line }) => `${line} ${name}`)
  })
  return new Set(unclear)
}

/** One line as an entry, and as people read it. */
export function itemOf(
  { definition, columns, targets, unclear, library }: Reading,
  { line, cells }: Row,
): { item: NewItem; texts: Record<string, string>; errors: Wrong[]; compared: Compared[] } {
  const data: JsonObject = {}
  const texts: Record<string, string> = {}
  const errors: Wrong[] = []
  const compared: Compared[] = []
  let status = begun(definition)
  const named = new Map<string, Target>()
  for (const { name, schema, required, confirms, ignored, rows } of columns) {
    const text = cells[name]
    if (text !== undefined) texts[name] = text
    if (ignored) continue
    if (confirms !== undefined) {
      const entry = named.get(confirms)
      if (text === undefined) {
        if (required) errors.push({ line, column: name, value: '', code: 'platform.import.empty' })
      } else if (unclear.has(`${line} ${name}`))
        errors.push({ line, column: name, value: text, code: 'platform.import.named-twice' })
      else if (entry) {
        const same = comparable(String(entry.data[name] ?? '')) === comparable(text)
        compared.push({ entry: entry.id, same })
        // What the entry holds instead is not told.
        if (!same) errors.push({ line, column: name, value: text, code: 'platform.import.not-of-entry' })
      }
    }
    if (text === undefined || confirms !== undefined) continue
    const register = schema['x-register']
    if (register !== undefined) {
      const entries = known(targets.get(register), 'the entries of a register')
      const usable = schema['x-statuses'] ?? [inUse(known(library.registers.get(register), 'the register of a column'))]
      if (rows !== undefined) {
        const all = namedIn(text, rows).map((code) => ({ code, meant: targetOf(code, entries, usable, true) }))
        for (const { code, meant } of all)
          if (typeof meant === 'string') errors.push({ line, column: name, value: code, code: meant })
        data[name] = all.map(({ meant }) => ({ [rows]: typeof meant === 'string' ? UNKNOWN_ITEM : meant.id }))
        continue
      }
      const meant = targetOf(text, entries, usable, schema['x-import-with'] !== undefined)
      if (typeof meant === 'string') errors.push({ line, column: name, value: text, code: meant })
      else {
        texts[name] = meant.title
        named.set(name, meant)
      }
      data[name] = typeof meant === 'string' ? UNKNOWN_ITEM : meant.id
    } else {
      const value = valueOf(schema, text, library)
      if (name === 'status') {
        status = String(value)
        if (isNoBeginning(definition, status))
          errors.push({ line, column: name, value: text, code: 'platform.status-of-case' })
      } else data[name] = value
    }
  }
  return { item: { data, status }, texts, errors, compared }
}

/** A value as it is compared: the old and the new form of an NIC are the same. */
function comparable(text: string): string {
  return isNic(text) ? longNic(text) : fold(text)
}

/** The entry that a cell refers to, or the error. Codes win over titles, and active entries over others. */
function targetOf(
  text: string,
  targets: readonly Target[],
  usable: readonly string[],
  byCode: boolean,
): Target | string {
  const wanted = text.toLowerCase()
  const coded = targets.filter(({ code, id }) => code?.toLowerCase() === wanted || id === wanted)
  const meant = coded.length > 0 || byCode ? coded : targets.filter(({ title }) => title.toLowerCase() === wanted)
  const used = meant.filter(({ status }) => usable.includes(status))
  if (meant.length === 0) return 'platform.item-unknown'
  const [first, ...others] = used
  if (!first) return 'platform.item-inactive'
  return others.length > 0 ? 'platform.import.ambiguous' : first
}

/** The value of a cell for its field; what cannot be converted stays a text, and validation rejects it. */
function valueOf(schema: FieldSchema, text: string, library: Pick<Library, 'text'>): JsonValue {
  const said = fold(text)
  const means = (key: string) => languages.some((language) => fold(library.text(key, {}, language)) === said)
  for (const one of schema.oneOf ?? [])
    if (one.const !== undefined && (fold(String(one.const)) === said || (one.title && means(one.title))))
      return one.const
  for (const one of schema.enum ?? []) if (fold(String(one)) === said) return one
  if (schema.type === 'boolean') {
    if (['true', '1', 'yes'].includes(said) || means('platform.yes')) return true
    if (['false', '0', 'no'].includes(said) || means('platform.no')) return false
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const cents = schema['x-unit'] === 'LKR cents'
    const number = text.replaceAll(',', '')
    if (/^-?\d{1,15}(\.\d{1,6})?$/.test(number)) return cents ? Math.round(Number(number) * 100) : Number(number)
  }
  if (schema['format'] === 'date') {
    const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
    if (day && month && year) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  }
  return text
}
