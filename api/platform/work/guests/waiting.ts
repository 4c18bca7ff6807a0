import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Instruction, addCommand } from '../rows/commands.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { listOpenElements } from '../rows/case-record.ts'

/** The message that tells a diagram that the requester's address is confirmed. */
const CONFIRMED = 'message_bookerConfirmed'

/** The command that tells a case that its requester has proved their identity. */
export const confirmation: Instruction = {
  kind: 'correlate',
  payload: { message: CONFIRMED, variables: { bookerConfirmed: true } },
}

/**
 * Continues the cases that a person sent signed in while their address was not confirmed. Cases that guests sent with
 * this address continue only through their own link.
 */
export async function continueCases(trx: Transaction<DB>, definitions: Definitions, accountId: string): Promise<void> {
  const rows = await trx
    .selectFrom('flow_case as c')
    .leftJoin('case_tracking as t', 't.case_id', 'c.id')
    .select(['c.id', 'c.process_definition_id'])
    .where('c.requester_id', '=', accountId)
    .where('c.state', 'in', ['starting', 'running'])
    .where('c.withdrawn_at', 'is', null)
    .where('t.confirmation_hash', 'is', null)
    .execute()
  for (const { id: caseId, process_definition_id } of rows) {
    const { diagram } = await definitions.get(process_definition_id)
    const catchers = diagram.catchers.get(CONFIRMED)
    if (!catchers) continue
    const open = await listOpenElements(trx, caseId)
    // A case of which nothing is known yet has just begun; the command waits for its start.
    if (open.length > 0 && !open.some((element) => catchers.has(element))) continue
    await addCommand(trx, { ...confirmation, caseId, actingUser: accountId })
  }
}
