import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldSchema } from './register.ts'

/** What `forms/<area>/<name>.report.json` says of a report. */
export interface ReportDefinition {
  /** Text key. */
  title: string
  lead?: string
  seenBy: string[]
  /** Each reading is an audit entry. */
  sensitive?: boolean
  /** The file is for a machine: its head has the names of the columns, in no language, and nothing guards spreadsheets. */
  forMachines?: boolean
  /** JSON Schema of what it can be narrowed by. */
  filter: FieldSchema
  columns: ReportColumn[]
}

/** A column: `cents` and `hours` are numbers, `day` is 2026-05-14, `moment` ISO 8601, `word` a text key. */
export interface ReportColumn {
  name: string
  title: string
  as?: 'text' | 'cents' | 'count' | 'hours' | 'day' | 'moment' | 'case' | 'word'
  total?: boolean
}

/** What a report is narrowed by, as its schema says. */
export type Filter = Readonly<Record<string, string | number | undefined>>

/** What stands in a column: nothing, or as the column says; of a case its id with its reference. */
export type Value = string | number | null | { id: string; text: string }

/** What a report is asked for. */
interface Asked {
  db: Kysely<DB>
  filter: Filter
  /** Day in Colombo. */
  today: string
  /** More rows than these are not wanted. */
  limit: number
}

/** Where the rows of a report come from: the default export of `api/<area>/<name>.report.ts`. */
export interface Report {
  /** What is meant where nothing is chosen. */
  defaults?(today: string): Filter
  /** The newest, or whatever matters most, first. */
  rows(asked: Asked): Promise<Record<string, Value>[]>
}

const folder = join(import.meta.dirname, '../../..')

/** The reports of all areas by `<area>/<name>`. Throws where one that is declared has no rows. */
export async function loadReports(keys: Iterable<string>): Promise<ReadonlyMap<string, Report>> {
  const found = new Map<string, Report>()
  for (const key of keys) {
    const file = join(folder, `${key}.report.ts`)
    if (!existsSync(file)) throw new Error(`the report ${key} has no rows: ${file} is missing`)
    const module = (await import(pathToFileURL(file).href)) as { default?: Report }
    if (typeof module.default?.rows !== 'function') throw new Error(`${file} has no report as its default export`)
    found.set(key, module.default)
  }
  return found
}
