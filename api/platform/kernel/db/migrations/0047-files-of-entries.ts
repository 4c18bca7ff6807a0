import { type Kysely, sql } from 'kysely'

/** Who sees an entry of a register opens its files, so that a file leads to the entries that have it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.register_file (
     item_id uuid not null references app.register_item,
     file_id uuid not null references app.file,
     primary key (item_id, file_id)
   )`,
  `create index on app.register_file (file_id)`,
  `insert into app.register_file (item_id, file_id)
     select distinct i.id, f.id from app.register_item i
       cross join jsonb_path_query(i.data, 'strict $.** ? (@.type() == "string")') as value
       join app.file f on f.id::text = value #>> '{}'`,
  `grant select, insert, delete on app.register_file to prakriya_app`,
]
