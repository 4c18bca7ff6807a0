import { type Kysely, sql } from 'kysely'

/**
 * What is sealed can be sealed again under a newer key, by the owner of the database alone, who also declares a key
 * lost. Keys that the product was started with are known by a fingerprint.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.field_key (
     id text primary key,
     fingerprint text not null,
     first_started_at timestamptz not null default clock_timestamp()
   )`,
  `create trigger append_only before update or delete on app.field_key for each row execute function app.is_append_only()`,
  `grant select, insert (id, fingerprint) on app.field_key to prakriya_app`,
  // A name stands for one secret for good, so a key that is lost stays lost unless the same secret is found.
  `create table app.lost_field_key (
     id text primary key,
     reason text not null,
     declared_at timestamptz not null default clock_timestamp()
   )`,
  `create trigger append_only before update or delete on app.lost_field_key for each row
     execute function app.is_append_only()`,
  `grant select on app.lost_field_key to prakriya_app`,
  `create index sealed_fields_by_key on app.sealed_fields (key_id, item_id, version)`,
  `create function app.sealed_fields_change_key() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' or new.key_id = old.key_id
       or (to_jsonb(new) - '{key_id,sealed}'::text[]) <> (to_jsonb(old) - '{key_id,sealed}'::text[]) then
       raise exception 'encrypted fields change nothing but their key' using errcode = 'insufficient_privilege';
     end if;
     return new;
   end $$`,
  `drop trigger append_only on app.sealed_fields`,
  `create trigger changes_key before update or delete on app.sealed_fields for each row
     execute function app.sealed_fields_change_key()`,
]
