import { type Kysely, type RawBuilder, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Listing } from '../../model/definitions/listing.ts'
import { type RegisterDefinition, inUse, pathOf } from '../../model/definitions/register.ts'

/** The registers of the library. */
export type Registers = ReadonlyMap<string, RegisterDefinition>

/** A select of the people, as `person`, who are listed in a month: `YYYY-MM`. */
export function listedIn(listing: Listing, registers: Registers, month: string): RawBuilder<unknown> {
  return sql`select ${field(listing.person)} as person from register_item i
    where ${used(listing.register, registers)} and ${includes(listing, month)}`
}

/** Whether the person's entry is listed in the month. */
export async function isListed(
  db: Kysely<DB>,
  listing: Listing,
  { person, registers, month }: { person: string; registers: Registers; month: string },
): Promise<boolean> {
  const { rows } =
    await sql`select from (${listedIn(listing, registers, month)}) l where person = ${person} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether `i` is an entry in use of the register. */
export function used(register: string, registers: Registers): RawBuilder<unknown> {
  return sql`i.register = ${register} and i.status = ${inUse(known(registers.get(register), `the register ${register}`))}`
}

/** Whether the period of an entry `i` includes the month; a period may be open at its ends. */
export function includes({ from, until }: { from?: string; until?: string }, month: string): RawBuilder<unknown> {
  const monthOf = (pointer: string) => sql`coalesce(left(${field(pointer)}, 7), ${month})`
  return sql`${from === undefined ? sql`true` : sql`${monthOf(from)} <= ${month}`}
    and ${until === undefined ? sql`true` : sql`${monthOf(until)} >= ${month}`}`
}

/** A field of the entry `i`. The path is written as a literal, so that an index on it can be used. */
export function field(pointer: string): RawBuilder<string> {
  return sql<string>`i.data #>> ${sql.lit(`{${pathOf(pointer).join(',')}}`)}`
}
