import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { taskLinks } from './links.ts'

/** Links in mails to tasks. */
export function taskAddresses(trx: Kysely<DB> | Transaction<DB>, publicUrl: string) {
  /** The page of a task; needs a sign-in. */
  const page = (taskId: string): string => `${publicUrl}/tasks/${encodeURIComponent(taskId)}`

  return {
    page,

    /**
     * A page where this reader can decide this task without signing in. Readers with a second factor get a link to the
     * sign-in, because access to a mailbox is less than their account requires. So do readers whose address is not
     * confirmed.
     */
    async deciding(taskId: string, account: { id: string; email: string }): Promise<string> {
      const { rows } = await sql<{ suffices: boolean }>`
        select email_confirmed_at is not null
          and not exists (select from totp where account_id = a.id and confirmed_at is not null)
          and not exists (select from passkey where account_id = a.id) as suffices
        from account a where a.id = ${account.id}`.execute(trx)
      if (!rows[0]?.suffices) return page(taskId)
      return `${publicUrl}/decide/${await taskLinks(trx).issue(taskId, account)}`
    },
  }
}
