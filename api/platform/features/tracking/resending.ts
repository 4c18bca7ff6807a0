import type { TaskList } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { throttle } from '../../people/identity/throttle.ts'
import type { Vault } from '../../kernel/keys.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { trackingLetters } from '../../work/guests/letters.ts'
import { trackingRepository } from '../../work/guests/repository.ts'
import { hashOf, trackingSecrets } from '../../work/guests/secrets.ts'

/** The name of the job that mails the address of a tracked case again; its payload is `{ reference, email }`. */
const RESEND = 'resend-tracking'

/** Queues a mail with the address of a tracked case. Every request does the same work, so timing reveals nothing. */
export function trackingMails(db: Kysely<DB>) {
  return {
    async sendLater(reference: string, email: string): Promise<void> {
      await sql`select graphile_worker.add_job(${RESEND}, ${JSON.stringify({ reference, email })}::json,
        max_attempts => 8)`.execute(db)
    },
  }
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [RESEND]: { reference: string; email: string }
    }
  }
}

/** The queue task that mails addresses of tracked cases again. */
export function trackingTasks({
  db,
  vault,
  ...letters
}: MailDependencies & { db: Kysely<DB>; vault: Vault }): TaskList {
  return {
    async [RESEND]({ reference, email }) {
      const found = await trackingRepository(db).findByAddress(reference, email)
      if (!found) return
      // Limits the mails that others can cause in somebody's name.
      const counted = [{ kind: 'mail', of: found.requesterId } as const]
      if ((await throttle(db).level(counted)) > 0) return
      await throttle(db).note(counted)
      const secret = trackingSecrets(vault).secretOf(found.caseId)
      await db.transaction().execute(async (trx) => {
        // A changed TOKEN_SECRET gives the case a new secret.
        await trackingRepository(trx).setSecret(found.caseId, hashOf(secret))
        await trackingLetters(trx, letters).sendTracking(found, secret)
      })
    },
  }
}
