import { type Kysely, sql } from 'kysely'

/**
 * A receipt is that of one deposit of an instrument. Of loans of before that name the same the first has it; those that
 * still run leave it out, so that they can be returned. What the hand-over said stays in its submission.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create temporary table receipt on commit drop as
     select id, final, value, row_number() over (partition by value order by created_at, id) as place from (
       select id, final, created_at, lower(trim(normalize(data ->> 'receipt', NFKC))) as value from app.register_item
       where register = 'instruments/loan' and data ->> 'receipt' is not null) as named`,
  `insert into app.register_unique (register, field, value, item_id)
     select 'instruments/loan', '/receipt', value, id from receipt where place = 1`,
  `with changed as (
     update app.register_item i set data = i.data - 'receipt', version = i.version + 1, changed_at = now()
     from receipt r where r.id = i.id and r.place > 1 and not r.final
     returning i.id, i.version, i.status, i.data)
   insert into app.register_item_version (item_id, version, status, data) select id, version, status, data from changed`,
]
