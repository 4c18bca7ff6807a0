import { type Kysely, sql } from 'kysely'

/**
 * Who has begun a start form, and for which entry: only they may send it in the minutes after its closing. Of cases of
 * which there is one no matter who sends it, only those of confirmed people count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.begun_form (
     id uuid primary key default gen_random_uuid(),
     flow text not null,
     item uuid not null references app.register_item,
     -- Null while a visitor has no account yet.
     account_id uuid references app.account,
     begun_at timestamptz not null default clock_timestamp(),
     unique (account_id, flow, item)
   )`,
  `create index on app.begun_form (begun_at)`,
  `create function app.begun_form_is_claimed_once() returns trigger language plpgsql as $$ begin
     raise exception 'somebody has begun this form' using errcode = 'check_violation',
       constraint = 'begun_form_claimed_once';
   end $$`,
  `create trigger begun_form_claimed_once before update on app.begun_form for each row
     when (old.account_id is not null and new.account_id is distinct from old.account_id)
     execute function app.begun_form_is_claimed_once()`,
  // The application cannot say when a form was begun.
  `revoke all on app.begun_form from prakriya_app`,
  `grant select, delete, insert (flow, item, account_id), update (account_id) on app.begun_form to prakriya_app`,
  `insert into app.begun_form (flow, item, account_id, begun_at)
     select d.flow, i.id, d.account_id, d.begun_at
     from app.start_draft d cross join lateral jsonb_each_text(d.data) as f
     join app.register_item i on i.id::text = f.value
     on conflict do nothing`,
  `alter table app.start_draft drop column begun_at`,
  `alter table app.flow_case add column open_item uuid`,
  `create or replace function app.case_is_in_time() returns trigger language plpgsql as $$ begin
     if new.closes_at is null or now() < new.closes_at then
       return new;
     end if;
     if now() < new.finish_until and exists (
       select from app.begun_form b
       where b.account_id = new.requester_id and b.flow = new.flow and b.item = new.open_item
         and b.begun_at < new.closes_at
     ) then
       return new;
     end if;
     raise exception 'requests have closed' using errcode = 'check_violation', constraint = 'flow_case_in_time';
   end $$`,
  // The key that an unconfirmed person's case will ask for.
  `alter table app.flow_case add column sole_asked text`,
  `update app.flow_case c set sole_asked = c.sole_key, sole_key = null from app.account a
     where a.id = c.requester_id and a.email_confirmed_at is null and c.sent_by is null and c.sole_key is not null`,
  `create function app.sole_key_is_confirmed() returns trigger language plpgsql as $$ begin
     if new.sent_by is null and not exists (
       select from app.account where id = new.requester_id and email_confirmed_at is not null
     ) then
       raise exception 'the requester has not confirmed the address' using errcode = 'check_violation',
         constraint = 'flow_case_sole_confirmed';
     end if;
     return new;
   end $$`,
  `create trigger flow_case_sole_confirmed before insert or update of sole_key on app.flow_case for each row
     when (new.sole_key is not null) execute function app.sole_key_is_confirmed()`,
]
