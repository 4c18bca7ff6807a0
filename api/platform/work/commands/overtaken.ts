import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { overtakeCommand } from '../rows/commands.ts'
import { endSubmission } from '../rows/submissions.ts'
import { refuseBulkDecision } from '../rows/bulk.ts'

/** What ended a task while a decision on it waited: its requester, a deadline, an operator, or another path of its case. */
export type Overtaking = 'withdrawn' | 'deadline' | 'canceled' | 'moved-on'

const templates: Record<Overtaking, string> = {
  withdrawn: 'platform.mail.decision-withdrawn',
  deadline: 'platform.mail.decision-too-late',
  canceled: 'platform.mail.decision-without-effect',
  'moved-on': 'platform.mail.decision-without-effect',
}

/**
 * Gives up the decision that still waits to be sent for a task which the engine has ended: what was sent is kept and
 * marked, and whoever decided is told why. Answers who that is; undefined where none waits. One that has been tried is
 * left to its sender, which learns from the engine how it came out.
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
