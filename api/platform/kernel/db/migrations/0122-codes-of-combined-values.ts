import { type Kysely, sql } from 'kysely'

/** A value that is unique together with others is found by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index register_unique_first on app.register_unique (register, field, split_part(value, E'\\n', 1))
         where value like E'%\\n%'`,
    )
    .execute(db)
}
