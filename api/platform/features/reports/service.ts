import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import { sealedFields } from '../../records/registers/sealed.ts'
import { itemInUse } from '../../records/registers/in-use.ts'
import { unseenEntries } from '../../work/registers/seen.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { ownFilter, shownTo, withOwnCases } from './own.ts'
import { type Statement, printStatement } from './statement.ts'
import { wordsOf } from '../../model/library/words.ts'
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

interface ReportDependencies {
  db: Kysely<DB>
  library: Library
  reports: ReadonlyMap<string, Report>
  /** For reports over encrypted fields. */
  fieldKeys?: FieldKeys
}

/** What a reader asks of a report, once their rights and the filter are checked. */
interface Asked {
  key: string
  person: Person
  /** The role or group by which they see it; undefined if they see only their own entry. */
  by: string | undefined
  report: Report
  declared: ReportDefinition
  /** As this reader sees it. */
  definition: ReportDefinition
  filter: Filter
  today: string
}

/** Checks the reader's rights and the filter, before anything is read. */
async function ask(
  { db, library, reports }: ReportDependencies,
  person: Person,
  key: string,
  given: Record<string, string>,
): Promise<Asked> {
  const declared = library.reports.get(key)
  const report = reports.get(key)
  if (!declared || !report) throw new BusinessError('platform.not-found')
  // Seeing everything does not reach encrypted fields.
  const by = admits(declared.sealed ? { ...person, seesAll: false } : person, declared.seenBy)
  const own = by === undefined ? await ownFilter(db, person, declared) : {}
  const today = dayInColombo(new Date())
  const filter = { ...report.defaults?.(today), ...typed(declared, given), ...own }
  const named = (declared.sees ?? []).filter((field) => filter[field] !== undefined)
  const data = Object.fromEntries(named.map((field) => [field, filter[field] ?? null]))
  const unseen = await unseenEntries(db, library, person, { schema: declared.filter, data })
  const wrong = [...checkForm(declared.filter, filter), ...unseen]
  if (wrong.length > 0)
    throw new BusinessError(
      'platform.request-invalid',
      {},
      wrong.map((error) => ({ ...error, field: `query/filter.${error.field.slice(1)}` })),
    )
  return { key, person, by, report, declared, definition: shownTo(declared, filter, own), filter, today }
}

async function read(
  { db, library, fieldKeys }: ReportDependencies,
  { key, person, by, report, declared, definition, filter, today }: Asked,
  { limit, language = 'en' }: { limit: number; language?: Language | undefined },
): Promise<ReportView> {
  const unsealed = (register: string, ids: readonly string[]) =>
    db.transaction().execute((trx) => sealedFields(trx, known(fieldKeys, 'the keys of fields')).read(register, ids))
  const asked = {
    db,
    flows: library.flows,
    titleOf: caseTitles(library, language),
    filter,
    today,
    ...(declared.sealed && { unsealed }),
  }
  const found = await report.rows({ ...asked, limit: limit + 1 })
  const rows = by === undefined ? await withOwnCases(db, person, found.slice(0, limit)) : found.slice(0, limit)
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

/** Reports with the reader's rights. A report that a person may not see answers 404. */
export function reportsService(dependencies: ReportDependencies) {
  const { db, library } = dependencies
  return {
    read: async (
      person: Person,
      key: string,
      given: Record<string, string>,
      language?: Language,
    ): Promise<ReportView> =>
      read(dependencies, await ask(dependencies, person, key, given), { limit: PAGE_ROWS, language }),

    /** The report as a file. */
    async sheet(
      person: Person,
      key: string,
      given: Record<string, string>,
      format: Sheet['format'],
      language: Language,
    ): Promise<Sheet> {
      const asked = await ask(dependencies, person, key, given)
      const { definition, rows, more } = await read(dependencies, asked, { limit: FILE_ROWS, language })
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
      const asked = await ask(dependencies, person, key, given)
      const { statement } = asked.definition
      const entries = statement === undefined ? {} : await chosenEntries(dependencies, asked)
      const entry = entries[statement ?? '']
      if (statement === undefined || entry === undefined) throw new BusinessError('platform.not-found')
      const view = await read(dependencies, asked, { limit: FILE_ROWS, language })
      const letterhead = await itemInUse(db, 'platform/letterhead')
      const details = await aboutEntry(dependencies, asked, statement)
      const about = { entry, details, entries: { ...entries, [statement]: undefined } }
      return printStatement({ library, language }, { ...view, ...about, letterhead: letterhead ?? {} })
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

/** What a case is, in one language: its flow, and its subject if that says more. */
function caseTitles(library: Library, language: Language | undefined) {
  const words = wordsOf(library, language)
  return (flow: string, subject: unknown): string => {
    const manifest = library.flows.get(flow)?.manifest
    return manifest ? [...new Set([words.flowTitle(manifest), words.caseTitle(manifest, subject)])].join(': ') : flow
  }
}

/** The names of the register entries that the filter names, by its field. */
async function chosenEntries({ db, library }: ReportDependencies, { declared, filter }: Asked) {
  const names: Record<string, string | undefined> = {}
  for (const [field, { 'x-register': register }] of Object.entries(declared.filter.properties ?? {})) {
    const id = filter[field]
    const item = register && typeof id === 'string' ? await itemRepository(db).findAnyItem(id) : undefined
    if (item) names[field] = nameOf(library, register, item)
  }
  return names
}

/** The fields of the entry of a statement that it shows below its title. */
async function aboutEntry({ db, library }: ReportDependencies, { declared, filter }: Asked, statement: string) {
  const { findAnyItem } = itemRepository(db)
  const item = await findAnyItem(String(filter[statement]))
  const schema = library.registers.get(declared.filter.properties?.[statement]?.['x-register'] ?? '')?.item
  const details = (declared.about ?? []).map(async (pointer) => {
    const field = schema?.properties?.[pointer.slice(1)]
    const value = at(item?.data, pointer)
    const register = field?.['x-register']
    const named = register && typeof value === 'string' ? await findAnyItem(value) : undefined
    return { title: field?.title ?? pointer, value: named ? nameOf(library, register, named) : String(value ?? '') }
  })
  return (await Promise.all(details)).filter(({ value }) => value !== '')
}

/** A register entry by its title and code. */
function nameOf(library: Library, register: string | undefined, { title, data }: { title: string; data: unknown }) {
  const { codeField } = library.registers.get(register ?? '') ?? {}
  const code = codeField === undefined ? undefined : at(data, codeField)
  return typeof code === 'string' ? `${title}, ${code}` : title
}
