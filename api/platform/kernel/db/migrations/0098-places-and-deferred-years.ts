import { type Kysely, sql } from 'kysely'

/** No more places of a subject than its limit; what a student was registered for in a year that they defer ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.seat_within_limit() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     in_setup uuid := coalesce(new.data ->> 'setup', new.data ->> 'registration_setup')::uuid;
     places integer;
   begin
     -- Others who take a place in it wait.
     perform from register_item where id = in_setup for no key update;
     places := (select min((l.row ->> 'places')::integer) from register_item i
       cross join jsonb_array_elements(case when jsonb_typeof(i.data -> 'limits') = 'array' then i.data -> 'limits' else '[]' end) as l(row)
       where i.id = in_setup and l.row ->> 'subject' = new.data ->> 'subject');
     if places <= (select count(*) from register_reference r join register_item s on s.id = r.item_id
         where r.target_id = in_setup and r.path in ('/setup', '/registration_setup') and s.id <> new.id
           and s.register = 'students/subject-registration-seat' and s.status = 'Taken'
           and s.data ->> 'subject' = new.data ->> 'subject') then
       raise exception 'no place is left in % of %', new.data ->> 'subject', in_setup using errcode = 'check_violation',
         constraint = 'seat_within_limit';
     end if;
     return null;
   end $$`,
  `create trigger seat_within_limit after insert on app.register_item for each row
     when (new.register = 'students/subject-registration-seat' and new.status = 'Taken')
     execute function app.seat_within_limit()`,
  `create or replace function app.entry_of_case() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     -- The year is deferred: the entry ends as it is.
     if old.register = 'students/subject-registration' and new.status = 'Cancelled'
       and (new.data, new.of_case) is not distinct from (old.data, old.of_case)
       and exists (select from register_reference r join register_item d on d.id = r.item_id
         where r.target_id = (old.data ->> 'student')::uuid and r.path = '/student' and d.status = 'Active'
           and d.register = 'students/request-deferment' and d.data ->> 'academic_year' = old.data ->> 'academic_year') then
       return new;
     end if;
     if not exists (select from flow_case where reference = new.of_case and state in ('starting', 'running')) then
       raise exception 'entry % was written by a case that has ended', new.id using errcode = 'check_violation',
         constraint = 'entry_of_case', detail = coalesce(old.of_case, new.of_case);
     end if;
     return new;
   end $$`,
]
