import { type Kysely, sql } from 'kysely'

/** Commands are sent from their own rows: the sweep finds those that are due. They had a job each before. */
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
]
