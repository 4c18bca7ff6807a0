import { type RawBuilder, sql } from 'kysely'

/** A time as text in UTC with microseconds, so that nothing is rounded. */
export function utc(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
