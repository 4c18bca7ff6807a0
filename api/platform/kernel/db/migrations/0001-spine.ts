import { type Kysely, sql } from 'kysely'

/**
 * Schema `app`. From here on there are three roles: the owner (who runs this), `prakriya_app` (API, workers) and
 * `prakriya_engine` (the JVM). `migrate.ts` creates the roles, because their passwords are settings.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create extension if not exists btree_gist`,
  `create extension if not exists citext`,
  `create schema if not exists app`,
  `create schema if not exists engine authorization prakriya_engine`,
  `create schema if not exists graphile_worker authorization prakriya_app`,
  `grant usage on schema app to prakriya_app, prakriya_engine`,

  // ---- what the engine writes, in its own transactions -------------------------------------
  `create table app.engine_event (
     id bigint generated always as identity primary key,
     at timestamptz not null default clock_timestamp(),
     entity text not null,
     event text not null,
     process_instance_id text,
     tenant_id text,
     body jsonb not null
   )`,
  `create table app.engine_command (
     id uuid primary key,
     at timestamptz not null default clock_timestamp()
   )`,
  `create table app.parked_event (
     id bigint primary key,
     at timestamptz not null,
     parked_at timestamptz not null default now(),
     entity text not null,
     event text not null,
     process_instance_id text,
     case_id uuid,
     body jsonb not null,
     reason text not null
   )`,

  // ---- content by hash ---------------------------------------------------------------------
  `create table app.artifact (
     hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
     kind text not null check (kind in ('form', 'flow', 'bpmn', 'dmn', 'texts')),
     key text not null,
     content text not null,
     created_at timestamptz not null default now()
   )`,
  `create table app.process_definition (
     id text primary key,
     flow text not null,
     process_key text not null,
     version integer not null,
     deployment_id text not null,
     bpmn_hash text not null references app.artifact,
     flow_hash text not null references app.artifact,
     forms jsonb not null,
     dmn jsonb not null default '{}',
     source text not null check (source in ('repository', 'owner')),
     tenant_id text,
     deployed_at timestamptz not null default now()
   )`,
  `create index on app.process_definition (flow, version desc)`,

  // ---- people ------------------------------------------------------------------------------
  `create table app.account (
     id uuid primary key,
     username citext not null unique,
     email citext not null unique,
     name text not null,
     post text,
     password_hash text,
     active boolean not null default true,
     created_at timestamptz not null default now()
   )`,
  `create table app.role_grant (
     id uuid primary key,
     account_id uuid not null references app.account,
     role text not null,
     scope_kind text check (scope_kind in ('faculty', 'department', 'division', 'unit', 'post', 'committee', 'flow')),
     scope_id text check (scope_id ~ '^[A-Za-z0-9-]+$'),
     starts_at timestamptz not null default now(),
     ends_at timestamptz,
     check ((scope_kind is null) = (scope_id is null)),
     check (ends_at is null or ends_at > starts_at)
   )`,
  `create index on app.role_grant (account_id)`,
  `create index on app.role_grant (role, scope_kind, scope_id)`,
  `create table app.refresh_token (
     id uuid primary key,
     family uuid not null,
     account_id uuid not null references app.account,
     hash bytea not null unique,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     used_at timestamptz,
     revoked_at timestamptz
   )`,
  `create index on app.refresh_token (family)`,

  // ---- registers ---------------------------------------------------------------------------
  `create table app.register_item (
     id uuid primary key,
     register text not null,
     version integer not null default 1,
     status text not null default 'Active',
     title text not null,
     data jsonb not null,
     created_at timestamptz not null default now(),
     changed_at timestamptz not null default now()
   )`,
  `create index on app.register_item (register, status, title, id)`,
  `create table app.register_item_version (
     item_id uuid not null references app.register_item,
     version integer not null,
     status text not null,
     data jsonb not null,
     changed_by uuid references app.account,
     at timestamptz not null default now(),
     primary key (item_id, version)
   )`,
  `create table app.register_unique (
     register text not null,
     field text not null,
     value text not null,
     item_id uuid not null references app.register_item,
     primary key (register, field, value)
   )`,
  `create index on app.register_unique (item_id)`,
  `create table app.register_reference (
     item_id uuid not null references app.register_item,
     path text not null,
     target_id uuid not null references app.register_item,
     primary key (item_id, path)
   )`,
  `create index on app.register_reference (target_id)`,

  // ---- cases -------------------------------------------------------------------------------
  `create table app.flow_case (
     id uuid primary key,
     reference text not null unique,
     flow text not null,
     flow_hash text not null references app.artifact,
     process_definition_id text not null references app.process_definition,
     process_instance_id text,
     requester_id uuid not null references app.account,
     state text not null default 'starting' check (state in ('starting', 'running', 'ended', 'failed')),
     status text not null,
     statuses jsonb not null default '{}',
     scope jsonb not null default '{}',
     subject jsonb not null default '{}',
     facts jsonb not null default '{}',
     filters jsonb not null default '{}',
     withdrawn_at timestamptz,
     end_reason text,
     drifted boolean not null default false,
     version integer not null default 1,
     created_at timestamptz not null default now(),
     changed_at timestamptz not null default now(),
     ended_at timestamptz
   )`,
  `create index on app.flow_case (requester_id, created_at desc, id)`,
  `create index on app.flow_case (flow, status, created_at desc, id)`,
  `create index on app.flow_case (flow, created_at desc, id)`,
  // Partial, because PostgreSQL would otherwise treat it as a key: setting it would then wait for transactions that
  // refer to the case.
  `create unique index flow_case_instance on app.flow_case (process_instance_id) where process_instance_id is not null`,
  `create index flow_case_drifted on app.flow_case (changed_at) where drifted`,
  `create table app.case_item (
     case_id uuid not null references app.flow_case,
     path text not null,
     item_id uuid not null references app.register_item,
     item_version integer not null,
     primary key (case_id, path)
   )`,
  `create index on app.case_item (item_id)`,

  // ---- tasks -------------------------------------------------------------------------------
  `create table app.task (
     id text primary key,
     case_id uuid not null references app.flow_case,
     process_definition_id text not null,
     desk text not null,
     name text not null,
     form_key text,
     form_hash text references app.artifact,
     state text not null default 'open' check (state in ('open', 'held', 'accepted', 'done', 'void')),
     assignee_id uuid references app.account,
     claimed_at timestamptz,
     decided_by uuid references app.account,
     decided_at timestamptz,
     outcome text,
     command_id uuid,
     due_at timestamptz,
     follow_up_at timestamptz,
     priority integer not null default 50,
     version integer not null default 1,
     created_at timestamptz not null,
     ended_at timestamptz,
     end_reason text
   )`,
  `create index on app.task (case_id, created_at)`,
  `create table app.task_candidate (
     task_id text not null,
     principal text not null,
     primary key (task_id, principal)
   )`,
  `create table app.inbox (
     principal text not null,
     state text not null,
     created timestamptz not null,
     task text not null references app.task,
     due timestamptz,
     priority integer not null default 50,
     primary key (principal, state, created, task)
   )`,
  `create index on app.inbox (task)`,
  `create index on app.inbox (principal, state, due, task)`,
  `create index on app.inbox (principal, state, priority desc, created, task)`,
  `create table app.inbox_filter (
     principal text not null,
     state text not null,
     field text not null,
     value text not null,
     created timestamptz not null,
     task text not null references app.task,
     primary key (principal, state, field, value, created, task)
   )`,
  `create index on app.inbox_filter (task)`,

  // ---- what people sent ----------------------------------------------------------------------
  `create table app.submission (
     id uuid primary key,
     case_id uuid not null references app.flow_case,
     task_id text references app.task,
     form_key text not null,
     form_hash text not null references app.artifact,
     data jsonb not null,
     submitted_by uuid not null references app.account,
     acted_as text,
     effect text not null default 'pending' check (effect in ('pending', 'done', 'void')),
     void_reason text,
     at timestamptz not null default clock_timestamp(),
     check ((effect = 'void') = (void_reason is not null))
   )`,
  `create index on app.submission (case_id, at)`,
  `create unique index submission_one_per_task on app.submission (task_id) where effect <> 'void'`,

  // ---- commands ------------------------------------------------------------------------------
  `create table app.command (
     id uuid primary key,
     sequence bigint generated always as identity,
     case_id uuid not null references app.flow_case,
     task_id text,
     submission_id uuid references app.submission,
     kind text not null check (kind in ('start', 'complete', 'correlate', 'cancel', 'modify', 'migrate')),
     payload jsonb not null,
     acting_user text not null,
     lane text not null default 'interactive' check (lane in ('interactive', 'bulk')),
     state text not null default 'pending' check (state in ('pending', 'done', 'refused', 'cancelled')),
     not_before timestamptz not null default now(),
     attempts integer not null default 0,
     last_error text,
     result jsonb,
     created_at timestamptz not null default now(),
     done_at timestamptz
   )`,
  `create index on app.command (case_id, sequence)`,
  `create index command_pending on app.command (not_before) where state = 'pending'`,
  `create unique index command_one_start on app.command (case_id) where kind = 'start'`,

  // ---- path, incidents -------------------------------------------------------------------------
  `create table app.activity (
     id text primary key,
     case_id uuid not null references app.flow_case,
     process_definition_id text not null,
     element text not null,
     type text not null,
     name text,
     task_id text,
     started_at timestamptz not null,
     ended_at timestamptz,
     canceled boolean not null default false
   )`,
  `create index on app.activity (case_id, started_at)`,
  `create table app.incident (
     id text primary key,
     case_id uuid references app.flow_case,
     kind text not null,
     element text,
     message text not null,
     at timestamptz not null default now(),
     resolved_at timestamptz
   )`,
  `create index incident_open on app.incident (at) where resolved_at is null`,
  `create index on app.incident (case_id)`,

  // ---- workers ---------------------------------------------------------------------------------
  `create table app.worker_run (
     external_task_id text primary key,
     topic text not null,
     case_id uuid not null references app.flow_case,
     outcome text not null check (outcome in ('completed', 'business-error')),
     output jsonb not null default '{}',
     error_code text,
     error_message text,
     at timestamptz not null default clock_timestamp(),
     reported_at timestamptz,
     orphaned boolean not null default false
   )`,
  `create index on app.worker_run (case_id)`,
  `create table app.mail (
     id uuid primary key,
     case_id uuid references app.flow_case,
     recipient citext not null,
     recipient_id uuid references app.account,
     template text not null,
     subject text not null,
     body text not null,
     message_id text not null unique,
     state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
     attempts integer not null default 0,
     last_error text,
     created_at timestamptz not null default now(),
     sent_at timestamptz
   )`,
  `create index on app.mail (recipient_id, created_at desc)`,
  `create index on app.mail (created_at desc)`,

  // ---- allocation and number series ------------------------------------------------------------
  `create table app.allocation (
     id uuid primary key,
     item_id uuid not null references app.register_item,
     during tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
     quantity integer not null default 1 check (quantity > 0),
     exclusive boolean not null default true,
     state text not null check (state in ('hold', 'claimed', 'final', 'released')),
     holder_id uuid not null references app.account,
     case_id uuid references app.flow_case deferrable initially deferred,
     path text,
     expires_at timestamptz,
     created_at timestamptz not null default now(),
     changed_at timestamptz not null default now(),
     check ((state = 'hold') = (expires_at is not null)),
     check (state in ('hold', 'released') or case_id is not null),
     constraint allocation_no_overlap exclude using gist (item_id with =, during with &&)
       where (exclusive and state <> 'released')
   )`,
  `create index on app.allocation using gist (item_id, during) where (state <> 'released')`,
  `create index on app.allocation (case_id)`,
  `create index on app.allocation (holder_id) where (state = 'hold')`,
  `create table app.number_series (
     series text not null,
     period text not null,
     last bigint not null,
     primary key (series, period)
   )`,

  // ---- files ------------------------------------------------------------------------------------
  `create table app.file (
     id uuid primary key,
     name text not null,
     content_type text not null,
     size bigint not null check (size >= 0),
     sha256 text not null,
     storage_key text not null,
     owner_id uuid references app.account,
     public boolean not null default false,
     width integer,
     height integer,
     created_at timestamptz not null default now()
   )`,
  `create table app.case_file (
     case_id uuid not null references app.flow_case,
     file_id uuid not null references app.file,
     submission_id uuid references app.submission,
     path text not null,
     primary key (case_id, file_id)
   )`,

  // ---- audit ------------------------------------------------------------------------------------
  `create table app.audit_entry (
     id bigint generated always as identity primary key,
     at timestamptz not null default clock_timestamp(),
     actor text not null,
     acted_as text,
     action text not null,
     case_id uuid,
     object text,
     commitment bytea not null
   )`,
  `create index on app.audit_entry (case_id, id)`,
  `create table app.audit_payload (
     entry_id bigint primary key references app.audit_entry,
     salt bytea not null,
     payload jsonb not null
   )`,
  `create table app.audit_seal (
     sequence bigint primary key,
     entry_id bigint not null unique references app.audit_entry,
     previous bytea not null,
     hash bytea not null,
     at timestamptz not null default clock_timestamp()
   )`,
  `create table app.audit_checkpoint (
     sequence bigint primary key references app.audit_seal,
     hash bytea not null,
     key_id text not null,
     signature bytea not null,
     at timestamptz not null default clock_timestamp()
   )`,
  `create function app.audit_is_append_only() returns trigger language plpgsql as $$
   begin raise exception 'audit rows are never changed or deleted' using errcode = 'insufficient_privilege'; end $$`,
  `create trigger append_only before update or delete on app.audit_entry for each row execute function app.audit_is_append_only()`,
  `create trigger append_only before update or delete on app.audit_seal for each row execute function app.audit_is_append_only()`,
  `create trigger append_only before update or delete on app.audit_checkpoint for each row execute function app.audit_is_append_only()`,

  // ---- http --------------------------------------------------------------------------------------
  `create table app.idempotency (
     account_id uuid not null references app.account,
     key text not null,
     request_hash text not null,
     status integer,
     body jsonb,
     at timestamptz not null default now(),
     primary key (account_id, key)
   )`,

  // ---- who may ------------------------------------------------------------------------------------
  `grant select, insert, update, delete on all tables in schema app to prakriya_app`,
  `revoke update, delete on app.audit_entry, app.audit_seal, app.audit_checkpoint, app.audit_payload,
     app.register_item_version, app.artifact from prakriya_app`,
  `revoke delete on app.submission, app.register_item, app.flow_case, app.command, app.worker_run from prakriya_app`,
  `grant insert on app.engine_event, app.engine_command to prakriya_engine`,
]
