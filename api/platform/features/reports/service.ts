import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { checkForm } from '../../model/forms/check.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type Cell, type Sheet, writeSheet } from '../../kernel/sheets/sheet.ts'
import type { Filter, Report, ReportColumn, ReportDefinition, Value } from '../../model/definitions/report.ts'

/** Maximum rows of a page, and of a file. */
const PAGE_ROWS = 500
const FILE_ROWS = 20_000

/** A report as its reader sees it. */
interface ReportView {
  report: string
  definition: ReportDefinition
  /** The filter, with defaults. */
  filter: Filter
  rows: Record<string, Value>[]
  /** There are more rows than these. */
  more: boolean
  /** Totals of all rows, shown or not; empty if there are more rows than a file holds. */
  totals: Record<string, number>
}

/** Reports with the reader's rights. A report that a person may not see answers 404. */
export function reportsService({
  db,
  library,
  reports,
}: {
  db: Kysely<DB>
  library: Pick<Library, 'reports' | 'text'>
  reports: ReadonlyMap<string, Report>
}) {
  async function read(person: Person, key: string, given: Record<string, string>, limit: number): Promise<ReportView> {
    const definition = library.reports.get(key)
    const report = reports.get(key)
    const by = definition && admits(person, definition.seenBy)
    if (!definition || !report || by === undefined) throw new BusinessError('platform.not-found')
    const today = dayInColombo(new Date())
    const filter = { ...report.defaults?.(today), ...typed(definition, given) }
    const wrong = checkForm(definition.filter, filter)
    if (wrong.length > 0)
      throw new BusinessError(
        'platform.request-invalid',
        {},
        wrong.map((error) => ({ ...error, field: `query/filter.${error.field.slice(1)}` })),
      )
    const found = await report.rows({ db, filter, today, limit: limit + 1 })
    const rows = found.slice(0, limit)
    const more = found.length > limit
    if (definition.sensitive)
      await db.transaction().execute((trx) =>
        audit(trx).record({
          actor: person.id,
          actedAs: by,
          action: 'report.read',
          object: `report:${key}`,
          payload: { filter, rows: rows.length },
        }),
      )
    const all = more && limit < FILE_ROWS ? await report.rows({ db, filter, today, limit: FILE_ROWS + 1 }) : found
    const totals = all.length > FILE_ROWS ? {} : totalsOf(definition, all)
    return { report: key, definition, filter, rows, more, totals }
  }

  return {
    read: (person: Person, key: string, given: Record<string, string>): Promise<ReportView> =>
      read(person, key, given, PAGE_ROWS),

    /** The report as a file. */
    async sheet(
      person: Person,
      key: string,
      given: Record<string, string>,
      format: Sheet['format'],
      language: Language,
    ): Promise<Sheet> {
      const { definition, rows, more } = await read(person, key, given, FILE_ROWS)
      const say = (word: string, values = {}) => library.text(word, values, language)
      const body = rows.map((row) => definition.columns.map((column) => cellOf(column, row[column.name] ?? null, say)))
      if (more) body.push([say('platform.inbox.sheet.rest', { rows: rows.length.toLocaleString('en') })])
      const { forMachines = false } = definition
      const head = definition.columns.map(({ name, title }) => (forMachines ? name : say(title)))
      return writeSheet(format, head, body, `${key.split('/')[1]}-${dayInColombo(new Date())}`, { forMachines })
    },
  }
}

/** Converts query texts to the types of the filter's schema. */
function typed({ filter }: ReportDefinition, given: Record<string, string>): Filter {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const number = filter.properties?.[name]?.type === 'integer' && /^-?\d{1,9}$/.test(text)
      return [name, number ? Number(text) : text]
    }),
  )
}

function totalsOf({ columns }: ReportDefinition, rows: readonly Record<string, Value>[]): Record<string, number> {
  return Object.fromEntries(
    columns
      .filter(({ total }) => total)
      .map(({ name }) => [name, rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)]),
  )
}

function cellOf({ as = 'text' }: ReportColumn, value: Value, say: (key: string) => string): Cell {
  if (value === null) return null
  if (typeof value === 'object') return value.text
  if (as === 'cents') return { rupees: Number(value) / 100 }
  if (as === 'count' || as === 'hours') return { number: Number(value) }
  if (as === 'moment') return { moment: new Date(value) }
  return as === 'word' ? say(String(value)) : String(value)
}
