import type { Kysely, Transaction } from 'kysely'
import { inOurWords } from '../../people/access/refusals.ts'
import { bulkRepository } from '../rows/bulk.ts'
import { caseRepository } from '../rows/cases.ts'
import { submissionRepository } from '../rows/submissions.ts'
import { deadlinesOf, filesOf, variablesOf } from '../cases/routing.ts'
import { runVariables } from '../cases/run.ts'
import { refuse } from '../cases/sent.ts'
import type { Cases } from '../cases/service.ts'
import type { CaseView } from '../cases/view.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'
import { commandRepository } from '../rows/commands.ts'
import type { Sender } from '../commands/sender.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import type { Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { checkForm } from '../../model/forms/check.ts'
import { notAsGiven, prefilled, showsGiven } from '../../model/forms/prefill.ts'
import type { Person } from '../../people/persons/person.ts'
import { type TaskSummary, taskRows } from './task-rows.ts'
import { leaves } from '../../model/definitions/register.ts'
import { draftRepository } from '../rows/drafts.ts'
import { type Draft, draftOf } from './drafts.ts'
import { actRepository } from './act-repository.ts'
import { type TaskContext, taskContext } from './task-context.ts'
import {
  type Permit,
  decidedWrongly,
  isAskedForOpinion,
  isOver,
  taken,
  takesOver,
  taskPermission,
} from './permission.ts'
import { rightOn } from '../offers/right-on.ts'
import { type TaskRow, taskRepository } from '../rows/tasks.ts'

export interface TasksDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Sender
  cases: Cases
  clock?: () => Date
}

/** A task with what its holder needs to decide. */
export interface TaskView extends TaskContext {
  task: TaskSummary
  case: CaseView
  form: FrozenForm | null
  /** What the desk has to answer. */
  question: string | null
  /** Code of the reason why this person may not decide here, though the task is offered to them. */
  blockedBy: string | null
  draft: Draft | null
  /** The desks that it can be sent back to, where its form asks for one, with who decided there last. */
  earlierDesks: { id: string; name: string; by: { id: string; name: string } }[]
}

/** What somebody decides. */
export interface Completion {
  data: unknown
  /** Until then the decision can be taken back; a minute from now at most. */
  notBefore?: string
}

/** What goes along with an act on a task that is one of many. */
export interface Joint {
  /** Done in the transaction of the act. */
  within?: (trx: Transaction<DB>) => Promise<void>
  /** What the audit says beside. */
  more?: JsonObject
  /** Nobody is written to: whoever does it for many writes once for all of them. */
  quiet?: boolean
}

/** A decision that can still be taken back. */
export interface Undoable {
  task: string
  reference: string
  title: string
  outcome: Named | null
  until: string
}

/** Refusals of decisions that would have been on one's own matter, or one's second on a case. */
const keptByFourEyes: ReadonlySet<string> = new Set([
  'platform.own-case',
  'platform.own-case-of-absent',
  'platform.decided-before',
  'platform.absent-decided-before',
])
/** Longest time for which a decision may be held back, in milliseconds. */
const longestDelay = 60_000

export type Tasks = ReturnType<typeof tasksService>

/** Tasks: the inbox, and acting on a task in the order permission, still open, form check, commit. */
export function tasksService(dependencies: TasksDependencies) {
  const { db, library, definitions, sender, cases, clock = () => new Date() } = dependencies
  const tasks = taskRepository(db)
  const { permitted, obstacle, stillOffered, note, tell } = taskPermission({ db, definitions, cases })
  const { row: summary } = taskRows({ db, library, definitions, clock })

  async function claim(
    person: Person,
    id: string,
    language?: Language,
    { within, more }: Joint = {},
  ): Promise<TaskSummary> {
    const permit = await permitted(person, id)
    const blocked = await obstacle(person, permit)
    if (blocked) throw new BusinessError(blocked)
    await db.transaction().execute(async (trx) => {
      const repository = taskRepository(trx)
      if (!(await stillOffered(trx, person, permit))) throw new BusinessError('platform.not-found')
      if (!(await seize(trx, person, permit))) throw taken(await repository.get(id))
      await repository.refreshInbox([id])
      await note(trx, person, permit, 'task.claimed', more)
      await within?.(trx)
    })
    const { assignee_id: from } = permit.task
    await tell(permit, person.id, ...(from === null ? [] : [from]))
    return summary(person, await tasks.get(id), language)
  }

  /**
   * Takes a task that is free, that somebody absent holds, or that a colleague holds only because one asked for their
   * opinion. False where it stands otherwise by now.
   */
  async function seize(trx: Transaction<DB>, person: Person, permit: Permit): Promise<boolean> {
    const { task, standsFor } = permit
    if (task.delegated_by === person.id) return actRepository(trx).giveBack(task.id, task.assignee_id!)
    if (takesOver(permit)) return taskRepository(trx).takeOver(task.id, standsFor!.id, person.id)
    return taskRepository(trx).claim(task.id, person.id, standsFor?.id ?? null)
  }

  /** The task as who may hold it finds it; `askedBy` names who gave it to them for an opinion. */
  async function held(person: Person, id: string): Promise<{ permit: Permit; askedBy: string | null }> {
    const task = await tasks.find(id)
    if (!task || !isAskedForOpinion(person, task)) return { permit: await permitted(person, id), askedBy: null }
    const candidates = (await tasks.listCandidates([id])).map((one) => one.principal)
    const permit = { task, candidates, actedAs: `user:${person.id}`, standsFor: null }
    return { permit, askedBy: task.delegated_by }
  }

  /** Gives a task back: to the requester for an opinion, or else to all it is offered to. */
  async function release(
    person: Person,
    id: string,
    language?: Language,
    { within, more }: Joint = {},
  ): Promise<TaskSummary> {
    const { permit, askedBy } = await held(person, id)
    await db.transaction().execute(async (trx) => {
      const repository = taskRepository(trx)
      const done = askedBy ? await actRepository(trx).giveBack(id, person.id) : await repository.release(id, person.id)
      if (!done) {
        const now = await repository.get(id)
        throw now.state === 'open' ? new BusinessError('platform.task-not-held') : taken(now)
      }
      await repository.refreshInbox([id])
      await note(trx, person, permit, 'task.released', { ...more, ...(askedBy && { to: askedBy }) })
      await within?.(trx)
    })
    await tell(permit, person.id, ...(askedBy ? [askedBy] : []))
    return summary(person, await tasks.get(id), language)
  }

  /**
   * Decides a task. `done`: the engine has moved on. `accepted`: it is kept and will take effect as soon as the engine
   * answers, or at `notBefore`; a correction of the start form always at once, since the case says it from then on.
   * Somebody who was faster is named.
   */
  async function complete(
    person: Person,
    id: string,
    completion: Completion,
  ): Promise<{ state: 'done' | 'accepted'; caseId: string }> {
    const { commandId, caseId, later } = await decide(person, id, completion)
    const standing = later ? 'pending' : await sender.deliver(commandId)
    if (standing === 'refused') throw taken(await tasks.get(id))
    return { state: standing === 'done' ? 'done' : 'accepted', caseId }
  }

  /** The task as somebody may decide it, with its form; throws why they may not, or not any more. */
  async function decidable(person: Person, id: string): Promise<{ permit: Permit; form: FrozenForm }> {
    const permit = await permitted(person, id)
    const { task } = permit
    const blocked = await obstacle(person, permit)
    if (blocked) throw new BusinessError(blocked)
    if (isOver(task) || (task.state === 'held' && task.assignee_id !== person.id)) throw taken(task)
    const form = await formOf(task)
    if (!form) throw new BusinessError('platform.task-without-form')
    return { permit, form }
  }

  /** Leaves a trace where somebody tried to decide what four eyes keep from them. */
  async function noteRefusal(person: Person, id: string, error: unknown): Promise<void> {
    if (!(error instanceof BusinessError) || !keptByFourEyes.has(error.code)) return
    const permit = await permitted(person, id)
    await db.transaction().execute((trx) => note(trx, person, permit, 'decision.refused', { why: error.code }))
  }

  /** Writes a decision, and the command that tells the engine of it; sending that is the caller's, or the relay's. */
  async function decide(
    person: Person,
    id: string,
    { data, notBefore }: Completion,
    { lane, form: expected, within, more }: Joint & { lane?: 'bulk'; form?: string } = {},
  ): Promise<{ commandId: string; caseId: string; later: boolean }> {
    const { permit, form } = await decidable(person, id).catch(async (error: unknown) => {
      await noteRefusal(person, id, error)
      throw error
    })
    const { task, actedAs } = permit
    if (expected !== undefined && expected !== form.hash) throw new BusinessError('platform.bulk-form-differs')
    const answer = effectiveAnswers(form.schema, data as JsonObject)
    refuse(checkForm(form.schema, answer))
    const now = clock()
    const { manifest } = await definitions.get(task.process_definition_id)
    const corrects = form.key === manifest.start
    const later = notBefore === undefined || corrects ? undefined : dueAt(notBefore, now)
    const commandId = await db.transaction().execute(async (trx) => {
      const repository = taskRepository(trx)
      // The case before its tasks, as workers and the feed do.
      if (corrects) await caseRepository(trx).lock(task.case_id)
      const outcome = (answer as { outcome?: string }).outcome ?? null
      const decision = { outcome, decidedFor: permit.standsFor?.id ?? null }
      const accepted = await inOurWords(() => repository.accept(id, person.id, decision), decidedWrongly)
      if (!accepted) throw taken(await repository.get(id))
      refuse([...(await wrongDesks(trx, task, form, answer)), ...(await changedOfGiven(trx, task, form, answer))])
      const asked = { caseId: task.case_id, flow: task.flow, form: form.key }
      await cases.checkAnswer(trx, { ...asked, data: answer, by: person.id })
      const { id: submissionId, sealed } = await submissionRepository(trx).addSubmission({
        caseId: task.case_id,
        taskId: id,
        formKey: form.key,
        formHash: form.hash,
        data: answer,
        by: person.id,
        actedAs,
      })
      const corrected = corrects ? await cases.correct(trx, { caseId: task.case_id, form, data: answer }) : {}
      const files = filesOf(form.schema, answer)
      const foreign = await submissionRepository(trx).addFiles(task.case_id, submissionId, person.id, files)
      refuse(foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
      await note(trx, person, permit, 'task.completed', { outcome, ...sealed, ...more })
      const command = await commandRepository(trx).add({
        kind: 'complete',
        caseId: task.case_id,
        taskId: id,
        submissionId,
        actingUser: person.id,
        ...(lane && { lane }),
        ...(later && { notBefore: later }),
        payload: {
          taskId: id,
          variables: {
            ...variablesOf(form.schema, answer),
            ...corrected,
            ...(await runVariables(trx, manifest, task.case_id)),
            ...(outcome !== null && { [`${task.desk}_outcome`]: outcome }),
            ...(await deadlinesOf(trx, now)),
          },
        },
      })
      await repository.setCommand(id, command)
      await repository.leaveInbox([id])
      await within?.(trx)
      return command
    })
    await tell(permit, person.id)
    return { commandId, caseId: task.case_id, later: later !== undefined }
  }

  /** Throws why an answer would be refused at the desk of a task, without giving it. */
  async function checkAnswer(person: Person, task: TaskRow, form: FrozenForm, data: unknown): Promise<void> {
    const answer = effectiveAnswers(form.schema, data as JsonObject)
    refuse(checkForm(form.schema, answer))
    await db.transaction().execute(async (trx) => {
      refuse([...(await wrongDesks(trx, task, form, answer)), ...(await changedOfGiven(trx, task, form, answer))])
      const asked = { caseId: task.case_id, flow: task.flow, form: form.key }
      await cases.checkAnswer(trx, { ...asked, data: answer, by: person.id })
    })
  }

  /** The desks that may be named in an answer of this task. */
  async function earlierDesks(on: Kysely<DB>, task: TaskRow, language?: Language): Promise<TaskView['earlierDesks']> {
    const words = wordsOf(library, language)
    const { manifest, diagram } = await definitions.get(task.process_definition_id)
    const rows = await taskRepository(on).listEarlier(task.case_id, task.desk, manifest.start)
    return rows
      .filter(({ desk }) => diagram.desks.get(desk)?.roles.some((role) => role !== 'user'))
      .map(({ desk, name, decider_id, decider }) => ({
        id: desk,
        name: words.element(task.flow, desk, name),
        by: { id: decider_id, name: decider },
      }))
  }

  /** Which fields name a desk that has not decided before this one. */
  async function wrongDesks(
    trx: Transaction<DB>,
    task: TaskRow,
    form: FrozenForm,
    data: JsonObject,
  ): Promise<FieldError[]> {
    const named = leaves(form.schema, data).filter(
      ({ schema, value }) => schema['x-desk'] !== undefined && value !== 'requester',
    )
    if (named.length === 0) return []
    const desks = (await earlierDesks(trx, task)).map(({ id }) => id)
    return named
      .filter(({ value }) => !desks.includes(String(value)))
      .map(({ path }) => ({ field: path, code: 'platform.desk-not-decided' }))
  }

  /** Which fields are not as the case gives them, though the form only shows them. */
  async function changedOfGiven(
    trx: Transaction<DB>,
    task: TaskRow,
    { schema }: FrozenForm,
    answer: JsonObject,
  ): Promise<FieldError[]> {
    if (!showsGiven(schema)) return []
    const of = caseRepository(trx)
    const { data, facts, subject } = await of.get(task.case_id)
    const submissions = await submissionRepository(trx).listSubmissions(task.case_id)
    return notAsGiven(schema, prefilled(schema, { data, facts, subject, submissions }), answer)
  }

  /** Takes a decision back that was made with `notBefore`, as long as it has not been sent. */
  async function undo(person: Person, id: string, language?: Language): Promise<TaskSummary> {
    const permit = await permitted(person, id)
    if (!decidedBy(person, permit)) throw new BusinessError('platform.not-allowed')
    const undone = await takeBack(person, [permit])
    if (undone === 0) throw new BusinessError('platform.too-late-to-undo')
    return summary(person, await tasks.get(id), language)
  }

  /** Takes those of some own decisions back that have not been sent and are still theirs; gives how many these were. */
  async function undoAll(person: Person, ids: readonly string[]): Promise<number> {
    const permits: Permit[] = []
    for (const id of ids) {
      const permit = await permitted(person, id).catch((error: unknown) => {
        if (error instanceof BusinessError) return undefined
        throw error
      })
      if (permit && decidedBy(person, permit)) permits.push(permit)
    }
    return takeBack(person, permits)
  }

  function decidedBy(person: Person, { task }: Permit): boolean {
    return task.decided_by === person.id && task.command_id !== null
  }

  /** All in one transaction, in which none of them is sent; gives how many were not sent before. */
  async function takeBack(person: Person, permits: readonly Permit[]): Promise<number> {
    const undone: Permit[] = []
    await db.transaction().execute(async (trx) => {
      // The feed may be about to end a task: one of both comes first.
      for (const caseId of [...new Set(permits.map(({ task }) => task.case_id))].sort())
        await caseRepository(trx).lock(caseId)
      for (const permit of permits)
        if ((await commandRepository(trx).takeBack([permit.task.command_id!])) === 1) undone.push(permit)
      for (const permit of undone) {
        const { id } = permit.task
        await submissionRepository(trx).voidSubmissionOf(id, 'undone')
        await taskRepository(trx).reopen(id)
        await draftRepository(trx).restore(id, person.id)
        await bulkRepository(trx).leave(id, person.id)
        await note(trx, person, permit, 'task.completion-undone')
      }
      await taskRepository(trx).refreshInbox(undone.map(({ task }) => task.id))
    })
    for (const permit of undone) await tell(permit, person.id)
    return undone.length
  }

  /** Sends an own decision that is still held back. Where it has gone out by itself meanwhile, nothing is left to do. */
  async function send(person: Person, id: string, language?: Language): Promise<TaskSummary> {
    const { task } = await permitted(person, id)
    if (task.decided_by !== person.id || task.command_id === null) throw new BusinessError('platform.not-allowed')
    await db.transaction().execute((trx) => commandRepository(trx).hasten(task.command_id!))
    return summary(person, await tasks.get(id), language)
  }

  /** Own decisions that have not been sent yet, the newest first. */
  async function undoable(person: Person, language?: Language): Promise<Undoable[]> {
    const words = wordsOf(library, language)
    const rows = await tasks.listUndoable(person.id)
    return Promise.all(
      rows.map(async (row) => {
        const { manifest } = await definitions.get(row.process_definition_id)
        const { schema } = await definitions.form(row.form_hash!)
        const { outcome } = row
        return {
          task: row.id,
          reference: row.reference,
          title: words.caseTitle(manifest, row.subject),
          outcome: outcome === null ? null : { key: outcome, text: words.choice(schema, 'outcome', outcome) },
          until: row.until.toISOString(),
        }
      }),
    )
  }

  async function get(person: Person, id: string, language?: Language): Promise<TaskView> {
    const task = await tasks.find(id)
    if (!task) throw new BusinessError('platform.not-found')
    const view = await cases.get(person, task.case_id, language)
    const candidates = (await tasks.listCandidates([id])).map((one) => one.principal)
    const right = rightOn(person, task, candidates)
    const blockedBy = await whyNot(person, task, right && { task, candidates, ...right })
    const { manifest } = await definitions.get(task.process_definition_id)
    const form = (await formOf(task)) ?? null
    const asksForDesk = Object.values(form?.schema.properties ?? {}).some((field) => field['x-desk'] !== undefined)
    return {
      task: await summary(person, task, language),
      case: view,
      form,
      earlierDesks: asksForDesk ? await earlierDesks(db, task, language) : [],
      question: wordsOf(library, language).question(manifest, task.desk, {
        requester: view.requester.name,
        subject: view.subject,
      }),
      ...(await taskContext({ db, library, definitions }, person, { task, candidates, right, blockedBy })),
      draft: await draftOf({ db, library }, person, task, { caseVersion: view.version, ...(language && { language }) }),
      blockedBy,
    }
  }

  /** Code of the reason why a task that somebody looks at is not theirs to decide. */
  async function whyNot(person: Person, task: TaskRow, permit: Permit | undefined): Promise<string | null> {
    if (permit) return obstacle(person, permit)
    return isAskedForOpinion(person, task) ? 'platform.asked-for-opinion' : 'platform.not-allowed'
  }

  async function formOf(task: TaskRow): Promise<FrozenForm | undefined> {
    if (task.form_key === null || task.form_hash === null) return undefined
    return { ...(await definitions.form(task.form_hash)), key: task.form_key }
  }

  return {
    claim,
    release,
    complete,
    decidable,
    decide,
    checkAnswer,
    /** Throws where a decision would be held back for too long. */
    checkDelay: (notBefore: string | undefined) => void (notBefore !== undefined && dueAt(notBefore, clock())),
    undo,
    undoAll,
    send,
    undoable,
    get,
    /** The desks that may be named in an answer of this task. */
    earlierDesks: (task: TaskRow, language?: Language) => earlierDesks(db, task, language),

    /** Which of these tasks somebody may see. */
    async visible(person: Person, ids: readonly string[]): Promise<string[]> {
      if (person.seesAll) return [...ids]
      return tasks.listVisible(ids, person)
    },
  }
}

function dueAt(notBefore: string, now: Date): Date {
  const due = new Date(notBefore)
  if (due.getTime() - now.getTime() > longestDelay)
    throw new BusinessError('platform.form-invalid', {}, [{ field: '/notBefore', code: 'platform.delay-too-long' }])
  return due
}
