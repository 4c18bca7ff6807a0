import type { Kysely, Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The register items that cases refer to. */
export function itemRepository(db: Kysely<DB> | Transaction<DB>) {
  /** Says which items a new case refers to. */
  async function addItems(
    caseId: string,
    items: readonly { path: string; id: string; version: number }[],
  ): Promise<void> {
    if (items.length === 0) return
    await db
      .insertInto('case_item')
      .values(items.map(({ path, id, version }) => ({ case_id: caseId, path, item_id: id, item_version: version })))
      .execute()
  }

  return {
    /** Says which items a case refers to, in place of those that it referred to before. */
    async setItems(caseId: string, items: readonly { path: string; id: string; version: number }[]): Promise<void> {
      await db.deleteFrom('case_item').where('case_id', '=', caseId).execute()
      await addItems(caseId, items)
    },

    addItems,

    /** A register item as a submission refers to it. */
    async findItem(register: string, id: string) {
      const row = await db
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'version', 'data'])
        .where('register', '=', register)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...row, data: row.data as JsonObject }
    },

    /** The items of a register in a status, by title. */
    async listItems(register: string, status: string) {
      const rows = await db
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'version', 'data'])
        .where('register', '=', register)
        .where('status', '=', status)
        .orderBy('title')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ ...row, data: row.data as JsonObject }))
    },

    /** A register item by its id alone. */
    async findAnyItem(id: string) {
      if (!uuidPattern.test(id)) return undefined
      const row = await db
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'version', 'data'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...row, data: row.data as JsonObject }
    },

    /** Titles of register items, by id. */
    async itemTitles(ids: readonly string[]): Promise<Map<string, string>> {
      const uuids = ids.filter((id) => uuidPattern.test(id))
      if (uuids.length === 0) return new Map()
      const rows = await db.selectFrom('register_item').select(['id', 'title']).where('id', 'in', uuids).execute()
      return new Map(rows.map((row) => [row.id, row.title]))
    },

    /** Register items as they were at a moment; those of which no version was kept until then are left out. */
    async itemsThen(ids: readonly string[], moment: Date) {
      const uuids = ids.filter((id) => uuidPattern.test(id))
      if (uuids.length === 0) return []
      const rows = await db
        .selectFrom('register_item_version as v')
        .innerJoin('register_item as i', 'i.id', 'v.item_id')
        .distinctOn('v.item_id')
        .select(['v.item_id as id', 'i.register', 'v.status', 'v.version', 'v.data'])
        .where('v.item_id', 'in', uuids)
        .where('v.at', '<=', moment)
        .orderBy('v.item_id')
        .orderBy('v.version', 'desc')
        .execute()
      return rows.map((row) => ({ ...row, data: row.data as JsonObject }))
    },
  }
}
