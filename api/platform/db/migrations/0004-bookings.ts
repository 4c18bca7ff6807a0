import { type Kysely, sql } from 'kysely'

/**
 * What bookings with money need of the platform: slots with buffers, parts and countable items, moves that keep the old
 * slot, holds of guests; a ledger that always balances; issued documents; tracking without an account; calendar feeds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // ---- cases: what they say now, and who sent them for somebody else ---------------------------
  `alter table app.flow_case add column data jsonb not null default '{}'`,
  `update app.flow_case set data = s.data from app.submission s
     where s.case_id = flow_case.id and s.task_id is null and s.at = (
       select min(at) from app.submission where case_id = flow_case.id and task_id is null)`,
  `alter table app.flow_case add column sent_by uuid references app.account`,
  `create table app.case_tracking (
     case_id uuid primary key references app.flow_case,
     secret_hash bytea not null,
     created_at timestamptz not null default now()
   )`,

  // ---- slots -----------------------------------------------------------------------------------
  // During is what is kept free for it; booked is what was asked for, without set-up and clearing.
  `alter table app.allocation add column booked tstzrange`,
  `update app.allocation set booked = during`,
  `alter table app.allocation alter column booked set not null`,
  `alter table app.allocation add constraint allocation_booked_within check (during @> booked)`,
  // Taken along with the slot of another item: a part of that item, or a thing lent for it.
  `alter table app.allocation add column main_id uuid references app.allocation on delete cascade`,
  `create index on app.allocation (main_id) where (main_id is not null)`,
  `alter table app.allocation add column purpose text not null default 'booking' check (purpose in ('booking', 'move'))`,
  `alter table app.allocation add column guest_id uuid`,
  `alter table app.allocation alter column holder_id drop not null`,
  `alter table app.allocation add constraint allocation_one_holder check (num_nonnulls(holder_id, guest_id) = 1)`,
  `create index on app.allocation (guest_id) where (state = 'hold' and guest_id is not null)`,
  `alter table app.allocation drop constraint allocation_no_overlap`,
  // A case never stands in its own way: a move may overlap the slot that it leaves.
  `alter table app.allocation add constraint allocation_no_overlap exclude using gist
     (item_id with =, during with &&, (coalesce(case_id, main_id, id)) with <>)
     where (exclusive and state <> 'released')`,
  `create function app.allocation_within_quantity() returns trigger language plpgsql as $$
   declare
     there integer;
     most integer;
   begin
     select (data ->> 'quantity')::integer into there from app.register_item where id = new.item_id for no key update;
     select max(lent) into most from (
       select sum(each) as lent from (
         select moments.at, max(a.quantity) as each
         from (
           select lower(b.during) as at from app.allocation b
           where b.item_id = new.item_id and not b.exclusive and b.state <> 'released' and b.during && new.during
           union select lower(new.during)
         ) moments
         join app.allocation a on a.item_id = new.item_id and not a.exclusive and a.state <> 'released'
           and a.during @> moments.at and a.during && new.during
         group by moments.at, coalesce(a.case_id, a.main_id, a.id)
       ) by_case group by at
     ) sums;
     if most > coalesce(there, 0) then
       raise exception 'item % is lent % times, and there are %', new.item_id, most, coalesce(there, 0)
         using errcode = 'check_violation', constraint = 'allocation_within_quantity';
     end if;
     return null;
   end $$`,
  `create trigger within_quantity after insert or update of during, quantity, state, item_id on app.allocation
     for each row when (not new.exclusive and new.state <> 'released') execute function app.allocation_within_quantity()`,

  // ---- ledger: integer cents; debits are positive, credits negative ----------------------------
  `create table app.ledger_account (
     id text primary key check (id ~ '^[a-z][a-z0-9-]*(:[A-Za-z0-9-]+)*$'),
     kind text not null check (kind in ('asset', 'liability', 'income', 'expense')),
     case_id uuid references app.flow_case,
     overdraft boolean not null default false,
     balance bigint not null default 0,
     constraint ledger_not_below_zero check (overdraft or balance >= 0)
   )`,
  `create index on app.ledger_account (case_id)`,
  `create table app.ledger_entry (
     id uuid primary key,
     key text not null unique,
     case_id uuid references app.flow_case,
     kind text not null,
     memo text,
     at timestamptz not null default clock_timestamp()
   )`,
  `create index on app.ledger_entry (case_id, at)`,
  `create table app.ledger_line (
     entry_id uuid not null references app.ledger_entry,
     position integer not null,
     account_id text not null references app.ledger_account,
     amount bigint not null check (amount <> 0),
     primary key (entry_id, position)
   )`,
  `create index on app.ledger_line (account_id)`,
  `create function app.ledger_line_counts() returns trigger language plpgsql as $$
   begin
     update app.ledger_account
       set balance = balance + case when kind in ('asset', 'expense') then new.amount else -new.amount end
       where id = new.account_id;
     return null;
   end $$`,
  `create trigger counts after insert on app.ledger_line for each row execute function app.ledger_line_counts()`,
  `create function app.ledger_entry_balances() returns trigger language plpgsql as $$
   declare
     entry uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
   begin
     if (select coalesce(sum(amount), 0) <> 0 or count(*) < 2 from app.ledger_line where entry_id = entry) then
       raise exception 'ledger entry % does not balance', entry
         using errcode = 'check_violation', constraint = 'ledger_entry_balances';
     end if;
     return null;
   end $$`,
  `create constraint trigger balances after insert on app.ledger_entry deferrable initially deferred
     for each row execute function app.ledger_entry_balances('id')`,
  `create constraint trigger balances after insert on app.ledger_line deferrable initially deferred
     for each row execute function app.ledger_entry_balances('entry_id')`,
  `create function app.is_append_only() returns trigger language plpgsql as $$
   begin
     raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'insufficient_privilege';
   end $$`,
  `create trigger append_only before update or delete on app.ledger_entry for each row execute function app.is_append_only()`,
  `create trigger append_only before update or delete on app.ledger_line for each row execute function app.is_append_only()`,

  // ---- issued documents: what was given to people under a number -------------------------------
  `create table app.document (
     id uuid primary key,
     case_id uuid not null references app.flow_case,
     kind text not null,
     number text not null,
     data jsonb not null,
     issued_by uuid references app.account,
     issued_at timestamptz not null default clock_timestamp(),
     unique (kind, number)
   )`,
  `create index on app.document (case_id, issued_at)`,
  `create trigger append_only before update or delete on app.document for each row execute function app.is_append_only()`,

  // ---- calendar feeds behind a secret address ---------------------------------------------------
  `create table app.calendar_feed (
     id uuid primary key,
     account_id uuid not null references app.account,
     item_id uuid references app.register_item,
     secret_hash bytea not null unique,
     created_at timestamptz not null default now(),
     revoked_at timestamptz
   )`,
  `create unique index calendar_feed_once on app.calendar_feed (account_id, item_id) nulls not distinct where revoked_at is null`,
  `alter table app.mail add column attachments jsonb not null default '[]'`,

  // ---- who may ------------------------------------------------------------------------------------
  `grant select, insert, update, delete on app.case_tracking, app.calendar_feed to prakriya_app`,
  `grant select, insert, update on app.ledger_account to prakriya_app`,
  `grant select, insert on app.ledger_entry, app.ledger_line, app.document to prakriya_app`,
]
