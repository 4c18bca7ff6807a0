import { type Kysely, sql } from 'kysely'

/**
 * Entries whose days are bounded: the last is not before the first, and they are not too many (`x-most-days`). Of two
 * moments or numbers, one is later or more than the other (`x-after`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Field with the last day → {"from": field with the first day, "days": the most}, or field → {"after": the lesser one};
  // null: none.
  `alter table app.register_item add column bounds jsonb`,
  `create function app.within_bounds(data jsonb, bounds jsonb) returns boolean
   language sql immutable set search_path = app, pg_temp as $$
     select coalesce(bool_and(case
         when value ? 'days' then (data ->> key)::date - (data ->> (value ->> 'from'))::date
           between 0 and (value ->> 'days')::integer - 1
         when jsonb_typeof(data -> key) = 'number' then (data ->> key)::numeric > (data ->> (value ->> 'after'))::numeric
         else (data ->> key)::timestamptz > (data ->> (value ->> 'after'))::timestamptz
       end), true) from jsonb_each(bounds)
   $$`,
  `alter table app.register_item add constraint item_within_bounds check (bounds is null or app.within_bounds(data, bounds))`,
]
