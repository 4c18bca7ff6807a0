import { type Kysely, sql } from 'kysely'

/**
 * Confirmed names: the register entry supplies a person's name, and people without an entry change their name only with
 * another person's confirmation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Control characters and invisible formatting, except the two joiners (U+200C, U+200D). */
const unseen =
  String.raw`\u0001-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f` +
  String.raw`\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f` +
  String.raw`\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f`
const joiner = String.raw`[\u200c\u200d]`

const statements = [
  // ---- what a name may be written with ---------------------------------------------------------
  `create function app.is_name(value text) returns boolean language sql immutable as $$
     select value !~ '[${unseen}]' and value !~ '^${joiner}|${joiner}$|${joiner}{2}' $$`,
  `create function app.as_name(value text) returns text language sql immutable as $$
     select regexp_replace(regexp_replace(regexp_replace(value, '[${unseen}]', '', 'g'),
       '(${joiner})${joiner}+', '\\1', 'g'), '^([[:space:]]|${joiner})+|([[:space:]]|${joiner})+$', '', 'g') $$`,
  `update app.account set name = coalesce(nullif(app.as_name(name), ''), username::text) where not app.is_name(name)`,
  `alter table app.account add constraint account_name_is_plain check (app.is_name(name))`,

  // ---- names of the registers ------------------------------------------------------------------
  `alter table app.account
     add column entry_unchecked boolean not null default false,
     add column registered boolean not null generated always as (record_id is not null and not entry_unchecked) stored`,
  `comment on column app.account.entry_unchecked is 'the own entry came with the account, and nobody who keeps the register has changed it since'`,
  `comment on column app.account.registered is 'an entry of a register answers for the name'`,
  `update app.account a set entry_unchecked = true from app.register_item i
     where i.id = a.record_id and i.register = 'platform/temporary-employee' and i.version = 1
       and (i.created_at = a.created_at or exists (
         select from app.register_item_version v where v.item_id = i.id and v.changed_by = a.id))`,
  `create function app.name_of_entry(entry uuid) returns text language sql stable set search_path = app, pg_temp as $$
     select nullif(app.as_name(data ->> 'full_name'), '') from register_item where id = entry $$`,
  // An account with a register entry takes its name from there.
  `create function app.name_of_register() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare registered text := app.name_of_entry(new.record_id);
   begin
     if registered is null or new.name = registered then return new; end if;
     if tg_op = 'UPDATE' and new.record_id is not distinct from old.record_id then
       raise exception 'the name is that of the register' using errcode = 'check_violation', constraint = 'name_of_register';
     end if;
     new.name := registered;
     return new;
   end $$`,
  `create trigger name_of_register before insert or update of name, record_id on app.account for each row
     when (new.record_id is not null) execute function app.name_of_register()`,
  `create function app.name_follows_entry() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     update account set name = app.name_of_entry(new.id), version = version + 1, changed_at = now()
       where record_id = new.id and name <> app.name_of_entry(new.id);
     return null;
   end $$`,
  `create trigger name_follows_entry after update on app.register_item for each row
     when (old.data -> 'full_name' is distinct from new.data -> 'full_name')
     execute function app.name_follows_entry()`,
  // Names that people have changed themselves meanwhile.
  `update app.account set name = app.name_of_entry(record_id)
     where record_id is not null and name <> app.name_of_entry(record_id)`,

  // ---- changes of a name ---------------------------------------------------------------------
  `create table app.name_change (
     id uuid primary key,
     account_id uuid not null references app.account,
     name text not null check (btrim(name) <> '' and app.is_name(name)),
     asked_at timestamptz not null default clock_timestamp(),
     state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused', 'withdrawn')),
     decided_by uuid references app.account,
     decided_at timestamptz,
     reason text,
     check ((state = 'waiting') = (decided_by is null)),
     check ((decided_by is null) = (decided_at is null)),
     -- Nobody confirms their own; all that they can do is take it back.
     constraint name_change_needs_another check ((state = 'withdrawn') = (decided_by is not distinct from account_id))
   )`,
  `create unique index name_change_one_open on app.name_change (account_id) where state = 'waiting'`,
  `create index on app.name_change (account_id)`,
  `create trigger name_change_decided_once before update on app.name_change for each row
     when (old.state <> 'waiting') execute function app.is_over()`,
  `grant select, insert (id, account_id, name), update (state, decided_by, decided_at, reason)
     on app.name_change to prakriya_app`,
]
