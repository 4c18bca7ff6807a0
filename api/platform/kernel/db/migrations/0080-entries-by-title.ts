import { type Kysely, sql } from 'kysely'

/** Pages of entries in any status are read by title; steps of a case find its entry by the number of the case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index register_item_by_title on app.register_item (register, title, id)`,
  `create index register_item_by_case on app.register_item (register, (data ->> 'case_reference'))
     where data ->> 'case_reference' is not null`,
]
