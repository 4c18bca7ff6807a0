import { type Kysely, sql } from 'kysely'

/** Entries that a desk's answer picked are released once the answer is void: undone, refused, or overtaken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.allocation add column submission_id uuid references app.submission`,
  `create index on app.allocation (submission_id) where (submission_id is not null)`,
  `create function app.picked_entries_go() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     update allocation set state = 'released', expires_at = null, changed_at = clock_timestamp()
       where submission_id = new.id and state <> 'released';
     return null;
   end $$`,
  `create trigger picked_entries_go after update of effect on app.submission for each row
     when (new.effect = 'void' and old.effect <> 'void') execute function app.picked_entries_go()`,
]
