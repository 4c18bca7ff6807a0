import { type Kysely, sql } from 'kysely'

/** Issued documents that people who have one can verify: by a secret code, and by the hash of the file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.document_verification (
     document_id uuid primary key references app.document,
     case_id uuid not null references app.flow_case,
     kind text not null,
     code text not null unique check (code ~ '^[0-9a-f]{32}$'),
     holder text not null,
     -- Text keys of the desks that stand in its signature block and have decided.
     signed_by jsonb not null check (jsonb_typeof(signed_by) = 'array'),
     pdf bytea not null,
     sha256 text not null check (sha256 = encode(sha256(pdf), 'hex')),
     ended_at timestamptz,
     replaced_by uuid references app.document,
     check (replaced_by is null or ended_at is not null)
   )`,
  // Only one document of each kind is valid per case.
  `create unique index document_holds_once on app.document_verification (case_id, kind) where ended_at is null`,
  `create function app.document_ends_once() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' or old.ended_at is not null or new.ended_at is null
       or (to_jsonb(new) - 'ended_at' - 'replaced_by') <> (to_jsonb(old) - 'ended_at' - 'replaced_by') then
       raise exception 'an issued document can only cease to hold, and once' using errcode = 'insufficient_privilege';
     end if;
     return new;
   end $$`,
  `create trigger ends_once before update or delete on app.document_verification for each row
     execute function app.document_ends_once()`,
  `grant select, insert, update (ended_at, replaced_by) on app.document_verification to prakriya_app`,
]
