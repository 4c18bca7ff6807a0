import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { v4 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'

/** For how long a link opens its decision, and for how long after that it is known what became of it. */
const LIFE = '7 days'
const KEPT = '30 days'
/** Rows that are taken away at a time. */
const BATCH = 5000

const ID_BYTES = 16
const SECRET_BYTES = 32

/** A link in a mail that lets its reader decide one task. */
export interface TaskLink {
  id: string
  taskId: string
  accountId: string
  usedAt: Date | null
  /** Neither run out, nor sent before the account got another password. */
  good: boolean
}

/**
 * Links in mails that open one decision for one person, with 256 random bits of which only a hash is stored. The hash is
 * over the address too: with another address of the account the link is none, as it is with another password.
 */
export function taskLinks(trx: Kysely<DB> | Transaction<DB>) {
  return {
    /** Makes the secret part of a link; the only time that it is seen. */
    async issue(taskId: string, account: { id: string; email: string }): Promise<string> {
      const id = uuid()
      const secret = randomBytes(SECRET_BYTES)
      await trx
        .insertInto('task_link')
        .values({
          id,
          task_id: taskId,
          account_id: account.id,
          token_hash: hashOf(secret, account.email),
          expires_at: sql`now() + ${LIFE}::interval`,
        })
        .execute()
      return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), secret]).toString('base64url')
    },

    /** The link that somebody brings; undefined if we made none such, or for an account that is closed. */
    async find(token: string): Promise<TaskLink | undefined> {
      const bytes = /^[\w-]{64}$/.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
      if (bytes.length !== ID_BYTES + SECRET_BYTES) return undefined
      const id = bytes.subarray(0, ID_BYTES).toString('hex')
      const row = await trx
        .selectFrom('task_link as l')
        .innerJoin('account as a', 'a.id', 'l.account_id')
        .select(['l.id', 'l.token_hash', 'l.task_id', 'l.account_id', 'l.used_at', 'a.email'])
        .select(
          sql<boolean>`l.expires_at > now() and l.created_at >= coalesce(a.password_changed_at, '-infinity')`.as(
            'good',
          ),
        )
        .where('l.id', '=', sql<string>`${id}::uuid`)
        .where('a.active', '=', true)
        .executeTakeFirst()
      if (!row || !timingSafeEqual(row.token_hash, hashOf(bytes.subarray(ID_BYTES), row.email))) return undefined
      return { id: row.id, taskId: row.task_id, accountId: row.account_id, usedAt: row.used_at, good: row.good }
    },

    /** Uses a link up. False if somebody was faster. */
    async use(id: string): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('task_link')
        .set({ used_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Takes away what ran out long ago, a part at a time. */
    async tidy(): Promise<void> {
      await sql`delete from task_link where ctid = any(array(
        select ctid from task_link where expires_at < now() - ${KEPT}::interval limit ${BATCH}))`.execute(trx)
    },
  }
}

function hashOf(secret: Buffer, address: string): Buffer {
  return createHash('sha256').update(secret).update(address.toLowerCase()).digest()
}
