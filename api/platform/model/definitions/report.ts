import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Kysely } from 'kysely'
import { isObject } from '../../kernel/objects.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Manifest } from './manifest.ts'
import type { FieldSchema } from './register.ts'

/** `forms/<area>/<name>.report.json`, which describes a report. */
export interface ReportDefinition {
  /** Text key. */
  title: string
  lead?: string
  seenBy: string[]
  /** Every read is logged in the audit trail. */
  sensitive?: boolean
  /**
   * Field of the filter that names a register entry. A reader who is not in `seenBy` but has an entry in that register
   * sees the report of their own entry alone.
   */
  own?: string
  /** Fields of the filter whose entry the reader must see. */
  sees?: string[]
  /** Field of the filter that names the entry whose statement can be printed as a PDF, once one is chosen. */
  statement?: string
  /** Fields of that entry that the statement shows below its title. */
  about?: string[]
  /** Text keys of the lines below a statement that people sign by hand. */
  signatures?: string[]
  /**
   * The file is for programs: its header has the names of the columns, untranslated, and cells are not escaped for
   * spreadsheets.
   */
  /** It reads encrypted fields, which only people of `seenBy` reach, whatever else they see. */
  sealed?: true
  forMachines?: boolean
  /** JSON Schema of its filter. */
  filter: FieldSchema
  columns: ReportColumn[]
}

/** A column: `cents` and `hours` are numbers, `day` is 2026-05-14, `moment` ISO 8601, `word` a text key. */
export interface ReportColumn {
  name: string
  title: string
  as?: 'text' | 'cents' | 'count' | 'hours' | 'day' | 'moment' | 'case' | 'word'
  total?: boolean
  /** It is left out once this field of the filter is chosen. */
  unless?: string
}

/** The filter of a report, according to its schema. */
export type Filter = Readonly<Record<string, string | number | undefined>>

/** The value of a column: nothing, or as the column says; for a case its id and number. */
export type Value = string | number | null | { id: string; text: string }

interface Asked {
  db: Kysely<DB>
  flows: ReadonlyMap<string, { manifest: Manifest }>
  /** What a case is, in the reader's language: its flow and its subject. */
  titleOf(flow: string, subject: unknown): string
  filter: Filter
  /** Day in Colombo. */
  today: string
  /** The encrypted fields of entries of a register, by id; for reports that are `sealed`. */
  unsealed?(register: string, ids: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>
  /** Maximum rows. */
  limit: number
}

/** The source of a report's rows: the default export of `api/<area>/<name>.report.ts`. */
export interface Report {
  /** The default filter. */
  defaults?(today: string): Filter
  /** Newest or most important rows first. */
  rows(asked: Asked): Promise<Record<string, Value>[]>
}

const folder = join(import.meta.dirname, '../../..')

/** The reports of all areas by `<area>/<name>`. Throws if a declared one has no source. */
export async function loadReports(keys: Iterable<string>): Promise<ReadonlyMap<string, Report>> {
  const found = new Map<string, Report>()
  for (const key of keys) {
    const file = join(folder, `${key}.report.ts`)
    if (!existsSync(file)) throw new Error(`the report ${key} has no rows: ${file} is missing`)
    const module: { default?: unknown } = await import(pathToFileURL(file).href)
    if (!isReport(module.default)) throw new Error(`${file} has no report as its default export`)
    found.set(key, module.default)
  }
  return found
}

function isReport(value: unknown): value is Report {
  return isObject(value) && typeof value['rows'] === 'function'
}
