import { type Kysely, sql } from 'kysely'

/** Nobody is put on the roll by a change of status who has never been on it: they register. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.student_once_on_roll() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     changed uuid := (new.data ->> 'student')::uuid;
   begin
     if not exists (select from register_item_version v join register_item s on s.id = v.item_id
         where v.item_id = changed and v.version < s.version and v.status in ('active', 'suspended')) then
       raise exception 'student % has never registered', changed using errcode = 'check_violation',
         constraint = 'student_once_on_roll';
     end if;
     return null;
   end $$`,
  // The change is noted after the student has the new status, in one transaction.
  `create trigger student_once_on_roll after insert on app.register_item for each row
   when (new.register = 'intakes/student-change' and new.data ->> 'status_becomes' = 'active')
   execute function app.student_once_on_roll()`,
]
