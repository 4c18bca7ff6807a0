import { type Kysely, sql } from 'kysely'

/**
 * The bank's reference of a payment belongs to one case: `x-pays-once` of a form. It is free again if the case ends without
 * having got the money. References are compared by their letters and digits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.plain_reference(given text) returns text language sql immutable set search_path = app, pg_temp as $$
     select upper(regexp_replace(normalize(given, NFKC), '\\W|_', '', 'g'))
   $$`,
  `create table app.case_payment (
     case_id uuid not null references app.flow_case,
     reference text not null check (reference <> '' and reference = app.plain_reference(reference)),
     primary key (case_id, reference),
     constraint payment_counts_once unique (reference)
   )`,
  // By the ledger: the case has brought money to the bank.
  `create function app.case_was_paid(asked uuid) returns boolean language sql stable set search_path = app, pg_temp as $$
     select exists (select from ledger_entry e join ledger_line l on l.entry_id = e.id
       where e.case_id = asked and l.account_id = 'bank' and l.amount > 0)
   $$`,
  `create function app.payments_end() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     delete from case_payment where case_id = new.id and not case_was_paid(new.id);
     return null;
   end $$`,
  `create trigger payments_end after update of state on app.flow_case for each row
     when (new.state in ('ended', 'failed') and new.state <> old.state) execute function app.payments_end()`,
  // What the ledger has booked stays where it is.
  `create function app.payment_stays() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if case_was_paid(old.case_id) then
       raise exception 'case % was paid by %', old.case_id, old.reference using errcode = 'check_violation',
         constraint = 'payment_stays';
     end if;
     return old;
   end $$`,
  `create trigger payment_stays before delete on app.case_payment for each row execute function app.payment_stays()`,
  `revoke all on app.case_payment from prakriya_app`,
  `grant select, insert, delete on app.case_payment to prakriya_app`,

  // Payments of cases from before, as they were sent last, if they are awaited, booked, or verified where nothing was booked
  // until now; the first of two keeps it.
  `insert into app.case_payment (case_id, reference)
   select distinct on (sent.reference) sent.case_id, sent.reference from (
     select distinct on (s.case_id) s.case_id, s.at, app.plain_reference(s.data ->> 'bank_reference') as reference
       from app.submission s join app.flow_case c on c.id = s.case_id
       where s.form_key in ('year-renewals/renewal-request', 'id-cards/request', 'students/registration-request',
           'students/request', 'resource-reservation/payment-slip', 'hostel/registration', 'recruitment/application',
           'aptitude-tests/payment-slip', 'courses-public/payment-slip')
         and s.effect <> 'void' and s.data ->> 'bank_reference' is not null
         and (c.state not in ('ended', 'failed') or app.case_was_paid(c.id) or exists (
           select from app.submission k where k.case_id = c.id and k.effect <> 'void' and k.data ->> 'outcome' = 'verify'
             and k.form_key in ('aptitude-tests/payment-check', 'courses-public/payment-check')))
       order by s.case_id, s.at desc
   ) as sent where sent.reference <> '' order by sent.reference, sent.at`,
]
