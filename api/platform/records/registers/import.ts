import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { type ImportResult, type Row, type Wrong, inWords, readRows } from './csv.ts'
import { type Compared, type SeenOf, itemOf, referenced, unclearLines } from './import-cells.ts'
import { type Column, columnsOf, namesOf } from './import-columns.ts'
import type { NewItem } from './item.ts'
import type { registers } from './registers.ts'
import { known } from '../../kernel/known.ts'

/** Maximum rows of a file. */
const MAX_ROWS = 5000
const MAX_SHOWN_ROWS = 20
/** Rows that are checked, or added, before the progress is told again. */
const PORTION = 250
/** Maximum entries that the audit trail names of a file that was checked. */
const MAX_NOTED_ENTRIES = 200

/** How many rows of a file are checked, or added. */
export interface ImportProgress {
  step: 'check' | 'add'
  done: number
  total: number
}

export type Told = (now: ImportProgress) => void

/** An import and the rights of the person. */
interface Import {
  trx: Transaction<DB>
  library: Pick<Library, 'registers' | 'text'>
  own: ReturnType<typeof registers>
  register: string
  csv: string
  /** Values of cells that the file leaves empty, by column. */
  fill: Record<string, string>
  by: string
  commit: boolean
  /** Lines with errors are left out, and the others added. */
  leaveOut: boolean
  seenOf: SeenOf
  /** Why the person may not create these entries, and the field that says so; some may only within their unit. */
  refusals(all: readonly JsonObject[]): Promise<({ field?: string; code: string } | undefined)[]>
  language: Language
  tell: Told
}

/**
 * Reads a file and reports errors by cell. With `commit` it creates all entries if there are none; with `leaveOut` too,
 * those of the lines without errors.
 */
export async function importCsv(asked: Import): Promise<ImportResult> {
  const { library, own, register, csv, fill, commit, leaveOut, language } = asked
  const fields = columnsOf(own.definitionOf(register), library)
  const { columns, rows, wrong } = readRows(csv, fields, { names: namesOf(fields, library), fill, most: MAX_ROWS })
  const { items, preview, compared } = wrong.length === 0 ? await itemsOf(asked, columns, rows, wrong) : NO_ITEMS
  const lines = new Set(wrong.map(({ line }) => line))
  const right = items.filter((_, index) => !lines.has(rows[index]?.line ?? 0))
  const add = commit && right.length > 0 && (leaveOut || wrong.length === 0)
  if (add) await addItems(asked, right, items.length - right.length)
  // What was added says itself which entries it names.
  if (compared.length > 0 && !(add && wrong.length === 0)) await noteCheck(asked, rows.length, compared)
  return {
    rows: rows.length,
    columns: columns.map(({ name }) => name),
    titles: Object.fromEntries(fields.map(({ name, schema }) => [name, String(schema['title'] ?? name)])),
    ...inWords(wrong, columns, library, language),
    right: right.length,
    preview,
    added: add ? right.length : 0,
  }
}

const NO_ITEMS = { items: [], preview: [], compared: [] }

/** The rows as entries, and the first of them as people read them. Adds errors to `wrong`. */
async function itemsOf(
  { trx, library, own, register, refusals, seenOf, tell }: Import,
  columns: readonly Column[],
  rows: readonly Row[],
  wrong: Wrong[],
): Promise<{ items: NewItem[]; preview: ImportResult['preview']; compared: Compared[] }> {
  const targets = await referenced({ trx, library, seenOf }, columns, rows)
  const definition = own.definitionOf(register)
  const reading = { definition, columns, targets, unclear: unclearLines(columns, rows), library }
  const read = rows.map((row) => itemOf(reading, row))
  const items = read.map(({ item }) => item)
  wrong.push(...read.flatMap(({ errors }) => errors))
  const rowOf = (index: number) => known(rows[index], 'the row of an entry')
  const told = new Set(wrong.map(({ line, column }) => `${line}/${column}`))
  // What is in a file twice is found across portions.
  const seen = new Set<string>()
  for (let from = 0; from < items.length; from += PORTION) {
    tell({ step: 'check', done: from, total: items.length })
    const portion = items.slice(from, from + PORTION)
    for (const { index, field, code, values } of await own.examine(register, portion, { seen })) {
      const { line, cells } = rowOf(from + index)
      const column = field.split('/')[1] ?? ''
      if (told.has(`${line}/${column}`)) continue
      const value = cells[column] ?? ''
      wrong.push({ line, column, value, ...cellError(code, value, column), ...(values && { values }) })
    }
  }
  tell({ step: 'check', done: items.length, total: items.length })
  for (const [index, refusal] of (await refusals(items.map(({ data }) => data))).entries()) {
    const { line, cells } = rowOf(index)
    const column = refusal?.field?.split('/')[1] ?? ''
    if (refusal && !told.has(`${line}/${column}`))
      wrong.push({ line, column, value: cells[column] ?? '', code: refusal.code })
  }
  const preview = read.slice(0, MAX_SHOWN_ROWS).map(({ texts }, index) => ({ line: rowOf(index).line, cells: texts }))
  return { items, preview, compared: read.flatMap((row) => row.compared) }
}

async function addItems(
  { trx, own, register, csv, by, tell }: Import,
  items: readonly NewItem[],
  leftOut: number,
): Promise<void> {
  for (let from = 0; from < items.length; from += PORTION) {
    tell({ step: 'add', done: from, total: items.length })
    await own.createMany(register, items.slice(from, from + PORTION), by)
  }
  tell({ step: 'add', done: items.length, total: items.length })
  const payload = { rows: items.length, leftOut, sha256: hashOf(csv) }
  await audit(trx).record({ actor: by, action: 'register.imported', object: register, payload })
}

/** Logs that somebody learnt whether sensitive values are those of entries, without adding anything. */
async function noteCheck(
  { trx, register, csv, by }: Import,
  rows: number,
  compared: readonly Compared[],
): Promise<void> {
  const of = (same: boolean) => compared.filter((one) => one.same === same).map(({ entry }) => entry)
  const [confirmed, others] = [of(true), of(false)]
  const payload = {
    ...{ rows, sha256: hashOf(csv), confirmed: confirmed.length, others: others.length },
    entries: [...new Set([...others, ...confirmed])].slice(0, MAX_NOTED_ENTRIES),
  }
  await audit(trx).record({ actor: by, action: 'register.import-checked', object: register, payload })
}

function hashOf(csv: string): string {
  return createHash('sha256').update(csv).digest('hex')
}

/** Some errors have other texts in a table than in a form. */
function cellError(code: string, value: string, column: string): Pick<Wrong, 'code'> {
  if (code === 'platform.value-taken') return { code: 'platform.import.duplicated' }
  return { code: value === '' && column !== '' ? 'platform.import.empty' : code }
}
