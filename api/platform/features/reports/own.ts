import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Filter, ReportDefinition, Value } from '../../model/definitions/report.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import { casesOf } from '../../work/rows/case-lists.ts'

/** The filter of a reader who may see only what concerns their own entry; throws 404 if that is nothing. */
export async function ownFilter(db: Kysely<DB>, person: Person, { own, filter }: ReportDefinition): Promise<Filter> {
  const entry = own === undefined ? undefined : await findOwnEntry(db, person.id)
  if (own === undefined || !entry || filter.properties?.[own]?.['x-register'] !== entry.register)
    throw new BusinessError('platform.not-found')
  return { [own]: entry.id }
}

/** Rows for a reader of their own report, with links only to their own cases. */
export async function withOwnCases(
  db: Kysely<DB>,
  person: Person,
  rows: Record<string, Value>[],
): Promise<Record<string, Value>[]> {
  const ids = rows.flatMap((row) => Object.values(row).flatMap((value) => (isCase(value) ? [value.id] : [])))
  const own = await casesOf(db, person.id, ids)
  const plain = (value: Value): Value => (isCase(value) && !own.has(value.id) ? value.text : value)
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
}

/** The definition as this reader sees it: without the filter that is fixed, and without columns that say nothing. */
export function shownTo(definition: ReportDefinition, filter: Filter, fixed: Filter): ReportDefinition {
  const { filter: form, columns } = definition
  const properties = Object.entries(form.properties ?? {}).filter(([name]) => fixed[name] === undefined)
  return {
    ...definition,
    filter: { ...form, properties: Object.fromEntries(properties) },
    columns: columns.filter(({ unless }) => unless === undefined || !filter[unless]),
  }
}

const isCase = (value: Value): value is { id: string; text: string } => typeof value === 'object' && value !== null
