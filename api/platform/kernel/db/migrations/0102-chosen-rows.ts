import { type Kysely, sql } from 'kysely'

/** What an entry chooses among the rows of a list of its own is one of them, and the least unless it says why not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function app.is_row_chosen(data jsonb, field text, rule jsonb) returns boolean
   language sql immutable set search_path = app, pg_temp as $$
     select not data ? field or coalesce(jsonb_array_length(data -> (rule ->> 'list')), 0) = 0 or exists (
       select from jsonb_array_elements(data -> (rule ->> 'list')) as mine
       where mine ->> (rule ->> 'names') = data ->> field and (
         not rule ? 'by' or data ->> (rule ->> 'unless') is not null or not exists (
           select from jsonb_array_elements(data -> (rule ->> 'list')) as other
           where (other ->> (rule ->> 'by'))::numeric < (mine ->> (rule ->> 'by'))::numeric)))
   $$`,
  `create or replace function app.within_bounds(data jsonb, bounds jsonb) returns boolean
   language sql immutable set search_path = app, pg_temp as $$
     select coalesce(bool_and(case
         when bound.value ? 'row' then is_row_chosen(data, key, bound.value -> 'row')
         when bound.value ? 'once' then (
           select count(r.named ->> (bound.value ->> 'once')) = count(distinct r.named ->> (bound.value ->> 'once'))
           from jsonb_array_elements(case when jsonb_typeof(data -> key) = 'array' then data -> key else '[]' end) as r(named))
         when value ? 'days' then (data ->> key)::date - (data ->> (value ->> 'from'))::date
           between 0 and (value ->> 'days')::integer - 1
         when value ? 'notBefore' then (data ->> key) collate "C" >= (data ->> (value ->> 'notBefore')) collate "C"
         when jsonb_typeof(data -> key) = 'number' then (data ->> key)::numeric > (data ->> (value ->> 'after'))::numeric
         else (data ->> key)::timestamptz > (data ->> (value ->> 'after'))::timestamptz
       end), true) from jsonb_each(bounds) as bound
   $$`,
]
