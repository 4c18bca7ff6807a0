import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { plain } from './values.ts'

/** The title of the entry that has this value in a field with `x-unique`. */
export async function titleWithUnique(
  db: Kysely<DB>,
  register: string,
  { field, value }: { field: string; value: unknown },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('register_unique as u')
    .innerJoin('register_item as i', 'i.id', 'u.item_id')
    .select('i.title')
    .where('u.register', '=', register)
    .where('u.field', '=', field)
    .where('u.value', '=', plain(value))
    .executeTakeFirst()
  return row?.title
}
