import { type Kysely, sql } from 'kysely'

/** Entries whose days are bounded: the last is not before the first, and they are not too many (`x-most-days`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Field with the last day → {"from": field with the first day, "days": the most}; null: none.
  `alter table app.register_item add column bounds jsonb`,
  `create function app.days_within(data jsonb, bounds jsonb) returns boolean
   language sql immutable set search_path = app, pg_temp as $$
     select coalesce(bool_and((data ->> key)::date - (data ->> (value ->> 'from'))::date
       between 0 and (value ->> 'days')::integer - 1), true) from jsonb_each(bounds)
   $$`,
  `alter table app.register_item add constraint item_days_within check (bounds is null or app.days_within(data, bounds))`,
]
