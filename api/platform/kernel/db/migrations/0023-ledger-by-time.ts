import { type Kysely, sql } from 'kysely'

/** Entries of the ledger by time, for lists of the newest payments and of a period. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ledger_entry_newest on app.ledger_entry (at desc, id desc)`.execute(db)
}
