import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'

/** A draft of a task's form, with the versions of task and case when it was begun. */
export interface DraftRow {
  data: JsonObject
  form_hash: string
  case_version: number
  version: number
  saved_at: Date
}

type Saved = Pick<DraftRow, 'version' | 'saved_at'>

/** Drafts of task forms, one per person and task. */
export function draftRepository(db: Kysely<DB> | Transaction<DB>) {
  const own = (taskId: string, accountId: string) => ({ task_id: taskId, account_id: accountId })

  return {
    async find(taskId: string, accountId: string): Promise<DraftRow | undefined> {
      return db
        .selectFrom('task_draft')
        .select(['data', 'form_hash', 'case_version', 'version', 'saved_at'])
        .where((eb) => eb.and(own(taskId, accountId)))
        .executeTakeFirst()
    },

    /** Begins a draft with the present versions of task and case; undefined if there is one already. */
    async begin(taskId: string, accountId: string, data: object): Promise<Saved | undefined> {
      const { rows } = await sql<Saved>`
        insert into task_draft (task_id, account_id, data, form_hash, task_version, case_version)
        select t.id, ${accountId}, ${JSON.stringify(data)}::jsonb, t.form_hash, t.version, c.version
        from task t join flow_case c on c.id = t.case_id where t.id = ${taskId} and t.form_hash is not null
        on conflict do nothing returning version, saved_at`.execute(db)
      return rows[0]
    },

    /** Saves on top of the given version; undefined if the draft has another one. */
    async goOn(taskId: string, accountId: string, data: object, version: number): Promise<Saved | undefined> {
      return db
        .updateTable('task_draft')
        .set((eb) => ({
          data: JSON.stringify(data),
          version: eb('version', '+', 1),
          saved_at: sql<Date>`clock_timestamp()`,
        }))
        .where((eb) => eb.and({ ...own(taskId, accountId), version }))
        .returning(['version', 'saved_at'])
        .executeTakeFirst()
    },

    /** Makes a taken-back answer the draft again, in place of the one that it came from. */
    async restore(taskId: string, accountId: string): Promise<void> {
      await sql`
        insert into task_draft (task_id, account_id, data, form_hash, task_version, case_version)
        select t.id, ${accountId}, s.data, s.form_hash, t.version, c.version
        from task t join flow_case c on c.id = t.case_id
        cross join lateral (
          select data, form_hash from submission
          where task_id = t.id and submitted_by = ${accountId} order by at desc limit 1) s
        where t.id = ${taskId}
        on conflict (task_id, account_id) do update set data = excluded.data, form_hash = excluded.form_hash,
          task_version = excluded.task_version, case_version = excluded.case_version,
          version = task_draft.version + 1, saved_at = clock_timestamp()`.execute(db)
    },

    /** False if there was none. */
    async drop(taskId: string, accountId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('task_draft')
        .where((eb) => eb.and(own(taskId, accountId)))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
