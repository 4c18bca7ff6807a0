import { type Kysely, sql } from 'kysely'

/**
 * Commands are sent from their own rows: the sweep finds those that are due. They had a job each before. A case gets its
 * number at the end of its transaction, once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.command add column next_attempt_at timestamptz not null default now()`,
  `update app.command set next_attempt_at = not_before where state = 'pending'`,
  `drop index app.command_pending`,
  `create index command_due on app.command (lane desc, next_attempt_at) where state = 'pending'`,
  `do $$ begin
     if to_regclass('graphile_worker.jobs') is not null then
       perform graphile_worker.remove_job(key) from graphile_worker.jobs where task_identifier = 'send-command';
     end if;
   end $$`,
  `create function app.case_is_numbered() returns trigger language plpgsql as $$ begin
     if exists (select from app.flow_case where id = new.id and reference = id::text) then
       raise exception 'a case needs its number' using errcode = 'check_violation', constraint = 'flow_case_numbered';
     end if;
     return null;
   end $$`,
  `create constraint trigger flow_case_numbered after insert on app.flow_case deferrable initially deferred
     for each row execute function app.case_is_numbered()`,
  `create function app.case_keeps_its_number() returns trigger language plpgsql as $$ begin
     raise exception 'the number of a case stays' using errcode = 'check_violation', constraint = 'flow_case_keeps_number';
   end $$`,
  `create trigger flow_case_keeps_number before update of reference on app.flow_case for each row
     when (old.reference <> old.id::text and new.reference <> old.reference)
     execute function app.case_keeps_its_number()`,
]
