import { type Kysely, sql } from 'kysely'

/**
 * One token of a case is moved at a time, and not while the case moves to another version: what a second person saw before
 * would not be what they move.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create unique index command_one_move on app.command (case_id)
         where kind in ('modify', 'migrate') and state = 'pending'`,
    )
    .execute(db)
}
