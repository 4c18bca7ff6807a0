import { type Kysely, sql } from 'kysely'

/** Rows that name what a list to which their entry leads names; entries in use whose days do not overlap. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // {"listed": {at, names, with}}: `with` has a field of the rows, and what it holds: a lookup of this entry or a number.
  `create function app.is_listed(entry jsonb, target uuid, rule jsonb) returns boolean
   language sql stable set search_path = app, pg_temp as $$
     select exists (
       select from jsonb_array_elements(coalesce(followed(entry, rule ->> 'at'), '[]')::jsonb) as r(named)
       where r.named ->> (rule ->> 'names') = target::text and not exists (
         select from jsonb_each(rule -> 'with') as w
         where r.named ->> w.key is distinct from
           case jsonb_typeof(w.value) when 'string' then followed(entry, w.value #>> '{}') else w.value #>> '{}' end))
   $$`,
  `create function app.reference_listed() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if not is_listed((select data from register_item where id = new.item_id), new.target_id, new.rules -> 'listed') then
       raise exception 'entry % names what is not in its list', new.item_id using errcode = 'check_violation',
         constraint = 'reference_listed', detail = (select title from register_item where id = new.target_id);
     end if;
     return null;
   end $$`,
  `create trigger reference_listed after insert or update on app.register_reference for each row
     when (new.rules ? 'listed') execute function app.reference_listed()`,
  `create table app.register_span (
     register text not null,
     field text not null,
     value text not null,
     span daterange not null check (not isempty(span)),
     item_id uuid not null references app.register_item,
     primary key (item_id, field),
     constraint register_span_apart exclude using gist (register with =, field with =, value with =, span with &&)
   )`,
  `grant select, insert, delete on app.register_span to prakriya_app`,
  // Set-ups that are in use; of two that overlap already, the first is kept apart from others.
  `insert into app.register_span (register, field, value, span, item_id)
   select register, '/closes', lower(data ->> 'batch') || coalesce(E'\\n' || (data ->> 'year'), ''),
     daterange((data ->> 'opens')::date, (data ->> 'closes')::date, '[]'), id
   from app.register_item
   where register in ('students/registration-setup', 'students/subject-registration-setup') and status = 'Active'
     and data ->> 'batch' is not null and (data ->> 'opens')::date <= (data ->> 'closes')::date
   order by created_at
   on conflict do nothing`,
]
