import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'

/** Seconds without a signal after which a person counts as gone. */
const GONE_AFTER_SECONDS = 40

/** Who has which task open now. */
export function presenceRepository(db: Kysely<DB> | Transaction<DB>) {
  const gone = sql<boolean>`seen_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})`
  return {
    /** Records that a person has a task open; returns true if that changes what others see. */
    async look(taskId: string, accountId: string, typing: boolean): Promise<boolean> {
      const { rows } = await sql<{ was: boolean | null }>`
        with before as (select typing from task_presence where task_id = ${taskId} and account_id = ${accountId} and not ${gone})
        insert into task_presence (task_id, account_id, typing) values (${taskId}, ${accountId}, ${typing})
        on conflict (task_id, account_id) do update set seen_at = clock_timestamp(), typing = excluded.typing
        returning (select typing from before) as was`.execute(db)
      return known(rows[0], 'the row before').was !== typing
    },

    /** Returns whether they had it open. */
    async leave(taskId: string, accountId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('task_presence')
        .where('task_id', '=', taskId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** Removes people whose signal has expired; returns the tasks that they had open. */
    async forget(): Promise<string[]> {
      const rows = await db.deleteFrom('task_presence').where(gone).returning('task_id').execute()
      return [...new Set(rows.map((row) => row.task_id))]
    },

    /** Who else has a task open. */
    async listOthers(taskId: string, accountId: string): Promise<{ id: string; name: string; typing: boolean }[]> {
      return db
        .selectFrom('task_presence as p')
        .innerJoin('account as a', 'a.id', 'p.account_id')
        .select(['a.id', 'a.name', 'p.typing'])
        .where('p.task_id', '=', taskId)
        .where('p.account_id', '<>', accountId)
        .where((eb) => eb.not(gone))
        .orderBy('a.name')
        .execute()
    },
  }
}
