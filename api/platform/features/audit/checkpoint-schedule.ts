import type { Transaction } from 'kysely'
import { CHIEF_AUDITOR } from './auditors.ts'
import { newestCheckpoint } from './kept-checkpoint.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { mail } from '../../records/mail/mail.ts'

/** What a run came to. */
export interface CheckpointSent {
  /** Place in the chain; absent while nothing is signed yet. */
  sequence?: string
  /** How many mails it wrote. */
  written: number
}

/**
 * The nightly mail with the newest signed checkpoint: whoever holds the database and the key can write history anew and
 * sign it again, but not what already lies in mailboxes. Nobody gets two on a day, however often it is begun.
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
