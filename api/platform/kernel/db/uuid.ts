import { type RawBuilder, sql } from 'kysely'

/** A text of a statement as an id, which indexes of ids find; null if it is none. */
export function uuidIn(text: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`case when pg_input_is_valid(${text}, 'uuid') then (${text})::uuid end`
}
