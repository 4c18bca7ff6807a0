import type { Kysely } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type RegisterDefinition, textAt } from '../../model/definitions/register.ts'
import { invalid } from '../../people/access/refusals.ts'
import { type Units, UNIT_KINDS, readUnits } from '../../people/access/units.ts'
import { type Person, type Place, admits } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'
import { readerOf } from './reader.ts'

type Entry = Pick<Item, 'data'> & Partial<Pick<Item, 'register' | 'id' | 'title'>>

/** The units of an entry by kind: those that its data name, those above them, and the entry itself if it is a unit. */
export function placeOf(units: Units, data: JsonObject, item?: Partial<Pick<Item, 'register' | 'id'>>): Place {
  const named = UNIT_KINDS.flatMap((kind) => {
    const id = data[kind]
    return typeof id === 'string' ? [{ kind, id }] : []
  })
  const all = [...named.flatMap((scope) => units.chain(scope)), ...named]
  const own = UNIT_KINDS.find((kind) => item?.register === `platform/${kind}`)
  return Object.fromEntries([...all.map(({ kind, id }) => [kind, id]), ...(own && item?.id ? [[own, item.id]] : [])])
}

/** The units of each of these entries, with those of the entry that it belongs to. */
export async function placesOf(
  db: Kysely<DB>,
  definition: RegisterDefinition,
  entries: readonly Entry[],
): Promise<Place[]> {
  const units = await readUnits(db)
  const owners = await ownersOf(db, definition, entries)
  return entries.map((entry, index) => ({
    ...placeOf(units, entry.data, entry),
    ...placeOf(units, owners[index]?.data ?? {}, owners[index]),
  }))
}

/** Entries with the title of the entry that each belongs to, if their register has such. */
export async function withOwners<T extends Item>(
  db: Kysely<DB>,
  definition: RegisterDefinition,
  items: readonly T[],
): Promise<(T & { owner?: string })[]> {
  const owners = await ownersOf(db, definition, items)
  return items.map((item, index) => {
    const owner = owners[index]?.title
    return owner === undefined ? item : { ...item, owner }
  })
}

/** The entry that each of these belongs to; nothing where the register has none, or where it is not named. */
async function ownersOf(
  db: Kysely<DB>,
  { belongsTo }: RegisterDefinition,
  entries: readonly Entry[],
): Promise<(Entry | undefined)[]> {
  if (belongsTo === undefined) return []
  const [field = belongsTo, ...further] = belongsTo.split('#')
  let owners = await namedEntries(
    db,
    entries.map(({ data }) => textAt(data, field)),
  )
  for (const hop of further)
    owners = await namedEntries(
      db,
      owners.map((owner) => textAt(owner, hop)),
    )
  return owners
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function namedEntries(db: Kysely<DB>, ids: readonly (string | undefined)[]): Promise<(Entry | undefined)[]> {
  const wanted = [...new Set(ids.flatMap((id) => (id !== undefined && UUID.test(id) ? [id.toLowerCase()] : [])))]
  if (wanted.length === 0) return ids.map(() => undefined)
  const rows = await db
    .selectFrom('register_item')
    .select(['id', 'register', 'title', 'data'])
    .where('id', 'in', wanted)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id?.toLowerCase() ?? ''))
}

/** Where a person may not write an entry: its field, and the reason. Without a field they may write none at all. */
export interface Elsewhere {
  field?: string
  code: string
}

/** What keeps a person from writing an entry in these units; undefined if nothing does. */
export function elsewhere(who: Person, definition: RegisterDefinition, place: Place): Elsewhere | undefined {
  const { changedBy, belongsTo } = definition
  const person = readerOf(who, definition)
  if (admits(person, changedBy, place) !== undefined) return undefined
  if (belongsTo === undefined || admits(person, changedBy) === undefined) return { code: 'platform.not-allowed' }
  const [field = belongsTo] = belongsTo.split('#')
  return { field, code: 'platform.belongs-elsewhere' }
}

/** Throws if a person may not write these entries: the old and the new content of one. */
export async function refuseElsewhere(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entries: readonly Entry[],
): Promise<void> {
  for (const place of await placesOf(db, definition, entries)) {
    const { field, code } = elsewhere(person, definition, place) ?? {}
    if (field !== undefined && code !== undefined) throw invalid([{ field, code }])
    if (code !== undefined) throw new BusinessError(code)
  }
}
