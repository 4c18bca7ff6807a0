import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { type Manifest, REQUESTER, type Shown } from '../../model/definitions/manifest.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { inUse, onlyFields, pathOf } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { type CaseRow, getCaseContent } from '../rows/cases.ts'
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

/** What a case shows of registers now. A case that was withdrawn shows nothing. */
export async function shownOf(
  db: Kysely<DB>,
  library: Library,
  { shows = [] }: Manifest,
  row: Pick<CaseRow, 'data' | 'status' | 'state' | 'withdrawn_at' | 'requester_id'>,
): Promise<ShownEntries[]> {
  return Promise.all(
    shows.map(async (one) => {
      const definition = known(library.registers.get(one.register), `the register ${one.register}`)
      const names = one.fields.map((field) => field.slice(1))
      const over = one.running ? !['starting', 'running'].includes(row.state) : row.withdrawn_at !== null
      const open = !over && one.in.includes(row.status)
      const items = open ? await entriesOf(db, one, inUse(definition), row) : null
      return {
        name: one.name,
        facts: one.facts ?? [],
        schema: onlyFields(definition.item, names),
        items: items && items.map(({ id, data }) => ({ id, data: picked(data, names) })),
      }
    }),
  )
}

/** Throws if a desk's outcome has to wait until the case shows no entries any more (`refuses` of `shows`). */
export async function refuseWhileShown(
  db: Kysely<DB>,
  library: Pick<Library, 'registers'>,
  { shows = [] }: Manifest,
  { desk, case_id, requester_id }: Pick<TaskRow, 'desk' | 'case_id' | 'requester_id'>,
  outcome: string | null,
): Promise<void> {
  const waits = shows.filter(({ refuses }) => outcome !== null && refuses?.[desk]?.includes(outcome))
  if (waits.length === 0) return
  const { data } = await getCaseContent(db, case_id)
  for (const one of waits) {
    const definition = known(library.registers.get(one.register), `the register ${one.register}`)
    const entries = await entriesOf(db, one, inUse(definition), { data, requester_id })
    const titles = entries.map(({ title }) => title).join(', ')
    if (titles !== '') refuse([{ field: '/outcome', code: 'platform.still-shown', values: { titles } }])
  }
}

async function entriesOf(
  db: Kysely<DB>,
  { register, where }: Shown,
  status: string,
  row: Pick<CaseRow, 'data' | 'requester_id'>,
) {
  let query = db
    .selectFrom('register_item')
    .select(['id', 'title', 'data'])
    .where('register', '=', register)
    .where('status', '=', status)
  for (const [field, pointer] of Object.entries(where)) {
    const values =
      pointer === REQUESTER ? await ownEntry(db, row.requester_id) : valuesAt(row.data, pathOf(pointer)).map(String)
    if (values.length === 0) return []
    query =
      field === 'id'
        ? query.where('id', 'in', values)
        : query.where(sql<string>`register_item.data #>> ${pathOf(field)}::text[]`, 'in', values)
  }
  return query.orderBy('title').orderBy('id').limit(MAX_SHOWN).execute()
}

async function ownEntry(db: Kysely<DB>, requesterId: string): Promise<string[]> {
  const own = await findOwnEntry(db, requesterId)
  return own ? [own.id] : []
}

/** The values at a path, in which `*` stands for every row of a list. */
function valuesAt(data: unknown, [first, ...rest]: string[]): unknown[] {
  if (first === undefined) return data === undefined || data === null ? [] : [data]
  if (first === '*') return Array.isArray(data) ? data.flatMap((row) => valuesAt(row, rest)) : []
  return typeof data === 'object' && data !== null ? valuesAt(Reflect.get(data, first), rest) : []
}

function picked(data: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)))
}
