import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'

/** So many are kept of each person, the newest. */
const KEPT = 200

/** What somebody is told in the portal. */
export interface NewNotification {
  /** The page it leads to, within the portal. */
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

/** The notifications of people; each reads and deletes their own alone. */
export function notifications(trx: Kysely<DB> | Transaction<DB>) {
  const own = (accountId: string) => trx.selectFrom('notification').where('account_id', '=', accountId)

  return {
    /** The newest first, and how many of them came since they were last seen. */
    async list(accountId: string): Promise<{ items: Notification[]; unseen: number }> {
      const rows = await own(accountId).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(KEPT).execute()
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

    /** Tells somebody something; what is more than can be kept goes, the oldest first. */
    async add(accountId: string, { icon, ...words }: NewNotification): Promise<string> {
      const id = uuid()
      await trx
        .insertInto('notification')
        .values({ id, account_id: accountId, icon_name: icon.name, icon_color: icon.color, ...words })
        .execute()
      const kept = own(accountId).select('id').orderBy('at', 'desc').orderBy('id', 'desc').offset(KEPT)
      await trx.deleteFrom('notification').where('id', 'in', kept).execute()
      return id
    },

    /** Whether there was such a one of this person. */
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

    /** The reader has looked. */
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
