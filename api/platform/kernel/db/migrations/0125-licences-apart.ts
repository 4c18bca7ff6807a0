import { type Kysely, sql } from 'kysely'

/** Licences and insurances in force stay apart; of two that overlap already, the first is kept apart from others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `insert into app.register_span (register, field, value, span, item_id)
       select register, '/until', lower(data ->> 'vehicle') || E'\\n' || lower(data ->> 'kind'),
         daterange((data ->> 'from')::date, (data ->> 'until')::date, '[]'), id
       from app.register_item
       where register = 'vehicles/licence' and status = 'Active' and data ->> 'vehicle' is not null
         and (data ->> 'from')::date <= (data ->> 'until')::date
       order by created_at
       on conflict do nothing`,
    )
    .execute(db)
}
