import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { bound } from '../../kernel/bound.ts'

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Stores the entries that a new case refers to. */
export async function addCaseItems(
  db: Kysely<DB>,
  caseId: string,
  items: readonly { path: string; id: string; version: number }[],
): Promise<void> {
  if (items.length === 0) return
  await db
    .insertInto('case_item')
    .values(items.map(({ path, id, version }) => ({ case_id: caseId, path, item_id: id, item_version: version })))
    .execute()
}

/** Replaces the entries that a case refers to. */
export async function setCaseItems(
  db: Kysely<DB>,
  caseId: string,
  items: readonly { path: string; id: string; version: number }[],
): Promise<void> {
  await db.deleteFrom('case_item').where('case_id', '=', caseId).execute()
  await addCaseItems(db, caseId, items)
}

/** A register entry, for a submission that refers to it. */
export async function findItem(db: Kysely<DB>, register: string, id: string) {
  return db
    .selectFrom('register_item')
    .select(['id', 'title', 'status', 'version', 'data'])
    .where('register', '=', register)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The entries of a register in a status, by title. */
export async function listItems(db: Kysely<DB>, register: string, status: string) {
  return db
    .selectFrom('register_item')
    .select(['id', 'title', 'status', 'version', 'data'])
    .where('register', '=', register)
    .where('status', '=', status)
    .orderBy('title')
    .orderBy('id')
    .execute()
}

/** A register entry by its id alone. */
export async function findAnyItem(db: Kysely<DB>, id: string) {
  if (!uuidPattern.test(id)) return undefined
  return db
    .selectFrom('register_item')
    .select(['id', 'register', 'title', 'status', 'version', 'data'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The id of an entry whose field of its content has this value, perhaps only in one status. */
export async function findItemWith(
  db: Kysely<DB>,
  register: string,
  { field, value, status }: { field: string; value: string; status?: string },
): Promise<string | undefined> {
  const found = db
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', register)
    .where(sql<string>`data ->> ${sql.lit(field)}`, '=', value)
  const row = await (status === undefined ? found : found.where('status', '=', status)).executeTakeFirst()
  return row?.id
}

/** Titles of register entries, by id. */
export async function itemTitles(db: Kysely<DB>, ids: readonly string[]): Promise<Map<string, string>> {
  const uuids = ids.filter((id) => uuidPattern.test(id))
  if (uuids.length === 0) return new Map()
  const rows = await db.selectFrom('register_item').select(['id', 'title']).where('id', 'in', uuids).execute()
  return new Map(rows.map((row) => [row.id, row.title]))
}

/** Register entries as they were at a moment; entries without a version from before then are left out. */
async function itemsThen(db: Kysely<DB>, ids: readonly string[], moment: Date) {
  const uuids = ids.filter((id) => uuidPattern.test(id))
  if (uuids.length === 0) return []
  return db
    .selectFrom('register_item_version as v')
    .innerJoin('register_item as i', 'i.id', 'v.item_id')
    .distinctOn('v.item_id')
    .select(['v.item_id as id', 'i.register', 'v.status', 'v.version', 'v.data'])
    .where('v.item_id', 'in', uuids)
    .where('v.at', '<=', moment)
    .orderBy('v.item_id')
    .orderBy('v.version', 'desc')
    .execute()
}

/** The register entries that cases refer to. */
export function itemRepository(db: Kysely<DB>) {
  return bound(db, {
    addItems: addCaseItems,
    setItems: setCaseItems,
    findItem,
    listItems,
    findAnyItem,
    itemTitles,
    itemsThen,
  })
}
