import { type Kysely, sql } from 'kysely'

/**
 * Encrypted fields of entries, and who has opened them. Their values are stored only here, under keys that the database
 * does not know.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.sealed_fields (
     item_id uuid not null references app.register_item,
     version integer not null,
     key_id text not null,
     sealed bytea not null check (length(sealed) >= 28),
     at timestamptz not null default clock_timestamp(),
     primary key (item_id, version)
   )`,
  `create trigger append_only before update or delete on app.sealed_fields for each row execute function app.is_append_only()`,

  // The fields that no row may hold in plain text.
  `create table app.encrypted_field (
     register text not null,
     field text not null,
     -- The field that names the record of the person, as a pointer; null if the entry is that record.
     about text,
     primary key (register, field)
   )`,
  `create trigger append_only before update or delete on app.encrypted_field for each row execute function app.is_append_only()`,
  `create function app.entry_keeps_sealed() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if exists (select from encrypted_field f where f.register = new.register and new.data ? f.field) then
       raise exception 'entry % holds an encrypted field in plain text', new.id
         using errcode = 'check_violation', constraint = 'entry_keeps_sealed';
     end if;
     return new;
   end $$`,
  `create trigger keeps_sealed before insert or update of data on app.register_item for each row
     execute function app.entry_keeps_sealed()`,
  `create function app.version_keeps_sealed() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if exists (select from encrypted_field f join register_item i on i.register = f.register
         where i.id = new.item_id and new.data ? f.field) then
       raise exception 'a version of entry % holds an encrypted field in plain text', new.item_id
         using errcode = 'check_violation', constraint = 'entry_keeps_sealed';
     end if;
     return new;
   end $$`,
  `create trigger keeps_sealed before insert or update of data on app.register_item_version for each row
     execute function app.version_keeps_sealed()`,

  // Nobody writes what is encrypted about themselves: the writer is that of the version of the entry.
  `create function app.seals_not_ones_own() returns trigger language plpgsql security definer set search_path = app, pg_temp as $$
   begin
     if exists (
       select from register_item i
         join register_item_version v on v.item_id = i.id and v.version = new.version
         join account a on a.id = v.changed_by
         join encrypted_field f on f.register = i.register
         left join register_reference o on o.item_id = i.id and o.path = f.about
         join register_reference r on r.target_id = a.record_id
           and r.item_id = case when f.about is null then i.id else o.target_id end
       where i.id = new.item_id) then
       raise exception 'nobody writes encrypted fields about themselves'
         using errcode = 'check_violation', constraint = 'seals_not_ones_own';
     end if;
     return new;
   end $$`,
  `create trigger seals_not_ones_own before insert on app.sealed_fields for each row
     execute function app.seals_not_ones_own()`,

  // Who may read the encrypted fields about somebody, how they came to it, and until when.
  `create table app.record_opening (
     id uuid primary key,
     account_id uuid not null references app.account,
     item_id uuid not null references app.register_item,
     how text not null check (how in ('presented', 'reason')),
     reason text,
     opened_at timestamptz not null default clock_timestamp(),
     until timestamptz not null,
     constraint opening_with_reason check ((how = 'reason') = (reason is not null)),
     -- A declared reason: free text could say what somebody suffers from.
     constraint opening_reason_coded check (reason ~ '^[a-z-]{2,30}$'),
     constraint opening_ends check (until > opened_at and until <= opened_at +
       case how when 'reason' then interval '61 minutes' else interval '12 hours 1 minute' end)
   )`,
  `create index on app.record_opening (account_id, item_id, until)`,
  `create trigger append_only before update or delete on app.record_opening for each row execute function app.is_append_only()`,
  `create function app.opens_not_ones_own() returns trigger language plpgsql security definer set search_path = app, pg_temp as $$
   begin
     if exists (select from register_reference r join account a on a.record_id = r.target_id
         where r.item_id = new.item_id and a.id = new.account_id) then
       raise exception 'nobody opens the record about themselves'
         using errcode = 'check_violation', constraint = 'opens_not_ones_own';
     end if;
     return new;
   end $$`,
  `create trigger opens_not_ones_own before insert on app.record_opening for each row
     execute function app.opens_not_ones_own()`,

  `grant select, insert on app.sealed_fields, app.encrypted_field, app.record_opening to prakriya_app`,
]
