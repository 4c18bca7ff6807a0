import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Maximum notifications per person, newest first. */
const MAX_KEPT = 200

/** A notification in the portal. */
export interface NewNotification {
  /** The page it links to, in the portal. */
  path: string | null
  icon: { name: string; color: string }
  heading: string
  title: string
  subtitle: string
}

/** A notification as its reader gets it. */
export interface Notification extends NewNotification {
  id: string
  timestamp: string
}

/** Notifications; people read and delete only their own. */
export function notifications(trx: Kysely<DB> | Transaction<DB>) {
  const own = (accountId: string) => trx.selectFrom('notification').where('account_id', '=', accountId)

  return {
    /** Newest first, and how many arrived since the reader last looked. */
    async list(accountId: string): Promise<{ items: Notification[]; unseen: number }> {
      const rows = await own(accountId)
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_KEPT)
        .execute()
      return {
        items: rows.map(({ id, path, icon_name, icon_color, heading, title, subtitle, at }) => ({
          id,
          path,
          icon: { name: icon_name, color: icon_color },
          heading,
          title,
          subtitle,
          timestamp: at.toISOString(),
        })),
        unseen: rows.filter(({ seen_at }) => seen_at === null).length,
      }
    },

    /** Adds a notification and deletes the oldest above the maximum. */
    async add(accountId: string, { icon, ...words }: NewNotification): Promise<string> {
      const id = uuid()
      await trx
        .insertInto('notification')
        .values({ id, account_id: accountId, icon_name: icon.name, icon_color: icon.color, ...words })
        .execute()
      const kept = own(accountId).select('id').orderBy('at', 'desc').orderBy('id', 'desc').offset(MAX_KEPT)
      await trx.deleteFrom('notification').where('id', 'in', kept).execute()
      return id
    },

    /** False if the person had no such notification. */
    async delete(accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('notification')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async deleteAll(accountId: string): Promise<void> {
      await trx.deleteFrom('notification').where('account_id', '=', accountId).execute()
    },

    /** Records that the reader has looked. */
    async seen(accountId: string): Promise<void> {
      await trx
        .updateTable('notification')
        .set({ seen_at: sql`now()` })
        .where('account_id', '=', accountId)
        .where('seen_at', 'is', null)
        .execute()
    },
  }
}
