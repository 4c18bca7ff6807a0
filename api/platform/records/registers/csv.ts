import { CsvError, parse } from 'csv-parse/sync'
import type { Language, Library } from '../../model/library/library.ts'

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

/** Most errors of one answer; who has more will not read them one by one. */
const MOST_ERRORS = 500
const SHOWN_LETTERS = 120

/** A line of a file that holds something. */
export interface Row {
  line: number
  /** By column; what is empty stays out. */
  cells: Record<string, string>
}

/** Something wrong with a file, before it is said in the reader's language. */
export type Wrong = Omit<ImportError, 'message'> & { values?: Record<string, string | number> }

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

/** A file that is refused as a whole, or its header with all that is wrong with it. */
type Read<C> = { columns: C[]; rows: Row[]; wrong: Wrong[] }

/** A line of a file, as it stands there. */
interface Line {
  line: number
  cells: string[]
}

/** The rows of a file by its known columns, each of which may go by further names, or what is wrong with the file. */
export function readRows<C extends { name: string; required: boolean }>(
  csv: string,
  known: readonly C[],
  { names = byName(known), most }: { names?: ReadonlyMap<string, C>; most: number },
): Read<C> {
  const read = linesOf(csv)
  if (!Array.isArray(read)) return nothing(read)
  const [header, ...body] = read
  if (!header) return nothing({ code: 'platform.import.no-rows' })

  const columns = header.cells.map((cell) => names.get(fold(cell)))
  const found = columns.filter((column) => column !== undefined)
  if (found.length === 0) return nothing({ code: 'platform.import.no-header', value: header.cells.join(', ') })
  if (body.length > most) {
    const values = { count: body.length, most }
    return { ...nothing({ code: 'platform.import.too-many', values }), columns: found }
  }
  const wrong = [...wrongColumns(header, columns, body), ...missingColumns(header, found, known)]
  if (body.length === 0) wrong.push({ line: header.line, column: '', value: '', code: 'platform.import.no-rows' })
  wrong.push(...body.flatMap((line) => tooWide(line, columns.length)))
  return { columns: found, rows: body.map((line) => rowOf(line, columns)), wrong }
}

function nothing<C>(refused: Partial<Wrong> & Pick<Wrong, 'code'>): Read<C> {
  return { columns: [], rows: [], wrong: [{ line: 1, column: '', value: '', ...refused }] }
}

/** The lines of a file, or why none can be read. */
function linesOf(csv: string): Line[] | Pick<Wrong, 'code' | 'line'> {
  // The sign that stands for bytes nobody could read, and one that no text has.
  if (csv.includes('\uFFFD') || csv.includes('\0')) return { code: 'platform.import.not-utf8', line: 1 }
  try {
    return recordsOf(csv)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error
    return { code: 'platform.import.quotes', line: typeof lines === 'number' ? lines : 1 }
  }
}

/** Columns that nobody knows, or that are there twice. */
function wrongColumns(
  { line, cells: names }: Line,
  columns: readonly ({ name: string } | undefined)[],
  body: readonly Line[],
): Wrong[] {
  return names.flatMap((cell, index): Wrong[] => {
    const column = columns[index]
    const at = { line, column: column?.name ?? '', value: cell }
    if (column)
      return columns.indexOf(column) === index
        ? []
        : [{ ...at, code: 'platform.import.column-twice', values: { name: column.name } }]
    // A column without a name is what a stray delimiter at the end of each line makes.
    return cell !== '' || body.some(({ cells }) => cells[index])
      ? [{ ...at, code: 'platform.import.column-unknown', values: { name: cell } }]
      : []
  })
}

function missingColumns(
  { line }: Line,
  found: readonly { name: string }[],
  known: readonly { name: string; required: boolean }[],
): Wrong[] {
  return known
    .filter(({ name, required }) => required && !found.some((column) => column.name === name))
    .map(({ name }) => ({ line, column: name, value: '', code: 'platform.import.column-missing', values: { name } }))
}

function tooWide({ line, cells }: Line, count: number): Wrong[] {
  const beyond = cells.slice(count).find((cell) => cell !== '')
  return beyond === undefined
    ? []
    : [{ line, column: '', value: beyond, code: 'platform.import.too-wide', values: { count } }]
}

function rowOf({ line, cells }: Line, columns: readonly ({ name: string } | undefined)[]): Row {
  return {
    line,
    cells: Object.fromEntries(
      columns.flatMap((column, index) => (column && cells[index] ? [[column.name, cells[index]]] : [])),
    ),
  }
}

/** The lines of a file that hold something, each cell trimmed. */
function recordsOf(csv: string): Line[] {
  const text = csv.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  // The typings know neither `info` nor `raw`, which change what a record is.
  const parsed: unknown = parse(text, {
    delimiter: delimiterOf(text),
    info: true,
    raw: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  return (parsed as { record: string[]; raw: string; info: { lines: number } }[]).map(({ record, raw, info }) => ({
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

/** Columns by their own names. */
export function byName<C extends { name: string }>(known: readonly C[]): Map<string, C> {
  return new Map(known.map((column) => [fold(column.name), column]))
}

/** The same text for what people take for the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
