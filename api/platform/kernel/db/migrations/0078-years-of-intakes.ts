import { type Kysely, sql } from 'kysely'

/**
 * Days of which the second is not before the first (`x-not-before`) are bounds of an entry. Intakes name their academic
 * year: those that begin within one of the register get it, in a new version; the form asks for it at the others
 * when they are changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Field → {"notBefore": the earlier one}, beside those of 0075. Days and months compare as texts.
  `create or replace function app.within_bounds(data jsonb, bounds jsonb) returns boolean
   language sql immutable set search_path = app, pg_temp as $$
     select coalesce(bool_and(case
         when value ? 'days' then (data ->> key)::date - (data ->> (value ->> 'from'))::date
           between 0 and (value ->> 'days')::integer - 1
         when value ? 'notBefore' then (data ->> key) collate "C" >= (data ->> (value ->> 'notBefore')) collate "C"
         when jsonb_typeof(data -> key) = 'number' then (data ->> key)::numeric > (data ->> (value ->> 'after'))::numeric
         else (data ->> key)::timestamptz > (data ->> (value ->> 'after'))::timestamptz
       end), true) from jsonb_each(bounds)
   $$`,
  `update app.register_item set bounds = '{"registration_until": {"notBefore": "registration_from"}}'
   where register = 'intakes/intake'`,
  // Where two academic years of the register overlap, nobody has said which one it is.
  `with found as (
     select i.id, min(y.id::text) as year
     from app.register_item i
     join app.register_item y on y.register = 'year-renewals/academic-year'
       and i.data ->> 'starts_on' between y.data ->> 'starts_on' and y.data ->> 'ends_on'
     where i.register = 'intakes/intake' and i.data ->> 'academic_year' is null
     group by i.id having count(*) = 1
   ), named as (
     update app.register_item i set version = i.version + 1, changed_at = now(),
       data = i.data || jsonb_build_object('academic_year', f.year)
     from found f where f.id = i.id
     returning i.id, i.version, i.status, i.data
   ), kept as (
     insert into app.register_reference (item_id, path, target_id)
     select id, '/academic_year', (data ->> 'academic_year')::uuid from named
   )
   insert into app.register_item_version (item_id, version, status, data)
   select id, version, status, data from named`,
]
