import { type Kysely, sql } from 'kysely'

/**
 * A desk does not agree to a run while a question of its own is open on a line that the run pays. Lines say which
 * students have the same bank account. Runs that pay by cheque number their cheques; a number is used once for good,
 * by vouchers too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...questions, ...cheques]) await sql.raw(statement).execute(db)
}

const questions = [
  // The desk that asked; null: the run itself, when it was prepared.
  `alter table app.run_line add column question_desk text,
     add constraint run_line_question_of_desk check (question_desk is null or question_open)`,
  // Registration numbers of other students with the same bank account, as it was when the run was prepared.
  `alter table app.run_line add column shared_with text[]`,
  // By desk the outcome with which it agrees. Empty for runs prepared before this rule.
  `alter table app.run add column agrees jsonb not null default '{}'`,
  `grant update (question_desk) on app.run_line to prakriya_app`,
  `grant insert (agrees) on app.run to prakriya_app`,
  `alter table app.run_line_event drop constraint run_line_event_kind_check,
     add constraint run_line_event_kind_check check (kind in
       ('questioned', 'answered', 'withdrawn', 'held', 'released', 'struck', 'signed', 'left-out', 'returned'))`,
  `create or replace function app.run_line_changes_rightly() returns trigger language plpgsql as $$
   declare
     of_run app.run;
   begin
     -- Locked, so that nothing changes while the run is being paid. The total is made after this, so it is not looked at.
     select * into of_run from app.run where case_id = old.case_id for no key update;
     if tg_op = 'DELETE' then
       if of_run.state = 'open' and old.state = 'left-out' then return old; end if;
       raise exception 'only a line that is left out of an open run is prepared again'
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if of_run.state = 'void' or (of_run.state = 'paid' and not (old.state = 'included' and new.state = 'returned'))
       or (of_run.state = 'open' and new.state = 'returned') then
       raise exception 'a line of a run that is % does not become %', of_run.state, new.state
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if new.state <> old.state and not (old.state, new.state) in (('included', 'held'), ('included', 'struck'),
         ('held', 'included'), ('held', 'struck'), ('included', 'left-out'), ('included', 'returned')) then
       raise exception 'a line that is % does not become %', old.state, new.state
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if new.state = 'left-out' and old.state = 'included' and not (of_run.signing and new.signature = 'pending')
       and app.run_line_is_payable(old, of_run.payable_status) then
       raise exception 'only who has not signed or is no longer active is left out when the run is paid'
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     if old.signature = 'signed' and (new.signature, new.signed_by, new.signed_at, new.signed_how)
         is distinct from (old.signature, old.signed_by, old.signed_at, old.signed_how)
       or (to_jsonb(new) - '{total,state,reason,question_open,question_desk,changed_at,signature,signed_by,signed_at,signed_how,bank_reference,reversal_key}'::text[])
         <> (to_jsonb(old) - '{total,state,reason,question_open,question_desk,changed_at,signature,signed_by,signed_at,signed_how,bank_reference,reversal_key}'::text[]) then
       raise exception 'what a line says of a student and of money stays as it was prepared, and a signature stays'
         using errcode = 'insufficient_privilege';
     end if;
     if new.state = 'returned' and not exists (
         select from app.ledger_entry e join app.ledger_line l on l.entry_id = e.id
         where e.key = new.reversal_key and e.case_id = new.case_id and l.account_id = 'bank:' || of_run.paid_from
           and l.amount = new.amount + new.arrears) then
       raise exception 'the line of % is not given back by its entry', new.name
         using errcode = 'check_violation', constraint = 'run_moved';
     end if;
     new.changed_at = case when new.state <> old.state then clock_timestamp() else old.changed_at end;
     return new;
   end $$`,
  `create function app.run_questions_hold() returns trigger language plpgsql as $$
   begin
     if exists (select from app.run r join app.run_line l using (case_id)
         where r.case_id = new.case_id and r.agrees ->> new.desk = new.outcome and l.state = 'included'
           and l.question_open and (l.question_desk is null or l.question_desk = new.desk)) then
       raise exception 'the desk % has an open question about a line', new.desk
         using errcode = 'check_violation', constraint = 'run_questions_hold';
     end if;
     return new;
   end $$`,
  `create trigger run_questions_hold before update of state on app.task for each row
     when (new.state = 'accepted' and old.state <> 'accepted') execute function app.run_questions_hold()`,
]

const cheques = [
  `create table app.cheque_number (
     bank_account_id uuid not null references app.register_item,
     number text not null check (number ~ '^[0-9]{6}$'),
     constraint cheque_number_once primary key (bank_account_id, number)
   )`,
  `insert into app.cheque_number select bank_account_id, cheque_number from app.voucher_payment where cheque_number is not null`,
  `create table app.run_cheque (
     line_id uuid primary key references app.run_line,
     case_id uuid not null references app.run,
     bank_account_id uuid not null,
     number text not null,
     amount bigint not null check (amount > 0),
     by_account uuid not null references app.account,
     at timestamptz not null default clock_timestamp(),
     constraint run_cheque_once unique (bank_account_id, number),
     foreign key (bank_account_id, number) references app.cheque_number
   )`,
  `create index on app.run_cheque (case_id, number)`,
  `create index on app.run_cheque (by_account)`,
  // Written by this alone, so that no number is free again.
  `create function app.cheque_number_is_used() returns trigger language plpgsql security definer set search_path = app as $$
   begin
     insert into app.cheque_number values (new.bank_account_id, to_jsonb(new) ->> tg_argv[0]);
     return new;
   end $$`,
  `create trigger uses_number before insert on app.run_cheque for each row
     execute function app.cheque_number_is_used('number')`,
  `create trigger uses_number after insert on app.voucher_payment for each row
     when (new.cheque_number is not null) execute function app.cheque_number_is_used('cheque_number')`,
  // All lines that the run still pays, each with its amount, and nothing else.
  `create function app.run_cheques_foot() returns trigger language plpgsql as $$
   begin
     if exists (select from added c join app.run r on r.case_id = c.case_id
         where r.method <> 'cheque' or r.state <> 'paid' or r.paid_from <> c.bank_account_id)
       or exists (select from (select distinct case_id from added) a join app.run_line l using (case_id)
           left join app.run_cheque c on c.line_id = l.id
         where l.state = 'included' and (c.line_id is null or c.amount <> l.total or c.case_id <> l.case_id))
       or exists (select from added c left join app.run_line l on l.id = c.line_id and l.case_id = c.case_id
         where l.state is distinct from 'included')
       or exists (select from app.run r where case_id in (select case_id from added)
         and r.total - r.returned <> (select sum(amount) from added where case_id = r.case_id)) then
       raise exception 'the cheques are not what the run pays' using errcode = 'check_violation', constraint = 'run_cheques_foot';
     end if;
     return null;
   end $$`,
  `create trigger foots after insert on app.run_cheque referencing new table as added
     for each statement execute function app.run_cheques_foot()`,
  `create trigger append_only before update or delete on app.run_cheque for each row execute function app.is_append_only()`,
  `grant select, insert on app.run_cheque to prakriya_app`,
  `grant select on app.cheque_number to prakriya_app`,
]
