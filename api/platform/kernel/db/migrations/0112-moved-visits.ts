import { type Kysely, sql } from 'kysely'

/**
 * A field visit is not moved to other days while a vehicle is reserved for it that has not left, and no more students
 * take part in one with a night than have the consent of a parent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.visit_moves_without_vehicle() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if exists (select from case_link l join flow_case f on f.id = l.case_id
         where l.origin_id = new.id and l.name = 'vehicle' and f.state in ('starting', 'running') and f.withdrawn_at is null
           and (f.data ->> 'from')::timestamptz > now()) then
       raise exception 'a vehicle is reserved for the days of %', new.reference using errcode = 'check_violation',
         constraint = 'visit_moves_without_vehicle';
     end if;
     return new;
   end $$`,
  `create trigger visit_moves_without_vehicle before update of data on app.flow_case for each row
     when (new.flow = 'field-visits/field-visit'
       and (new.data -> 'from', new.data -> 'until') is distinct from (old.data -> 'from', old.data -> 'until'))
     execute function app.visit_moves_without_vehicle()`,
  `create function app.visit_goes_with_consents() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare visit jsonb := (select data from flow_case where id = new.case_id);
   begin
     if visit ->> 'overnight' = 'yes' and visit ? 'participants' and (new.data ->> 'took_part')::integer > (
         select count(distinct lower(one ->> 'reg_no')) from jsonb_array_elements(visit -> 'participants') one
           where one ->> 'consent' = 'given') then
       raise exception 'more students took part than have a consent' using errcode = 'check_violation',
         constraint = 'visit_goes_with_consents';
     end if;
     return new;
   end $$`,
  `create trigger visit_goes_with_consents before insert on app.submission for each row
     when (new.form_key = 'field-visits/report') execute function app.visit_goes_with_consents()`,
]
