import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { overtakeCommand } from '../rows/commands.ts'
import { endSubmission } from '../rows/submissions.ts'
import { refuseBulkDecision } from '../rows/bulk.ts'

/** What ended a task while its decision waited: the requester, a deadline, an operator, or another path of the case. */
export type Overtaking = 'withdrawn' | 'deadline' | 'canceled' | 'moved-on'

const templates: Record<Overtaking, string> = {
  withdrawn: 'platform.mail.decision-withdrawn',
  deadline: 'platform.mail.decision-too-late',
  canceled: 'platform.mail.decision-without-effect',
  'moved-on': 'platform.mail.decision-without-effect',
}

/**
 * Cancels the unsent decision on a task that the engine has ended. The submission is kept and marked as void, and the
 * person who decided is told why. Returns their account; undefined if no decision waits. A command that has been tried
 * is left to its sender, which learns the result from the engine.
 */
export async function giveUpDecision(
  trx: Transaction<DB>,
  mailing: MailDependencies,
  { caseId, taskId, reason }: { caseId: string; taskId: string; reason: Overtaking },
): Promise<string | undefined> {
  const command = await overtakeCommand(trx, taskId, reason)
  if (!command) return undefined
  const { id, submissionId, actingUser } = command
  if (submissionId) await endSubmission(trx, submissionId, 'void', reason)
  await refuseBulkDecision(trx, taskId, actingUser, 'platform.task-gone')
  await audit(trx).record({
    actor: 'system:feed',
    action: 'decision.overtaken',
    caseId,
    object: `command:${id}`,
    payload: { task: taskId, reason, for: actingUser, ...(submissionId && { submissionId }) },
  })
  await mail(trx, mailing).send({ to: actingUser, template: templates[reason], caseId })
  return actingUser
}
