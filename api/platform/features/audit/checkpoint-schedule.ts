import type { Transaction } from 'kysely'
import { CHIEF_AUDITOR } from './auditors.ts'
import { newestCheckpoint } from './kept-checkpoint.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { mail } from '../../records/mail/mail.ts'

/** Result of a run. */
export interface CheckpointSent {
  /** Position in the chain; absent if nothing is signed yet. */
  sequence?: string
  /** Number of mails written. */
  written: number
}

/**
 * Mails the newest signed checkpoint every night. Somebody with the database and the key can rewrite and re-sign
 * history, but not what is already in mailboxes. Nobody gets two mails on a day, however often the run begins.
 */
export async function sendCheckpoint(
  trx: Transaction<DB>,
  { mail: letters, to, now }: { mail: ReturnType<typeof mail>; to: string | undefined; now: Date },
): Promise<CheckpointSent> {
  const kept = await newestCheckpoint(trx)
  if (!kept) return { written: 0 }
  const { mails } = await letters.send({
    to: to === undefined ? CHIEF_AUDITOR : [CHIEF_AUDITOR, to],
    template: 'platform.mail.audit-checkpoint',
    values: { ...kept },
    page: '/audit_trail?show=record',
    attachments: [
      {
        name: `audit-checkpoint-${kept.sequence}.json`,
        type: 'application/json',
        content: `${JSON.stringify(kept, null, 2)}\n`,
      },
    ],
    once: `audit-checkpoint:${dayInColombo(now)}`,
    chosen: true,
  })
  return { sequence: kept.sequence, written: mails.length }
}
