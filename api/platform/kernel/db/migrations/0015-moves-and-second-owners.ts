import { type Kysely, sql } from 'kysely'

/** Migrations of cases can be stopped, once; waiving the second owner takes two people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.is_over() returns trigger language plpgsql as $$
   begin
     raise exception 'this is over' using errcode = 'check_violation', constraint = tg_name;
   end $$`,

  // ---- moves that are stopped ------------------------------------------------------------------
  `alter table app.case_migration
     add column stopped_by uuid references app.account,
     add column stopped_as text,
     add column stopped_at timestamptz,
     add column stop_reason text check (btrim(stop_reason) <> ''),
     add check ((stopped_by is null) = (stopped_at is null)),
     add check ((stopped_by is null) = (stop_reason is null))`,
  `create trigger migration_stops_once before update on app.case_migration for each row
     when (old.stopped_at is not null) execute function app.is_over()`,
  `create function app.stopped_moves_nothing() returns trigger language plpgsql as $$
   begin
     if exists (select from app.case_migration where id = new.migration_id and stopped_at is not null)
     then raise exception 'this move has been stopped' using errcode = 'check_violation', constraint = tg_name;
     end if;
     return new;
   end $$`,
  `create trigger stopped_moves_nothing before insert or update of state on app.case_migration_entry for each row
     when (new.state in ('waiting', 'sent')) execute function app.stopped_moves_nothing()`,
  `grant update (stopped_by, stopped_as, stopped_at, stop_reason) on app.case_migration to prakriya_app`,

  // ---- doing without a second owner --------------------------------------------------------------
  `create table app.second_owner_waiver (
     id uuid primary key,
     process text not null,
     reason text not null check (btrim(reason) <> ''),
     asked_by uuid not null references app.account,
     asked_at timestamptz not null default clock_timestamp(),
     state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused', 'withdrawn')),
     decided_by uuid references app.account,
     decided_at timestamptz,
     decision_note text,
     check ((state = 'waiting') = (decided_by is null)),
     check ((decided_by is null) = (decided_at is null)),
     -- Nobody confirms what they ask for themselves; all that they can do is take it back.
     constraint waiver_needs_another check ((state = 'withdrawn') = (decided_by is not distinct from asked_by))
   )`,
  `create unique index second_owner_waiver_one_open on app.second_owner_waiver (process) where state = 'waiting'`,
  `create trigger waiver_decided_once before update on app.second_owner_waiver for each row
     when (old.state <> 'waiting') execute function app.is_over()`,
  // A flow can stop requiring a second owner only in the transaction in which a second person confirms it.
  `create function app.second_owner_needs_two() returns trigger language plpgsql as $$
   begin
     if (tg_op = 'DELETE' or not new.second_owner or new.process <> old.process) and not exists (
       select from app.second_owner_waiver
       where process = old.process and state = 'confirmed' and decided_at = transaction_timestamp())
     then raise exception 'a second person confirms it' using errcode = 'check_violation', constraint = tg_name;
     end if;
     return case when tg_op = 'DELETE' then old else new end;
   end $$`,
  `create trigger second_owner_needs_two before update or delete on app.studio_setting for each row
     when (old.second_owner) execute function app.second_owner_needs_two()`,
  // A person who appointed another owner meanwhile could approve through them, even as an administrator.
  `create or replace function app.owners_given_rightly() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' and new.granted_by is not null and app.asks_second_owner(new.scope_id)
     then raise exception 'nobody becomes an owner meanwhile' using errcode = 'check_violation',
       constraint = 'owners_stay';
     end if;
     -- What ends because somebody leaves is nobody's doing.
     if tg_op = 'UPDATE' and new.ended_by is not null and app.asks_second_owner(new.scope_id)
       and not app.administers(new.ended_by)
     then raise exception 'administrators say who ceases to be an owner' using errcode = 'check_violation',
       constraint = 'owners_by_administrators';
     end if;
     return new;
   end $$`,
  `grant select, insert (id, process, reason, asked_by), update (state, decided_by, decided_at, decision_note)
     on app.second_owner_waiver to prakriya_app`,
]
