import { type Kysely, sql } from 'kysely'

/**
 * The inbox: rows that can be sorted and limited by their content, saved views, drafts, questions to the requester,
 * comments, substitutes, bulk actions, decisions by mail, and schedules without a case.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // ---- the read model ----------------------------------------------------------------------------
  // In cents; null where a case is not about money.
  `alter table app.flow_case add column amount bigint check (amount >= 0)`,
  `alter table app.inbox add column flow text, add column amount bigint, add column follow_up timestamptz`,
  `update app.inbox i set flow = c.flow, amount = c.amount, follow_up = t.follow_up_at
     from app.task t join app.flow_case c on c.id = t.case_id where t.id = i.task`,
  `alter table app.inbox alter column flow set not null`,
  // One index per order; ties follow the creation of tasks.
  `drop index app.inbox_principal_state_due_task_idx, app.inbox_principal_state_priority_created_task_idx`,
  `create index inbox_by_due on app.inbox (principal, state, (coalesce(due, 'infinity'::timestamptz)), created, task)`,
  `create index inbox_by_follow_up on app.inbox (
     principal, state, (coalesce(follow_up, 'infinity'::timestamptz)), created, task)`,
  `create index inbox_by_priority on app.inbox (principal, state, (-priority), created, task)`,
  `create index inbox_by_amount on app.inbox (principal, state, (coalesce(amount, -1)), created, task)`,
  // Form fields keep the pointer's slash, so that they cannot be confused with the fields of every task.
  `update app.inbox_filter set field = '/' || field where field not in ('flow', 'desk', 'status')`,
  `insert into app.inbox_filter (principal, state, field, value, created, task)
     select i.principal, i.state, 'faculty', c.scope ->> 'faculty', i.created, i.task
     from app.inbox i join app.task t on t.id = i.task join app.flow_case c on c.id = t.case_id
     where c.scope ->> 'faculty' is not null`,
  `create index flow_case_running on app.flow_case (id) where state in ('starting', 'running')`,

  // ---- the path of a case --------------------------------------------------------------------------
  // The engine passes several elements within one millisecond; this is the order in which it reports them.
  `alter table app.activity add column position bigint generated always as identity`,

  // ---- tasks ---------------------------------------------------------------------------------------
  // Decided, claimed or assigned in somebody's stead.
  `alter table app.task add column decided_for uuid references app.account`,
  `alter table app.task add column held_for uuid references app.account`,
  // The person who asked the present assignee for an opinion, and gets the task back with it.
  `alter table app.task add column delegated_by uuid references app.account`,
  `alter table app.task add constraint delegated_to_another check (
     delegated_by is null or (assignee_id is not null and delegated_by <> assignee_id))`,
  // A person who is asked for an opinion does not decide.
  `alter table app.task add constraint asked_do_not_decide check (delegated_by is null or decided_by is null)`,
  `create index on app.task (delegated_by) where delegated_by is not null`,
  `alter table app.task add constraint stood_in_for_another check (
     (decided_for is null or decided_for <> decided_by) and (held_for is null or held_for <> assignee_id))`,
  // Who may not decide it, from its diagram: `requester`, and desks whose deciders may not.
  `alter table app.task add column four_eyes text[] not null default '{}'`,
  `create index on app.task (held_for) where held_for is not null`,
  `create index on app.task (decided_by, decided_at desc, id desc) where decided_by is not null`,
  `create index on app.task (decided_for, decided_at desc, id desc) where decided_for is not null`,
  `create index on app.task (desk, decided_at) where decided_at is not null`,

  `create table app.task_draft (
     task_id text not null references app.task,
     account_id uuid not null references app.account,
     data jsonb not null,
     form_hash text not null references app.artifact,
     -- Of the task and the case as they stood when it was begun.
     task_version integer not null,
     case_version integer not null,
     version integer not null default 1,
     saved_at timestamptz not null default clock_timestamp(),
     primary key (task_id, account_id)
   )`,

  `create table app.task_question (
     id uuid primary key,
     task_id text not null references app.task,
     case_id uuid not null references app.flow_case,
     asked_by uuid not null references app.account,
     question text not null check (length(question) between 1 and 2000),
     asked_at timestamptz not null default clock_timestamp(),
     answer text check (length(answer) between 1 and 4000),
     answered_by uuid references app.account,
     answered_at timestamptz,
     withdrawn_at timestamptz,
     check (num_nonnulls(answer, answered_by, answered_at) in (0, 3)),
     check (answered_at is null or withdrawn_at is null)
   )`,
  `create unique index task_question_one_open on app.task_question (task_id) where answered_at is null and withdrawn_at is null`,
  `create index on app.task_question (case_id, asked_at)`,

  `create table app.case_comment (
     id uuid primary key,
     case_id uuid not null references app.flow_case,
     task_id text references app.task,
     author_id uuid not null references app.account,
     -- A private note is its author's alone; an opinion came with a task that was given back.
     kind text not null default 'comment' check (kind in ('comment', 'note', 'opinion')),
     body text not null check (length(body) between 1 and 4000),
     at timestamptz not null default clock_timestamp(),
     deleted_at timestamptz
   )`,
  `create index on app.case_comment (case_id, at)`,
  `create table app.case_comment_mention (
     comment_id uuid not null references app.case_comment,
     account_id uuid not null references app.account,
     primary key (comment_id, account_id)
   )`,
  `create table app.case_comment_file (
     comment_id uuid not null references app.case_comment,
     file_id uuid not null references app.file,
     primary key (comment_id, file_id)
   )`,
  `create trigger file_is_attached after insert on app.case_comment_file
     for each row execute function app.file_is_attached('file_id')`,

  // Who has a task open now; may be lost in a crash.
  `create unlogged table app.task_presence (
     task_id text not null,
     account_id uuid not null,
     seen_at timestamptz not null default clock_timestamp(),
     typing boolean not null default false,
     primary key (task_id, account_id)
   )`,

  // ---- saved views ---------------------------------------------------------------------------------
  `create table app.inbox_view (
     id uuid primary key,
     owner_id uuid not null references app.account,
     name text not null check (length(name) between 1 and 60),
     shared_with text,
     -- Queue, filters, sort, grouping and columns, as the address bar has them.
     query jsonb not null,
     version integer not null default 1,
     created_at timestamptz not null default now(),
     unique (owner_id, name)
   )`,
  `create index on app.inbox_view (shared_with) where shared_with is not null`,
  `create table app.inbox_choice (
     account_id uuid primary key references app.account,
     start_view uuid references app.inbox_view on delete set null,
     density text not null default 'comfortable' check (density in ('comfortable', 'compact')),
     grouping text not null default 'none' check (grouping in ('none', 'flow', 'desk', 'due', 'requester')),
     -- Flow → names of its columns, in their order.
     columns jsonb not null default '{}',
     changed_at timestamptz not null default now()
   )`,

  // ---- substitutes -----------------------------------------------------------------------------------
  `create table app.substitution (
     id uuid primary key,
     absent_id uuid not null references app.account,
     substitute_id uuid not null references app.account,
     starts_at timestamptz not null,
     ends_at timestamptz not null,
     -- Null: all flows.
     flows text[] check (cardinality(flows) > 0),
     -- In cents; what is dearer, or has no amount where one is set, stays with whoever is absent.
     amount_limit bigint check (amount_limit >= 0),
     reason text check (length(reason) <= 500),
     asked_by uuid not null references app.account,
     asked_at timestamptz not null default clock_timestamp(),
     state text not null default 'asked' check (state in ('asked', 'accepted', 'declined', 'ended')),
     answered_at timestamptz,
     ended_at timestamptz,
     ended_by uuid references app.account,
     check (absent_id <> substitute_id),
     check (ends_at > starts_at),
     check ((state in ('accepted', 'declined')) <= (answered_at is not null)),
     check ((state = 'ended') = (ended_at is not null)),
     constraint substitution_once exclude using gist (absent_id with =, substitute_id with =, tstzrange(starts_at, ends_at) with &&)
       where (state in ('asked', 'accepted'))
   )`,
  `create index on app.substitution (substitute_id, ends_at) where state = 'accepted'`,
  `create index on app.substitution (absent_id, ends_at)`,
  // Substitutions do not chain: nobody is absent and a substitute at the same time.
  `create function app.substitution_is_no_chain() returns trigger language plpgsql as $$
   begin
     if new.state not in ('asked', 'accepted') then return new; end if;
     perform pg_advisory_xact_lock(hashtext('app.substitution'));
     if exists (select from app.substitution s
       where s.id <> new.id and s.state in ('asked', 'accepted')
         and tstzrange(s.starts_at, s.ends_at) && tstzrange(new.starts_at, new.ends_at)
         and (s.absent_id = new.substitute_id or s.substitute_id = new.absent_id))
     then raise exception 'a substitute is absent themselves, or whoever is absent is a substitute'
       using errcode = 'check_violation', constraint = 'substitution_is_no_chain';
     end if;
     return new;
   end $$`,
  `create trigger is_no_chain before insert or update on app.substitution
     for each row execute function app.substitution_is_no_chain()`,

  // Two people decide if the diagram requires it, and a substitute only while the substitution is accepted.
  `create function app.task_decided_rightly() returns trigger language plpgsql as $$
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
       if exists (select from app.task o where o.case_id = new.case_id and o.id <> new.id and o.desk = any(new.four_eyes)
         and o.state in ('accepted', 'done') and (o.decided_by = any(people) or o.decided_for = any(people)))
       then raise exception 'decided at an earlier desk' using errcode = 'check_violation',
         constraint = 'task_four_eyes';
       end if;
     end if;
     return new;
   end $$`,
  `create trigger decided_rightly before update of decided_by, decided_for on app.task
     for each row when (new.decided_by is not null and new.state = 'accepted')
     execute function app.task_decided_rightly()`,

  // ---- many at once ------------------------------------------------------------------------------------
  `create table app.bulk_action (
     id uuid primary key,
     account_id uuid not null references app.account,
     kind text not null check (kind in ('complete', 'claim', 'release', 'assign')),
     -- What is done to each: the answer of the form, or to whom it is given.
     payload jsonb not null default '{}',
     total integer not null check (total between 1 and 500),
     state text not null default 'running' check (state in ('running', 'stopping', 'stopped', 'done')),
     created_at timestamptz not null default now(),
     ended_at timestamptz,
     check ((state in ('stopped', 'done')) = (ended_at is not null))
   )`,
  `create index on app.bulk_action (account_id, created_at desc)`,
  `create unique index bulk_action_one_at_a_time on app.bulk_action (account_id) where state in ('running', 'stopping')`,
  `create table app.bulk_item (
     bulk_id uuid not null references app.bulk_action,
     position integer not null,
     task_id text not null references app.task,
     state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'stopped')),
     code text,
     -- What the code's sentence is filled with.
     "values" jsonb not null default '{}',
     at timestamptz,
     primary key (bulk_id, position),
     unique (bulk_id, task_id),
     check ((state = 'refused') = (code is not null)),
     check ((state = 'waiting') = (at is null))
   )`,
  `create index bulk_item_waiting on app.bulk_item (bulk_id, position) where state = 'waiting'`,

  // ---- decisions by mail, and the morning digest --------------------------------------------------------
  `create table app.task_link (
     id uuid primary key,
     token_hash bytea not null unique,
     task_id text not null references app.task,
     account_id uuid not null references app.account,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     used_at timestamptz,
     check (expires_at > created_at)
   )`,
  `create index on app.task_link (task_id)`,
  `create index on app.task_link (expires_at)`,
  `alter table app.account add column mail_new_tasks boolean not null default false`,
  `alter table app.account add column mail_digest boolean not null default true`,
  `create index on app.account (id) where mail_new_tasks`,
  `update app.account set mail_digest = false where not mail_tasks`,
  // What nobody gets twice: the digest of a day, the mail about a new task.
  `alter table app.mail add column once text`,
  `create unique index mail_once on app.mail (recipient_id, once) where once is not null`,

  // ---- schedules -----------------------------------------------------------------------------------------
  // Flows of the platform with a timer start have no cases; their runs are recorded here.
  `create table app.schedule_run (
     external_task_id text primary key,
     process text not null,
     topic text not null,
     outcome text not null check (outcome in ('completed', 'business-error')),
     result jsonb not null default '{}',
     at timestamptz not null default clock_timestamp(),
     reported_at timestamptz
   )`,
  `create index on app.schedule_run (topic, at desc)`,

  `grant select, insert, update, delete on app.task_draft, app.task_presence, app.inbox_view, app.inbox_choice,
     app.task_link to prakriya_app`,
  `grant select, insert, update on app.task_question, app.substitution, app.bulk_action, app.bulk_item,
     app.schedule_run to prakriya_app`,
  `grant select, insert, update (deleted_at) on app.case_comment to prakriya_app`,
  `grant select, insert on app.case_comment_mention, app.case_comment_file to prakriya_app`,
]
