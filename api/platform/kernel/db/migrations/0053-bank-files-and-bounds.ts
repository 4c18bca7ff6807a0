import { type Kysely, sql } from 'kysely'

/**
 * A bank returns no transfer of which it has not got the file: what came back before would be sent, and owed again. Torn
 * leaves of a cheque book are used up. Entries keep within the months of an entry that they name, and a month that has
 * not begun is paid only if attendance holds it back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...bankFiles, ...cheques, ...bounds]) await sql.raw(statement).execute(db)
}

const bankFiles = [
  // When the file for the bank was first taken. Of runs that are paid already it may have been.
  `alter table app.run add column bank_file_at timestamptz`,
  `update app.run set bank_file_at = paid_at where state = 'paid' and method = 'transfer'`,
  `create function app.run_file_is_taken_once() returns trigger language plpgsql as $$
   begin
     if old.bank_file_at is not null or new.state <> 'paid' or new.method <> 'transfer' then
       raise exception 'the file of the run of % is not taken now', new.month
         using errcode = 'check_violation', constraint = 'run_file_taken_once';
     end if;
     return new;
   end $$`,
  `create trigger file_taken_once before update on app.run for each row
     when (new.bank_file_at is distinct from old.bank_file_at) execute function app.run_file_is_taken_once()`,
  `create function app.run_line_returned_after_file() returns trigger language plpgsql as $$
   begin
     if exists (select from app.run where case_id = new.case_id and method = 'transfer' and bank_file_at is null) then
       raise exception 'the bank has not got the file with the payment of %', new.name
         using errcode = 'check_violation', constraint = 'run_file_not_taken';
     end if;
     return new;
   end $$`,
  `create trigger returned_after_file before update on app.run_line for each row
     when (old.state = 'included' and new.state = 'returned') execute function app.run_line_returned_after_file()`,
  `grant update (bank_file_at) on app.run to prakriya_app`,
]

const cheques = [
  // Numbers of torn leaves are never used: the application adds them by this alone.
  `create function app.cheques_are_torn(account uuid, numbers text[]) returns void
     language sql security definer set search_path = app, pg_temp as $$
     insert into cheque_number select account, unnest(numbers)
   $$`,
  `revoke execute on function app.cheques_are_torn from public`,
  `grant execute on function app.cheques_are_torn to prakriya_app`,
]

const bounds = [
  // "notBefore" and "notAfter" compare texts, such as months and days.
  `create or replace function app.disagreement(mine jsonb, theirs jsonb, rules jsonb) returns text
   language sql immutable set search_path = app, pg_temp as $$
     select min(rule.key) from jsonb_each(rules) as rule
     where mine -> rule.key is not null and not coalesce(
       case when rule.value ? 'is' then mine -> rule.key = theirs -> (rule.value ->> 'is')
         when rule.value ? 'notBefore' then (mine ->> rule.key) collate "C" >= theirs ->> (rule.value ->> 'notBefore')
         when rule.value ? 'notAfter' then (mine ->> rule.key) collate "C" <= theirs ->> (rule.value ->> 'notAfter')
         else (mine ->> rule.key)::numeric <= (theirs ->> (rule.value ->> 'atMost'))::numeric end, false)
   $$`,
  // Awards that are there already; one that is outside its scholarship stays as it is.
  `update app.register_reference r set agrees = a.rules
   from (select '{"from": {"notBefore": "from"}, "until": {"notAfter": "until"}}'::jsonb as rules) a,
     app.register_item i, app.register_item s
   where r.path = '/scholarship' and i.id = r.item_id and i.register = 'scholarships/award' and i.status = 'Active'
     and s.id = r.target_id and app.disagreement(i.data, s.data, a.rules) is null`,
  // False: no attendance holds back a month that has not begun.
  `alter table app.run add column attended boolean not null default true`,
  `create function app.run_is_not_ahead() returns trigger language plpgsql as $$
   begin
     if new.month > to_char(clock_timestamp() at time zone 'Asia/Colombo', 'YYYY-MM') then
       raise exception 'the month % has not begun', new.month using errcode = 'check_violation', constraint = 'run_not_ahead';
     end if;
     return new;
   end $$`,
  `create trigger is_not_ahead before insert on app.run for each row when (not new.attended)
     execute function app.run_is_not_ahead()`,
  `grant insert (attended) on app.run to prakriya_app`,
]
