import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { ItemError } from './refusals.ts'

/**
 * Changed fields of an entry that another entry freezes (`x-freezes`), each with the title of one that does. A name with
 * a question mark may get its first value.
 */
export async function frozenFields(
  trx: Transaction<DB>,
  id: string,
  { before, after }: { before: JsonObject; after: JsonObject },
): Promise<ItemError[]> {
  const { rows } = await sql<{ name: string; by: string }>`
    select distinct on (f.name) f.name, n.title as by
    from register_reference r cross join unnest(r.freezes) as u(written)
      cross join lateral (select rtrim(u.written, '?')) as f(name) join register_item n on n.id = r.item_id
    where r.target_id = ${id}::uuid and r.freezes is not null
      and (u.written = f.name or ${JSON.stringify(before)}::jsonb -> f.name is not null)
      and ${JSON.stringify(before)}::jsonb -> f.name is distinct from ${JSON.stringify(after)}::jsonb -> f.name
    order by f.name, n.title`.execute(trx)
  return rows.map(({ name, by }) => ({
    index: 0,
    field: `/${name}`,
    code: 'platform.item-frozen',
    values: { by },
  }))
}

/** A changed entry would no longer agree with one that names it (`x-agrees`): the fields, each with the title of one. */
export async function disagreeingFields(trx: Transaction<DB>, id: string, after: JsonObject): Promise<ItemError[]> {
  const { rows } = await sql<{ name: string; by: string }>`
    select coalesce(rule ->> 'is', rule ->> 'atMost', rule ->> 'notBefore', rule ->> 'notAfter') as name, min(n.title) as by
    from register_reference r join register_item n on n.id = r.item_id
      cross join lateral (select r.agrees -> disagreement(n.data, ${JSON.stringify(after)}::jsonb, r.agrees)) as d(rule)
    where r.target_id = ${id}::uuid and r.agrees is not null and rule is not null
    group by name order by name`.execute(trx)
  return rows.map(({ name, by }) => ({ index: 0, field: `/${name}`, code: 'platform.item-needed-so', values: { by } }))
}
