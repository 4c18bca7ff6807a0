import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import {
  type Manifest,
  REQUESTER,
  type Shown,
  type ShownEntriesOf,
  type ShownOwed,
} from '../../model/definitions/manifest.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { asCertified } from '../../records/registers/last-in-use.ts'
import { lookUp, valuesAt } from '../../model/definitions/named.ts'
import { inUse, onlyFields, pathOf } from '../../model/definitions/register.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { type CaseRow, getCaseContent } from '../rows/cases.ts'
import { OWED_SCHEMA, owedBy } from './owed.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { refuse } from './sent.ts'

/** Maximum entries shown. */
const MAX_SHOWN = 50

/** The entries that a case shows as they are now; `items` is null while its status shows none. */
export interface ShownEntries {
  name: string
  /** The shown fields, as a form's schema. */
  schema: JsonObject
  /** Names of the facts that belong to it. */
  facts: string[]
  items: { id: string; data: JsonObject }[] | null
}

/** What a case shows of registers now, of the parts that are for it. A case that was withdrawn shows nothing. */
export async function shownOf(
  db: Kysely<DB>,
  library: Library,
  { shows = [] }: Manifest,
  row: Pick<CaseRow, 'data' | 'status' | 'state' | 'withdrawn_at' | 'requester_id'>,
  language?: Language,
): Promise<ShownEntries[]> {
  const meant = await Promise.all(shows.map((one) => isMeant(db, library, one, row.data)))
  return Promise.all(
    shows
      .filter((_, at) => meant[at])
      .map(async (one) => {
        const over = one.running ? !['starting', 'running'].includes(row.state) : row.withdrawn_at !== null
        const open = !over && one.in.includes(row.status)
        const { name, facts = [] } = one
        if ('owedBy' in one) {
          const items = open ? await owedOf(db, library, one, row, language) : null
          return { name, facts, schema: OWED_SCHEMA, items }
        }
        const definition = known(library.registers.get(one.register), `the register ${one.register}`)
        const names = one.fields.map((field) => field.slice(1))
        const items = open ? await entriesOf(db, one, inUse(definition), row) : null
        return {
          ...{ name, facts },
          schema: onlyFields(definition.item, names),
          items: items && items.map(({ id, data }) => ({ id, data: picked(data, names) })),
        }
      }),
  )
}

/** Throws if a desk's outcome has to wait until the case shows no entries any more (`refuses` of `shows`). */
export async function refuseWhileShown(
  db: Kysely<DB>,
  library: Library,
  { shows = [] }: Manifest,
  { desk, case_id, requester_id }: Pick<TaskRow, 'desk' | 'case_id' | 'requester_id'>,
  outcome: string | null,
): Promise<void> {
  const waits = shows.filter(({ refuses }) => outcome !== null && refuses?.[desk]?.includes(outcome))
  if (waits.length === 0) return
  const { data } = await getCaseContent(db, case_id)
  const row = { data, requester_id }
  for (const one of waits) {
    if (!(await isMeant(db, library, one, data))) continue
    const titles = (await titlesOf(db, library, one, row)).join(', ')
    if (titles !== '') refuse([{ field: '/outcome', code: 'platform.still-shown', values: { titles } }])
  }
}

type Row = Pick<CaseRow, 'data' | 'requester_id'>

async function titlesOf(db: Kysely<DB>, library: Library, one: Shown, row: Row): Promise<string[]> {
  if ('owedBy' in one) return (await owedOf(db, library, one, row)).map(({ data }) => String(data['title']))
  const definition = known(library.registers.get(one.register), `the register ${one.register}`)
  return (await entriesOf(db, one, inUse(definition), row)).map(({ title }) => title)
}

/** Whether a part is for this case (`when`), by what was certified where a second person does that. */
async function isMeant(db: Kysely<DB>, { registers }: Library, { when }: Shown, data: JsonObject): Promise<boolean> {
  return when === undefined || (await lookUp(when.at, data, (id) => asCertified(db, registers, id))) === when.is
}

async function owedOf(
  db: Kysely<DB>,
  library: Library,
  { owedBy: whose, of }: ShownOwed,
  row: Row,
  language?: Language,
): Promise<{ id: string; data: JsonObject }[]> {
  const people = await valuesOf(db, whose, row)
  const owed = await owedBy(db, library, { people, of, language })
  // Whose it is goes without saying where it is the requester's.
  return owed.slice(0, MAX_SHOWN).map(({ id, what, title, person, due }) => ({
    id,
    data: { what, title, ...(whose !== REQUESTER && { person }), due },
  }))
}

async function entriesOf(
  db: Kysely<DB>,
  { register, where = {}, is = {}, between }: ShownEntriesOf,
  status: string,
  row: Row,
) {
  let query = db
    .selectFrom('register_item')
    .select(['id', 'title', 'data'])
    .where('register', '=', register)
    .where('status', '=', status)
  const valueIn = (field: string) => sql<string>`register_item.data #>> ${pathOf(field)}::text[]`
  for (const [field, pointer] of Object.entries(where)) {
    const values = await valuesOf(db, pointer, row)
    if (values.length === 0) return []
    query = field === 'id' ? query.where('id', 'in', values) : query.where(valueIn(field), 'in', values)
  }
  for (const [field, value] of Object.entries(is)) query = query.where(valueIn(field), '=', value)
  if (between) {
    const today = dayInColombo(Date.now())
    query = query
      .where(valueIn(between.from), '<=', today)
      .where(sql<boolean>`coalesce(nullif(${valueIn(between.until)}, ''), ${today}) >= ${today}`)
  }
  return query.orderBy('title').orderBy('id').limit(MAX_SHOWN).execute()
}

/** The values of a case at a pointer; `requester` is the requester's own entry. */
async function valuesOf(db: Kysely<DB>, pointer: string, row: Row): Promise<string[]> {
  return pointer === REQUESTER ? ownEntry(db, row.requester_id) : valuesAt(row.data, pathOf(pointer)).map(String)
}

async function ownEntry(db: Kysely<DB>, requesterId: string): Promise<string[]> {
  const own = await findOwnEntry(db, requesterId)
  return own ? [own.id] : []
}

function picked(data: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)))
}
