import { type Kysely, sql } from 'kysely'

/** How far a running import is: written beside its transaction, which shows nothing before it ends, and deleted with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.import_progress (
    id uuid primary key,
    account_id uuid not null references app.account on delete cascade,
    register text not null,
    step text not null check (step in ('check', 'add')),
    done integer not null,
    total integer not null,
    at timestamptz not null default clock_timestamp(),
    constraint import_progress_within check (done between 0 and total)
  )`.execute(db)
  await sql`create index on app.import_progress (at)`.execute(db)
  await sql`grant select, insert, update, delete on app.import_progress to prakriya_app`.execute(db)
}
