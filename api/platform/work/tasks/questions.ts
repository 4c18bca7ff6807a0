import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { casePath } from '../../model/library/paths.ts'
import { caseRepository } from '../rows/cases.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { type Person, everything } from '../../people/persons/person.ts'
import type { TaskSummary } from './task-rows.ts'
import type { Vault } from '../../kernel/keys.ts'
import { mail } from '../../records/mail/mail.ts'
import { trackingAddress } from '../guests/letters.ts'
import { type HandlingDependencies, type Reached, taskHandling } from './handling.ts'
import { isAskedForOpinion, taken } from './permission.ts'
import { questionRepository } from '../rows/questions.ts'
import { taskRepository } from '../rows/tasks.ts'

export interface QuestionsDependencies extends HandlingDependencies {
  /** Knows the addresses at which guests follow their cases. */
  vault: Vault
}

/**
 * Questions that a desk asks the requester. Until one is answered its task counts as put off; the answer brings it back
 * to the requester, who is told.
 */
export function caseQuestions(dependencies: QuestionsDependencies) {
  const { db, library, publicUrl, cases } = dependencies
  const { reach, reachOwn, take, change, write, note } = taskHandling(dependencies)

  /** Asks; a free task is taken with it. One question of a task waits at a time. */
  async function ask(person: Person, id: string, question: string, language?: Language): Promise<TaskSummary> {
    const permit = await reachOwn(person, id)
    const { task } = permit
    if (task.requester_id === person.id) throw new BusinessError('platform.own-case')
    const act = async (trx: Transaction<DB>) => {
      await take(trx, person, permit)
      const now = await taskRepository(trx).lock(id)
      if (now.state !== 'held' || now.assignee_id !== person.id) throw taken(now)
      const asked = { taskId: id, caseId: task.case_id, by: person.id, question }
      if (!(await questionRepository(trx).ask(asked))) throw new BusinessError('platform.question-open')
      await note(trx, person, permit, 'question.asked')
      await tellRequester(trx, permit, question)
    }
    return change(person, permit, act, { language })
  }

  /** Writes to the requester; whoever follows their case without signing in gets the address for that. */
  async function tellRequester(trx: Transaction<DB>, { task }: Reached, question: string): Promise<void> {
    const about = { id: task.case_id, reference: task.reference }
    const address = await trackingAddress(trx, dependencies, about)
    await mail(trx, { library, publicUrl }).send({
      to: task.requester_id,
      template: 'platform.mail.question',
      caseId: task.case_id,
      values: { question, link: address ?? publicUrl + casePath(library, task.case_id) },
    })
  }

  /** Takes a question back; for who asked it, who has the task now, and who leads there. */
  async function withdraw(person: Person, id: string, language?: Language): Promise<TaskSummary> {
    const permit = await reach(person, id)
    const { task, leading } = permit
    const open = await questionRepository(db).findOpen(id)
    const theirs = task.assignee_id === person.id && !isAskedForOpinion(person, task)
    if (!theirs && leading === undefined && open?.asked_by !== person.id)
      throw task.state === 'held' ? taken(task) : new BusinessError('platform.not-allowed')
    const act = async (trx: Transaction<DB>) => {
      if (!(await questionRepository(trx).withdraw(id))) throw new BusinessError('platform.question-over')
      await note(trx, person, permit, 'question.withdrawn')
    }
    return change(person, permit, act, { language, others: [open?.asked_by ?? null] })
  }

  /** Answers a question about one's own case. */
  async function answer(person: Person, caseId: string, id: string, words: string): Promise<void> {
    await cases.check(person, caseId)
    const row = await caseRepository(db).find(caseId)
    if (row?.requester_id !== person.id) throw new BusinessError('platform.not-allowed')
    const question = await questionRepository(db).find(id)
    if (!question || question.case_id !== caseId) throw new BusinessError('platform.not-found')
    const told = [question.asked_by, ...(question.assignee_id === null ? [] : [question.assignee_id])]
    const candidates = await db.transaction().execute(async (trx) => {
      const task = await taskRepository(trx).lock(question.task_id)
      const waits = task.state === 'open' || task.state === 'held'
      if (!waits || !(await questionRepository(trx).answer(id, person.id, words)))
        throw new BusinessError('platform.question-over')
      await audit(trx).record({
        actor: person.id,
        actedAs: person.through ?? null,
        action: 'question.answered',
        caseId,
        object: `task:${task.id}`,
        payload: { task: task.name, desk: task.desk },
      })
      await taskRepository(trx).refreshInbox([task.id])
      const found = (await taskRepository(trx).listCandidates([task.id])).map((one) => one.principal)
      const values = { question: question.question, answer: words }
      const permit = { task, candidates: found, actedAs: `user:${person.id}`, standsFor: null }
      for (const to of new Set(told))
        await write(trx, permit, to, { template: 'platform.mail.question-answered', values })
      return found
    })
    const principals = [...candidates, everything, ...[...told, person.id].map((one) => `user:${one}`)]
    await announce(db, { principals, cases: [caseId], tasks: [question.task_id] })
  }

  return { ask, withdraw, answer }
}
