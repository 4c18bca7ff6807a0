import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { type FieldSchema, type RegisterDefinition, at } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'
import { referencesOf } from '../../model/definitions/named.ts'
import { areAddressed } from './addressed.ts'
import { readerOf } from './reader.ts'
import { entrustedAmong, isOf, ownRecord } from './own.ts'
import { placesOf } from './places.ts'

type Entry = Pick<Item, 'register' | 'id' | 'status' | 'data'>

/** Which entries of a register a person sees there: by a role at their place, or because they are their own. */
export async function entriesSeen(
  db: Kysely<DB>,
  who: Person,
  definition: RegisterDefinition,
  entries: readonly Entry[],
): Promise<boolean[]> {
  const person = readerOf(who, definition)
  const { seenBy, seenAnywhere } = definition
  const isPlaceless = seenAnywhere === true || seenBy.includes('*') || person.seesAll
  const places = isPlaceless || entries.length === 0 ? [] : await placesOf(db, definition, entries)
  const addressed = await areAddressed(db, person, definition, entries)
  const seen = entries.map(
    (_, index) => addressed[index] === true && admits(person, seenBy, places[index]) !== undefined,
  )
  if (seen.every(Boolean)) return seen
  const record = await ownRecord(db, person)
  const others = entries.filter((_, index) => !seen[index]).map(({ id }) => id)
  const entrusted = await entrustedAmong(db, person, definition, others)
  return seen.map((bySome, index) => {
    const entry = known(entries[index], 'the entry')
    return bySome || isOf(record, definition, entry) || entrusted.has(entry.id)
  })
}

/** Whether everybody sees an entry. */
function isPublic({ public: shown }: RegisterDefinition, { status, data }: Entry): boolean {
  if (!shown) return false
  const valueAt = (name: string) =>
    name === 'status' ? status : at(data, `/${name.slice('data.'.length).replaceAll('.', '/')}`)
  return Object.entries(shown.where ?? {}).every(([name, value]) => String(valueAt(name)) === String(value))
}

/** The fields of a form that name an entry which its sender does not see. Without an account: one that is not public. */
export async function unseenEntries(
  db: Kysely<DB>,
  { registers }: Pick<Library, 'registers'>,
  person: Person | undefined,
  { schema, data }: { schema: FieldSchema; data: JsonObject },
): Promise<FieldError[]> {
  const named = referencesOf(schema, data)
  const entries = await entriesAt(
    db,
    named.map(({ id }) => id),
  )
  const seen = new Set<string>()
  for (const [register, of] of Map.groupBy(entries, (entry) => entry.register)) {
    const definition = known(registers.get(register), `the register ${register}`)
    const [shown, rest] = [
      of.filter((one) => isPublic(definition, one)),
      of.filter((one) => !isPublic(definition, one)),
    ]
    const inRegister = person ? await entriesSeen(db, person, definition, rest) : []
    for (const { id } of [...shown, ...rest.filter((_, index) => inRegister[index])]) seen.add(`${register} ${id}`)
  }
  return named
    .filter(({ register, id }) => !seen.has(`${register} ${id}`))
    .map(({ path }) => ({ field: path, code: 'platform.item-unknown' }))
}

async function entriesAt(db: Kysely<DB>, ids: readonly string[]): Promise<Entry[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('register_item')
    .select(['register', 'id', 'status', 'data'])
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .execute()
}
