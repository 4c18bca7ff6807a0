import { type Kysely, sql } from 'kysely'

/** A payment that came back is taken back whole and once: the key of the entry is that of the payment with `:back`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.reverses_payment() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare payment uuid := (select id from ledger_entry where key = regexp_replace(new.key, ':back$', '') and key <> new.key);
   begin
     if payment is null or exists (
       select from ledger_line where entry_id in (payment, new.id) group by account_id having sum(amount) <> 0) then
       raise exception 'the entry % takes back no payment', new.key using errcode = 'check_violation',
         constraint = 'ledger_reverses_payment';
     end if;
     return null;
   end $$`,
  `create constraint trigger reverses_payment after insert on app.ledger_entry deferrable initially deferred
     for each row when (new.kind = 'payment-came-back') execute function app.reverses_payment()`,
]
