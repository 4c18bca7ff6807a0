import { type Kysely, sql } from 'kysely'

/** Entries that agree with the entries they name: a bed is one of its room, and its hostel is for who lives there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Field of the naming entry → {"is": field} or {"atMost": field} of the named one; null: none.
  `alter table app.register_reference add column agrees jsonb`,
  `create index on app.register_reference (target_id) where agrees is not null`,
  // A field without a value says nothing; one that is compared with a missing value disagrees.
  `create function app.disagreement(mine jsonb, theirs jsonb, rules jsonb) returns text
   language sql immutable set search_path = app, pg_temp as $$
     select min(rule.key) from jsonb_each(rules) as rule
     where mine -> rule.key is not null and not coalesce(
       case when rule.value ? 'is' then mine -> rule.key = theirs -> (rule.value ->> 'is')
         else (mine ->> rule.key)::numeric <= (theirs ->> (rule.value ->> 'atMost'))::numeric end, false)
   $$`,
  `create function app.reference_agrees() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare named text;
   begin
     select theirs.title into named from register_item mine, register_item theirs
       where mine.id = new.item_id and theirs.id = new.target_id
         and disagreement(mine.data, theirs.data, new.agrees) is not null;
     if found then
       raise exception 'entry % does not agree with %, which it names', new.item_id, new.target_id
         using errcode = 'check_violation', constraint = 'reference_agrees', detail = coalesce(named, '');
     end if;
     return null;
   end $$`,
  `create trigger reference_agrees after insert or update on app.register_reference for each row
     when (new.agrees is not null) execute function app.reference_agrees()`,
  `create function app.entry_agreed() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare naming text;
   begin
     select min(n.title) into naming from register_reference r join register_item n on n.id = r.item_id
       where r.target_id = new.id and r.agrees is not null
         and disagreement(n.data, new.data, r.agrees) is not null;
     if naming is not null then
       raise exception 'entry % would not agree with one that names it', new.id using errcode = 'check_violation',
         constraint = 'entry_agreed', detail = naming;
     end if;
     return new;
   end $$`,
  `create trigger entry_agreed before update of data on app.register_item for each row
     when (new.data is distinct from old.data) execute function app.entry_agreed()`,
]
