import { type Kysely, sql } from 'kysely'

/**
 * Promises of desks for each task: a reminder to the people who have it, and an escalation to the people above; each
 * once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.desk_promise (
     task_id text not null references app.task,
     kind text not null check (kind in ('remind', 'escalate')),
     due_at timestamptz not null,
     template text not null,
     done_at timestamptz,
     primary key (task_id, kind)
   )`,
  `comment on column app.desk_promise.template is 'prefix of the text keys of the mail'`,
  `comment on column app.desk_promise.done_at is 'when the mail was written, in the same transaction'`,
  `create index desk_promise_due on app.desk_promise (due_at, task_id, kind) where done_at is null`,
  // A kept promise stays kept, and no mail is sent for a task that is decided, over or migrating.
  `create function app.promise_kept_rightly() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if old.done_at is not null then
       raise exception 'this promise is kept already' using errcode = 'check_violation', constraint = 'promise_kept_once';
     end if;
     if new.done_at is not null and not exists (
       select from task where id = new.task_id and state in ('open', 'held') and not moving) then
       raise exception 'nobody is told of a task that waits no more'
         using errcode = 'check_violation', constraint = 'promise_of_waiting_task';
     end if;
     return new;
   end $$`,
  `create trigger promise_kept_rightly before update on app.desk_promise for each row
     execute function app.promise_kept_rightly()`,
  `grant select, insert, delete, update (due_at, template, done_at) on app.desk_promise to prakriya_app`,
  // Runs of a schedule that starts every minute are deleted later.
  `grant delete on app.schedule_run to prakriya_app`,
]
