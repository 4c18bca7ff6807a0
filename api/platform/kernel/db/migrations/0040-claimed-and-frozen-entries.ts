import { type Kysely, sql } from 'kysely'

/**
 * Entries that a running case keeps for itself: no other case of its flow names them before it ends. Entries in which
 * fields never change while another entry names them. And who closed or opened an account last is found quickly.
 */
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

  // Names of the fields of the target that are frozen while it is referred to; null: none.
  `alter table app.register_reference add column freezes text[]`,
  // Curriculums were there before their subjects were frozen by them.
  `update app.register_reference r set freezes = '{credits}' from app.register_item i
     where i.id = r.item_id and i.register = 'setup/curriculum' and r.path ~ '^/subjects/[0-9]+/subject$'`,
  `create index on app.register_reference (target_id) where freezes is not null`,
  // A field without a value may still get one.
  `create function app.entry_not_frozen() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare freezing text;
   begin
     select min(n.title) into freezing
       from register_reference r cross join unnest(r.freezes) as f(name) join register_item n on n.id = r.item_id
       where r.target_id = new.id and r.freezes is not null
         and old.data -> f.name is not null and old.data -> f.name is distinct from new.data -> f.name;
     if freezing is not null then
       raise exception 'entry % is frozen by one that names it', new.id using errcode = 'check_violation',
         constraint = 'entry_frozen', detail = freezing;
     end if;
     return new;
   end $$`,
  `create trigger entry_frozen before update of data on app.register_item for each row
     when (new.data is distinct from old.data) execute function app.entry_not_frozen()`,

  `create index on app.audit_entry (object, id) where action in ('account.opened', 'account.closed')`,
]
