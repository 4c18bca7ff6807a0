import { type Kysely, sql } from 'kysely'

/** Unsent start forms, available on all devices of their writer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.start_draft (
     account_id uuid not null references app.account,
     flow text not null,
     form_hash text not null references app.artifact,
     data jsonb not null,
     saved_at timestamptz not null default clock_timestamp(),
     primary key (account_id, flow)
   )`,
  `grant select, insert, update, delete on app.start_draft to prakriya_app`,
]
