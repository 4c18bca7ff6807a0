import { type Kysely, sql } from 'kysely'

/** Flows of which there is at most one case with the same values, no matter who sends it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // A hash of the values; null where the case does not count any more, or the flow has no such limit.
  `alter table app.flow_case add column sole_key text`,
  `create unique index flow_case_sole on app.flow_case (flow, sole_key) where sole_key is not null`,
]
