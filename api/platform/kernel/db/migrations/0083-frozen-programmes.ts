import { type Kysely, sql } from 'kysely'

/**
 * What a degree program is, and the level of its degree, no longer change while students, batches or curriculums follow
 * them. The stage of a degree, which decides the role of students and what can be advertised, is a field of its own. A
 * student with an account does not move to another stage. What was written before a program was chosen is gone with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const freezes = (register: string, path: string, fields: string) =>
  `update app.register_reference r set freezes = '{${fields}}' from app.register_item i
     where i.id = r.item_id and i.register = '${register}' and r.path = '${path}'`

const PROGRAMME = 'faculty,department?,degree'

const statements = [
  `update app.register_item set data = data || jsonb_build_object('stage',
       case when data ->> 'level' like 'Bachelor%' then 'Undergraduate' else 'Postgraduate' end)
     where register = 'setup/degree' and data ? 'level'`,
  `update app.register_reference set selection = selection
       || '{"at": "/programme#/data/degree#/data/stage", "is": ["Postgraduate"]}'
     where selection ->> 'at' = '/programme#/data/degree#/data/level'`,
  freezes('platform/student', '/programme', PROGRAMME),
  freezes('batches/batch', '/programme', PROGRAMME),
  freezes('setup/curriculum', '/program', PROGRAMME),
  freezes('setup/degree-program', '/degree', 'level,stage'),
  `update app.register_item set data = data - 'programme_before'
     where register = 'platform/student' and data ? 'programme' and data ? 'programme_before'`,
  `create function app.stage_of_programme(programme text) returns text language sql stable set search_path = app, pg_temp as $$
     select d.data ->> 'stage' from register_item p join register_item d on d.id = (p.data ->> 'degree')::uuid
     where p.id = case when programme ~ '^[0-9a-fA-F-]{36}$' then programme::uuid end
   $$`,
  `create function app.student_keeps_stage() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if stage_of_programme(old.data ->> 'programme') is not null
       and stage_of_programme(old.data ->> 'programme') is distinct from stage_of_programme(new.data ->> 'programme')
       and exists (select from account a where a.record_id = new.id) then
       raise exception 'student % has the role of another stage', new.id
         using errcode = 'check_violation', constraint = 'student_keeps_stage';
     end if;
     return new;
   end $$`,
  `create trigger student_keeps_stage before update of data on app.register_item for each row
     when (new.register = 'platform/student' and old.data -> 'programme' is distinct from new.data -> 'programme')
     execute function app.student_keeps_stage()`,
]
