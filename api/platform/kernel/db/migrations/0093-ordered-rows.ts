import { type Kysely, sql } from 'kysely'

/** Rows of a list that name no entry twice, and each after what it needs; entries that name themselves, or come too early. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // List → {"once": field of its rows}, beside those of 0078.
  `create or replace function app.within_bounds(data jsonb, bounds jsonb) returns boolean
   language sql immutable set search_path = app, pg_temp as $$
     select coalesce(bool_and(case
         when bound.value ? 'once' then (
           select count(r.named ->> (bound.value ->> 'once')) = count(distinct r.named ->> (bound.value ->> 'once'))
           from jsonb_array_elements(case when jsonb_typeof(data -> key) = 'array' then data -> key else '[]' end) as r(named))
         when value ? 'days' then (data ->> key)::date - (data ->> (value ->> 'from'))::date
           between 0 and (value ->> 'days')::integer - 1
         when value ? 'notBefore' then (data ->> key) collate "C" >= (data ->> (value ->> 'notBefore')) collate "C"
         when jsonb_typeof(data -> key) = 'number' then (data ->> key)::numeric > (data ->> (value ->> 'after'))::numeric
         else (data ->> key)::timestamptz > (data ->> (value ->> 'after'))::timestamptz
       end), true) from jsonb_each(bounds) as bound
   $$`,
  // {"another": true}, {"earlier": {list, names, by}}, {"notLater": {at, than}}; null: none, or the entry is older.
  `alter table app.register_reference add column rules jsonb`,
  // A lookup leads from a field to a field of the entry that it names, "/from#/data/starts_on".
  `create function app.followed(entry jsonb, lookup text) returns text
   language plpgsql stable strict set search_path = app, pg_temp as $$
   declare
     hops text[] := string_to_array(lookup, '#');
     hop text;
     found_value text := entry #>> string_to_array(substr(hops[1], 2), '/');
   begin
     foreach hop in array hops[2:] loop
       if not pg_input_is_valid(found_value, 'uuid') then
         return null;
       end if;
       found_value := (select jsonb_build_object('data', i.data) #>> string_to_array(substr(hop, 2), '/')
         from register_item i where i.id = found_value::uuid);
     end loop;
     return found_value;
   end $$`,
  `create function app.place_in(row_ jsonb, by jsonb) returns numeric[]
   language sql immutable set search_path = app, pg_temp as $$
     select array_agg((row_ ->> n.name)::numeric order by n.place) from jsonb_array_elements_text(by) with ordinality as n(name, place)
   $$`,
  `create function app.reference_ruled() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     mine jsonb := (select data from register_item where id = new.item_id);
     theirs jsonb := (select data from register_item where id = new.target_id);
     path text[] := string_to_array(substr(new.path, 2), '/');
     earlier jsonb := new.rules -> 'earlier';
     later jsonb := new.rules -> 'notLater';
     target_title text := (select title from register_item where id = new.target_id);
   begin
     if new.rules ? 'another' and new.item_id = new.target_id then
       raise exception 'entry % names itself', new.item_id using errcode = 'check_violation', constraint = 'reference_another',
         column = new.path;
     end if;
     if earlier is not null and exists (
       select from jsonb_array_elements(coalesce(theirs -> (earlier ->> 'list'), '[]')) as need
       where not exists (select from jsonb_array_elements(mine -> path[1]) as r
         where r ->> path[3] = need ->> (earlier ->> 'names')
           and place_in(r, earlier -> 'by') < place_in(mine #> path[1:2], earlier -> 'by'))) then
       raise exception 'a row of entry % comes before what it needs', new.item_id
         using errcode = 'check_violation', constraint = 'reference_earlier', detail = target_title;
     end if;
     if later is not null and followed(theirs, later ->> 'at') collate "C" > followed(mine, later ->> 'than') collate "C" then
       raise exception 'entry % names one that is later', new.item_id
         using errcode = 'check_violation', constraint = 'reference_not_later', detail = target_title;
     end if;
     return null;
   end $$`,
  `create trigger reference_ruled after insert or update on app.register_reference for each row
     when (new.rules is not null) execute function app.reference_ruled()`,
  // The year by which a batch was compared with its curriculum.
  `update app.register_reference r set freezes = '{academic_year?}' from app.register_item i
     where i.id = r.item_id and i.register = 'batches/batch' and r.path = '/intake'`,
]
