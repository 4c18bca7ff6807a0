import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DB } from '../../kernel/db/database.generated.ts'
import { pause } from '../../kernel/pause.ts'
import type { Sender } from './sender.ts'
import { takeDueCommands } from '../rows/commands.ts'

interface Sweep {
  db: Kysely<DB>
  sender: Sender
  log: Logger
  stopping: AbortSignal
}

/** Interval between looks for due commands, in milliseconds. */
const SWEEP_EVERY_MS = 250
/** Maximum due commands that one process sends at once; half of what the sender sends, so that requests go on. */
const SWEEP_AT_ONCE = 8

/**
 * Sends the commands that no request sends: those of batches, those that were held back or refused for a moment, and
 * those whose process died. Any number of processes may do so.
 */
export async function sendDueCommands({ db, sender, log, stopping }: Sweep): Promise<void> {
  const underway = new Set<Promise<void>>()
  async function send(id: string): Promise<void> {
    try {
      await sender.relay(id)
    } catch (error) {
      log.error({ command: id, err: error }, 'sending a command failed; it will be sent again')
    }
  }
  while (!stopping.aborted) {
    let taken = 0
    try {
      // Several at a time, so that a batch does not need a statement for each.
      const due = underway.size > SWEEP_AT_ONCE / 2 ? [] : await takeDueCommands(db, SWEEP_AT_ONCE - underway.size)
      taken = due.length
      for (const id of due) {
        const sending = send(id).finally(() => underway.delete(sending))
        underway.add(sending)
      }
    } catch (error) {
      log.warn({ err: error }, 'looking for due commands failed')
    }
    if (taken === 0) await Promise.race([pause(SWEEP_EVERY_MS, stopping), ...underway])
  }
  await Promise.all(underway)
}
