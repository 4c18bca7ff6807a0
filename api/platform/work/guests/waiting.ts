import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Instruction, addCommand } from '../rows/commands.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { listOpenElements } from '../rows/case-record.ts'
import { takeSoleKey } from '../rows/sole.ts'

/** The message that tells a diagram that the requester's address is confirmed. */
const CONFIRMED = 'message_bookerConfirmed'

/** The command that tells a case that its requester has proved their identity. */
export const confirmation: Instruction = {
  kind: 'correlate',
  payload: { message: CONFIRMED, variables: { bookerConfirmed: true } },
}

/**
 * Continues the cases that a person sent while their address was not confirmed; call it once it is. Cases that guests
 * sent with this address continue only through their own link. Of cases of which the flow allows one, one whose key
 * somebody else has confirmed meanwhile does not continue: that is refused, or with `taken: 'waits'` left to lapse.
 */
export async function continueCases(
  trx: Transaction<DB>,
  definitions: Definitions,
  accountId: string,
  { taken = 'refused' }: { taken?: 'refused' | 'waits' } = {},
): Promise<void> {
  const rows = await trx
    .selectFrom('flow_case as c')
    .leftJoin('case_tracking as t', 't.case_id', 'c.id')
    .select(['c.id', 'c.flow', 'c.process_definition_id', 'c.sole_asked'])
    .where('c.requester_id', '=', accountId)
    .where('c.state', 'in', ['starting', 'running'])
    .where('c.withdrawn_at', 'is', null)
    .where('t.confirmation_hash', 'is', null)
    .execute()
  for (const { id: caseId, flow, process_definition_id, sole_asked: key } of rows) {
    const { diagram, manifest } = await definitions.get(process_definition_id)
    const catchers = diagram.catchers.get(CONFIRMED)
    if (!catchers) continue
    const open = await listOpenElements(trx, caseId)
    // A case of which nothing is known yet has just begun; the command waits for its start.
    if (open.length > 0 && !open.some((element) => catchers.has(element))) continue
    if (key !== null) {
      const took = await takeSoleKey(trx, { caseId, flow, manifest, key }).then(
        () => true,
        (error: unknown) => {
          if (taken === 'waits' && error instanceof BusinessError) return false
          throw error
        },
      )
      if (!took) continue
    }
    await addCommand(trx, { ...confirmation, caseId, actingUser: accountId })
  }
}
