import { type Kysely, sql } from 'kysely'

/** A curriculum freezes the prerequisites of its subjects, and whether students choose those of a course type. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const freezes = (field: string, fields: string) =>
  `update app.register_reference r set freezes = '${fields}' from app.register_item i
     where i.id = r.item_id and i.register = 'setup/curriculum' and r.path ~ '^/subjects/[0-9]+/${field}$'`

const statements = [freezes('subject', '{credits,prerequisites}'), freezes('kind', '{name,chosen}')]
