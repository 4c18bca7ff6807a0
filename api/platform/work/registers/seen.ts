import type { Kysely, Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { type FieldSchema, type RegisterDefinition, at } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'
import { referencesOf } from '../../model/definitions/named.ts'
import { isOwn } from './own.ts'
import { placesOf } from './places.ts'

type Entry = Pick<Item, 'register' | 'id' | 'status' | 'data'>

/** Whether a person sees an entry in its register: by a role there, or because it is their own. */
export async function seesEntry(
  trx: Transaction<DB>,
  person: Person,
  definition: RegisterDefinition,
  item: Entry,
): Promise<boolean> {
  const [place] = definition.seenAnywhere ? [] : await placesOf(trx, definition, [item])
  return admits(person, definition.seenBy, place) !== undefined || isOwn(trx, person, definition, item)
}

/** Whether everybody sees an entry. */
function isPublic({ public: shown }: RegisterDefinition, { status, data }: Entry): boolean {
  if (!shown) return false
  const valueAt = (name: string) =>
    name === 'status' ? status : at(data, `/${name.slice('data.'.length).replaceAll('.', '/')}`)
  return Object.entries(shown.where ?? {}).every(([name, value]) => String(valueAt(name)) === String(value))
}

/** The entries that a form names and its sender does not see, as if they did not exist. Without an account: not public. */
export async function unseenEntries(
  trx: Transaction<DB>,
  { registers }: Pick<Library, 'registers'>,
  person: Person | undefined,
  { schema, data }: { schema: FieldSchema; data: JsonObject },
): Promise<FieldError[]> {
  const wrong: FieldError[] = []
  for (const { path, register, id } of referencesOf(schema, data)) {
    const definition = known(registers.get(register), `the register ${register}`)
    const entry = await entryAt(trx, register, id)
    const seen = entry && (isPublic(definition, entry) || (person && (await seesEntry(trx, person, definition, entry))))
    if (!seen) wrong.push({ field: path, code: 'platform.item-unknown' })
  }
  return wrong
}

function entryAt(db: Kysely<DB>, register: string, id: string): Promise<Entry | undefined> {
  return db
    .selectFrom('register_item')
    .select(['register', 'id', 'status', 'data'])
    .where('register', '=', register)
    .where('id', '=', id)
    .executeTakeFirst()
}
