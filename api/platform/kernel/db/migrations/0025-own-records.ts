import { type Kysely, sql } from 'kysely'

/** Records that people fill in over many sittings, a row for each step. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.own_record (
     account_id uuid not null references app.account,
     record text not null,
     step text not null,
     -- What was last saved as complete; null until then.
     data jsonb check (jsonb_typeof(data) = 'object'),
     -- What was typed since, if anything was.
     draft jsonb check (jsonb_typeof(draft) = 'object'),
     version integer not null default 1 check (version > 0),
     saved_at timestamptz not null default clock_timestamp(),
     primary key (account_id, record, step),
     constraint own_record_not_empty check (data is not null or draft is not null)
   )`,
  // Files of a record stay as long as it has them.
  `create table app.own_record_file (
     account_id uuid not null,
     record text not null,
     step text not null,
     file_id uuid not null references app.file,
     primary key (account_id, record, step, file_id),
     foreign key (account_id, record, step) references app.own_record on delete cascade
   )`,
  `create index on app.own_record_file (file_id)`,
  `create trigger file_is_attached after insert on app.own_record_file for each row
     execute function app.file_is_attached('file_id')`,
  `grant select, insert, update, delete on app.own_record, app.own_record_file to prakriya_app`,
]
