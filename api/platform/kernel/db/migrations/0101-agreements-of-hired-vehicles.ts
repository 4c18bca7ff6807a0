import { type Kysely, sql } from 'kysely'

/**
 * A hired vehicle is hired under an agreement about vehicles, within its period or the next one that is fixed. Those
 * that are not, or whose agreement is of another type, stay as they are until they are changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // "or": a field that counts instead, if it has a value.
  `create or replace function app.disagreement(mine jsonb, theirs jsonb, rules jsonb) returns text
   language sql immutable set search_path = app, pg_temp as $$
     select min(rule.key) from jsonb_each(rules) as rule
     where mine -> rule.key is not null and not coalesce(
       case when rule.value ? 'is' then mine -> rule.key = theirs -> (rule.value ->> 'is')
         when rule.value ? 'notBefore' then (mine ->> rule.key) collate "C" >= theirs ->> (rule.value ->> 'notBefore')
         when rule.value ? 'notAfter' then (mine ->> rule.key) collate "C"
           <= coalesce(theirs ->> (rule.value ->> 'or'), theirs ->> (rule.value ->> 'notAfter'))
         else (mine ->> rule.key)::numeric <= (theirs ->> (rule.value ->> 'atMost'))::numeric end, false)
   $$`,
  `update app.register_item set data = data || '{"use": "vehicle-hire"}'
     where register = 'agreements/type' and not data ? 'use' and data ->> 'name' = 'Hire of vehicles'`,
  `update app.register_reference r set agrees = a.rules
   from (select '{"hired_until": {"notAfter": "until", "or": "next_until"}}'::jsonb as rules) a,
     app.register_item i, app.register_item s
   where r.path = '/agreement' and i.id = r.item_id and i.register = 'vehicles/vehicle' and i.status = 'Active'
     and s.id = r.target_id and app.disagreement(i.data, s.data, a.rules) is null`,
]
