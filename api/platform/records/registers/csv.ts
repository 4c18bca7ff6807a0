import { CsvError, parse } from 'csv-parse/sync'
import type { Language, Library } from '../../model/library/library.ts'

/** One error in a file, with line and column. */
export interface ImportError {
  /** The line in which the row begins; the header is line 1. */
  line: number
  /** The name of the field; empty if it is the whole line or file. */
  column: string
  /** Text key. */
  code: string
  message: string
  /** The wrong value. */
  value: string
}

/** The content of a file, its errors, and how many entries were added. */
export interface ImportResult {
  rows: number
  columns: string[]
  /** The text keys of all columns that the file may have. */
  titles: Record<string, string>
  errors: ImportError[]
  /** Total number; `errors` holds the first of them. */
  errorCount: number
  /** How many rows have no error; none if the file cannot be read. */
  right: number
  preview: { line: number; cells: Record<string, string> }[]
  added: number
}

/** Maximum errors in a response. */
const MAX_ERRORS = 500
const MAX_SHOWN_LETTERS = 120

/** A line that is not empty. */
export interface Row {
  line: number
  /** By column; without empty cells. */
  cells: Record<string, string>
}

/** An error before its message is translated. */
export type Wrong = Omit<ImportError, 'message'> & { values?: Record<string, string | number> }

/** The first errors with their messages, in file order, and their total number. */
export function inWords(
  wrong: readonly Wrong[],
  columns: readonly { name: string }[],
  library: Pick<Library, 'text'>,
  language: Language | undefined,
): Pick<ImportResult, 'errors' | 'errorCount'> {
  const place = new Map(columns.map(({ name }, index) => [name, index]))
  const errors = wrong
    .toSorted((a, b) => a.line - b.line || (place.get(a.column) ?? -1) - (place.get(b.column) ?? -1))
    .slice(0, MAX_ERRORS)
    .map(({ values, ...error }) => ({
      ...error,
      value: error.value.slice(0, MAX_SHOWN_LETTERS),
      message: library.text(error.code, values, language),
    }))
  return { errors, errorCount: wrong.length }
}

/** The parsed file with its errors; without columns if it is rejected as a whole. */
type Read<C> = { columns: C[]; rows: Row[]; wrong: Wrong[] }

/** A line of a file, unparsed. */
interface Line {
  line: number
  cells: string[]
}

/** The rows of a file by known columns, which may have aliases, and its errors. `fill` is for cells it does not have. */
export function readRows<C extends { name: string; required: boolean }>(
  csv: string,
  known: readonly C[],
  { names = byName(known), fill = {}, most }: { names?: ReadonlyMap<string, C>; fill?: Row['cells']; most: number },
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
  const filling = known.filter(({ name }) => fill[name] !== undefined)
  const filled = filling.filter((column) => !found.includes(column))
  const all = [...found, ...filled]
  const wrong = [...wrongColumns(header, columns, body), ...missingColumns(header, all, known)]
  if (body.length === 0) wrong.push({ line: header.line, column: '', value: '', code: 'platform.import.no-rows' })
  wrong.push(...body.flatMap((line) => tooWide(line, columns.length)))
  const given = Object.fromEntries(filling.map(({ name }) => [name, fill[name] ?? '']))
  const rows = body.map((line) => rowOf(line, columns)).map((row) => ({ ...row, cells: { ...given, ...row.cells } }))
  return { columns: all, rows, wrong }
}

function nothing<C>(refused: Partial<Wrong> & Pick<Wrong, 'code'>): Read<C> {
  return { columns: [], rows: [], wrong: [{ line: 1, column: '', value: '', ...refused }] }
}

/** The lines of a file, or why it cannot be read. */
function linesOf(csv: string): Line[] | Pick<Wrong, 'code' | 'line'> {
  // The replacement character for invalid bytes, and NUL, which no text contains.
  if (csv.includes('\uFFFD') || csv.includes('\0')) return { code: 'platform.import.not-utf8', line: 1 }
  try {
    return recordsOf(csv)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error
    return { code: 'platform.import.quotes', line: typeof lines === 'number' ? lines : 1 }
  }
}

/** Unknown and duplicate columns. */
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
    // A trailing delimiter makes an empty column; ignore it if it is empty everywhere.
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

/** Non-empty lines with trimmed cells. */
function recordsOf(csv: string): Line[] {
  const text = csv.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  // The typings lack `info` and `raw`, which change what a record is.
  const parsed: unknown = parse(text, {
    delimiter: delimiterOf(text),
    info: true,
    raw: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- csv-parse gives this with `info` and `raw`
  return (parsed as { record: string[]; raw: string; info: { lines: number } }[]).map(({ record, raw, info }) => ({
    line: info.lines - (raw.trim().split('\n').length - 1),
    cells: record.map((cell) => cell.trim()),
  }))
}

/** Spreadsheets write semicolons in locales with decimal commas, and tabs when copied. */
function delimiterOf(text: string): string {
  const header = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const count = (one: string) => header.split(one).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Columns by their own names. */
export function byName<C extends { name: string }>(known: readonly C[]): Map<string, C> {
  return new Map(known.map((column) => [fold(column.name), column]))
}

/** Equal texts for what people take for the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
