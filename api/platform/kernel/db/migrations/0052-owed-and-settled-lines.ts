import { type Kysely, sql } from 'kysely'

/**
 * A month that a paid run left out can be owed after all, and a payment that came back by mistake is paid after all.
 * Nobody is paid whose entry as a recipient is out of use when the money moves, nor twice for one month by two schemes
 * of a flow.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...columns, ...owing, ...changes, ...onceAMonth, ...grants, ...mahapola])
    await sql.raw(statement).execute(db)
}

const columns = [
  // Recipients are paid while their entry has this status; null for runs prepared before this rule.
  `alter table app.run add column recipient_status text`,
  // The flow, if a student is paid by one of its schemes a month; otherwise null.
  `alter table app.run add column once_per text`,
  `create index on app.run (once_per, month) where once_per is not null`,
  // The entry by which the student is paid for the month; null if the line pays arrears alone.
  `alter table app.run_line add column recipient_id uuid references app.register_item`,
  `create index on app.run_line (recipient_id)`,
  // When somebody said that the month is owed after all, though the run left it out.
  `alter table app.run_line add column owed_at timestamptz,
     add constraint run_line_owed_is_left_out check (owed_at is null
       or state = 'left-out' and reason in ('attendance-missing', 'document-missing', 'not-certified', 'no-recipient') and amount > 0)`,
  `alter table app.run_line_event drop constraint run_line_event_kind_check,
     add constraint run_line_event_kind_check check (kind in ('questioned', 'answered', 'withdrawn', 'held', 'released',
       'struck', 'signed', 'left-out', 'returned', 'owed', 'settled'))`,
]

const owing = [
  `create or replace function app.run_line_owes(run_state text, line app.run_line) returns bigint language sql immutable as $$
     select case
       when line.state = 'returned' then line.total
       when run_state = 'paid' and (line.state = 'held' or (line.state = 'left-out'
         and (line.owed_at is not null or line.reason in ('not-signed', 'no-account', 'account-not-certified')))) then line.amount
       else 0 end
   $$`,
  // Whether a line pays its month, will owe it, or owes it.
  `create function app.run_line_claims(line app.run_line) returns boolean language sql immutable as $$
     select line.amount > 0 and (line.state in ('included', 'held', 'returned') or line.state = 'left-out'
       and (line.owed_at is not null or line.reason in ('not-signed', 'no-account', 'account-not-certified')))
   $$`,
  // Another line claims the month of a student in a flow that pays it once. Takes turns with others who ask.
  `create function app.run_month_is_claimed(once_per text, month text, of_case uuid, student uuid) returns boolean
     language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(hashtextextended('run-month:' || once_per || ':' || month, 0));
     return exists (select from app.run r join app.run_line l using (case_id)
       where r.once_per = run_month_is_claimed.once_per and r.month = run_month_is_claimed.month and r.state <> 'void'
         and r.case_id <> of_case and l.student_id = student and app.run_line_claims(l));
   end $$`,
  // What owes is locked, so that it is not settled meanwhile.
  `create function app.run_arrears_hold_line() returns trigger language plpgsql as $$
   begin
     perform from app.run_line where id = new.returned_id for share;
     return new;
   end $$`,
  `create trigger holds_line before insert on app.run_arrears for each row execute function app.run_arrears_hold_line()`,
]

const changes = [
  `create function app.run_line_is_payable(line app.run_line, of_run app.run) returns boolean language sql stable as $$
     select app.run_line_is_payable(line, of_run.payable_status)
       and (of_run.recipient_status is null or line.recipient_id is null
         or (select status from app.register_item where id = line.recipient_id) = of_run.recipient_status)
   $$`,
  `create or replace function app.run_line_changes_rightly() returns trigger language plpgsql as $$
   declare
     of_run app.run;
     changing text[] := '{total,state,reason,question_open,question_desk,shared_with,asked_to_sign_at,changed_at,signature,signed_by,signed_at,signed_how,bank_reference,reversal_key,owed_at}';
   begin
     -- Locked, so that nothing changes while the run is being paid. The total is made after this, so it is not looked at.
     select * into of_run from app.run where case_id = old.case_id for no key update;
     if tg_op = 'DELETE' then
       if of_run.state = 'open' and old.state = 'left-out' then return old; end if;
       raise exception 'only a line that is left out of an open run is prepared again'
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if of_run.state = 'void' or (of_run.state = 'open' and (new.state = 'returned' or new.owed_at is not null))
       or (of_run.state = 'paid' and not (old.state = 'included' and new.state = 'returned')
         and not (old.state = 'returned' and new.state = 'included')
         and not (old.state = 'left-out' and new.state = 'left-out' and old.owed_at is null and new.owed_at is not null)) then
       raise exception 'a line of a run that is % does not become %', of_run.state, new.state
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if new.state <> old.state and not (old.state, new.state) in (('included', 'held'), ('included', 'struck'),
         ('held', 'included'), ('held', 'struck'), ('included', 'left-out'), ('included', 'returned'),
         ('returned', 'included')) then
       raise exception 'a line that is % does not become %', old.state, new.state
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if new.state = 'left-out' and old.state = 'included' and not (of_run.signing and new.signature = 'pending')
       and app.run_line_is_payable(old, of_run) then
       raise exception 'only who has not signed or is no longer active is left out when the run is paid'
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if old.signature = 'signed' and (new.signature, new.signed_by, new.signed_at, new.signed_how)
         is distinct from (old.signature, old.signed_by, old.signed_at, old.signed_how)
       or (to_jsonb(new) - changing) <> (to_jsonb(old) - changing) then
       raise exception 'what a line says of a student and of money stays as it was prepared, and a signature stays'
         using errcode = 'insufficient_privilege';
     end if;
     if new.state = 'returned' and old.state <> 'returned' and not exists (
         select from app.ledger_entry e join app.ledger_line l on l.entry_id = e.id
         where e.key = new.reversal_key and e.case_id = new.case_id and l.account_id = 'bank:' || of_run.paid_from
           and l.amount = new.amount + new.arrears) then
       raise exception 'the line of % is not given back by its entry', new.name
         using errcode = 'check_violation', constraint = 'run_moved';
     end if;
     if old.state = 'returned' and new.state = 'included' and (
         exists (select from app.run_arrears where returned_id = old.id and not released)
         or exists (select from app.run_cheque where case_id = old.case_id)
           and not exists (select from app.run_cheque where line_id = old.id)) then
       raise exception 'what came back for % is paid again, or has no cheque', new.name
         using errcode = 'check_violation', constraint = 'run_line_settled_rightly';
     end if;
     if new.owed_at is not null and old.owed_at is null and of_run.once_per is not null
       and app.run_month_is_claimed(of_run.once_per, of_run.month, of_run.case_id, new.student_id) then
       raise exception 'another scheme pays % of %', of_run.month, new.name
         using errcode = 'check_violation', constraint = 'run_month_once';
     end if;
     -- What happens after the payment changes nothing that desks have agreed to.
     new.changed_at = case when new.state <> old.state and of_run.state = 'open' then clock_timestamp() else old.changed_at end;
     return new;
   end $$`,
  // After the payment too, a run is what the ledger has moved.
  `create function app.run_stays_moved() returns trigger language plpgsql as $$
   begin
     if new.total - new.returned <> (select coalesce(-sum(l.amount), 0) from app.ledger_entry e
         join app.ledger_line l on l.entry_id = e.id where e.case_id = new.case_id and l.account_id = 'bank:' || new.paid_from) then
       raise exception 'the run of % is not what the ledger moved', new.month
         using errcode = 'check_violation', constraint = 'run_moved';
     end if;
     return new;
   end $$`,
  `create trigger stays_moved before update on app.run for each row
     when (old.state = 'paid' and old.returned <> new.returned) execute function app.run_stays_moved()`,
  // Two people are needed to say that a payment which came back was paid after all.
  `create function app.run_line_settled_by_another() returns trigger language plpgsql as $$
   begin
     if new.by_account is not distinct from (select by_account from app.run_line_event
         where line_id = new.line_id and kind = 'returned' order by id desc limit 1) then
       raise exception 'who entered the return does not take it back'
         using errcode = 'check_violation', constraint = 'run_line_settled_by_another';
     end if;
     return new;
   end $$`,
  `create trigger settled_by_another before insert on app.run_line_event for each row
     when (new.kind = 'settled') execute function app.run_line_settled_by_another()`,
  `create or replace function app.run_pays_the_active() returns trigger language plpgsql as $$
   begin
     if exists (select from app.run_line l where l.case_id = new.case_id and l.state = 'included'
         and not app.run_line_is_payable(l, new)) then
       raise exception 'the run of % pays somebody who is no longer active', new.month
         using errcode = 'check_violation', constraint = 'run_pays_the_active';
     end if;
     return new;
   end $$`,
]

const onceAMonth = [
  `create function app.run_pays_month_once() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(hashtextextended('run-month:' || new.once_per || ':' || new.month, 0));
     if exists (select from app.run r join app.run_line o on o.case_id = r.case_id
         join app.run_line l on l.student_id = o.student_id and l.case_id = new.case_id
         where r.once_per = new.once_per and r.month = new.month and r.state = 'paid' and r.case_id <> new.case_id
           and l.state = 'included' and l.amount > 0 and app.run_line_claims(o)) then
       raise exception 'the run pays somebody whose % another scheme pays', new.month
         using errcode = 'check_violation', constraint = 'run_month_once';
     end if;
     return new;
   end $$`,
  `create trigger pays_month_once before update on app.run for each row
     when (old.state = 'open' and new.state = 'paid' and new.once_per is not null) execute function app.run_pays_month_once()`,
]

const grants = [
  `grant insert (recipient_status, once_per) on app.run to prakriya_app`,
  `grant update (owed_at) on app.run_line to prakriya_app`,
]

// A student receives one Mahapola scheme at a time. Of entries that were made before this rule the first counts.
const mahapola = [
  `delete from app.register_unique where register = 'mahapola/recipient' and field = '/student'`,
  `insert into app.register_unique (register, field, value, item_id)
   select distinct on (lower(data ->> 'student')) register, '/student', lower(data ->> 'student'), id from app.register_item
   where register = 'mahapola/recipient' and status = 'Active' and data ->> 'student' is not null
   order by lower(data ->> 'student'), created_at, id`,
]
