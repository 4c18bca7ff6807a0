import type { Kysely, Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { incidentRepository } from '../rows/incidents.ts'
import { announce } from '../../kernel/db/changed.ts'
import { inBatches } from '../../kernel/in-batches.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { EngineRefusal } from '../../kernel/engine/port.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import {
  type Attempt,
  cancelWaitingCommands,
  endCommand,
  finishCommands,
  wakeWaitingCommands,
} from '../rows/commands.ts'
import { endSubmission } from '../rows/submissions.ts'
import { failCase, holdCase, meaningOfMessage, setCaseWithdrawn } from '../rows/cases.ts'
import { endTask, endWaitOfTasks } from '../rows/engine-tasks.ts'
import { listCandidates } from '../rows/candidates.ts'
import { markTaskReopened } from '../rows/task-acts.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { voidAnswers } from '../rows/mailed-questions.ts'
import { refuseBulkDecision } from '../rows/bulk.ts'
import { refuseCaseMove } from '../rows/case-moves.ts'
import { dropMove, releaseSlots } from '../allocations/case-slots.ts'

/** Refusals that mean that the engine no longer has the task. */
const gone: EngineRefusal['reason'][] = ['task-gone', 'instance-gone']

/** Updates a case after the engine answered a command. */
export function commandOutcomes({ db, ...mailing }: { db: Kysely<DB> } & MailDependencies) {
  const finish = inBatches<string>((ids) => finishCommands(db, ids))

  /** The engine executed the command. The feed reports what followed. */
  async function done(command: Attempt): Promise<void> {
    if (command.attempts === 1) return finish(command.id)
    await db.transaction().execute(async (trx) => {
      await finishCommands(trx, [command.id])
      await incidentRepository(trx).resolveIncident(`command:${command.id}`)
    })
  }

  /** The engine rejects it for good: the submission did not take effect, and the person is told why. */
  async function refused(command: Attempt, reason: Reason, detail: string): Promise<void> {
    const principals = await db.transaction().execute(async (trx) => {
      if (!(await endCommand(trx, command.id, 'refused', { reason, detail }))) return []
      await audit(trx).record({
        actor: 'system:relay',
        action: 'command.refused',
        caseId: command.caseId,
        object: `command:${command.id}`,
        payload: {
          ...{ kind: command.kind, reason, detail, for: command.actingUser },
          ...(command.submissionId && { submissionId: command.submissionId }),
        },
      })
      if (command.submissionId) await endSubmission(trx, command.submissionId, 'void', reason)
      await incidentRepository(trx).resolveIncident(`command:${command.id}`)
      const told = await refusalEffect(trx, command, reason, detail)
      if (told.template)
        await mail(trx, mailing).send({ to: command.actingUser, template: told.template, caseId: command.caseId })
      await wakeWaitingCommands(trx, command.caseId)
      return [`user:${command.actingUser}`, ...told.principals]
    })
    await announce(db, { principals, cases: [command.caseId], tasks: command.taskId ? [command.taskId] : [] })
  }

  return { done, refused }
}

type CommandOf<Kind extends Attempt['kind']> = Extract<Attempt, { kind: Kind }>

type Reason = EngineRefusal['reason']

/** The mail that tells the person, and others whose lists change. */
type Told = Promise<{ template?: string; principals: string[] }>

/** What a refused command leaves to do, by its kind. */
function refusalEffect(trx: Transaction<DB>, command: Attempt, reason: Reason, detail: string): Told {
  switch (command.kind) {
    case 'start':
      return effects.start(trx, command, reason)
    case 'complete':
      return effects.complete(trx, command, reason)
    case 'correlate':
      return effects.correlate(trx, command)
    case 'cancel':
      return effects.cancel()
    case 'migrate':
      return effects.migrate(trx, command, reason, detail)
    case 'modify':
      return effects.modify()
  }
}

const effects = {
  /** The case never began: release its slots. */
  async start(trx: Transaction<DB>, { caseId }: Attempt, reason: Reason): Told {
    await failCase(trx, caseId, reason)
    await releaseSlots(trx, caseId)
    await cancelWaitingCommands(trx, caseId)
    return { template: 'platform.mail.not-started', principals: [] }
  },

  /** Reopen the task if the engine still has it. */
  async complete(trx: Transaction<DB>, { payload, actingUser }: CommandOf<'complete'>, reason: Reason): Told {
    const { taskId } = payload
    const candidates = await listCandidates(trx, [taskId])
    if (gone.includes(reason)) await endTask(trx, taskId, 'void', new Date(), reason)
    else await markTaskReopened(trx, taskId)
    await refreshInbox(trx, [taskId])
    await refuseBulkDecision(trx, taskId, actingUser, 'platform.task-gone')
    return { template: 'platform.mail.decision-without-effect', principals: candidates.map((one) => one.principal) }
  },

  /** Nothing waited for the message: undo the withdrawal, or release the slot taken for the act. */
  async correlate(trx: Transaction<DB>, { caseId, payload }: CommandOf<'correlate'>): Told {
    const meaning = await meaningOfMessage(trx, caseId, payload.message)
    if (meaning === 'withdrawal' || payload.withdraws === true) {
      await setCaseWithdrawn(trx, caseId, false)
      return { template: 'platform.mail.withdrawal-without-effect', principals: [] }
    }
    // A step of another case has sent it, and nobody asked for it. Releasing a freed place is a step of the diagram.
    if (meaning === 'step') return { principals: [] }
    if (typeof meaning === 'object') {
      await voidAnswers(trx, caseId, meaning.answers)
      return { template: 'platform.mail.answer-without-effect', principals: [] }
    }
    // Do not release the slot of another act.
    if (meaning === 'move') await dropMove(trx, caseId)
    return { template: 'platform.mail.act-without-effect', principals: [] }
  },

  /** The instance had already ended. */
  async cancel(): Told {
    return { template: 'platform.mail.cancellation-without-effect', principals: [] }
  },

  /** The case stays on its version. The result of a bulk move is shown with the others. */
  async migrate(trx: Transaction<DB>, { id, caseId }: Attempt, reason: Reason, detail: string): Told {
    const code = gone.includes(reason) ? 'platform.case-move-ended' : 'platform.case-move-refused'
    // Wait for the feed to finish with the case, so that its new tasks can be decided again too.
    await holdCase(trx, caseId)
    await refuseCaseMove(trx, id, code, detail)
    await endWaitOfTasks(trx, caseId)
    return { principals: [] }
  },

  /** The element that the token was to leave was no longer active. */
  async modify(): Told {
    return { template: 'platform.mail.move-without-effect', principals: [] }
  },
}
