import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { LICENCES } from './trips.ts'

/** A licence in force of the same vehicle and kind with some of the same days; undefined if there is none. */
export async function findOverlapping(db: Kysely<DB>, { vehicle, kind, from, until }: JsonObject) {
  const { rows } = await sql<{ number: string; until: string }>`
    select data ->> 'number' as number, data ->> 'until' as until from register_item
    where register = ${LICENCES} and status = 'Active' and data ->> 'vehicle' = ${String(vehicle)}
      and data ->> 'kind' = ${String(kind)} and data ->> 'from' <= ${String(until)} and data ->> 'until' >= ${String(from)}
    order by data ->> 'until' desc limit 1`.execute(db)
  return rows[0]
}
