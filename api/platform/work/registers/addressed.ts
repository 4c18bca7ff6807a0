import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, pathOf, textAt } from '../../model/definitions/register.ts'
import { UNIT_KINDS, readUnits } from '../../people/access/units.ts'
import { type Person, grantsMeant } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'

/*
 * Entries that are meant for the people of one unit (`addressed` of a register): those who hold a role there, above or
 * below, and those whose own entry names it. Who changes entries of the whole university reads them all.
 */

/** The units for whose people this person counts; undefined if they read what is addressed to anybody. */
async function unitsOfReader(
  db: Kysely<DB>,
  person: Person,
  { addressed, changedBy }: RegisterDefinition,
): Promise<string[] | undefined> {
  const writes = changedBy.flatMap((entry) => grantsMeant(person, entry))
  if (addressed === undefined || person.seesAll || writes.some(({ scopeKind }) => scopeKind === null)) return undefined
  const units = await readUnits(db)
  const held = person.grants.flatMap(({ scopeKind: kind, scopeId: id }) =>
    kind === null || id === null ? [] : [{ kind, id }],
  )
  const record = await db
    .selectFrom('account as a')
    .innerJoin('register_item as i', 'i.id', 'a.record_id')
    .select('i.data')
    .where('a.id', '=', person.id)
    .executeTakeFirst()
  const named = UNIT_KINDS.flatMap((kind) => {
    const id = record && textAt(record.data, `/${kind}`)
    return id === undefined ? [] : [{ kind, id }]
  })
  const above = [...held, ...named].flatMap((scope) => units.chain(scope)).map(({ id }) => id)
  const below = held.flatMap((scope) => units.below(scope))
  return [...new Set([...above, ...below])]
}

/** Limits rows `register_item` to those that are addressed to a person, or to everybody; undefined if nothing is. */
export async function whereAddressed(db: Kysely<DB>, person: Person, definition: RegisterDefinition) {
  const units = await unitsOfReader(db, person, definition)
  if (units === undefined || definition.addressed === undefined) return undefined
  const unit = sql`register_item.data #>> ${pathOf(definition.addressed)}::text[]`
  return sql<boolean>`(${unit} is null or ${unit} = any(${units}::text[]))`
}

/** Which entries are addressed to a person, or to everybody. */
export async function areAddressed(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entries: readonly Pick<Item, 'data'>[],
): Promise<boolean[]> {
  const { addressed } = definition
  const units = addressed === undefined ? undefined : await unitsOfReader(db, person, definition)
  return entries.map(({ data }) => {
    const unit = addressed === undefined ? undefined : textAt(data, addressed)
    return units === undefined || unit === undefined || units.includes(unit)
  })
}
