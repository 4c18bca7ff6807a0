import { type Kysely, sql } from 'kysely'

/** The codes by which papers of register entries are verified: one for each entry that was ever printed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.item_code (
     item_id uuid primary key references app.register_item,
     code text not null unique check (code ~ '^[0-9a-f]{32}$'),
     made_at timestamptz not null default now()
   )`,
  `create trigger append_only before update or delete on app.item_code for each row
     execute function app.is_append_only()`,
  `grant select, insert on app.item_code to prakriya_app`,
]
