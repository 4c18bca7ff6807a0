import { type Kysely, sql } from 'kysely'

/**
 * An advance of a visit that does not take place is returned once, with a receipt of its own, to the bank account from
 * which its voucher was paid, and no more than was paid. The key of the entry names the voucher.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create unique index ledger_advance_receipt on app.ledger_entry (app.plain_reference(memo)) where (kind = 'advance-returned')`,
  `create function app.returns_advance() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if plain_reference(coalesce(new.memo, '')) = '' or not exists (
       select from case_link l join voucher_payment p on p.case_id = l.case_id and p.state = 'settled'
       join ledger_line m on m.entry_id = new.id and m.account_id = 'bank:' || p.bank_account_id
       where l.origin_id = new.case_id and l.name = 'advance' and new.key = 'advance:' || l.case_id || ':returned'
         and m.amount between 1 and p.amount) then
       raise exception 'the entry % returns no advance that was paid', new.key using errcode = 'check_violation',
         constraint = 'ledger_returns_advance';
     end if;
     return null;
   end $$`,
  `create constraint trigger returns_advance after insert on app.ledger_entry deferrable initially deferred
     for each row when (new.kind = 'advance-returned') execute function app.returns_advance()`,
]
