import { type Kysely, sql } from 'kysely'

/**
 * People rest once they are back, however late that is: what a step notes as their rest is not claimed by another case.
 * And a case that joins others on a day does not take somebody over the most hours of a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.item_rest (
     item_id uuid not null references app.register_item,
     case_id uuid not null references app.flow_case,
     during tstzrange not null check (not isempty(during)),
     primary key (item_id, case_id)
   )`,
  `grant select, insert, update, delete on app.item_rest to prakriya_app`,
  `create index on app.item_rest using gist (item_id, during)`,
  `create index on app.item_rest (case_id)`,
  `alter table app.allocation add column most_a_day smallint check (most_a_day between 1 and 24)`,
  // Until when an entry rests that another case wants in a span; null if it does not.
  `create function app.rests_until(item uuid, span tstzrange, whose uuid) returns timestamptz language sql stable
     set search_path = app, pg_temp as $$
     select max(upper(during)) from item_rest
     where item_id = item and during && span and case_id is distinct from whose
   $$`,
  // The first day on which an entry that others have too would be out for more than these hours; null if there is none.
  // A case that has a day alone may take all of it.
  `create function app.day_over(item uuid, span tstzrange, most integer, whose uuid) returns date language sql stable
     set search_path = app, pg_temp as $$
     select day from (
       select d::date as day, tstzrange(d at time zone 'Asia/Colombo', (d + interval '1 day') at time zone 'Asia/Colombo') as hours
       from generate_series((lower(span) at time zone 'Asia/Colombo')::date::timestamp,
         (upper(span) at time zone 'Asia/Colombo')::date::timestamp, interval '1 day') as d
     ) as days cross join lateral (
       select range_agg(booked * hours) as out from allocation
       where item_id = item and exclusive and state <> 'released' and booked && hours
         and case_id is distinct from whose and (expires_at is null or expires_at > clock_timestamp())
     ) as others
     where span && hours and out is not null and (
       select sum(upper(part) - lower(part)) from unnest(out + tstzmultirange(span * hours)) as part
     ) > make_interval(hours => most)
     order by day limit 1
   $$`,
  `create function app.people_rest() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     -- Of two claims at once, the later one sees the earlier one.
     perform from register_item where id = new.item_id for no key update;
     if rests_until(new.item_id, new.booked, new.case_id) is not null then
       raise exception 'entry % rests in this time', new.item_id using errcode = 'exclusion_violation',
         constraint = 'allocation_of_one_who_rests';
     end if;
     if new.most_a_day is not null and day_over(new.item_id, new.booked, new.most_a_day, new.case_id) is not null then
       raise exception 'entry % would be out too long on a day', new.item_id using errcode = 'exclusion_violation',
         constraint = 'allocation_hours_of_a_day';
     end if;
     return new;
   end $$`,
  `create trigger people_rest before insert on app.allocation for each row
     when (new.state <> 'released' and new.exclusive and new.case_id is not null) execute function app.people_rest()`,
  `create trigger people_rest_longer before update of booked, item_id on app.allocation for each row
     when (new.state <> 'released' and new.exclusive and new.case_id is not null
       and (new.item_id <> old.item_id or not old.booked @> new.booked)) execute function app.people_rest()`,
]
