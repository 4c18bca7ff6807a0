import { type Kysely, sql } from 'kysely'

/**
 * Questions that people without an account answer by a mailed link, entries whose status follows a case, cases that are
 * opened for chosen entries, and identity cards whose two numbers are one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.mailed_question (
     id uuid primary key,
     case_id uuid not null references app.flow_case,
     name text not null,
     closes_at timestamptz not null,
     asked_at timestamptz not null default clock_timestamp(),
     outcome text,
     data jsonb,
     answered_at timestamptz,
     -- The engine refused the answer: the case had gone on.
     void_at timestamptz,
     unique (case_id, name),
     constraint mailed_question_whole check (
       (outcome is null) = (answered_at is null) and (data is null) = (answered_at is null)
       and (void_at is null or answered_at is not null))
   )`,
  `create table app.mailed_question_link (
     id uuid primary key,
     question_id uuid not null references app.mailed_question,
     token_hash bytea not null,
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create index on app.mailed_question_link (question_id)`,
  // One answer, before the closing time, to a case that runs.
  `create function app.question_answered_rightly() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if old.answered_at is not null and (new.answered_at is distinct from old.answered_at
         or new.outcome is distinct from old.outcome or new.data is distinct from old.data) then
       raise exception 'the question is answered' using errcode = 'check_violation', constraint = 'question_answered_once';
     end if;
     if old.answered_at is null and new.answered_at is not null then
       new.answered_at := clock_timestamp();
       if new.answered_at >= old.closes_at then
         raise exception 'the question is closed' using errcode = 'check_violation', constraint = 'question_in_time';
       end if;
       if not exists (select from flow_case
           where id = old.case_id and state in ('starting', 'running') and withdrawn_at is null) then
         raise exception 'the case of the question is over' using errcode = 'check_violation',
           constraint = 'question_of_running_case';
       end if;
     end if;
     return new;
   end $$`,
  `create trigger question_answered_rightly before update on app.mailed_question for each row
     execute function app.question_answered_rightly()`,
  `revoke all on app.mailed_question, app.mailed_question_link from prakriya_app`,
  `grant select, insert, update (outcome, data, answered_at, void_at) on app.mailed_question to prakriya_app`,
  `grant select, insert, delete on app.mailed_question_link to prakriya_app`,

  // The entry whose status is that of the case, and the status that it had before.
  `alter table app.flow_case add column leads uuid references app.register_item, add column led_from text`,
  `alter table app.flow_case add constraint flow_case_leads_whole check ((leads is null) = (led_from is null))`,
  `create unique index flow_case_leads_once on app.flow_case (leads)
     where leads is not null and state in ('starting', 'running')`,
  `create index on app.flow_case (leads) where leads is not null`,
  `create function app.entry_follows_case() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare becomes text := case when new.state = 'failed' then new.led_from else new.status end;
   begin
     if tg_op = 'INSERT' then
       perform from register_item where id = new.leads and status = new.led_from for no key update;
       if not found then
         raise exception 'the entry has another status by now' using errcode = 'check_violation',
           constraint = 'entry_led_from';
       end if;
     elsif new.state = old.state and new.status = old.status then
       return null;
     end if;
     update register_item set status = becomes, version = version + 1, changed_at = now()
       where id = new.leads and status <> becomes;
     if found then
       insert into register_item_version (item_id, version, status, data)
         select id, version, status, data from register_item where id = new.leads;
     end if;
     return null;
   end $$`,
  `create trigger entry_follows_case after insert or update of status, state on app.flow_case for each row
     when (new.leads is not null) execute function app.entry_follows_case()`,
  `create function app.entry_is_led() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if exists (select from flow_case
         where leads = new.id and state in ('starting', 'running') and status <> new.status) then
       raise exception 'the status is that of a running case' using errcode = 'check_violation',
         constraint = 'entry_led_by_case';
     end if;
     return new;
   end $$`,
  `create trigger entry_led_by_case before update of status on app.register_item for each row
     when (new.status is distinct from old.status) execute function app.entry_is_led()`,

  // Why somebody withdrew a case, for the mail about it.
  `alter table app.flow_case add column withdrawal_reason text`,

  // A batch for chosen entries is of no single one; of these too one runs at a time.
  `alter table app.case_batch alter column item_id drop not null`,
  `drop index app.case_batch_one_at_a_time`,
  `create unique index case_batch_one_at_a_time on app.case_batch (flow, item_id) nulls not distinct
     where state = 'running'`,

  // The old and the new number of an identity card are one value.
  `with long as (
     select ctid, register, field, '19' || left(value, 5) || '0' || substr(value, 6, 4) || substr(value, 11) as value
     from app.register_unique where field like '%nic' and value ~ '^[0-9]{9}[vx](\\n|$)')
   update app.register_unique u set value = l.value
     from (select distinct on (register, field, value) * from long) l
     where u.ctid = l.ctid and not exists (
       select from app.register_unique o where (o.register, o.field, o.value) = (l.register, l.field, l.value))`,
  // Not of those that somebody has entered in both forms: their next change is refused.
  `alter table app.register_unique add constraint register_unique_long_nic
     check (field not like '%nic' or value !~ '^[0-9]{9}[vx](\\n|$)') not valid`,
]
