import { type Kysely, sql } from 'kysely'

/**
 * Students name the intake in the register of intakes, by which lists and rules find them, instead of its name in words.
 * An intake that the register does not have yet becomes an entry, which begins with the year of its name.
 * Curriculums name course types of the sources, Core and Elective, instead of `core` and `optional`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Letter case and surrounding spaces do not count, as in unique names. */
const named = (words: string) => `lower(trim(normalize(${words}, NFKC)))`

const courseTypes = `(
  select i.id, case i.data ->> 'name' when 'Core' then 'core' else 'optional' end as kind
  from app.register_item i
  where i.register = 'course-management/course-type' and i.data ->> 'name' in ('Core', 'Elective')) t`

const statements = [
  `with missing as (
     select distinct on (${named(`s.data ->> 'intake'`)}) trim(s.data ->> 'intake') as name
     from app.register_item s
     where s.register = 'platform/student' and trim(s.data ->> 'intake') <> '' and not exists (
       select from app.register_item i where i.register = 'intakes/intake'
         and ${named(`i.data ->> 'name'`)} = ${named(`s.data ->> 'intake'`)})
     order by ${named(`s.data ->> 'intake'`)}
   ), made as (
     insert into app.register_item (id, register, status, title, data)
     select gen_random_uuid(), 'intakes/intake', 'Active', name, jsonb_build_object('name', name,
       'starts_on', coalesce(substring(name from '20[0-9]{2}'), extract(year from now())::text) || '-01-01')
     from missing
     returning id, version, status, data
   ), kept as (
     insert into app.register_unique (register, field, value, item_id)
     select 'intakes/intake', '/name', ${named(`data ->> 'name'`)}, id from made
   )
   insert into app.register_item_version (item_id, version, status, data)
   select id, version, status, data from made`,
  `update app.register_item s set data = jsonb_set(s.data, '{intake}', to_jsonb(i.id::text))
   from app.register_item i
   where s.register = 'platform/student' and i.register = 'intakes/intake'
     and ${named(`i.data ->> 'name'`)} = ${named(`s.data ->> 'intake'`)}`,
  `insert into app.register_reference (item_id, path, target_id)
   select s.id, '/intake', i.id from app.register_item s
   join app.register_item i on i.register = 'intakes/intake' and i.id::text = s.data ->> 'intake'
   where s.register = 'platform/student'
   on conflict do nothing`,
  `update app.register_item c set data = jsonb_set(c.data, '{subjects}', (
     select jsonb_agg(case when t.id is null then s.value else s.value || jsonb_build_object('kind', t.id) end order by s.ordinality)
     from jsonb_array_elements(c.data -> 'subjects') with ordinality s
     left join ${courseTypes} on t.kind = s.value ->> 'kind'))
   where c.register = 'setup/curriculum' and jsonb_array_length(c.data -> 'subjects') > 0`,
  `insert into app.register_reference (item_id, path, target_id)
   select c.id, '/subjects/' || s.ordinality - 1 || '/kind', t.id
   from app.register_item c
   cross join jsonb_array_elements(c.data -> 'subjects') with ordinality s
   join ${courseTypes} on t.id::text = s.value ->> 'kind'
   where c.register = 'setup/curriculum'
   on conflict do nothing`,
]
