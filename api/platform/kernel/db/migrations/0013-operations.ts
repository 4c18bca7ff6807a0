import { type Kysely, sql } from 'kysely'

/**
 * One token of a case is moved at a time, and not while the case migrates: otherwise the second person would move
 * something else than they saw.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create unique index command_one_move on app.command (case_id)
         where kind in ('modify', 'migrate') and state = 'pending'`,
    )
    .execute(db)
}
