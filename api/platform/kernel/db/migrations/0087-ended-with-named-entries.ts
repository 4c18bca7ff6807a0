import { type Kysely, sql } from 'kysely'

/** Entries that stay as they are once an entry that they name is final, such as what was found in a count that is closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.register_reference add column ends boolean not null default false`,
  `update app.register_reference r set ends = true from app.register_item i
     where i.id = r.item_id and i.register = 'instruments/counted' and r.path = '/count'`,
  `create index on app.register_reference (item_id) where ends`,
  // The lock waits for who sets the named entry to a final status at the same moment.
  `create function app.named_entry_open() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     perform from register_item where id = new.target_id and not final for share;
     if not found then
       raise exception 'entry % is final', new.target_id using errcode = 'check_violation', constraint = 'entry_ended_with';
     end if;
     return new;
   end $$`,
  `create trigger ends_with before insert or update on app.register_reference for each row
     when (new.ends) execute function app.named_entry_open()`,
  `create function app.named_entry_stays() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     perform from register_item where id = old.target_id and not final for share;
     if not found then
       raise exception 'entry % is final', old.target_id using errcode = 'check_violation', constraint = 'entry_ended_with';
     end if;
     return coalesce(new, old);
   end $$`,
  `create trigger ended_with_stays before update or delete on app.register_reference for each row
     when (old.ends) execute function app.named_entry_stays()`,
  `create function app.entry_not_ended() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if exists (select from register_reference r join register_item n on n.id = r.target_id
       where r.item_id = old.id and r.ends and n.final) then
       raise exception 'an entry that % names is final', old.id using errcode = 'check_violation',
         constraint = 'entry_ended_with';
     end if;
     return coalesce(new, old);
   end $$`,
  `create trigger entry_ended_with before update or delete on app.register_item for each row
     execute function app.entry_not_ended()`,
]
