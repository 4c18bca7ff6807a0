import { type Kysely, sql } from 'kysely'

/**
 * A vehicle has one licence and one insurance in force for each day. Those that overlap already stay until they end; none
 * is added to them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.licences_stay_apart() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare other text;
   begin
     perform pg_advisory_xact_lock(hashtextextended('licence ' || (new.data ->> 'vehicle') || (new.data ->> 'kind'), 0));
     select data ->> 'number' into other from register_item
       where register = 'vehicles/licence' and status = 'Active' and id <> new.id
         and data ->> 'vehicle' = new.data ->> 'vehicle' and data ->> 'kind' = new.data ->> 'kind'
         and daterange((data ->> 'from')::date, (data ->> 'until')::date, '[]')
           && daterange((new.data ->> 'from')::date, (new.data ->> 'until')::date, '[]') limit 1;
     if found then
       raise exception 'the days of % are those of %, too', new.data ->> 'number', other using errcode = 'exclusion_violation',
         constraint = 'licences_stay_apart';
     end if;
     return new;
   end $$`,
  `create trigger licences_stay_apart_from_the_start before insert on app.register_item for each row
     when (new.register = 'vehicles/licence' and new.status = 'Active') execute function app.licences_stay_apart()`,
  `create trigger licences_stay_apart before update of status, data on app.register_item for each row
     when (new.register = 'vehicles/licence' and new.status = 'Active' and (old.status <> 'Active'
       or (new.data -> 'vehicle', new.data -> 'kind', new.data -> 'from', new.data -> 'until')
         is distinct from (old.data -> 'vehicle', old.data -> 'kind', old.data -> 'from', old.data -> 'until')))
     execute function app.licences_stay_apart()`,
]
