import { type Kysely, sql } from 'kysely'

/** A place in a subject is one of a subject registration or of a registration: the latter is a further part of its key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update app.register_unique set value = value || E'\n' where register = 'students/subject-registration-seat'`.execute(
    db,
  )
}
