import { type Kysely, sql } from 'kysely'

/** Entries that a running case keeps for itself: no other case of its flow names them before it ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.case_claim (
     case_id uuid not null references app.flow_case,
     item_id uuid not null references app.register_item,
     flow text not null,
     primary key (case_id, item_id),
     constraint case_claim_once unique (flow, item_id)
   )`,
  `create index on app.case_claim (item_id)`,
  `create function app.claims_end() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     delete from case_claim where case_id = new.id;
     return null;
   end $$`,
  `create trigger claims_end after update of state on app.flow_case for each row
     when (new.state in ('ended', 'failed') and new.state <> old.state) execute function app.claims_end()`,
  `revoke all on app.case_claim from prakriya_app`,
  `grant select, insert, delete on app.case_claim to prakriya_app`,
]
