import { type Kysely, sql } from 'kysely'

/** When a file was found free of viruses; null if it was stored while no scanner was set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.file add column scanned_at timestamptz`.execute(db)
}
