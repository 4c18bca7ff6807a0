import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { newMailedToken, readMailedToken } from '../../kernel/mailed-token.ts'

/** How long a link is valid, and how long after that its result can still be shown. */
const LIFE = '7 days'
const KEPT = '30 days'
/** Rows deleted per statement. */
const BATCH = 5000

/** A mailed link that lets its reader decide one task. */
export interface TaskLink {
  id: string
  taskId: string
  accountId: string
  usedAt: Date | null
  /** Neither expired, nor sent before the last change of password. */
  good: boolean
}

/**
 * Mailed links that open one decision for one person. They have 256 random bits, and only a hash is stored. The hash
 * covers the address, so a change of address invalidates the link, as does a change of password.
 */
export function taskLinks(trx: Kysely<DB> | Transaction<DB>) {
  return {
    /** Creates the secret part of a link; it is returned only here. */
    async issue(taskId: string, account: { id: string; email: string }): Promise<string> {
      const { id, token, hash } = newMailedToken(account.email)
      await trx
        .insertInto('task_link')
        .values({
          id,
          task_id: taskId,
          account_id: account.id,
          token_hash: hash,
          expires_at: sql`now() + ${LIFE}::interval`,
        })
        .execute()
      return token
    },

    /** The link for a token; undefined if it is unknown, or the account is closed. */
    async find(token: string): Promise<TaskLink | undefined> {
      const read = readMailedToken(token)
      if (!read) return undefined
      const row = await trx
        .selectFrom('task_link as l')
        .innerJoin('account as a', 'a.id', 'l.account_id')
        .select(['l.id', 'l.token_hash', 'l.task_id', 'l.account_id', 'l.used_at', 'a.email'])
        .select(
          sql<boolean>`l.expires_at > now() and l.created_at >= coalesce(a.password_changed_at, '-infinity')`.as(
            'good',
          ),
        )
        .where('l.id', '=', sql<string>`${read.id}::uuid`)
        .where('a.active', '=', true)
        .executeTakeFirst()
      if (!row || !read.isOf(row.token_hash, row.email)) return undefined
      return { id: row.id, taskId: row.task_id, accountId: row.account_id, usedAt: row.used_at, good: row.good }
    },

    /** Marks a link as used. False if somebody was faster. */
    async use(id: string): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('task_link')
        .set({ used_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Deletes links that expired long ago, a batch at a time. */
    async tidy(): Promise<void> {
      await sql`delete from task_link where ctid = any(array(
        select ctid from task_link where expires_at < now() - ${KEPT}::interval limit ${BATCH}))`.execute(trx)
    },
  }
}
