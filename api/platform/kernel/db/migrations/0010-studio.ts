import { type Kysely, sql } from 'kysely'

/** The studio: drafts of models, who released what and why, and the migration of running cases to another version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Largest model in bytes: the limit of the gate. */
const MODEL = 1024 * 1024

const statements = [
  // One open draft per flow: all owners work on the same one.
  `create table app.studio_draft (
     process text primary key check (process ~ '^[A-Za-z0-9-]+$'),
     revision integer not null default 1 check (revision > 0),
     base_id text not null references app.process_definition,
     bpmn text not null check (octet_length(bpmn) <= ${MODEL}),
     -- [{key, content}]; as a text it has spaces that it came without.
     dmn jsonb not null default '[]'
       check (jsonb_typeof(dmn) = 'array' and octet_length(dmn::text) <= ${2 * MODEL + 4096}),
     saved_at timestamptz not null default clock_timestamp(),
     saved_by uuid not null references app.account,
     lock_holder uuid references app.account,
     lock_until timestamptz,
     check ((lock_holder is null) = (lock_until is null))
   )`,
  `create table app.studio_setting (
     process text primary key check (process ~ '^[A-Za-z0-9-]+$'),
     -- Another owner has to approve of what is deployed.
     second_owner boolean not null default false
   )`,
  `create table app.studio_proposal (
     id uuid primary key,
     process text not null check (process ~ '^[A-Za-z0-9-]+$'),
     base_id text not null references app.process_definition,
     -- The version whose content it brings back; absent for a draft.
     restores_id text references app.process_definition,
     bpmn text not null,
     dmn jsonb not null,
     note text not null check (btrim(note) <> ''),
     -- The run of its scenarios that it was proposed with.
     results uuid,
     proposed_by uuid not null references app.account,
     proposed_at timestamptz not null default clock_timestamp(),
     state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused', 'withdrawn')),
     decided_by uuid references app.account,
     decided_at timestamptz,
     decision_note text,
     check ((state = 'waiting') = (decided_by is null)),
     check ((decided_by is null) = (decided_at is null)),
     -- Nobody approves of what they propose themselves; all that they can do is take it back.
     constraint proposal_needs_another check ((state = 'withdrawn') = (decided_by is not distinct from proposed_by))
   )`,
  `create unique index studio_proposal_one_open on app.studio_proposal (process) where state = 'waiting'`,
  // Every version that an owner has deployed: who, when, why, with which approval and from which base.
  `create table app.studio_release (
     definition_id text primary key references app.process_definition,
     process text not null,
     base_id text not null references app.process_definition,
     restores_id text references app.process_definition,
     note text not null check (btrim(note) <> ''),
     results uuid,
     released_by uuid not null references app.account,
     proposal_id uuid unique references app.studio_proposal,
     approved_by uuid references app.account,
     at timestamptz not null default clock_timestamp(),
     check ((proposal_id is null) = (approved_by is null)),
     constraint release_needs_another check (approved_by <> released_by)
   )`,
  `create index on app.studio_release (process, at desc)`,

  // ---- running cases that move to another version ----------------------------------------------
  `create table app.case_migration (
     id uuid primary key,
     process text not null,
     from_id text not null references app.process_definition,
     to_id text not null references app.process_definition,
     -- [{source, target, renew}]
     instructions jsonb not null,
     reason text not null check (btrim(reason) <> ''),
     account_id uuid not null references app.account,
     acted_as text not null,
     created_at timestamptz not null default clock_timestamp(),
     check (from_id <> to_id)
   )`,
  `create index on app.case_migration (process, created_at desc)`,
  `create table app.case_migration_entry (
     migration_id uuid not null references app.case_migration,
     position integer not null,
     case_id uuid not null references app.flow_case,
     command_id uuid references app.command,
     state text not null default 'waiting' check (state in ('waiting', 'sent', 'done', 'failed')),
     code text,
     detail text,
     at timestamptz,
     primary key (migration_id, position),
     unique (migration_id, case_id),
     check ((state = 'waiting') = (command_id is null and at is null) or state = 'failed'),
     check ((state = 'failed') = (code is not null))
   )`,
  // A case migrates to one version at a time.
  `create unique index case_migration_one_at_a_time on app.case_migration_entry (case_id) where state in ('waiting', 'sent')`,
  `create index case_migration_entry_waiting on app.case_migration_entry (migration_id, position) where state = 'waiting'`,
  `create index flow_case_version on app.flow_case (process_definition_id, state)`,
  // The desks that a migration replaced: a decision at one counts as a decision at the other.
  `create table app.case_desk (
     case_id uuid not null references app.flow_case,
     source text not null,
     target text not null,
     primary key (case_id, source, target),
     check (source <> target)
   )`,
  `create or replace function app.task_decided_rightly() returns trigger language plpgsql as $$
   declare
     people uuid[] := array_remove(array[new.decided_by, new.decided_for], null);
     about app.flow_case;
   begin
     select * into about from app.flow_case where id = new.case_id;
     if new.decided_for is not null then
       perform from app.substitution s
         where s.absent_id = new.decided_for and s.substitute_id = new.decided_by and s.state = 'accepted'
           and s.starts_at <= now() and s.ends_at > now() and (s.flows is null or about.flow = any(s.flows))
           and (s.amount_limit is null or about.amount <= s.amount_limit) for share;
       if not found then raise exception 'nobody stands in for them here' using errcode = 'check_violation',
         constraint = 'task_decided_in_stead';
       end if;
     end if;
     if new.decided_for in (about.requester_id, about.sent_by)
       or ('requester' = any(new.four_eyes) and new.decided_by in (about.requester_id, about.sent_by)
         and not exists (select from app.task_candidate where task_id = new.id and principal = 'user:' || new.decided_by))
     then raise exception 'nobody decides their own request' using errcode = 'check_violation',
       constraint = 'task_not_ones_own';
     end if;
     if new.four_eyes <> '{}' and new.four_eyes <> '{requester}' then
       perform pg_advisory_xact_lock(hashtextextended(new.case_id::text, 5));
       if exists (select from app.task o where o.case_id = new.case_id and o.id <> new.id
         and (o.desk = any(new.four_eyes) or exists (select from app.case_desk d
           where d.case_id = new.case_id and d.source = o.desk and d.target = any(new.four_eyes)))
         and o.state in ('accepted', 'done') and (o.decided_by = any(people) or o.decided_for = any(people)))
       then raise exception 'decided at an earlier desk' using errcode = 'check_violation',
         constraint = 'task_four_eyes';
       end if;
     end if;
     return new;
   end $$`,
  // While a flow requires a second owner, one owner alone can neither choose that person nor move cases past a desk.
  `create function app.administers(who uuid) returns boolean language sql stable as $$
     select exists (select from app.role_grant where account_id = who and role in ('ADMIN', 'SA') and scope_kind is null
       and starts_at <= clock_timestamp() and (ends_at is null or ends_at > clock_timestamp()))
   $$`,
  `create function app.asks_second_owner(about text) returns boolean language sql stable as $$
     select exists (select from app.studio_setting where process = about and second_owner)
   $$`,
  `create function app.owners_given_rightly() returns trigger language plpgsql as $$
   declare
     who uuid := case when tg_op = 'INSERT' then new.granted_by else new.ended_by end;
   begin
     -- What ends because somebody leaves is nobody's doing.
     if who is not null and app.asks_second_owner(new.scope_id) and not app.administers(who)
     then raise exception 'administrators say who the owners are' using errcode = 'check_violation',
       constraint = 'owners_by_administrators';
     end if;
     return new;
   end $$`,
  `create trigger owners_given_rightly before insert on app.role_grant for each row
     when (new.role = 'Process Owner' and new.scope_kind = 'flow') execute function app.owners_given_rightly()`,
  `create trigger owners_ended_rightly before update of ends_at on app.role_grant for each row
     when (new.role = 'Process Owner' and new.scope_kind = 'flow') execute function app.owners_given_rightly()`,
  `create function app.migration_asked_rightly() returns trigger language plpgsql as $$
   begin
     if app.asks_second_owner(new.process) and not app.administers(new.account_id)
       and exists (select from jsonb_array_elements(new.instructions) i where i ->> 'source' <> i ->> 'target')
     then raise exception 'administrators lead cases to another desk' using errcode = 'check_violation',
       constraint = 'other_desk_by_administrators';
     end if;
     return new;
   end $$`,
  `create trigger migration_asked_rightly before insert on app.case_migration for each row
     execute function app.migration_asked_rightly()`,
  // Failed attempts to reach the engine do not count as answers.
  `alter table app.command add column answers integer not null default 0`,
  `alter table app.task
     -- Its case is about to move: nobody decides it until that is through.
     add column moving boolean not null default false,
     -- It has moved, so it is offered as its new desk is drawn: the engine keeps whom the old one was offered to.
     add column moved boolean not null default false`,

  `grant select, insert, update, delete on app.studio_draft, app.studio_setting to prakriya_app`,
  `grant select, insert on app.studio_proposal, app.studio_release, app.case_migration, app.case_migration_entry,
     app.case_desk to prakriya_app`,
  `grant update (state, decided_by, decided_at, decision_note) on app.studio_proposal to prakriya_app`,
  `grant update (state, command_id, code, detail, at) on app.case_migration_entry to prakriya_app`,
]
