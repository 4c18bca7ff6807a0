import { type Kysely, sql } from 'kysely'

/**
 * A set-up of registrations names a batch instead of an intake and a curriculum: that of the intake and the programme of
 * the curriculum, which is made if there is none, and gets the curriculum if it has none. A set-up with another
 * curriculum than its batch, or a second one for a batch and year, is put out of use. Students choose among subjects of
 * the course type Elective, which says so itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const setups = `register in ('students/registration-setup', 'students/subject-registration-setup')`

const statements = [
  `create temporary table batch_of on commit drop as
     select s.id as setup, s.data ->> 'intake' as intake, s.data ->> 'curriculum' as curriculum,
       c.data ->> 'program' as programme, coalesce((s.data ->> 'year')::int, 1) as year
     from app.register_item s
     join app.register_item c on c.register = 'setup/curriculum' and c.id::text = s.data ->> 'curriculum'
     where s.${setups} and s.data ->> 'batch' is null`,
  `with missing as (
     select distinct on (intake, programme) intake, programme, curriculum, year,
       left(p.title || ' ' || i.title, 80) || case when exists (select from app.register_unique u
         where u.register = 'batches/batch' and u.field = '/name'
           and u.value = lower(trim(normalize(left(p.title || ' ' || i.title, 80), NFKC)))) then ' ' || left(b.setup::text, 8) else '' end as name
     from batch_of b
     join app.register_item p on p.id::text = b.programme
     join app.register_item i on i.id::text = b.intake
     where not exists (select from app.register_item o where o.register = 'batches/batch'
       and o.data ->> 'intake' = b.intake and o.data ->> 'programme' = b.programme)
     order by intake, programme, curriculum
   ), made as (
     insert into app.register_item (id, register, status, title, data)
     select gen_random_uuid(), 'batches/batch', 'Active', name, jsonb_build_object('name', name, 'intake', intake,
       'programme', programme, 'year', year, 'curriculum', curriculum)
     from missing
     returning id, version, status, data
   ), kept as (
     insert into app.register_unique (register, field, value, item_id)
     select 'batches/batch', '/name', lower(trim(normalize(data ->> 'name', NFKC))), id from made
     union all
     select 'batches/batch', '/programme', (data ->> 'programme') || E'\\n' || (data ->> 'intake'), id from made
   ), named as (
     insert into app.register_reference (item_id, path, target_id, freezes)
     select id, '/' || key, (data ->> key)::uuid,
       case key when 'curriculum' then '{name,program,version,from,subjects}'::text[] end
     from made cross join unnest('{intake,programme,curriculum}'::text[]) as k(key)
   )
   insert into app.register_item_version (item_id, version, status, data)
   select id, version, status, data from made`,
  `with filled as (
     update app.register_item o set data = o.data || jsonb_build_object('curriculum', b.curriculum)
     from batch_of b
     where o.register = 'batches/batch' and o.data ->> 'intake' = b.intake and o.data ->> 'programme' = b.programme
       and o.data ->> 'curriculum' is null
     returning o.id, b.curriculum)
   insert into app.register_reference (item_id, path, target_id, freezes)
   select distinct on (id) id, '/curriculum', curriculum::uuid, '{name,program,version,from,subjects}'::text[]
   from filled`,
  `update app.register_item s
     set data = s.data - 'intake' - 'curriculum' || jsonb_build_object('batch', o.id)
   from batch_of b
   join app.register_item o on o.register = 'batches/batch'
     and o.data ->> 'intake' = b.intake and o.data ->> 'programme' = b.programme
   where s.id = b.setup`,
  `delete from app.register_reference r using batch_of b where r.item_id = b.setup and r.path in ('/intake', '/curriculum')`,
  `insert into app.register_reference (item_id, path, target_id, freezes)
   select s.id, '/batch', (s.data ->> 'batch')::uuid, '{intake,programme,curriculum}'
   from app.register_item s join batch_of b on b.setup = s.id`,
  `with ranked as (
     select s.id, s.register, (s.data ->> 'batch') || E'\\n' || (s.data ->> 'academic_year')
         || case when s.register = 'students/subject-registration-setup' then E'\\n' || (s.data ->> 'year') else '' end as value,
       b.curriculum = o.data ->> 'curriculum' as fits, s.created_at
     from app.register_item s join batch_of b on b.setup = s.id
     join app.register_item o on o.id::text = s.data ->> 'batch'
     where s.status = 'Active'
   ), kept as (
     insert into app.register_unique (register, field, value, item_id)
     select distinct on (register, value) register, '/batch', value, id from ranked where fits
     order by register, value, created_at
     returning item_id
   )
   update app.register_item s set status = 'Inactive'
   from ranked r where r.id = s.id and r.id not in (select item_id from kept)`,
  `update app.register_item set data = data || '{"chosen": true}'
   where register = 'course-management/course-type' and data ->> 'name' = 'Elective'`,
]
