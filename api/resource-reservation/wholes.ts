import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import type { Resource } from './booking.ts'
import { known } from '../platform/kernel/known.ts'
import { uuidIn } from '../platform/kernel/db/uuid.ts'

/** The resources that contain these, by id, nearest first. */
export async function wholesOf(
  trx: Transaction<DB>,
  resources: readonly string[],
): Promise<ReadonlyMap<string, readonly Resource[]>> {
  const { rows } = await sql<{ part: string; data: Resource }>`
    with recursive whole (part, id, parent, data, path) as (
      select id, id, data ->> 'parent', data, array[id] from register_item where id = any(${resources}::uuid[])
      union all
      select w.part, i.id, i.data ->> 'parent', i.data, w.path || i.id
        from whole w join register_item i on i.id = ${uuidIn(sql`w.parent`)} and not i.id = any(w.path)
    )
    select part, data from whole where part <> id order by part, cardinality(path)`.execute(trx)
  const found = new Map<string, Resource[]>(resources.map((id) => [id, []]))
  for (const { part, data } of rows) known(found.get(part), 'a resource that was asked for').push(data)
  return found
}
