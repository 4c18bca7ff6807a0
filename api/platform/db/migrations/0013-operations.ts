import { type Kysely, sql } from 'kysely'

/** One token of a case is moved at a time: what a second operator saw before would not be what they move. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create unique index command_one_move on app.command (case_id) where kind = 'modify' and state = 'pending'`)
    .execute(db)
}
