import { type Kysely, sql } from 'kysely'

/** Places of a register entry: cases take them, wait for one in order, and give them back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.case_place (
     -- The order in which cases asked, given while the entry is locked.
     id bigint generated always as identity primary key,
     case_id uuid not null references app.flow_case,
     item_id uuid not null references app.register_item,
     -- The field of the entry that says how many places there are.
     field text not null,
     state text not null check (state in ('taken', 'waiting', 'released')),
     changed_at timestamptz not null default clock_timestamp()
   )`,
  `create unique index case_place_once on app.case_place (case_id) where state <> 'released'`,
  `create index on app.case_place (item_id, state, id)`,
  `revoke all on app.case_place from prakriya_app`,
  `grant select, insert (case_id, item_id, field, state), update (state, changed_at) on app.case_place to prakriya_app`,
  `create function app.place_is_right() returns trigger language plpgsql as $$
   declare
     there integer;
     taken integer;
   begin
     if new.state <> 'taken' then
       return null;
     end if;
     select (data ->> new.field)::integer into there from app.register_item where id = new.item_id for no key update;
     select count(*) into taken from app.case_place
       where item_id = new.item_id and field = new.field and state = 'taken';
     if taken > coalesce(there, 0) then
       raise exception 'entry % has % places, and % would be taken', new.item_id, coalesce(there, 0), taken
         using errcode = 'check_violation', constraint = 'case_place_within_number';
     end if;
     if exists (
       select from app.case_place p join app.flow_case c on c.id = p.case_id
       where p.item_id = new.item_id and p.field = new.field and p.state = 'waiting' and p.id < new.id
         and c.withdrawn_at is null and c.ended_at is null
     ) then
       raise exception 'somebody has waited longer for a place of entry %', new.item_id
         using errcode = 'check_violation', constraint = 'case_place_in_order';
     end if;
     return null;
   end $$`,
  `create trigger place_is_right after insert or update of state on app.case_place
     for each row execute function app.place_is_right()`,
  `create function app.place_moves_on() returns trigger language plpgsql as $$ begin
     raise exception 'a place that is % cannot become %', old.state, new.state
       using errcode = 'check_violation', constraint = 'case_place_moves_on';
   end $$`,
  `create trigger place_moves_on before update of state on app.case_place for each row
     when (old.state = 'released' or (old.state = 'taken' and new.state = 'waiting'))
     execute function app.place_moves_on()`,
  `create function app.item_places_kept() returns trigger language plpgsql as $$
   declare
     short text;
   begin
     select p.field into short from app.case_place p where p.item_id = new.id and p.state = 'taken'
       group by p.field having count(*) > coalesce((new.data ->> p.field)::integer, 0) limit 1;
     if short is not null then
       raise exception 'more places of entry % are taken', new.id
         using errcode = 'check_violation', constraint = 'item_places_kept', column = short;
     end if;
     return null;
   end $$`,
  `create trigger places_kept after update of data on app.register_item for each row
     when (old.data is distinct from new.data) execute function app.item_places_kept()`,
]
