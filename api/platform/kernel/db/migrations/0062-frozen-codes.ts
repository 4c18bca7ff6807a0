import { type Kysely, sql } from 'kysely'

/** A curriculum freezes the codes of its subjects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update app.register_reference r set freezes = '{code,credits?,prerequisites}' from app.register_item i
    where i.id = r.item_id and i.register = 'setup/curriculum' and r.path ~ '^/subjects/[0-9]+/subject$'`.execute(db)
}
