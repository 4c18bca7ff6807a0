import { dayInColombo, writtenDay } from '../../kernel/colombo.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { rupees } from '../../kernel/rupees.ts'
import type { Filter, ReportColumn, ReportDefinition, Value } from '../../model/definitions/report.ts'
import { type Language, type Library, languages } from '../../model/library/library.ts'
import { documentLayout, layOut } from '../../records/documents/render.ts'
import { pageOfTable } from '../../records/documents/table-paper.ts'

/** A statement as a file. */
export interface Statement {
  name: string
  content: Buffer
}

interface Printed {
  report: string
  definition: ReportDefinition
  filter: Filter
  rows: readonly Record<string, Value>[]
  totals: Readonly<Record<string, number>>
  /** Title of the entry that the statement is about. */
  entry: string
  /** Fields of that entry, by their text keys. */
  details: readonly { title: string; value: string }[]
  /** Names of the other entries that the filter names, by its field. */
  entries: Readonly<Record<string, string | undefined>>
  letterhead: JsonObject
}

/** Lays out the rows of a report as a paper of the university, with the totals below. */
export function printStatement(
  { library, language }: { library: Pick<Library, 'text'>; language: Language },
  { report, definition, filter, rows, totals, entry, details, entries, letterhead }: Printed,
): Statement {
  const now = new Date()
  const today = dayInColombo(now)
  const say = (key: string) => library.text(key, {}, language)
  const written = (column: ReportColumn, value: Value) => textOf(column, value, say)
  const chosen = Object.entries(definition.filter.properties ?? {}).flatMap(([name, { title, format, oneOf = [] }]) => {
    const day = format === 'date' ? filter[name] : undefined
    const choice = oneOf.find((one) => one.const === filter[name])?.title
    const value = choice ? say(choice) : day === undefined ? entries[name] : writtenDay(String(day))
    return value === undefined ? [] : [{ label: say(title ?? name), value }]
  })
  const wide = definition.columns.find(({ as = 'text' }) => as === 'text')
  const page = pageOfTable(library, {
    title: definition.title,
    number: writtenDay(today),
    letterhead,
    body: [entry],
    facts: [...details.map(({ title, value }) => ({ label: say(title), value })), ...chosen],
    columns: definition.columns.map((column) => ({
      label: say(column.title),
      wide: column === wide,
      right: isNumber(column),
    })),
    rows: rows.map((row) => definition.columns.map((column) => written(column, row[column.name] ?? null))),
    totals: definition.columns
      .filter(({ name }) => name in totals)
      .map((column) => ({ label: say(column.title), value: written(column, totals[column.name] ?? null) })),
    signatures: (definition.signatures ?? []).map((key) => ({
      ...{ titles: languages.map((one) => library.text(key, {}, one)), name: null, on: null },
    })),
  })
  return { name: `${report.split('/')[1]}-${today}.pdf`, content: layOut(documentLayout(), page, now) }
}

const isNumber = ({ as = 'text' }: ReportColumn): boolean => ['cents', 'count', 'hours'].includes(as)

function textOf({ as = 'text' }: ReportColumn, value: Value, say: (key: string) => string): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.text
  if (as === 'cents') return rupees(Number(value))
  if (as === 'day') return writtenDay(String(value))
  if (as === 'moment') return writtenDay(dayInColombo(new Date(value)))
  return as === 'word' ? say(String(value)) : String(value)
}
