import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { LinkedFlow } from '../../model/definitions/manifest.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import { listFollowing } from '../rows/case-links.ts'
import { getCaseRow, lockCase, setCaseWithdrawn } from '../rows/cases.ts'
import { addCommand } from '../rows/commands.ts'
import { listOpenTasks } from '../rows/task-reads.ts'
import { isWaitingFor } from './acts.ts'
import { isTaken } from './linked.ts'

/** Which links end, if not all; the reason is by default that of the case's withdrawal. */
export interface EndsLinked {
  only?: readonly string[]
  reason?: string
}

/**
 * Withdraws the cases that follow from a case by links with `ends`, in the transaction of a step; the sweep sends the
 * messages. Returns the names of the links by which a case goes on that does not wait for its message any more, or by
 * which one has been carried out, such as an advance that was paid. A case between two steps is waited for: the step is
 * tried again.
 */
export async function endLinked(
  { library, definitions }: { library: Library; definitions?: Definitions | undefined },
  trx: Transaction<DB>,
  origin: string,
  { only, reason }: EndsLinked = {},
): Promise<string[]> {
  const row = await getCaseRow(trx, origin)
  const { linked = [] } = known(library.flows.get(row.flow), `the flow ${row.flow}`).manifest
  const ending = linked.filter(({ name, ends }) => ends !== undefined && (only === undefined || only.includes(name)))
  const deployed = known(definitions, 'the deployed flows')
  for (const following of await listFollowing(trx, origin)) {
    const link = ending.find(({ name }) => name === following.link_name)
    const because = reason ?? row.withdrawal_reason
    if (link) await end({ definitions: deployed }, trx, { id: following.id, link, origin: row, because })
  }
  const after = await listFollowing(trx, origin)
  const isLeft = (link: LinkedFlow) =>
    isTaken(
      link,
      after.filter(({ withdrawn_at }) => withdrawn_at === null),
    ) || after.some((one) => one.link_name === link.name && one.state === 'running' && one.withdrawn_at === null)
  return ending.filter(isLeft).map(({ name }) => name)
}

/** Withdraws a case that runs, if it waits for the message of its link. */
async function end(
  context: { definitions: Definitions },
  trx: Transaction<DB>,
  {
    id,
    link,
    origin,
    because,
  }: { id: string; link: LinkedFlow; origin: Awaited<ReturnType<typeof getCaseRow>>; because: string | null },
): Promise<void> {
  const row = await lockCase(trx, id)
  if ((row.state !== 'running' && row.state !== 'starting') || row.withdrawn_at !== null) return
  const message = known(link.ends, 'the message that ends it')
  if (!(await isWaitingFor(context, trx, row, message))) {
    if ((await listOpenTasks(trx, id)).length > 0) return
    throw new Error(`${row.reference} is between two steps`)
  }
  const reason = [origin.reference, because].filter((part) => part !== null && part !== '').join(': ')
  await setCaseWithdrawn(trx, id, true, reason)
  await audit(trx).record({
    actor: origin.requester_id,
    actedAs: null,
    action: 'case.withdrawn',
    caseId: id,
    object: `case:${id}`,
    payload: { reason, with: origin.reference, for: row.requester_id },
  })
  const payload = { message, variables: {}, withdraws: true }
  await addCommand(trx, { kind: 'correlate', caseId: id, actingUser: origin.requester_id, payload, lane: 'bulk' })
}
