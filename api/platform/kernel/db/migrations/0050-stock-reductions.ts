import { type Kysely, sql } from 'kysely'

/** Stock that is counted or corrected down, such as what has expired, leaves only when a second person agrees. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.stock_reduction (
     id uuid primary key,
     batch_id uuid not null references app.register_item,
     kind text not null check (kind in ('counted', 'corrected')),
     units bigint not null check (units > 0),
     reason text not null,
     proposed_by uuid not null references app.account,
     proposed_at timestamptz not null default clock_timestamp(),
     confirmed boolean,
     decided_by uuid references app.account,
     decided_at timestamptz,
     dropped_because text,
     constraint stock_reduction_decided check (
       (confirmed is null) = (decided_by is null) and (confirmed is null) = (decided_at is null)),
     constraint stock_reduction_drop_told check ((confirmed is false) = (dropped_because is not null)),
     constraint stock_reduction_needs_another check (not (confirmed and decided_by = proposed_by))
   )`,
  `create unique index stock_reduction_one_open on app.stock_reduction (batch_id) where decided_at is null`,
  `create function app.stock_reduction_ends_once() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' or old.confirmed is not null
       or (to_jsonb(new) - '{confirmed,decided_by,decided_at,dropped_because}'::text[])
         <> (to_jsonb(old) - '{confirmed,decided_by,decided_at,dropped_because}'::text[]) then
       raise exception 'a reduction of stock is decided once, and nothing else about it changes'
         using errcode = 'insufficient_privilege';
     end if;
     return new;
   end $$`,
  `create trigger ends_once before update or delete on app.stock_reduction for each row
     execute function app.stock_reduction_ends_once()`,
  // The entry of a reduction has its id in its unique key, so that it is posted once.
  `create function app.stock_reduced_by_two() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     batch constant uuid := (select batch_id from ledger_account where id = new.account_id);
     entry ledger_entry;
   begin
     select * into entry from ledger_entry where id = new.entry_id;
     if batch is not null and entry.kind in ('stock-counted', 'stock-corrected') and not exists (
       select from stock_reduction r where 'stock-reduction:' || r.id = entry.key and r.confirmed
         and r.batch_id = batch and r.units = -new.amount and 'stock-' || r.kind = entry.kind
         and r.decided_by = entry.posted_by) then
       raise exception 'nobody else has confirmed that batch % is reduced', batch
         using errcode = 'check_violation', constraint = 'stock_reduced_by_two';
     end if;
     return new;
   end $$`,
  `create trigger reduced_by_two before insert on app.ledger_line for each row
     when (new.amount < 0 and new.account_id like 'stock:%') execute function app.stock_reduced_by_two()`,
  `create function app.stock_waiting(batch uuid) returns bigint language sql stable set search_path = app, pg_temp as $$
     select coalesce(sum(units), 0)::bigint from stock_reduction where batch_id = batch and decided_at is null
   $$`,
  // What waits to leave is not issued, and keeps no other batch back.
  `create or replace function app.stock_issued_rightly() returns trigger language plpgsql
     set search_path = app, pg_temp as $$
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
     if batch.balance < stock_waiting(batch.batch_id) then
       raise exception 'units of batch % wait to be removed', batch.batch_id
         using errcode = 'check_violation', constraint = 'stock_waiting_not_issued';
     end if;
     if exists (select from ledger_account other join register_item i on i.id = other.batch_id
         where other.stock_of = batch.stock_of and other.expires_on >= today and other.expires_on < batch.expires_on
           and other.balance > stock_waiting(other.batch_id) and i.status = 'Active') then
       raise exception 'another batch of % expires first', batch.stock_of
         using errcode = 'check_violation', constraint = 'stock_first_expired_first';
     end if;
     return null;
   end $$`,
  `grant select, insert (id, batch_id, kind, units, reason, proposed_by), update (confirmed, decided_by, decided_at, dropped_because)
     on app.stock_reduction to prakriya_app`,
]
