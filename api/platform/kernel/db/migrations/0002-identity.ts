import { type Kysely, sql } from 'kysely'

/** People and their rights: accounts with sessions and second factors, dated grants, posts and groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // ---- accounts ------------------------------------------------------------------------------
  `alter table app.account
     add column photo_id uuid references app.file,
     add column language text not null default 'en' check (language in ('en', 'si', 'ta')),
     add column mail_tasks boolean not null default true,
     add column mail_cases boolean not null default true,
     add column record_id uuid unique references app.register_item,
     add column identity_subject text unique,
     add column identity_told_at timestamptz,
     add column email_confirmed_at timestamptz,
     add column password_changed_at timestamptz,
     add column version integer not null default 1,
     add column changed_at timestamptz not null default now()`,
  `comment on column app.account.record_id is 'the person''s own entry in the register of employees, temporary employees or students'`,
  `comment on column app.account.identity_subject is 'sub at the identity server, where one is set'`,
  `comment on column app.account.identity_told_at is 'when the identity server last told the roles: an older token of its changes nothing'`,
  `create index on app.account (name, id)`,

  // ---- posts -----------------------------------------------------------------------------------
  `create table app.post_holder (
     id uuid primary key,
     post_id uuid not null references app.register_item,
     account_id uuid not null references app.account,
     acting boolean not null default false,
     starts_at timestamptz not null,
     ends_at timestamptz,
     appointed_by uuid references app.account,
     reason text not null,
     created_at timestamptz not null default now(),
     ended_by uuid references app.account,
     end_reason text,
     check (ends_at is null or ends_at >= starts_at),
     constraint nobody_appoints_themselves check (appointed_by <> account_id),
     constraint post_one_holder exclude using gist (post_id with =, tstzrange(starts_at, ends_at) with &&) where (not acting),
     constraint post_one_acting exclude using gist (post_id with =, tstzrange(starts_at, ends_at) with &&) where (acting)
   )`,
  `create index on app.post_holder (account_id)`,
  // The holder's grant follows from the post at the time of the appointment, so a held post must not change.
  `create function app.held_post_stays() returns trigger language plpgsql as $$
   begin
     if exists (select from app.post_holder where post_id = old.id and (ends_at is null or ends_at > greatest(now(), starts_at)))
     then raise exception 'somebody holds the post' using errcode = 'check_violation', constraint = 'post_held';
     end if;
     return new;
   end $$`,
  `create trigger held_post_stays before update on app.register_item for each row
     when (old.register = 'platform/post' and (old.status = 'Active' and new.status <> 'Active'
       or old.data - '{name,code,head}'::text[] is distinct from new.data - '{name,code,head}'::text[]))
     execute function app.held_post_stays()`,

  // The post shown beside a name: the one that the person holds now, or else the text in the account.
  `create function app.post_of(holder uuid, otherwise text) returns text language sql stable as $$
     select coalesce((select i.title from app.post_holder h join app.register_item i on i.id = h.post_id
       where h.account_id = holder and h.starts_at <= now() and (h.ends_at is null or h.ends_at > now())
       order by h.acting, h.starts_at, h.id limit 1), otherwise) $$`,

  // ---- grants ----------------------------------------------------------------------------------
  `alter table app.role_grant
     drop constraint role_grant_check1,
     add column origin text not null default 'person' check (origin in ('seed', 'person', 'import', 'post', 'token')),
     add column post_holder_id uuid references app.post_holder,
     add column granted_by uuid references app.account,
     add column reason text,
     add column created_at timestamptz not null default now(),
     add column ended_by uuid references app.account,
     add column end_reason text,
     add check (ends_at is null or ends_at >= starts_at),
     add check ((origin = 'post') = (post_holder_id is not null)),
     add constraint nobody_grants_to_themselves check (granted_by <> account_id),
     add constraint role_needs_scope check (role not in ('MA', 'AR') or scope_kind is not null),
     add constraint sees_all_everywhere check (role not in ('ADMIN', 'SA') or scope_kind is null),
     add constraint grant_once exclude using gist (account_id with =, role with =, coalesce(scope_kind, '') with =,
       coalesce(scope_id, '') with =, tstzrange(starts_at, ends_at) with &&) where (post_holder_id is null)`,
  `create index on app.role_grant (post_holder_id)`,
  `create index on app.role_grant (ends_at) where ends_at is not null`,
  // An administrator must remain: checked when a transaction commits, one at a time.
  `create function app.an_administrator_is_left() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(7001003);
     if not exists (select from app.role_grant g join app.account a on a.id = g.account_id
                    where g.role = 'ADMIN' and g.scope_kind is null and g.starts_at <= clock_timestamp() and g.ends_at is null and a.active)
     then raise exception 'the last administrator cannot be removed'
       using errcode = 'check_violation', constraint = 'an_administrator_is_left';
     end if;
     return null;
   end $$`,
  `create constraint trigger an_administrator_is_left after update or delete on app.role_grant
     deferrable initially deferred for each row when (old.role = 'ADMIN' and old.ends_at is null)
     execute function app.an_administrator_is_left()`,
  `create constraint trigger an_administrator_is_left after update of active on app.account
     deferrable initially deferred for each row when (old.active and not new.active)
     execute function app.an_administrator_is_left()`,

  `create table app.permission_group (
     name text primary key,
     roles text[] not null default '{}',
     version integer not null default 1,
     changed_by uuid references app.account,
     changed_at timestamptz not null default now()
   )`,

  // A task of a vacant post is also offered to its substitute.
  `alter table app.task_candidate add column stands_in_for text`,
  `create index on app.task_candidate (principal)`,
  `create index task_candidate_stand_ins on app.task_candidate (task_id) where stands_in_for is not null`,

  // ---- sessions --------------------------------------------------------------------------------
  `create table app.session (
     id uuid primary key,
     account_id uuid not null references app.account,
     method text not null default 'password' check (method in ('password', 'totp', 'recovery-code', 'passkey', 'oidc')),
     user_agent text,
     address inet,
     identity_token bytea,
     created_at timestamptz not null default now(),
     last_seen_at timestamptz not null default now(),
     expires_at timestamptz not null,
     ended_at timestamptz,
     end_reason text,
     check ((ended_at is null) = (end_reason is null))
   )`,
  `comment on column app.session.id is 'the refresh family; access tokens name it as sid'`,
  `comment on column app.session.identity_token is 'the refresh token of the identity server, sealed'`,
  `create index on app.session (account_id) where ended_at is null`,
  `create index on app.session (expires_at)`,
  `insert into app.session (id, account_id, created_at, last_seen_at, expires_at, ended_at, end_reason)
     select family, account_id, min(created_at), max(created_at), max(expires_at),
       max(revoked_at), case when max(revoked_at) is not null then 'signed out' end
     from app.refresh_token group by family, account_id`,
  `alter table app.refresh_token add foreign key (family) references app.session, drop column revoked_at`,
  `create index on app.refresh_token (expires_at)`,

  // Keys that sign access tokens; the private half is encrypted with a key from the settings.
  `create table app.token_key (
     id text primary key,
     public_key jsonb not null,
     sealed_private_key bytea not null,
     created_at timestamptz not null default now(),
     signs_from timestamptz not null,
     retired_at timestamptz
   )`,

  // ---- one-time proofs ---------------------------------------------------------------------------
  `create table app.one_time_token (
     id uuid primary key,
     account_id uuid not null references app.account,
     purpose text not null check (purpose in ('set-password', 'confirm-email')),
     address citext not null,
     hash bytea not null unique,
     mailed boolean not null,
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     used_at timestamptz
   )`,
  `create index on app.one_time_token (account_id, purpose)`,
  `create index on app.one_time_token (expires_at)`,
  // Throttling may be lost in a crash, so it needs no write-ahead log.
  `create unlogged table app.throttle (
     key text primary key,
     count integer not null,
     until timestamptz not null
   )`,
  `create index on app.throttle (until)`,
  `create unlogged table app.spent_proof (
     id text primary key,
     expires_at timestamptz not null
   )`,
  `create index on app.spent_proof (expires_at)`,

  // ---- second factors ------------------------------------------------------------------------------
  `create table app.totp (
     account_id uuid primary key references app.account,
     sealed_secret bytea not null,
     last_step bigint,
     created_at timestamptz not null default now(),
     confirmed_at timestamptz
   )`,
  `create table app.recovery_code (
     account_id uuid not null references app.account,
     hash bytea not null,
     used_at timestamptz,
     primary key (account_id, hash)
   )`,
  `create table app.passkey (
     id text primary key,
     account_id uuid not null references app.account,
     name text not null,
     public_key bytea not null,
     counter bigint not null,
     transports text[] not null default '{}',
     created_at timestamptz not null default now(),
     last_used_at timestamptz
   )`,
  `create index on app.passkey (account_id)`,
  // What a sign-in with a second step, or a passkey, has to answer.
  `create table app.challenge (
     id uuid primary key,
     kind text not null check (kind in ('second-factor', 'passkey-sign-in', 'passkey-registration')),
     account_id uuid references app.account,
     value text not null,
     attempts integer not null default 0,
     expires_at timestamptz not null
   )`,
  `create index on app.challenge (expires_at)`,

  // ---- notifications ---------------------------------------------------------------------------------
  `create table app.notification (
     id uuid primary key,
     account_id uuid not null references app.account,
     path text check (path ~ '^/([^/\\\\]|$)'),
     icon_name text not null,
     icon_color text not null,
     heading text not null,
     title text not null,
     subtitle text not null default '',
     at timestamptz not null default now(),
     seen_at timestamptz
   )`,
  `create index on app.notification (account_id, at desc, id)`,

  `grant select, insert, update, delete on all tables in schema app to prakriya_app`,
  `revoke update, delete on app.audit_entry, app.audit_seal, app.audit_checkpoint, app.audit_payload,
     app.register_item_version, app.artifact from prakriya_app`,
  `revoke delete on app.submission, app.register_item, app.flow_case, app.command, app.worker_run, app.role_grant,
     app.post_holder, app.account from prakriya_app`,
]
