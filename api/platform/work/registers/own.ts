import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, namedBy, textAt } from '../../model/definitions/register.ts'
import { type Person, admits } from '../../people/persons/person.ts'

/** The entry about the person themselves. */
export function ownRecord(
  db: Kysely<DB>,
  { id }: Pick<Person, 'id'>,
): Promise<{ id: string; register: string } | undefined> {
  return db
    .selectFrom('account as a')
    .innerJoin('register_item as i', 'i.id', 'a.record_id')
    .select(['i.id', 'i.register'])
    .where('a.id', '=', id)
    .executeTakeFirst()
}

/** Whether an entry is the person's own: it is about them, or names the entry about them (`own` of its register). */
export async function isOwn(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entry: { id: string; data: JsonObject },
): Promise<boolean> {
  return isOf(await ownRecord(db, person), definition, entry)
}

/** Whether an entry is, or names, this entry about a person. */
export function isOf(
  record: { id: string } | undefined,
  { own }: RegisterDefinition,
  { id, data }: { id: string; data: JsonObject },
): boolean {
  if (record === undefined) return false
  return record.id === id || (own !== undefined && namedBy(own).some((by) => textAt(data, by) === record.id))
}

/** Limits rows `register_item` to a person's own ones. */
export async function whereOwn(
  db: Kysely<DB>,
  person: Person,
  { own }: RegisterDefinition,
): Promise<RawBuilder<boolean>> {
  const record = await ownRecord(db, person)
  if (!record) return sql`false`
  if (!own) return sql`register_item.id = ${record.id}`
  return sql`register_item.id in (select r.item_id from register_reference r
    where r.path = any(${namedBy(own)}::text[]) and r.target_id = ${record.id})`
}

/** Whether the person writes an entry with this content because it is their own. People with the right to write any do not. */
export async function writesOwn(
  db: Kysely<DB>,
  person: Person,
  { own, changedBy }: RegisterDefinition,
  data: JsonObject,
): Promise<boolean> {
  if (own?.changed !== true || admits(person, changedBy) !== undefined) return false
  const record = await ownRecord(db, person)
  return record !== undefined && textAt(data, own.by) === record.id
}

/** Content of an entry; where nobody is named, and the person may be, it is theirs. */
export async function asOwn(
  db: Kysely<DB>,
  person: Person,
  { own, item }: RegisterDefinition,
  data: JsonObject,
): Promise<JsonObject> {
  const field = own?.by.slice(1)
  if (field === undefined || data[field] !== undefined) return data
  const record = await ownRecord(db, person)
  return record?.register === item.properties?.[field]?.['x-register'] && record
    ? { ...data, [field]: record.id }
    : data
}
