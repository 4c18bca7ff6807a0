import { type Kysely, sql } from 'kysely'

/**
 * When a file was attached (to a case, a register or an account), so that unattached files can be limited and deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.file add column attached_at timestamptz`,
  // It was not recorded so far which files were attached, so all existing ones stay.
  `update app.file set attached_at = created_at`,
  `create index file_unattached on app.file (owner_id, created_at) where attached_at is null`,
  `create function app.file_is_attached() returns trigger language plpgsql as $$
   begin
     update app.file set attached_at = now() where id = (to_jsonb(new) ->> tg_argv[0])::uuid and attached_at is null;
     return null;
   end $$`,
  `create trigger file_is_attached after insert on app.case_file for each row execute function app.file_is_attached('file_id')`,
  `create trigger file_is_attached after update of photo_id on app.account for each row
     when (new.photo_id is not null) execute function app.file_is_attached('photo_id')`,
]
