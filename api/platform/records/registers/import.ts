import { createHash } from 'node:crypto'
import { CsvError, parse } from 'csv-parse/sync'
import { type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import { type Language, type Library, languages } from '../../model/library/library.ts'
import { type FieldSchema, type RegisterDefinition, inUse, pathOf } from '../../model/definitions/register.ts'
import type { NewItem } from './item.ts'
import type { registers } from './registers.ts'

/** One thing that is wrong with a file, at its line and column. */
export interface ImportError {
  /** The line of the file in which the row begins; the header is line 1. */
  line: number
  /** The name of the field; empty where it is the whole line or file. */
  column: string
  /** Text key. */
  code: string
  message: string
  /** What stands there. */
  value: string
}

/** What a file holds, what is wrong with it, and how much of it was added: all or nothing. */
export interface ImportResult {
  rows: number
  columns: string[]
  errors: ImportError[]
  /** All there are; `errors` holds the first of them. */
  errorCount: number
  preview: { line: number; cells: Record<string, string> }[]
  added: number
}

/** Most rows of one file. */
const MOST_ROWS = 5000
/** Most errors of one answer; who has more will not read them one by one. */
const MOST_ERRORS = 500
const SHOWN_ROWS = 20
const SHOWN_LETTERS = 120
/** Stands for a reference that could not be found, so that the row is otherwise looked at as if it were there. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

interface Column {
  name: string
  schema: FieldSchema
  required: boolean
}

/** A line of a file that holds something. */
export interface Row {
  line: number
  /** By column; what is empty stays out. */
  cells: Record<string, string>
}

/** Something wrong with a file, before it is said in the reader's language. */
export type Wrong = Omit<ImportError, 'message'> & { values?: Record<string, string | number> }

/** The fields that a line of a file can hold, in the order of the form, and the status. */
function columnsOf({ item, statuses }: RegisterDefinition): Column[] {
  const properties = item.properties ?? {}
  const order = (item['x-order'] as string[] | undefined) ?? Object.keys(properties)
  const wanted = demanded(item)
  const fields = order.map((name) => ({ name, schema: properties[name]!, required: wanted.includes(name) }))
  const status = { type: 'string', title: 'platform.register-page.status', enum: statuses }
  return [...fields.filter(({ schema }) => isPlain(schema)), { name: 'status', schema: status, required: false }]
}

function isPlain(schema: FieldSchema): boolean {
  const plain = ['string', 'integer', 'number', 'boolean'].includes(schema.type ?? '')
  return plain && schema['x-widget'] !== 'file' && schema['x-entry-of'] === undefined
}

/** Whether the items of a register can be told in lines: everything that is demanded of them fits into a cell. */
export function importable({ item }: RegisterDefinition): boolean {
  return demanded(item).every((name) => isPlain(item.properties?.[name] ?? {}))
}

function demanded(item: FieldSchema): string[] {
  return (item['required'] as string[] | undefined) ?? []
}

/** An empty file with the columns that an import takes; the mark in front makes spreadsheets read it as UTF-8. */
export function templateOf(definition: RegisterDefinition): string {
  return `\uFEFF${columnsOf(definition)
    .map(({ name }) => name)
    .join(',')}\r\n`
}

/** Reads a file, tells what is wrong with which cell, and makes all items if nothing is and `commit` asks for it. */
export async function importCsv({
  trx,
  library,
  own,
  register,
  csv,
  by,
  commit,
  refusal,
  language,
}: {
  trx: Transaction<DB>
  library: Pick<Library, 'registers' | 'text'>
  own: ReturnType<typeof registers>
  register: string
  csv: string
  by: string
  commit: boolean
  /** Why the person may not make an item with these data; some may only within their unit. */
  refusal(data: JsonObject): string | undefined
  language: Language
}): Promise<ImportResult> {
  const definition = own.definitionOf(register)
  const known = columnsOf(definition)
  const { columns, rows, wrong } = readRows(csv, known, { names: namesOf(known, library), most: MOST_ROWS })
  const items: NewItem[] = []
  const shown: ImportResult['preview'] = []
  if (wrong.length === 0) {
    const targets = await referenced(trx, library, columns, rows)
    for (const { line, cells } of rows) {
      const { item, texts, errors } = itemOf(definition, columns, line, cells, targets, library)
      items.push(item)
      wrong.push(...errors)
      if (shown.length < SHOWN_ROWS) shown.push({ line, cells: texts })
    }
    const told = new Set(wrong.map(({ line, column }) => `${line}/${column}`))
    for (const { index, field, code, values } of await own.examine(register, items)) {
      const { line, cells } = rows[index]!
      const column = field.split('/')[1] ?? ''
      if (told.has(`${line}/${column}`)) continue
      const value = cells[column] ?? ''
      wrong.push({ line, column, value, ...cellError(code, value, column), ...(values && { values }) })
    }
    for (const [index, { data }] of items.entries()) {
      const code = refusal(data)
      if (code) wrong.push({ line: rows[index]!.line, column: '', code, value: '' })
    }
  }
  const add = commit && wrong.length === 0
  if (add) {
    await own.createMany(register, items, by)
    const sha256 = createHash('sha256').update(csv).digest('hex')
    const payload = { rows: rows.length, sha256 }
    await audit(trx).record({ actor: by, action: 'register.imported', object: register, payload })
  }
  return {
    rows: rows.length,
    columns: columns.map(({ name }) => name),
    ...inWords(wrong, columns, library, language),
    preview: shown,
    added: add ? rows.length : 0,
  }
}

/** What a form calls a missing or taken value, a table calls by the words of its own. */
function cellError(code: string, value: string, column: string): Pick<Wrong, 'code'> {
  if (code === 'platform.value-taken') return { code: 'platform.import.duplicated' }
  return { code: value === '' && column !== '' ? 'platform.import.empty' : code }
}

/** What is wrong in words, in the order of the file; the first of it, and how much there is. */
export function inWords(
  wrong: readonly Wrong[],
  columns: readonly { name: string }[],
  library: Pick<Library, 'text'>,
  language: Language | undefined,
): Pick<ImportResult, 'errors' | 'errorCount'> {
  const place = new Map(columns.map(({ name }, index) => [name, index]))
  const errors = wrong
    .toSorted((a, b) => a.line - b.line || (place.get(a.column) ?? -1) - (place.get(b.column) ?? -1))
    .slice(0, MOST_ERRORS)
    .map(({ values, ...error }) => ({
      ...error,
      value: error.value.slice(0, SHOWN_LETTERS),
      message: library.text(error.code, values, language),
    }))
  return { errors, errorCount: wrong.length }
}

/** The rows of a file by its known columns, each of which may go by further names, or what is wrong with the file. */
export function readRows<C extends { name: string; required: boolean }>(
  csv: string,
  known: readonly C[],
  { names = byName(known), most }: { names?: ReadonlyMap<string, C>; most: number },
): { columns: C[]; rows: Row[]; wrong: Wrong[] } {
  const nothing = (code: string, more: Partial<Wrong> = {}) => ({
    columns: [],
    rows: [],
    wrong: [{ line: 1, column: '', value: '', code, ...more }],
  })
  // The sign that stands for bytes nobody could read, and one that no text has.
  if (csv.includes('\uFFFD') || csv.includes('\0')) return nothing('platform.import.not-utf8')
  let records: { line: number; cells: string[] }[]
  try {
    records = recordsOf(csv)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error as unknown as { lines?: number }
    return nothing('platform.import.quotes', { line: lines ?? 1 })
  }
  const [header, ...body] = records
  if (!header) return nothing('platform.import.no-rows')

  const columns = header.cells.map((cell) => names.get(fold(cell)))
  const found = columns.filter((column) => column !== undefined)
  const wrong: Wrong[] = []
  header.cells.forEach((cell, index) => {
    const column = columns[index]
    const at = { line: header.line, column: column?.name ?? '', value: cell }
    // A column without a name is what a stray delimiter at the end of each line makes.
    if (!column && (cell !== '' || body.some(({ cells }) => cells[index])))
      wrong.push({ ...at, code: 'platform.import.column-unknown', values: { name: cell } })
    if (column && columns.indexOf(column) !== index)
      wrong.push({ ...at, code: 'platform.import.column-twice', values: { name: column.name } })
  })
  if (found.length === 0) return nothing('platform.import.no-header', { value: header.cells.join(', ') })
  for (const { name, required } of known)
    if (required && !found.some((column) => column.name === name))
      wrong.push({
        line: header.line,
        column: name,
        value: '',
        code: 'platform.import.column-missing',
        values: { name },
      })
  if (body.length === 0) wrong.push({ line: header.line, column: '', value: '', code: 'platform.import.no-rows' })
  if (body.length > most)
    return {
      ...nothing('platform.import.too-many', { values: { count: body.length, most } }),
      columns: found,
    }

  const rows = body.map(({ line, cells }): Row => {
    const beyond = cells.slice(columns.length).find((cell) => cell !== '')
    if (beyond !== undefined)
      wrong.push({
        line,
        column: '',
        value: beyond,
        code: 'platform.import.too-wide',
        values: { count: columns.length },
      })
    return {
      line,
      cells: Object.fromEntries(
        columns.flatMap((column, index) => (column && cells[index] ? [[column.name, cells[index]]] : [])),
      ),
    }
  })
  return { columns: found, rows, wrong }
}

/** The lines of a file that hold something, each cell trimmed. */
function recordsOf(csv: string): { line: number; cells: string[] }[] {
  const text = csv.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const parsed = parse(text, {
    delimiter: delimiterOf(text),
    info: true,
    raw: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  }) as unknown as { record: string[]; raw: string; info: { lines: number } }[]
  return parsed.map(({ record, raw, info }) => ({
    line: info.lines - (raw.trim().split('\n').length - 1),
    cells: record.map((cell) => cell.trim()),
  }))
}

/** Spreadsheets write semicolons where the comma is in numbers, and tabs where one copies from them. */
function delimiterOf(text: string): string {
  const header = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const count = (one: string) => header.split(one).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Columns by how a file may name them: the field's name, or its label in any language. */
function namesOf(known: readonly Column[], library: Pick<Library, 'text'>): Map<string, Column> {
  const labels = known.flatMap((column) =>
    languages.map((language) => [fold(library.text(String(column.schema['title']), {}, language)), column] as const),
  )
  return new Map([...labels, ...byName(known)])
}

function byName<C extends { name: string }>(known: readonly C[]): Map<string, C> {
  return new Map(known.map((column) => [fold(column.name), column]))
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

interface Target {
  id: string
  title: string
  status: string
  code: string | null
}

/** The items that cells may mean, by register: those with such a code, title or id. */
async function referenced(
  trx: Transaction<DB>,
  library: Pick<Library, 'registers'>,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<Map<string, Target[]>> {
  const wanted = new Map<string, Set<string>>()
  for (const { name, schema } of columns) {
    const register = schema['x-register']
    if (register === undefined) continue
    const texts = wanted.get(register) ?? new Set()
    for (const { cells } of rows) if (cells[name]) texts.add(cells[name].toLowerCase())
    wanted.set(register, texts)
  }
  const found = new Map<string, Target[]>()
  for (const [register, texts] of wanted) {
    const { codeField } = library.registers.get(register)!
    const code = codeField === undefined ? sql<null>`null` : sql<string | null>`data #>> ${pathOf(codeField)}::text[]`
    const { rows: targets } = await sql<Target>`
      select id, title, status, ${code} as code from register_item
      where register = ${register}
        and (lower(title) = any(${[...texts]}::text[]) or lower(${code}) = any(${[...texts]}::text[])
          or id::text = any(${[...texts]}::text[]))`.execute(trx)
    found.set(register, targets)
  }
  return found
}

/** One line as an item, and as people read it. */
function itemOf(
  definition: RegisterDefinition,
  columns: readonly Column[],
  line: number,
  cells: Record<string, string>,
  targets: ReadonlyMap<string, Target[]>,
  library: Pick<Library, 'registers' | 'text'>,
): { item: NewItem; texts: Record<string, string>; errors: Wrong[] } {
  const data: JsonObject = {}
  const texts: Record<string, string> = {}
  const errors: Wrong[] = []
  let status = inUse(definition)
  for (const { name, schema } of columns) {
    const text = cells[name]
    if (text === undefined) continue
    texts[name] = text
    const register = schema['x-register']
    if (register !== undefined) {
      const meant = targetOf(text, targets.get(register)!, inUse(library.registers.get(register)!))
      if (typeof meant === 'string') errors.push({ line, column: name, value: text, code: meant })
      else texts[name] = meant.title
      data[name] = typeof meant === 'string' ? NOBODY : meant.id
    } else {
      const value = valueOf(schema, text, library)
      if (name === 'status') status = String(value)
      else data[name] = value
    }
  }
  return { item: { data, status }, texts, errors }
}

/** The item that a cell means, or what is wrong with it. A code goes before a title, what is in use before what is not. */
function targetOf(text: string, targets: readonly Target[], usable: string): Target | string {
  const wanted = text.toLowerCase()
  const coded = targets.filter(({ code, id }) => code?.toLowerCase() === wanted || id === wanted)
  const meant = coded.length > 0 ? coded : targets.filter(({ title }) => title.toLowerCase() === wanted)
  const used = meant.filter(({ status }) => status === usable)
  if (meant.length === 0) return 'platform.item-unknown'
  if (used.length === 0) return 'platform.item-inactive'
  return used.length > 1 ? 'platform.import.ambiguous' : used[0]!
}

/** A cell as its field holds it; what cannot be read as that stays text, and the field's own check refuses it. */
function valueOf(schema: FieldSchema, text: string, library: Pick<Library, 'text'>): JsonValue {
  const said = fold(text)
  const means = (key: string) => languages.some((language) => fold(library.text(key, {}, language)) === said)
  for (const one of (schema['oneOf'] ?? []) as { const?: JsonValue; title?: string }[])
    if (one.const !== undefined && (fold(String(one.const)) === said || (one.title && means(one.title))))
      return one.const
  for (const one of (schema['enum'] ?? []) as JsonValue[]) if (fold(String(one)) === said) return one
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
