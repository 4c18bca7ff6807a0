import { type Kysely, sql } from 'kysely'

/** Who has no account is written to once about a thing, as others are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create unique index mail_once_elsewhere on app.mail (recipient, once) where once is not null and recipient_id is null`,
]
