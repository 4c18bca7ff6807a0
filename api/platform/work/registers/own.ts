import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { type FieldSchema, type RegisterDefinition, namedBy, pathOf, textAt } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { naming, namingInRows } from '../../records/registers/naming.ts'

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

/** Limits rows `register_item` to those entrusted to a person (`entrustedTo`). */
export async function whereEntrusted(
  db: Kysely<DB>,
  person: Person,
  { entrustedTo }: RegisterDefinition,
): Promise<RawBuilder<boolean>> {
  const record = entrustedTo && (await ownRecord(db, person))
  if (!record) return sql`false`
  return sql`register_item.id in ${naming([entrustedTo.at], namingInRows(entrustedTo.by, record.id))}`
}

/** Which of these entries are entrusted to a person. */
export async function entrustedAmong(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!definition.entrustedTo || ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('register_item')
    .select('id')
    .where('id', 'in', ids)
    .where(await whereEntrusted(db, person, definition))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Which registers may have entries that a person sees, by their roles or by their own entry. */
export interface Readable {
  /** Whether entries of a register may be entrusted to them: the register of their own entry is the one that is named. */
  entrusted(definition: RegisterDefinition): boolean
  /** Whether there may be entries that are, or name, their own entry, or are entrusted to them. */
  theirs(register: string): boolean
}

export async function readableBy(
  db: Kysely<DB>,
  { registers }: Pick<Library, 'registers'>,
  person: Person,
): Promise<Readable> {
  const record = await ownRecord(db, person)
  const entrusted = ({ entrustedTo, item }: RegisterDefinition): boolean => {
    if (!record || !entrustedTo) return false
    const through = registers.get(item.properties?.[entrustedTo.at.slice(1)]?.['x-register'] ?? '')
    return through !== undefined && fieldAt(through.item, entrustedTo.by)?.['x-register'] === record.register
  }
  const theirs = (register: string): boolean => {
    const definition = registers.get(register)
    if (!record || !definition) return false
    return record.register === register || definition.own !== undefined || entrusted(definition)
  }
  return { entrusted, theirs }
}

/** The schema of a field, of which `*` stands for the rows of a list. */
export function fieldAt(schema: FieldSchema | undefined, pointer: string): FieldSchema | undefined {
  return pathOf(pointer).reduce<FieldSchema | undefined>(
    (field, name) => (name === '*' ? field?.items : field?.properties?.[name]),
    schema,
  )
}

/** Whether a person may make entries because they are their own. People with the right to write any do not. */
function makesOwn(person: Person, { own, changedBy }: Pick<RegisterDefinition, 'own' | 'changedBy'>): boolean {
  if (admits(person, changedBy) !== undefined) return false
  return own?.changed === true || admits(person, own?.madeBy ?? []) !== undefined
}

/** Whether the person writes an entry with this content because it is their own. People with the right to write any do not. */
export async function writesOwn(
  db: Kysely<DB>,
  person: Person,
  { own, changedBy }: RegisterDefinition,
  data: JsonObject,
): Promise<boolean> {
  if (!own || !makesOwn(person, { own, changedBy })) return false
  const record = await ownRecord(db, person)
  return record !== undefined && textAt(data, own.by) === record.id
}

/** The fields that a person changes of this entry because it is about them, and they have no right to change others. */
export async function correctsOwn(
  db: Kysely<DB>,
  person: Person,
  { ownCorrects, changedBy }: RegisterDefinition,
  { id }: { id: string },
): Promise<string[] | null> {
  if (!ownCorrects || admits(person, changedBy) !== undefined) return null
  return (await ownRecord(db, person))?.id === id ? ownCorrects : null
}

/**
 * Content of an entry; where nobody is named, and the person may be, it is theirs. With `madeBy`, that is so only for
 * people with one of its roles.
 */
export async function asOwn(
  db: Kysely<DB>,
  person: Person,
  { own, item, changedBy }: RegisterDefinition,
  data: JsonObject,
): Promise<JsonObject> {
  if (own?.madeBy && !makesOwn(person, { own, changedBy })) return data
  const field = own?.by.slice(1)
  if (field === undefined || data[field] !== undefined) return data
  const record = await ownRecord(db, person)
  return record?.register === item.properties?.[field]?.['x-register'] && record
    ? { ...data, [field]: record.id }
    : data
}
