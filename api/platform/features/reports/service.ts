import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { itemInUse } from '../../records/registers/in-use.ts'
import { casesOf } from '../../work/rows/case-lists.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { type Statement, printStatement } from './statement.ts'
import { at } from '../../model/definitions/register.ts'
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
  library: Library
  reports: ReadonlyMap<string, Report>
}) {
  async function read(
    person: Person,
    key: string,
    given: Record<string, string>,
    { limit, language = 'en' }: { limit: number; language?: Language | undefined },
  ): Promise<ReportView> {
    const declared = library.reports.get(key)
    const report = reports.get(key)
    if (!declared || !report) throw new BusinessError('platform.not-found')
    const by = admits(person, declared.seenBy)
    const own = by === undefined ? await ownFilter(person, declared) : {}
    const today = dayInColombo(new Date())
    const filter = { ...report.defaults?.(today), ...typed(declared, given), ...own }
    const definition = shownTo(declared, filter, own)
    const wrong = checkForm(declared.filter, filter)
    if (wrong.length > 0)
      throw new BusinessError(
        'platform.request-invalid',
        {},
        wrong.map((error) => ({ ...error, field: `query/filter.${error.field.slice(1)}` })),
      )
    const asked = { db, library, language, filter, today }
    const found = await report.rows({ ...asked, limit: limit + 1 })
    const rows = await withOwnCases(person, by === undefined, found.slice(0, limit))
    const more = found.length > limit
    if (declared.sensitive)
      await db.transaction().execute((trx) =>
        audit(trx).record({
          actor: person.id,
          actedAs: by ?? null,
          action: 'report.read',
          object: `report:${key}`,
          payload: { filter, rows: rows.length },
        }),
      )
    const all = more && limit < FILE_ROWS ? await report.rows({ ...asked, limit: FILE_ROWS + 1 }) : found
    const totals = all.length > FILE_ROWS ? {} : totalsOf(definition, all)
    return { report: key, definition, filter, rows, more, totals }
  }

  /** The filter of a reader who may see only what concerns their own entry; throws 404 if that is nothing. */
  async function ownFilter(person: Person, { own, filter }: ReportDefinition): Promise<Filter> {
    const entry = own === undefined ? undefined : await findOwnEntry(db, person.id)
    if (own === undefined || !entry || filter.properties?.[own]?.['x-register'] !== entry.register)
      throw new BusinessError('platform.not-found')
    return { [own]: entry.id }
  }

  /** Readers of their own report get links only to their own cases. */
  async function withOwnCases(person: Person, isOwn: boolean, rows: Record<string, Value>[]) {
    if (!isOwn) return rows
    const ids = rows.flatMap((row) => Object.values(row).flatMap((value) => (isCase(value) ? [value.id] : [])))
    const own = await casesOf(db, person.id, ids)
    const plain = (value: Value): Value => (isCase(value) && !own.has(value.id) ? value.text : value)
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
  }

  return {
    read: (person: Person, key: string, given: Record<string, string>, language?: Language): Promise<ReportView> =>
      read(person, key, given, { limit: PAGE_ROWS, language }),

    /** The report as a file. */
    async sheet(
      person: Person,
      key: string,
      given: Record<string, string>,
      format: Sheet['format'],
      language: Language,
    ): Promise<Sheet> {
      const { definition, rows, more } = await read(person, key, given, { limit: FILE_ROWS, language })
      const say = (word: string, values = {}) => library.text(word, values, language)
      const body = rows.map((row) => definition.columns.map((column) => cellOf(column, row[column.name] ?? null, say)))
      if (more) body.push([say('platform.inbox.sheet.rest', { rows: rows.length.toLocaleString('en') })])
      const { forMachines = false } = definition
      const head = definition.columns.map(({ name, title }) => (forMachines ? name : say(title)))
      return writeSheet(format, head, body, `${key.split('/')[1]}-${dayInColombo(new Date())}`, { forMachines })
    },

    /** The statement of the chosen entry as a PDF; 404 if the report has none, or none is chosen. */
    async statement(
      person: Person,
      key: string,
      given: Record<string, string>,
      language: Language,
    ): Promise<Statement> {
      const view = await read(person, key, given, { limit: FILE_ROWS, language })
      const { statement } = view.definition
      const id = statement === undefined ? undefined : view.filter[statement]
      const item = typeof id === 'string' ? await itemRepository(db).findAnyItem(id) : undefined
      if (statement === undefined || !item) throw new BusinessError('platform.not-found')
      const register = library.reports.get(key)?.filter.properties?.[statement]?.['x-register']
      const { codeField } = library.registers.get(register ?? '') ?? {}
      const code = codeField === undefined ? undefined : at(item.data, codeField)
      const entry = typeof code === 'string' ? `${item.title}, ${code}` : item.title
      const letterhead = await itemInUse(db, 'platform/letterhead')
      return printStatement({ library, language }, { ...view, entry, letterhead: letterhead ?? {} })
    },
  }
}

/** The definition as this reader sees it: without the filter that is fixed, and without columns that say nothing. */
function shownTo(definition: ReportDefinition, filter: Filter, fixed: Filter): ReportDefinition {
  const { filter: form, columns } = definition
  const properties = Object.entries(form.properties ?? {}).filter(([name]) => fixed[name] === undefined)
  return {
    ...definition,
    filter: { ...form, properties: Object.fromEntries(properties) },
    columns: columns.filter(({ unless }) => unless === undefined || !filter[unless]),
  }
}

const isCase = (value: Value): value is { id: string; text: string } => typeof value === 'object' && value !== null

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
