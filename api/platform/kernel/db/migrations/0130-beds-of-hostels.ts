import { type Kysely, sql } from 'kysely'

/**
 * A bed of a hostel has one student, a student one bed, and a room no more beds than it has places, whatever writes the
 * places. Places that break this already stop the migration and are named: which of them to end, people decide.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `do $$
   declare wrong text;
   begin
     select string_agg(s.title, ', ' order by s.title) into wrong from app.register_item s
       left join app.register_item r on r.id::text = lower(s.data ->> 'room')
       where s.register = 'hostel/stay' and s.status = 'Taken' and (
         (s.data ->> 'room' is not null
           and not coalesce((s.data ->> 'bed')::integer between 1 and (r.data ->> 'capacity')::integer, false))
         or exists (select from app.register_item o where o.register = 'hostel/stay' and o.status = 'Taken' and o.id <> s.id
           and (lower(o.data ->> 'student') = lower(s.data ->> 'student')
             or (lower(o.data ->> 'room'), o.data ->> 'bed') = (lower(s.data ->> 'room'), s.data ->> 'bed'))));
     if wrong is not null then
       raise exception 'places in hostels share a bed or a student, or have a bed that their room has not: %', wrong
         using hint = 'End the wrong ones with the earlier version, then start this one again.';
     end if;
   end $$`,
  `create unique index hostel_bed_once on app.register_item (lower(data ->> 'room'), ((data ->> 'bed')::integer))
     where register = 'hostel/stay' and status = 'Taken'`,
  `create unique index hostel_student_once on app.register_item (lower(data ->> 'student'))
     where register = 'hostel/stay' and status = 'Taken'`,
  `create function app.hostel_bed_of_room() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare
     in_room register_item;
   begin
     -- Who takes beds away from it waits, and who gives them waits for that.
     select * into in_room from register_item
       where id = (new.data ->> 'room')::uuid and register = 'hostel/room' for share;
     if not coalesce((new.data ->> 'bed')::integer between 1 and (in_room.data ->> 'capacity')::integer, false) then
       raise exception 'room % has no bed %', in_room.id, new.data ->> 'bed' using errcode = 'check_violation',
         constraint = 'hostel_bed_of_room', detail = coalesce(in_room.title, '');
     end if;
     return new;
   end $$`,
  `create trigger hostel_bed_of_room before insert or update of data, status on app.register_item for each row
     when (new.register = 'hostel/stay' and new.status = 'Taken' and new.data ->> 'room' is not null)
     execute function app.hostel_bed_of_room()`,
  `create function app.hostel_room_keeps_beds() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare living text;
   begin
     select min(s.title) into living from register_item s
       where s.register = 'hostel/stay' and s.status = 'Taken' and lower(s.data ->> 'room') = new.id::text
         and not coalesce((s.data ->> 'bed')::integer <= (new.data ->> 'capacity')::integer, false);
     if living is not null then
       raise exception 'a bed of room % that would go is taken', new.id using errcode = 'check_violation',
         constraint = 'hostel_room_keeps_beds', detail = living;
     end if;
     return new;
   end $$`,
  `create trigger hostel_room_keeps_beds before update of data on app.register_item for each row
     when (new.register = 'hostel/room' and new.data ->> 'capacity' is distinct from old.data ->> 'capacity')
     execute function app.hostel_room_keeps_beds()`,
]
