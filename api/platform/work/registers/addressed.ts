import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, at, pathOf, textAt } from '../../model/definitions/register.ts'
import { UNIT_KINDS, readUnits } from '../../people/access/units.ts'
import { type Person, grantsMeant } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'

/*
 * Entries that are meant for the people of one unit (`addressed` of a register): those who hold a role there, above or
 * below, and those whose own entry names it. Who changes entries of the whole university reads them all. And entries with
 * a value in a field, which are all that some roles read (`seenFor`); and entries on whose days it is not today, which only
 * those read who change them (`shownBetween`).
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

/**
 * The fields one of which has a value in the entries that this person reads, because all their roles see only such
 * entries (`seenFor`); undefined if they read the others too.
 */
function fieldsOfReader(person: Person, { seenBy, seenFor }: RegisterDefinition): string[] | undefined {
  if (!seenFor || person.seesAll) return undefined
  const limits = Object.entries(seenFor)
  const holds = (entry: string) => entry === '*' || grantsMeant(person, entry).length > 0
  const limited = new Set(limits.flatMap(([, roles]) => roles))
  if (seenBy.some((entry) => !limited.has(entry) && holds(entry))) return undefined
  return limits.filter(([, roles]) => roles.some(holds)).map(([field]) => field)
}

/** The days of entries that this person reads on these days only; undefined if they read them always. */
function daysOfReader(person: Person, { shownBetween, changedBy }: RegisterDefinition) {
  const reads = person.seesAll || changedBy.some((entry) => grantsMeant(person, entry).length > 0)
  return reads ? undefined : shownBetween
}

/** Limits rows `register_item` to those that are meant for a person, or for everybody; undefined if nothing is. */
export async function whereAddressed(db: Kysely<DB>, person: Person, definition: RegisterDefinition) {
  const valueAt = (field: string) => sql`register_item.data #>> ${pathOf(field)}::text[]`
  const units = await unitsOfReader(db, person, definition)
  const unit = units && definition.addressed !== undefined ? valueAt(definition.addressed) : undefined
  const fields = fieldsOfReader(person, definition)
  const days = daysOfReader(person, definition)
  const today = dayInColombo(Date.now())
  const limits = [
    ...(days
      ? [
          sql`${valueAt(days.from)} <= ${today}`,
          sql`coalesce(nullif(${valueAt(days.until)}, ''), ${today}) >= ${today}`,
        ]
      : []),
    ...(unit ? [sql`(${unit} is null or ${unit} = any(${units}::text[]))`] : []),
    ...(fields ? [sql`coalesce(${sql.join([...fields.map(valueAt), sql`null`])}) is not null`] : []),
  ]
  return limits.length === 0 ? undefined : sql<boolean>`(${sql.join(limits, sql` and `)})`
}

/** Which entries are meant for a person, or for everybody. */
export async function areAddressed(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entries: readonly Pick<Item, 'data'>[],
): Promise<boolean[]> {
  const { addressed } = definition
  const units = addressed === undefined ? undefined : await unitsOfReader(db, person, definition)
  const fields = fieldsOfReader(person, definition)
  const days = daysOfReader(person, definition)
  const today = dayInColombo(Date.now())
  return entries.map(({ data }) => {
    if (days && (String(at(data, days.from)) > today || (textAt(data, days.until) ?? today) < today)) return false
    if (fields && !fields.some((field) => textAt(data, field) !== undefined)) return false
    const unit = addressed === undefined ? undefined : textAt(data, addressed)
    return units === undefined || unit === undefined || units.includes(unit)
  })
}
