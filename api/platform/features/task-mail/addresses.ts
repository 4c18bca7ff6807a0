import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { taskLinks } from './links.ts'

/** Where a mail leads its reader to decide tasks. */
export function taskAddresses(trx: Kysely<DB> | Transaction<DB>, publicUrl: string) {
  /** The page of a task, behind the sign-in. */
  const page = (taskId: string): string => `${publicUrl}/tasks/${encodeURIComponent(taskId)}`

  return {
    page,

    /**
     * A page that lets this reader decide this task without signing in. Whoever has a second factor wants more to be shown
     * than that somebody reads their mails, and of an address that nobody confirmed not even that is sure: they are led to
     * the sign-in.
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
