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
  `alter table app.ledger_entry add constraint ledger_stock_kinds check (
     kind not like 'stock-%' or kind in ('stock-received', 'stock-issued', 'stock-counted', 'stock-corrected'))`,
  // Stock is counted in units and money in cents: no entry moves both. Who moves a thing waits for others who do, so
  // that what is checked at the end still holds.
  `create function app.ledger_line_of_stock() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     moved constant text := (select kind from ledger_entry where id = new.entry_id);
     thing constant uuid := (select stock_of from ledger_account where id = new.account_id);
   begin
     if (new.account_id like 'stock:%') <> (moved like 'stock-%') then
       raise exception 'entry % mixes stock and money', new.entry_id
         using errcode = 'check_violation', constraint = 'ledger_stock_apart';
     end if;
     if thing is null then
       return new;
     end if;
     if (moved = 'stock-received' and new.amount < 0) or (moved = 'stock-issued' and new.amount > 0) then
       raise exception 'entry % moves stock the wrong way', new.entry_id
         using errcode = 'check_violation', constraint = 'stock_moves_its_way';
     end if;
     perform from register_item where id = thing for no key update;
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
     if (select status <> 'Active' from register_item where id = batch.batch_id) then
       raise exception 'batch % is out of use', batch.batch_id
         using errcode = 'check_violation', constraint = 'stock_batch_usable';
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
