import { type Kysely, sql } from 'kysely'

/**
 * Bookings with money: slots with buffers, parts and countable entries, moves that keep the old slot, holds of guests;
 * a ledger that always balances; issued documents; tracking without an account; calendar feeds.
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
  `create index on app.flow_case (sent_by) where (sent_by is not null)`,
  `create table app.case_tracking (
     case_id uuid primary key references app.flow_case,
     secret_hash bytea not null,
     created_at timestamptz not null default now(),
     -- Of a guest's case: the mailed link that confirms it, once, until then.
     confirmation_hash bytea unique,
     confirm_until timestamptz,
     confirmed_at timestamptz,
     check ((confirmation_hash is null) = (confirm_until is null))
   )`,
  // The sender of a repeatable request may have no account.
  `alter table app.idempotency drop constraint idempotency_account_id_fkey`,
  // Guests are looked up by the NIC that they type.
  `create index register_item_by_nic on app.register_item ((upper(data ->> 'nic'))) where (upper(data ->> 'nic') is not null)`,
  `create index register_item_by_employee_id on app.register_item ((upper(data ->> 'employee_id')))
     where (upper(data ->> 'employee_id') is not null)`,

  // ---- posts: a holder has the role of the post, and is its post holder ------------------------
  `insert into app.role_grant (id, account_id, role, scope_kind, scope_id, starts_at, ends_at, origin, post_holder_id,
       granted_by, reason)
     select gen_random_uuid(), account_id, 'Post Holder', 'post', post_id, starts_at, ends_at, 'post', id, appointed_by, reason
     from app.post_holder where ends_at is null or ends_at > greatest(now(), starts_at)`,
  `alter table app.role_grant add constraint post_holder_holds_a_post
     check (role <> 'Post Holder' or (post_holder_id is not null and scope_kind = 'post' and scope_id is not null))`,

  // ---- slots -----------------------------------------------------------------------------------
  // `during` is the time kept free; `booked` is the requested time, without set-up and clearing.
  `alter table app.allocation add column booked tstzrange`,
  `update app.allocation set booked = during`,
  `alter table app.allocation alter column booked set not null`,
  `alter table app.allocation add constraint allocation_booked_within check (during @> booked)`,
  // Allocated with the slot of another entry: a part of that entry, or an entry lent for it.
  `alter table app.allocation add column main_id uuid references app.allocation on delete cascade`,
  `create index on app.allocation (main_id) where (main_id is not null)`,
  `alter table app.allocation add column purpose text not null default 'booking' check (purpose in ('booking', 'move'))`,
  `alter table app.allocation add column guest_id uuid`,
  `alter table app.allocation alter column holder_id drop not null`,
  `alter table app.allocation add constraint allocation_one_holder check (num_nonnulls(holder_id, guest_id) = 1)`,
  `create index on app.allocation (guest_id) where (state = 'hold' and guest_id is not null)`,
  `alter table app.allocation drop constraint allocation_no_overlap`,
  // A case does not conflict with itself: a move may overlap the slot that it leaves.
  `alter table app.allocation add constraint allocation_no_overlap exclude using gist
     (item_id with =, during with &&, (coalesce(case_id, main_id, id)) with <>)
     where (exclusive and state <> 'released')`,
  // The largest quantity lent of an entry at any moment of a span, without the given allocations. What one case has,
  // and what it would have after a requested change of time, count once, with the larger quantity.
  `create function app.lent_most(item uuid, span tstzrange, besides uuid[] default '{}') returns integer language sql as $$
     with lent as (
       select during, quantity, purpose, coalesce(case_id, main_id, id) as whose
       from app.allocation
       where item_id = item and not exclusive and state <> 'released' and during && span
         and (expires_at is null or expires_at > clock_timestamp())
         and coalesce(case_id, main_id, id) <> all (besides)
     ), moments as (select distinct greatest(lower(during), lower(span)) as at from lent)
     select coalesce(max(total), 0)::integer from (
       select at, sum(most) as total from (
         select at, whose, max(each) as most from (
           select at, whose, purpose, sum(quantity) as each from moments join lent on during @> at group by at, whose, purpose
         ) by_purpose group by at, whose
       ) by_whose group by at
     ) sums
   $$`,
  `create function app.allocation_within_quantity() returns trigger language plpgsql as $$
   declare
     there numeric;
     most integer;
   begin
     select data ->> 'quantity' into there from app.register_item where id = new.item_id for no key update;
     most := app.lent_most(new.item_id, new.during);
     if most > coalesce(there, 0) then
       raise exception 'item % is lent % times, and there are %', new.item_id, most, coalesce(there, 0)
         using errcode = 'check_violation', constraint = 'allocation_within_quantity';
     end if;
     return null;
   end $$`,
  `create trigger within_quantity
     after insert or update of during, quantity, state, item_id, exclusive, case_id, main_id, purpose on app.allocation
     for each row when (not new.exclusive and new.state <> 'released') execute function app.allocation_within_quantity()`,
  `create function app.item_quantity_kept() returns trigger language plpgsql as $$
   declare
     most integer := app.lent_most(new.id, tstzrange(clock_timestamp(), null));
   begin
     if most > 0 and most > coalesce((new.data ->> 'quantity')::numeric, 0) then
       raise exception 'item % is lent % times', new.id, most
         using errcode = 'check_violation', constraint = 'item_quantity_kept';
     end if;
     return null;
   end $$`,
  `create trigger quantity_kept after update of data on app.register_item
     for each row when ((old.data ->> 'quantity') is distinct from (new.data ->> 'quantity'))
     execute function app.item_quantity_kept()`,
  // An entry whose parent is another one is a part of it: allocating the whole allocates the part.
  `create index register_item_parent on app.register_item (lower(data ->> 'parent'))
     where (data ->> 'parent' is not null)`,
  `create function app.item_joins_whole() returns trigger language plpgsql as $$
   declare
     whole uuid := new.data ->> 'parent';
   begin
     if tg_op = 'UPDATE' and old.data ->> 'parent' is not distinct from new.data ->> 'parent' then
       return null;
     end if;
     -- Two changes at once could close a circle that neither of them sees.
     perform pg_advisory_xact_lock(hashtextextended('register_item.parent', 0));
     if exists (
       with recursive above (id) as (
         select whole
         union
         select (i.data ->> 'parent')::uuid from app.register_item i join above on i.id = above.id
           where i.data ->> 'parent' is not null
       )
       select from above where id = new.id
     ) then
       raise exception 'item % would be a part of itself', new.id
         using errcode = 'check_violation', constraint = 'item_no_circle';
     end if;
     perform from app.register_item where id = whole for no key update;
     insert into app.allocation
       (id, item_id, during, booked, state, holder_id, guest_id, case_id, path, purpose, expires_at, main_id)
     with recursive part (id) as (
       select new.id
       union
       select i.id from app.register_item i join part on lower(i.data ->> 'parent') = part.id::text
         where i.data ->> 'parent' is not null
     )
     select gen_random_uuid(), part.id, a.during, a.booked, a.state, a.holder_id, a.guest_id, a.case_id, a.path,
       a.purpose, a.expires_at, coalesce(a.main_id, a.id)
     from app.allocation a cross join part
     where a.item_id = whole and a.exclusive and a.state <> 'released' and upper(a.during) > clock_timestamp()
       and (a.expires_at is null or a.expires_at > clock_timestamp())
       and not exists (select from app.allocation b where b.item_id = part.id and b.state <> 'released'
         and b.main_id = coalesce(a.main_id, a.id));
     return null;
   end $$`,
  `create trigger joins_whole after insert or update of data on app.register_item
     for each row when (new.data ->> 'parent' is not null) execute function app.item_joins_whole()`,

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
     -- How many lines it has, so that none can be added to it later.
     lines integer not null check (lines >= 2),
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
  // Only lines change a balance: the application itself may not write it.
  `create function app.ledger_line_counts() returns trigger language plpgsql security definer set search_path = app as $$
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
     if (select coalesce(sum(amount), 0) <> 0 or count(*) <> (select lines from app.ledger_entry where id = entry)
         from app.ledger_line where entry_id = entry) then
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
  `grant select, insert (id, kind, case_id, overdraft) on app.ledger_account to prakriya_app`,
  `grant select, insert on app.ledger_entry, app.ledger_line, app.document to prakriya_app`,
]
