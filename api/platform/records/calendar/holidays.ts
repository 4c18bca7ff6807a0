import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** A non-working day of the register of special days. */
export interface Holiday {
  /** `yyyy-mm-dd`. */
  date: string
  name: string
  kind: string
}

/** Maximum holidays per response: some ten years. */
const MAX_HOLIDAYS = 400

/** Active holidays in order, from one day to another, both included. */
export async function listHolidays(
  db: Kysely<DB>,
  { from, until }: { from?: string; until?: string },
): Promise<Holiday[]> {
  const date = sql<string>`data ->> 'date'`
  let query = db
    .selectFrom('register_item')
    .select([date.as('date'), sql<string>`data ->> 'name'`.as('name'), sql<string>`data ->> 'kind'`.as('kind')])
    .where('register', '=', 'platform/holiday')
    .where('status', '=', 'Active')
    .where(sql<string>`data ->> 'kind'`, 'in', ['Public', 'University'])
  if (from !== undefined) query = query.where(date, '>=', from)
  if (until !== undefined) query = query.where(date, '<=', until)
  return query.orderBy(date).limit(MAX_HOLIDAYS).execute()
}
