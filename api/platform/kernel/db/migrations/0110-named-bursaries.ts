import { type Kysely, sql } from 'kysely'

/** A bursary with a value keeps its name, by which the table of eligibility awards it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`update app.register_reference r set freezes = '{name}' from app.register_item i
      where i.id = r.item_id and i.register = 'bursary/installment-value' and r.path = '/scheme'`)
    .execute(db)
}
