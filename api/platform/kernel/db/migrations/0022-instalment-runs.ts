import { type Kysely, sql } from 'kysely'

/** Instalment runs: monthly payments to many students, prepared, decided and paid as one case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...runRules, ...lineRules, ...arrearsRules, ...grants])
    await sql.raw(statement).execute(db)
}

const tables = [
  `create table app.run (
     case_id uuid primary key references app.flow_case,
     scheme_id uuid not null references app.register_item,
     month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
     method text not null check (method in ('transfer', 'cheque')),
     paid_from uuid not null references app.register_item,
     signing boolean not null,
     state text not null default 'open' check (state in ('open', 'paid', 'void')),
     -- Kept by triggers alone: how many lines are paid, or were until the bank returned them, and their sum.
     lines integer not null default 0,
     total bigint not null default 0,
     returned bigint not null default 0,
     entry_key text unique references app.ledger_entry (key),
     prepared_by uuid not null references app.account,
     prepared_at timestamptz not null default clock_timestamp(),
     paid_at timestamptz,
     constraint run_paid_by_entry check ((state = 'paid') = (entry_key is not null) and (state = 'paid') = (paid_at is not null))
   )`,
  // Rejected and withdrawn ones do not count.
  `create unique index run_once on app.run (scheme_id, month) where (state <> 'void')`,
  `create index on app.run (scheme_id, month)`,
  `create index on app.run (paid_from)`,
  `create index on app.run (prepared_by)`,
  `create table app.run_line (
     id uuid primary key default gen_random_uuid(),
     case_id uuid not null references app.run,
     student_id uuid not null references app.register_item,
     -- The student, the amount and the bank account as they were when the run was prepared.
     name text not null,
     code text not null default '',
     faculty_id uuid references app.register_item,
     amount bigint not null check (amount >= 0),
     arrears bigint not null default 0 check (arrears >= 0),
     total bigint not null generated always as (amount + arrears) stored,
     paid_to jsonb not null default '{}',
     state text not null check (state in ('included', 'held', 'struck', 'left-out', 'returned')),
     -- Of a line that is left out the code of the reason, else what somebody wrote.
     reason text,
     question_open boolean not null default false,
     -- When its state was last changed by somebody; null: it is as it was prepared.
     changed_at timestamptz,
     signature text not null default 'pending' check (signature in ('pending', 'signed')),
     signed_by uuid references app.account,
     signed_at timestamptz,
     signed_how text check (signed_how in ('account', 'code', 'sheet')),
     -- What the QR code of the student says at the counter.
     sign_code text not null unique default replace(gen_random_uuid()::text, '-', ''),
     bank_reference text,
     reversal_key text unique references app.ledger_entry (key),
     constraint run_line_student_once unique (case_id, student_id),
     constraint run_line_has_reason check ((state = 'included') or (reason is not null)),
     constraint run_line_is_paid_something check (state = 'left-out' or amount + arrears > 0),
     constraint run_line_returned_by_bank check ((state = 'returned') = (reversal_key is not null)
       and (state <> 'returned' or bank_reference is not null)),
     constraint run_line_signed_by_somebody check ((signature = 'signed') = (signed_by is not null)
       and (signature = 'signed') = (signed_at is not null) and (signature = 'signed') = (signed_how is not null))
   )`,
  `create index on app.run_line (case_id, name, id)`,
  `create index on app.run_line (student_id)`,
  `create index on app.run_line (faculty_id)`,
  `create table app.run_line_event (
     id bigint generated always as identity primary key,
     line_id uuid not null references app.run_line,
     case_id uuid not null references app.run,
     kind text not null check (kind in ('questioned', 'answered', 'held', 'released', 'struck', 'signed', 'left-out', 'returned')),
     -- Null: the product itself.
     by_account uuid references app.account,
     text text,
     how text,
     at timestamptz not null default clock_timestamp()
   )`,
  `create index on app.run_line_event (line_id, id)`,
  `create index on app.run_line_event (case_id, id)`,
  `create trigger append_only before update or delete on app.run_line_event for each row execute function app.is_append_only()`,
  `create table app.run_arrears (
     returned_id uuid not null references app.run_line,
     line_id uuid not null references app.run_line,
     -- The line that took it up is not paid: the next run may take it up again.
     released boolean not null default false,
     primary key (returned_id, line_id)
   )`,
  `create unique index run_arrears_once on app.run_arrears (returned_id) where (not released)`,
  `create index on app.run_arrears (line_id)`,
]

const runRules = [
  `create function app.run_is_right() returns trigger language plpgsql as $$
   begin
     if old.state <> 'open' and new.state <> old.state then
       raise exception 'the run of % is %', new.month, old.state using errcode = 'check_violation', constraint = 'run_ends_once';
     end if;
     if old.state <> 'open' and (new.total <> old.total or new.paid_from <> old.paid_from) then
       raise exception 'the run of % is % and is never changed', new.month, old.state
         using errcode = 'check_violation', constraint = 'run_is_final';
     end if;
     if new.state = 'paid' and old.state = 'open' then
       if new.total = 0 then
         raise exception 'the run of % pays nobody', new.month using errcode = 'check_violation', constraint = 'run_pays_somebody';
       end if;
       if new.total <> (select coalesce(sum(total), 0) from app.run_line where case_id = new.case_id and state = 'included') then
         raise exception 'the run of % does not foot', new.month using errcode = 'check_violation', constraint = 'run_foots';
       end if;
       if new.signing and exists (select from app.run_line
           where case_id = new.case_id and state = 'included' and signature = 'pending') then
         raise exception 'the run of % pays somebody who has not signed', new.month
           using errcode = 'check_violation', constraint = 'run_signed';
       end if;
       -- No money on paper that the ledger has not moved, and the other way round.
       if not exists (select from app.ledger_entry e join app.ledger_line l on l.entry_id = e.id
           where e.key = new.entry_key and e.case_id = new.case_id and l.account_id = 'bank:' || new.paid_from
             and l.amount = -new.total) then
         raise exception 'the run of % is not what its entry moved', new.month
           using errcode = 'check_violation', constraint = 'run_moved';
       end if;
     end if;
     return new;
   end $$`,
  `create trigger is_right before update on app.run for each row execute function app.run_is_right()`,
  // If a case ends without a payment, its month can be prepared again.
  `create function app.run_ends_with_case() returns trigger language plpgsql security definer set search_path = app as $$
   begin
     update app.run set state = 'void' where case_id = new.id and state = 'open';
     return null;
   end $$`,
  `create trigger ends_run after update of state on app.flow_case for each row
     when (new.state in ('ended', 'failed') and old.state <> new.state) execute function app.run_ends_with_case()`,
]

const lineRules = [
  `create function app.run_line_changes_rightly() returns trigger language plpgsql as $$
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
     if new.state = 'left-out' and old.state = 'included' and not (of_run.signing and new.signature = 'pending') then
       raise exception 'only who has not signed is left out when the run is paid'
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
  `create trigger changes_rightly before update or delete on app.run_line for each row
     execute function app.run_line_changes_rightly()`,
  `create function app.run_lines_are_added() returns trigger language plpgsql as $$
   begin
     if exists (select from added a join app.run r using (case_id) where r.state <> 'open')
       or exists (select from added where state not in ('included', 'left-out') or signature <> 'pending') then
       raise exception 'lines are added to an open run, as they are prepared'
         using errcode = 'check_violation', constraint = 'run_line_is_final';
     end if;
     return null;
   end $$`,
  `create trigger added_rightly after insert on app.run_line referencing new table as added
     for each statement execute function app.run_lines_are_added()`,
  // The sum of a run is always that of its lines: the application itself may not write it.
  `create function app.run_foots() returns trigger language plpgsql security definer set search_path = app as $$
   begin
     update app.run r set lines = s.lines, total = s.total, returned = s.returned
     from (
       select case_id, count(*) filter (where state in ('included', 'returned')) as lines,
         coalesce(sum(total) filter (where state in ('included', 'returned')), 0) as total,
         coalesce(sum(total) filter (where state = 'returned'), 0) as returned
       from app.run_line where case_id in (select case_id from changed) group by case_id) s
     where r.case_id = s.case_id and (r.lines, r.total, r.returned) is distinct from (s.lines, s.total, s.returned);
     return null;
   end $$`,
  `create trigger foots_after_insert after insert on app.run_line referencing new table as changed
     for each statement execute function app.run_foots()`,
  `create trigger foots_after_update after update on app.run_line referencing new table as changed
     for each statement execute function app.run_foots()`,
  // People do not act on lines that pay themselves; they only sign.
  `create function app.run_line_not_ones_own() returns trigger language plpgsql as $$
   begin
     if (new.kind <> 'signed' or new.how <> 'account') and exists (select from app.account a join app.run_line l on l.id = new.line_id
         where a.id = new.by_account and a.record_id = l.student_id) then
       raise exception 'nobody acts on a line of their own' using errcode = 'check_violation', constraint = 'run_line_not_ones_own';
     end if;
     return new;
   end $$`,
  `create trigger not_ones_own before insert on app.run_line_event for each row execute function app.run_line_not_ones_own()`,
]

const arrearsRules = [
  // The arrears of a line are those it took up, for the same student and scheme.
  `create function app.run_arrears_are_right() returns trigger language plpgsql as $$
   declare
     line uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
   begin
     if (select arrears from app.run_line where id = line) <> (select coalesce(sum(r.total), 0)
         from app.run_arrears a join app.run_line r on r.id = a.returned_id where a.line_id = line)
       or exists (select from app.run_arrears a
         join app.run_line l on l.id = a.line_id join app.run lr on lr.case_id = l.case_id
         join app.run_line r on r.id = a.returned_id join app.run rr on rr.case_id = r.case_id
         where a.line_id = line and (r.state <> 'returned' or r.student_id <> l.student_id or rr.scheme_id <> lr.scheme_id)) then
       raise exception 'the arrears of line % are not what was returned', line
         using errcode = 'check_violation', constraint = 'run_arrears_are_right';
     end if;
     return null;
   end $$`,
  `create constraint trigger arrears_are_right after insert on app.run_line deferrable initially deferred
     for each row when (new.arrears > 0) execute function app.run_arrears_are_right('id')`,
  `create constraint trigger arrears_are_right after insert on app.run_arrears deferrable initially deferred
     for each row execute function app.run_arrears_are_right('line_id')`,
  `create function app.run_arrears_of_line_released() returns trigger language plpgsql security definer set search_path = app as $$
   begin
     update app.run_arrears set released = true where line_id = new.id;
     return null;
   end $$`,
  `create trigger releases_arrears after update of state on app.run_line for each row
     when (new.state in ('struck', 'left-out') and old.arrears > 0) execute function app.run_arrears_of_line_released()`,
  `create function app.run_arrears_released() returns trigger language plpgsql security definer set search_path = app as $$
   begin
     update app.run_arrears a set released = true from app.run_line l
       where l.id = a.line_id and l.case_id = new.case_id and not a.released and (new.state = 'void' or l.state <> 'included');
     return null;
   end $$`,
  `create trigger releases_arrears after update of state on app.run for each row
     when (old.state = 'open' and new.state <> 'open') execute function app.run_arrears_released()`,
]

const grants = [
  `grant select, insert (case_id, scheme_id, month, method, paid_from, signing, prepared_by),
     update (state, paid_from, entry_key, paid_at) on app.run to prakriya_app`,
  `grant select, insert, delete, update (state, reason, question_open, signature, signed_by, signed_at, signed_how,
     bank_reference, reversal_key) on app.run_line to prakriya_app`,
  `grant select, insert on app.run_line_event to prakriya_app`,
  `grant select, insert (returned_id, line_id) on app.run_arrears to prakriya_app`,
]
