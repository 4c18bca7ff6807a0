import { type Kysely, sql } from 'kysely'

/**
 * Register entries that are closed for good; payments of vouchers, each made once, one at a time, and to the certified
 * payee; documents that are no longer valid.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // ---- an item in a final status of its register stays as it is --------------------------------
  `alter table app.register_item add column final boolean not null default false`,
  `create function app.item_is_final() returns trigger language plpgsql as $$
   begin
     raise exception 'the item % is closed for good', old.id
       using errcode = 'check_violation', constraint = 'item_is_final';
   end $$`,
  `create trigger is_final before update or delete on app.register_item for each row when (old.final)
     execute function app.item_is_final()`,

  // A change that waited for a lock is later than the change it waited for.
  `alter table app.register_item_version alter column at set default clock_timestamp()`,

  // ---- payments of vouchers --------------------------------------------------------------------
  `create table app.voucher_payment (
     id uuid primary key,
     case_id uuid not null references app.flow_case,
     number text not null unique,
     payee_id uuid not null,
     -- The payee as it was paid: a bank account that is changed later does not send this payment elsewhere.
     payee_version integer not null,
     bank_account_id uuid not null references app.register_item,
     batch_id uuid not null references app.register_item,
     method text not null check (method in ('cheque', 'transfer')),
     cheque_number text check (cheque_number ~ '^[0-9]{6}$'),
     amount bigint not null check (amount > 0),
     -- Bank, branch and account by their codes, and the name, as they were paid: registers change, what went to the bank does not.
     paid_to jsonb not null,
     paid_from jsonb not null,
     -- What moved the money, and what moved it back.
     entry_key text not null unique references app.ledger_entry (key),
     reversal_key text unique references app.ledger_entry (key),
     state text not null default 'issued' check (state in ('issued', 'settled', 'voided', 'returned')),
     issued_by uuid not null references app.account,
     issued_at timestamptz not null default clock_timestamp(),
     -- Handed over, confirmed, voided or returned: by whom, when, and what was noted.
     ended_by uuid references app.account,
     ended_on date,
     ended_at timestamptz,
     note text,
     bank_reference text,
     foreign key (payee_id, payee_version) references app.register_item_version (item_id, version),
     constraint cheque_has_number check ((method = 'cheque') = (cheque_number is not null)),
     constraint transfer_has_account check (method = 'cheque' or paid_to ?& array['name', 'bank', 'branch', 'account']),
     constraint returned_by_bank check (state <> 'returned' or (method = 'transfer' and bank_reference is not null)),
     constraint money_goes_back check ((state in ('voided', 'returned')) = (reversal_key is not null)),
     constraint ended_by_somebody check ((state = 'issued') = (ended_by is null) and (state = 'issued') = (ended_at is null)
       and (state = 'issued') = (ended_on is null))
   )`,
  // A voucher has one payment that counts; another is possible only once that one is void.
  `create unique index voucher_payment_once on app.voucher_payment (case_id) where (state in ('issued', 'settled'))`,
  // The number of a cheque stays used, even if the cheque is void.
  `create unique index voucher_cheque_once on app.voucher_payment (bank_account_id, cheque_number)
     where (cheque_number is not null)`,
  `create index on app.voucher_payment (case_id)`,
  `create index on app.voucher_payment (batch_id)`,
  `create index on app.voucher_payment (payee_id)`,
  `create index on app.voucher_payment (bank_account_id, issued_at)`,
  `create function app.voucher_payment_is_right() returns trigger language plpgsql as $$
   declare certified app.register_item_version;
   begin
     perform from app.register_item where id = new.batch_id and register = 'vouchers/payment-batch'
       and status = 'Open' and data ->> 'method' = new.method and data ->> 'bank_account' = new.bank_account_id::text for share;
     if not found then
       raise exception 'payment % is in no open batch of its kind and account', new.number
         using errcode = 'check_violation', constraint = 'voucher_payment_batch_open';
     end if;
     -- It goes to the payee as somebody has certified it, and to nobody else since.
     select v.* into certified from app.register_item_version v where v.item_id = new.payee_id and v.at <= (
       select max(s.at) from app.submission s where s.case_id = new.case_id and s.effect <> 'void'
         and s.form_key in ('vouchers/certify', 'vouchers/certify-payee') and s.data ->> 'outcome' = 'certify')
       order by v.version desc limit 1;
     if certified.version is distinct from new.payee_version or exists (select from app.register_item i
         where i.id = new.payee_id and (i.data -> 'name', i.data -> 'bank', i.data -> 'branch', i.data -> 'account_number')
           is distinct from (certified.data -> 'name', certified.data -> 'bank', certified.data -> 'branch',
             certified.data -> 'account_number')) then
       raise exception 'payment % goes to a payee that nobody has certified', new.number
         using errcode = 'check_violation', constraint = 'voucher_payment_certified';
     end if;
     -- No money on paper that the ledger has not moved, and the other way round.
     if not exists (select from app.ledger_entry e join app.ledger_line l on l.entry_id = e.id
         where e.key = new.entry_key and e.case_id = new.case_id and l.account_id = 'bank:' || new.bank_account_id
           and l.amount = -new.amount) then
       raise exception 'payment % is not what its entry moved', new.number
         using errcode = 'check_violation', constraint = 'voucher_payment_moved';
     end if;
     return new;
   end $$`,
  `create trigger is_right before insert on app.voucher_payment for each row
     execute function app.voucher_payment_is_right()`,
  `create function app.voucher_payment_ends_once() returns trigger language plpgsql as $$
   declare batch text;
   begin
     if tg_op = 'DELETE' or old.state <> 'issued' or new.state = 'issued'
       or (to_jsonb(new) - '{state,reversal_key,ended_by,ended_on,ended_at,note,bank_reference}'::text[])
         <> (to_jsonb(old) - '{state,reversal_key,ended_by,ended_on,ended_at,note,bank_reference}'::text[]) then
       raise exception 'a payment is settled or taken back once, and nothing else about it changes'
         using errcode = 'insufficient_privilege';
     end if;
     -- Until its batch is sent a transfer can be void; from then on the bank has it, and only the bank gives it back.
     if new.method = 'transfer' then
       select status into batch from app.register_item where id = new.batch_id for share;
       if (batch = 'Sent') = (new.state = 'voided') then
         raise exception 'the transfer % is in a batch that is %', new.number, batch
           using errcode = 'check_violation', constraint = 'voucher_payment_at_bank';
       end if;
     end if;
     if new.reversal_key is not null and not exists (
         select from app.ledger_entry e join app.ledger_line l on l.entry_id = e.id
         where e.key = new.reversal_key and e.case_id = new.case_id and l.account_id = 'bank:' || new.bank_account_id
           and l.amount = new.amount) then
       raise exception 'payment % is not taken back by its entry', new.number
         using errcode = 'check_violation', constraint = 'voucher_payment_moved';
     end if;
     return new;
   end $$`,
  `create trigger ends_once before update or delete on app.voucher_payment for each row
     execute function app.voucher_payment_ends_once()`,
  `grant select, insert, update (state, reversal_key, ended_by, ended_on, ended_at, note, bank_reference) on app.voucher_payment
     to prakriya_app`,

  // ---- papers that hold no longer, such as a void cheque ---------------------------------------
  `create table app.document_end (
     document_id uuid primary key references app.document,
     at timestamptz not null default clock_timestamp()
   )`,
  `grant select, insert on app.document_end to prakriya_app`,
]
