import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'

/** An entry that a case names, and the field that names it. */
interface Claimed {
  path: string
  id: string
}

/**
 * Keeps entries for a case, instead of those that it kept before, until it ends. Returns what is wrong with the fields
 * whose entries another running case of the flow keeps.
 */
export async function claimItems(
  db: Kysely<DB>,
  { caseId, flow }: { caseId: string; flow: string },
  items: readonly Claimed[],
): Promise<FieldError[]> {
  await db.deleteFrom('case_claim').where('case_id', '=', caseId).execute()
  if (items.length === 0) return []
  // In one order, so that two cases that name the same entries cannot deadlock.
  const { rows } = await sql<{ item_id: string }>`
    insert into case_claim (case_id, flow, item_id)
    select ${caseId}::uuid, ${flow}, id from unnest(${items.map(({ id }) => id)}::uuid[]) as named(id) group by id order by id
    on conflict on constraint case_claim_once do nothing returning item_id`.execute(db)
  const kept = new Set(rows.map((row) => row.item_id))
  return items
    .filter(({ id }) => !kept.has(id.toLowerCase()))
    .map(({ path }) => ({ field: path, code: 'platform.item-claimed' }))
}
