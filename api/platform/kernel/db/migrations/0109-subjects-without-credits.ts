import { type Kysely, sql } from 'kysely'

/** The type of the first start whose subjects have no credits says so; a curriculum freezes what its types say of that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `with named as (
     update app.register_item set version = version + 1, changed_at = now(), data = data || '{"uncounted": true}'
     where register = 'course-management/course-type' and data ->> 'name' = 'Non Credit Compulsory'
     returning id, version, status, data
   )
   insert into app.register_item_version (item_id, version, status, data) select id, version, status, data from named`,
  `update app.register_reference r set freezes = '{name,chosen,uncounted}' from app.register_item i
     where i.id = r.item_id and i.register = 'setup/curriculum' and r.path ~ '^/subjects/[0-9]+/kind$'`,
]
