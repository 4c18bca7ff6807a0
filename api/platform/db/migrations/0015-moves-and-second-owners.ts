import { type Kysely, sql } from 'kysely'

/** A move of running cases that somebody stops, once. */
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
  `grant update (stopped_by, stopped_at, stop_reason) on app.case_migration to prakriya_app`,
]
