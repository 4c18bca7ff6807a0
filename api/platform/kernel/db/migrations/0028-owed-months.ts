import { type Kysely, sql } from 'kysely'

/**
 * A month that a student could not be paid is owed until a later run pays it, and nobody is paid whose student is no
 * longer active when the money moves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The status that students must have to be paid; null for runs prepared before this rule.
  `alter table app.run add column payable_status text`,
  `grant insert (payable_status) on app.run to prakriya_app`,
  // What a line of a run leaves owed: all of what a bank returned; of a run that is paid the month of who was held
  // back, did not sign, or had no certified account. Arrears of such a line are owed by the lines they came from.
  `create function app.run_line_owes(run_state text, line app.run_line) returns bigint language sql immutable as $$
     select case
       when line.state = 'returned' then line.total
       when run_state = 'paid' and (line.state = 'held' or (line.state = 'left-out'
         and line.reason in ('not-signed', 'no-account', 'account-not-certified'))) then line.amount
       else 0 end
   $$`,
  `create or replace function app.run_arrears_are_right() returns trigger language plpgsql as $$
   declare
     line uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
   begin
     if (select arrears from app.run_line where id = line) <> (select coalesce(sum(app.run_line_owes(rr.state, r)), 0)
         from app.run_arrears a join app.run_line r on r.id = a.returned_id join app.run rr on rr.case_id = r.case_id
         where a.line_id = line)
       or exists (select from app.run_arrears a
         join app.run_line l on l.id = a.line_id join app.run lr on lr.case_id = l.case_id
         join app.run_line r on r.id = a.returned_id join app.run rr on rr.case_id = r.case_id
         where a.line_id = line and (app.run_line_owes(rr.state, r) = 0 or r.student_id <> l.student_id
           or rr.scheme_id <> lr.scheme_id)) then
       raise exception 'the arrears of line % are not what was owed', line
         using errcode = 'check_violation', constraint = 'run_arrears_are_right';
     end if;
     return null;
   end $$`,
  `create function app.run_line_is_payable(line app.run_line, payable_status text) returns boolean language sql stable as $$
     select payable_status is null or (select status from app.register_item where id = line.student_id) = payable_status
   $$`,
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
       or (to_jsonb(new) - '{total,state,reason,question_open,changed_at,signature,signed_by,signed_at,signed_how,bank_reference,reversal_key}'::text[])
         <> (to_jsonb(old) - '{total,state,reason,question_open,changed_at,signature,signed_by,signed_at,signed_how,bank_reference,reversal_key}'::text[]) then
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
  `create function app.run_pays_the_active() returns trigger language plpgsql as $$
   begin
     if exists (select from app.run_line l where l.case_id = new.case_id and l.state = 'included'
         and not app.run_line_is_payable(l, new.payable_status)) then
       raise exception 'the run of % pays somebody who is no longer active', new.month
         using errcode = 'check_violation', constraint = 'run_pays_the_active';
     end if;
     return new;
   end $$`,
  `create trigger active_alone_are_paid before update on app.run for each row
     when (old.state = 'open' and new.state = 'paid') execute function app.run_pays_the_active()`,
]
