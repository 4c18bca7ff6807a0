import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { markTaskReleased } from '../rows/task-acts.ts'

interface Releasing {
  caseId: string
  holders: readonly string[]
  by: string
  reason: string
}

/** Gives the tasks of a case that some people hold back to everybody they are offered to. */
export async function releaseTasksOf(trx: Transaction<DB>, { caseId, holders, by, reason }: Releasing): Promise<void> {
  if (holders.length === 0) return
  const held = await trx
    .selectFrom('task')
    .select(['id', 'name', 'desk', 'assignee_id'])
    .where('case_id', '=', caseId)
    .where('state', '=', 'held')
    .where('assignee_id', 'in', holders)
    .orderBy('id')
    .$narrowType<{ assignee_id: string }>()
    .execute()
  for (const { id, name, desk, assignee_id: from } of held) {
    if (!(await markTaskReleased(trx, id, from))) continue
    await refreshInbox(trx, [id])
    await audit(trx).record({
      actor: by,
      action: 'task.released',
      caseId,
      object: `task:${id}`,
      payload: { task: name, desk, from, reason },
    })
  }
}
