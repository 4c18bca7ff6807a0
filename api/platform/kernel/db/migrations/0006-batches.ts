import { type Kysely, sql } from 'kysely'

/** Batches of cases: at most one case of a flow for each person that a register entry is meant for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Key by which a requester has at most one case per flow; null if the case does not count, or there is no limit.
  `alter table app.flow_case add column once_key text`,
  `create unique index flow_case_once on app.flow_case (flow, requester_id, once_key) where once_key is not null`,
  `create index flow_case_of_once on app.flow_case (flow, once_key) where once_key is not null`,

  `create table app.case_batch (
     id uuid primary key,
     flow text not null,
     -- The item for whose people it is opened.
     item_id uuid not null references app.register_item,
     account_id uuid not null references app.account,
     -- By what right.
     acted_as text not null,
     total integer not null check (total > 0),
     state text not null default 'running' check (state in ('running', 'stopped', 'done')),
     created_at timestamptz not null default now(),
     ended_at timestamptz,
     check ((state = 'running') = (ended_at is null))
   )`,
  `create index on app.case_batch (item_id, created_at desc)`,
  `create unique index case_batch_one_at_a_time on app.case_batch (flow, item_id) where state = 'running'`,
  `create table app.case_batch_entry (
     batch_id uuid not null references app.case_batch,
     position integer not null,
     -- Whose entry in the register of people it is; their account is read when their turn comes.
     record_id uuid not null references app.register_item,
     state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'stopped')),
     case_id uuid references app.flow_case,
     code text,
     at timestamptz,
     primary key (batch_id, position),
     unique (batch_id, record_id),
     check ((state = 'done') = (case_id is not null)),
     check ((state = 'refused') = (code is not null)),
     check ((state = 'waiting') = (at is null))
   )`,
  `create index case_batch_entry_waiting on app.case_batch_entry (batch_id, position) where state = 'waiting'`,
  `create unique index case_batch_entry_case on app.case_batch_entry (case_id) where case_id is not null`,

  `grant select, insert, update on app.case_batch, app.case_batch_entry to prakriya_app`,
]
