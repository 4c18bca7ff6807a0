import { type Kysely, sql } from 'kysely'

/** Scenarios of owners, and their results on the engine. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.scenario (
     id uuid primary key,
     process text not null check (process ~ '^[A-Za-z0-9-]+$'),
     content jsonb not null,
     changed_by uuid not null references app.account,
     changed_at timestamptz not null default clock_timestamp()
   )`,
  `create unique index scenario_named_once on app.scenario (process, (content ->> 'name'))`,
  `create table app.scenario_run (
     id uuid primary key,
     process text not null check (process ~ '^[A-Za-z0-9-]+$'),
     kind text not null check (kind in ('scenarios', 'rehearsal')),
     of_draft boolean not null,
     -- The models and what is told to them; gone when it is over.
     wanted jsonb,
     -- By which it is known afterwards which models these were.
     content_hash text,
     total integer not null check (total >= 0),
     results jsonb not null default '[]',
     state text not null default 'running' check (state in ('running', 'done', 'failed')),
     asked_by uuid not null references app.account,
     -- By what right.
     acted_as text,
     asked_at timestamptz not null default clock_timestamp(),
     ended_at timestamptz,
     check ((state = 'running') = (ended_at is null))
   )`,
  // All share one engine, so a flow has one trial at a time.
  `create unique index scenario_run_one_at_a_time on app.scenario_run (process) where state = 'running'`,
  `create index on app.scenario_run (process, asked_at desc)`,
  `grant select, insert, update, delete on app.scenario to prakriya_app`,
  `grant select, insert, update on app.scenario_run to prakriya_app`,
]
