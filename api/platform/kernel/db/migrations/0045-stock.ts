import { type Kysely, sql } from 'kysely'

/**
 * Consumable stock by batch, on the ledger in units: what is on hand is an account that never falls below zero, what
 * was received, issued or found missing are others. Only stock that has not expired is issued, and what expires first
 * goes first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The account of what is on hand of a batch names its entry, what it is a batch of, and its last day.
  `alter table app.ledger_account add column batch_id uuid unique references app.register_item`,
  `alter table app.ledger_account add column stock_of uuid references app.register_item`,
  `alter table app.ledger_account add column expires_on date`,
  `alter table app.ledger_account add constraint ledger_stock_whole check (
     (batch_id is null) = (stock_of is null) and (batch_id is null) = (expires_on is null))`,
  `create index on app.ledger_account (stock_of, expires_on) where (stock_of is not null)`,
  // Who moved stock; entries of money have their case.
  `alter table app.ledger_entry add column posted_by uuid references app.account`,
  `alter table app.ledger_entry add constraint ledger_stock_told check (
     kind not like 'stock-%' or memo is not null)`,
  // Stock is counted in units and money in cents: no entry moves both.
  `create function app.ledger_line_of_stock() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if (new.account_id like 'stock:%') <> (select kind like 'stock-%' from ledger_entry where id = new.entry_id) then
       raise exception 'entry % mixes stock and money', new.entry_id
         using errcode = 'check_violation', constraint = 'ledger_stock_apart';
     end if;
     return new;
   end $$`,
  `create trigger of_stock before insert on app.ledger_line for each row execute function app.ledger_line_of_stock()`,
  // At the end of the transaction, when all lines of an issue are there.
  `create function app.stock_issued_rightly() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     batch ledger_account;
     today constant date := (now() at time zone 'Asia/Colombo')::date;
   begin
     select * into batch from ledger_account where id = new.account_id and batch_id is not null;
     if not found or (select kind <> 'stock-issued' from ledger_entry where id = new.entry_id) then
       return null;
     end if;
     if batch.expires_on < today then
       raise exception 'batch % has expired', batch.batch_id
         using errcode = 'check_violation', constraint = 'stock_not_expired';
     end if;
     if exists (select from ledger_account other join register_item i on i.id = other.batch_id
         where other.stock_of = batch.stock_of and other.expires_on >= today and other.expires_on < batch.expires_on
           and other.balance > 0 and i.status = 'Active') then
       raise exception 'another batch of % expires first', batch.stock_of
         using errcode = 'check_violation', constraint = 'stock_first_expired_first';
     end if;
     return null;
   end $$`,
  `create constraint trigger issued_rightly after insert on app.ledger_line deferrable initially deferred
     for each row when (new.amount < 0 and new.account_id like 'stock:%') execute function app.stock_issued_rightly()`,
  `grant insert (batch_id, stock_of, expires_on) on app.ledger_account to prakriya_app`,
]
