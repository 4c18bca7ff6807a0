import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { type Run, Refused } from './run.ts'
import type { Locked } from './run-context.ts'

/**
 * Locks the case against withdrawals and similar changes while its worker runs. The lock is exclusive: two workers with
 * a shared lock on one case would deadlock when both update the facts.
 */
export async function lockCase(trx: Transaction<DB>, id: string, lock: Run['lock']): Promise<Locked> {
  const row = await trx
    .selectFrom('flow_case')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$narrowType<{ statuses: Record<string, string>; scope: Record<string, string> }>()
    .$narrowType<{ subject: JsonObject; data: JsonObject }>()
    .executeTakeFirstOrThrow()
  if (row.ended_at) throw new Refused('the case has ended')
  const told = await messagesReached(trx, row)
  if (row.withdrawn_at && !(told.withdrawal && (await lock.confirm()))) throw new Refused('the case is withdrawn')
  // An act of the requester may have ended the task while it waited for the lock; its effect would then be lost.
  if (!row.withdrawn_at && told.any && !(await lock.confirm())) throw new Refused('the case has moved on')
  const found = {
    id,
    reference: row.reference,
    flow: row.flow,
    requesterId: row.requester_id,
    status: row.status,
    statuses: row.statuses,
    scope: row.scope,
    subject: row.subject,
  }
  return { found, data: row.data }
}

/**
 * Whether any message has reached the engine, and whether the withdrawal has. After the withdrawal has, every task that
 * the engine still has is intended, for example releasing the slot. Until then all tasks of a withdrawn case are
 * refused, because the withdrawal will end them.
 */
async function messagesReached(
  trx: Transaction<DB>,
  row: { id: string; flow_hash: string },
): Promise<{ any: boolean; withdrawal: boolean }> {
  const effective = await trx
    .selectFrom('command')
    .innerJoin('engine_command', 'engine_command.id', 'command.id')
    .innerJoin('artifact', (on) => on.on('artifact.hash', '=', row.flow_hash))
    .select(
      sql<boolean>`command.payload ->> 'message' is not distinct from artifact.content::jsonb ->> 'withdraw'
        or command.payload ->> 'withdraws' is not null`.as('withdrawal'),
    )
    .where('command.case_id', '=', row.id)
    .where('command.kind', '=', 'correlate')
    .execute()
  return { any: effective.length > 0, withdrawal: effective.some(({ withdrawal }) => withdrawal) }
}
