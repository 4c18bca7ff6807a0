import type { Kysely, Transaction } from 'kysely'
import { lockAccess } from '../access/lock.ts'
import { audit } from '../audit/audit.ts'
import { caseRepository } from '../cases/repository.ts'
import { deadlinesOf, filesOf, variablesOf } from '../cases/routing.ts'
import { refuse } from '../cases/sent.ts'
import type { Cases } from '../cases/service.ts'
import type { CaseView } from '../cases/view.ts'
import { type Named, wordsOf } from '../cases/words.ts'
import { announce } from '../changed.ts'
import { commandRepository } from '../commands/repository.ts'
import type { Sender } from '../commands/sender.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import { BusinessError, type FieldError } from '../errors.ts'
import type { Definitions, FrozenForm } from '../flows/definitions.ts'
import type { Language, Library } from '../flows/library.ts'
import { checkForm } from '../forms/check.ts'
import { accounts } from '../identity/accounts.ts'
import { type Person, admits } from '../identity/person.ts'
import { type Page, counted, cursorOf, readCursor } from '../paging.ts'
import { readable } from '../readable.ts'
import { leaves } from '../registers/definition.ts'
import { type Queue, type TaskRow, type TaskState, everything, taskRepository } from './repository.ts'

export interface TasksDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Sender
  cases: Cases
  clock?: () => Date
}

/** A task as the inbox shows it. */
export interface TaskSummary {
  id: string
  caseId: string
  reference: string
  flow: string
  flowTitle: string
  desk: string
  name: string
  /** One line by which people recognise the case. */
  title: string
  subject: JsonObject
  requester: { id: string; name: string }
  state: TaskState
  assignee: { id: string; name: string } | null
  /** Who has decided it, also while the decision is on its way. */
  decidedBy: { id: string; name: string } | null
  createdAt: string
  dueAt: string | null
  priority: number
  status: Named
  /** The desk that nobody is at, where that is why the person who asks has the task: *HOD, Department of Painting*. */
  standsInFor: string | null
  version: number
}

/** A task with what its holder needs to decide. */
export interface TaskView {
  task: TaskSummary
  case: CaseView
  form: FrozenForm | null
  /** What the desk has to answer. */
  question: string | null
  /** Code of the reason why this person may not decide here, though the task is offered to them. */
  blockedBy: string | null
  /** The desks that it can be sent back to, where its form asks for one, with who decided there last. */
  earlierDesks: { id: string; name: string; by: { id: string; name: string } }[]
}

export interface TaskListQuery {
  queue?: Queue
  flow?: string
  status?: string
  desk?: string
  /** Field of the start form → value. */
  filters?: Record<string, string>
  /** Part of the reference or the subject of the case. */
  search?: string
  cursor?: string
  limit?: number
}

/** What somebody decides. */
export interface Completion {
  data: unknown
  /** Until then the decision can be taken back; half a minute from now at most. */
  notBefore?: string
}

/** Longest time for which a decision may be held back, in milliseconds. */
const longestDelay = 60_000
const queues: readonly Queue[] = ['open', 'mine', 'group']

export type Tasks = ReturnType<typeof tasksService>

/** Tasks: the inbox, and acting on a task in the order permission, still open, form check, commit. */
export function tasksService(dependencies: TasksDependencies) {
  const { db, library, definitions, sender, cases, clock = () => new Date() } = dependencies
  const tasks = taskRepository(db)

  /** The task, and by what right this person acts on it; for everybody else it does not exist. */
  async function permitted(
    person: Person,
    id: string,
  ): Promise<{ task: TaskRow; actedAs: string; candidates: string[] }> {
    const task = await tasks.find(id)
    if (!task) throw new BusinessError('platform.not-found')
    const candidates = (await tasks.listCandidates([id])).map((one) => one.principal)
    const through = candidates.find((principal) => person.principals.includes(principal))
    const actedAs = through ?? (person.seesAll ? admits(person, []) : undefined)
    if (actedAs !== undefined) return { task, actedAs, candidates }
    // An ended task is offered to nobody; whoever sees its case learns how it ended.
    await cases.check(person, task.case_id)
    if (isOver(task)) throw decided(task)
    throw new BusinessError('platform.not-allowed')
  }

  /** Code of the reason why this person may not decide at the desk of a task. */
  async function obstacle(person: Person, task: TaskRow, actedAs: string): Promise<string | null> {
    const { diagram } = await definitions.get(task.process_definition_id)
    const fourEyes = diagram.desks.get(task.desk)?.fourEyes ?? []
    // What is offered to the requester by name is theirs, whatever the desk says.
    const own = actedAs === `user:${person.id}`
    const theirs = [task.requester_id, task.sent_by].includes(person.id)
    if (!own && fourEyes.includes('requester') && theirs) return 'platform.own-case'
    const desks = fourEyes.filter((desk) => desk !== 'requester')
    const deciders = await tasks.listDeciders(task.case_id, desks)
    return deciders.includes(person.id) ? 'platform.decided-before' : null
  }

  async function tell(task: TaskRow, candidates: readonly string[], ...people: string[]): Promise<void> {
    const principals = [...candidates, everything, `user:${task.requester_id}`, ...people.map((id) => `user:${id}`)]
    await announce(db, { principals, cases: [task.case_id], tasks: [task.id] })
  }

  /** Leaves the audit entry of an act on a task. */
  async function note(
    trx: Transaction<DB>,
    person: Person,
    task: TaskRow,
    actedAs: string,
    action: string,
    more: JsonObject = {},
  ): Promise<void> {
    await audit(trx).record({
      actor: person.id,
      actedAs: person.through ?? actedAs,
      action,
      caseId: task.case_id,
      object: `task:${task.id}`,
      payload: { task: task.name, desk: task.desk, ...more },
    })
  }

  /** Nobody takes a task in the moment in which their grant ends: one of both comes first. */
  async function stillOffered(trx: Transaction<DB>, person: Person, candidates: readonly string[]): Promise<boolean> {
    await lockAccess(trx, 'shared')
    const now = await accounts(trx).findPerson(person.id)
    return now !== undefined && (now.seesAll || candidates.some((one) => now.principals.includes(one)))
  }

  async function claim(person: Person, id: string, language?: Language): Promise<TaskSummary> {
    const { task, actedAs, candidates } = await permitted(person, id)
    const blocked = await obstacle(person, task, actedAs)
    if (blocked) throw new BusinessError(blocked)
    await db.transaction().execute(async (trx) => {
      const repository = taskRepository(trx)
      if (!(await stillOffered(trx, person, candidates))) throw new BusinessError('platform.not-found')
      if (!(await repository.claim(id, person.id))) throw taken(await repository.get(id))
      await repository.refreshInbox([id])
      await note(trx, person, task, actedAs, 'task.claimed')
    })
    await tell(task, candidates, person.id)
    return summary(person, await tasks.get(id), language)
  }

  async function release(person: Person, id: string, language?: Language): Promise<TaskSummary> {
    const { task, actedAs, candidates } = await permitted(person, id)
    await db.transaction().execute(async (trx) => {
      const repository = taskRepository(trx)
      if (!(await repository.release(id, person.id))) {
        const now = await repository.get(id)
        throw now.state === 'open' ? new BusinessError('platform.task-not-held') : taken(now)
      }
      await repository.refreshInbox([id])
      await note(trx, person, task, actedAs, 'task.released')
    })
    await tell(task, candidates, person.id)
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
    { data, notBefore }: Completion,
  ): Promise<{ state: 'done' | 'accepted'; caseId: string }> {
    const { task, actedAs, candidates } = await permitted(person, id)
    const blocked = await obstacle(person, task, actedAs)
    if (blocked) throw new BusinessError(blocked)
    if (isOver(task) || (task.state === 'held' && task.assignee_id !== person.id)) throw taken(task)
    const form = await formOf(task)
    if (!form) throw new BusinessError('platform.task-without-form')
    refuse(checkForm(form.schema, data))
    const now = clock()
    const answer = data as JsonObject
    const { manifest, xml } = await definitions.get(task.process_definition_id)
    const corrects = form.key === manifest.start
    const later = notBefore === undefined || corrects ? undefined : dueAt(notBefore, now)
    const commandId = await db.transaction().execute(async (trx) => {
      const repository = taskRepository(trx)
      // The case before its tasks, as workers and the feed do.
      if (corrects) await caseRepository(trx).lock(task.case_id)
      const outcome = (data as { outcome?: string }).outcome ?? null
      if (!(await repository.accept(id, person.id, outcome))) throw taken(await repository.get(id))
      refuse(await wrongDesks(trx, task, form, answer))
      await cases.checkAnswer(trx, { caseId: task.case_id, desk: task.desk, data: answer, by: person.id })
      const repositoryOfCase = caseRepository(trx)
      const submissionId = await repositoryOfCase.addSubmission({
        caseId: task.case_id,
        taskId: id,
        formKey: form.key,
        formHash: form.hash,
        data,
        by: person.id,
        actedAs,
      })
      const corrected = corrects ? await cases.correct(trx, { caseId: task.case_id, form, data: answer }) : {}
      const files = filesOf(form.schema, data)
      const foreign = await repositoryOfCase.addFiles(task.case_id, submissionId, person.id, files)
      refuse(foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
      await note(trx, person, task, actedAs, 'task.completed', { outcome, submissionId, formHash: form.hash })
      const command = await commandRepository(trx).add({
        kind: 'complete',
        caseId: task.case_id,
        taskId: id,
        submissionId,
        actingUser: person.id,
        ...(later && { notBefore: later }),
        payload: {
          taskId: id,
          variables: {
            ...variablesOf(form.schema, data),
            ...corrected,
            ...(outcome !== null && { [`${task.desk}_outcome`]: outcome }),
            ...(await deadlinesOf(trx, xml, now)),
          },
        },
      })
      await repository.setCommand(id, command)
      await repository.refreshInbox([id])
      return command
    })
    await tell(task, candidates, person.id)
    const standing = later ? 'pending' : await sender.deliver(commandId)
    if (standing === 'refused') throw taken(await tasks.get(id))
    return { state: standing === 'done' ? 'done' : 'accepted', caseId: task.case_id }
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

  /** Takes a decision back that was made with `notBefore`, as long as it has not been sent. */
  async function undo(person: Person, id: string, language?: Language): Promise<TaskSummary> {
    const { task, actedAs, candidates } = await permitted(person, id)
    if (task.decided_by !== person.id || task.command_id === null) throw new BusinessError('platform.not-allowed')
    await db.transaction().execute(async (trx) => {
      const inTime = await commandRepository(trx).takeBack(task.command_id!)
      if (!inTime) throw new BusinessError('platform.too-late-to-undo')
      await caseRepository(trx).voidSubmissionOf(id, 'undone')
      await taskRepository(trx).reopen(id)
      await taskRepository(trx).refreshInbox([id])
      await note(trx, person, task, actedAs, 'task.completion-undone')
    })
    await tell(task, candidates, person.id)
    return summary(person, await tasks.get(id), language)
  }

  async function get(person: Person, id: string, language?: Language): Promise<TaskView> {
    const task = await tasks.find(id)
    if (!task) throw new BusinessError('platform.not-found')
    const view = await cases.get(person, task.case_id, language)
    const candidates = (await tasks.listCandidates([id])).map((one) => one.principal)
    const through = candidates.find((principal) => person.principals.includes(principal))
    const actedAs = through ?? (person.seesAll ? admits(person, []) : undefined)
    const { manifest } = await definitions.get(task.process_definition_id)
    const question = manifest.question?.[task.desk]
    const form = (await formOf(task)) ?? null
    const asksForDesk = Object.values(form?.schema.properties ?? {}).some((field) => field['x-desk'] !== undefined)
    return {
      task: await summary(person, task, language),
      case: view,
      form,
      earlierDesks: asksForDesk ? await earlierDesks(db, task, language) : [],
      question:
        question === undefined
          ? null
          : wordsOf(library, language).text(
              question,
              readable({ requester: view.requester.name, ...view.subject }, language),
            ),
      blockedBy: actedAs === undefined ? 'platform.not-allowed' : await obstacle(person, task, actedAs),
    }
  }

  /** One page of a queue, newest first. */
  async function list(
    person: Person,
    { queue = 'open', flow, status, desk, filters = {}, search, cursor, limit = 20 }: TaskListQuery,
    language?: Language,
  ): Promise<Page<TaskSummary>> {
    const wanted = {
      principals: readers(person),
      queue,
      // The rarest first: it picks the index.
      filters: { ...filters, ...(desk && { desk }), ...(status && { status }), ...(flow && { flow }) },
      ...(search && { search }),
    }
    const [created, task] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'text'])
    const [rows, count] = await Promise.all([
      tasks.listInbox({ ...wanted, ...(created && task && { after: { created, task } }), limit: limit + 1 }),
      tasks.countInbox(wanted),
    ])
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      items: await summaries(person, page, language),
      next: rows.length > limit && last ? cursorOf([last.created, last.id]) : null,
      count: counted(count),
    }
  }

  async function summary(person: Person, row: TaskRow, language?: Language): Promise<TaskSummary> {
    const [one] = await summaries(person, [row], language)
    return one!
  }

  async function summaries(person: Person, rows: readonly TaskRow[], language?: Language): Promise<TaskSummary[]> {
    const candidates = await tasks.listCandidates(rows.map(({ id }) => id))
    const own = candidates.filter(({ principal }) => person.principals.includes(principal))
    const vacant = own.filter(
      (one) => one.stands_in_for !== null && !own.some((x) => x.task_id === one.task_id && x.stands_in_for === null),
    )
    const titles = await caseRepository(db).itemTitles(vacant.flatMap((one) => one.stands_in_for!.split(':').slice(1)))
    const words = wordsOf(library, language)
    return Promise.all(
      rows.map(async (row) => {
        const absent = vacant.find(({ task_id }) => task_id === row.id)?.stands_in_for
        return { ...(await told(row, language)), standsInFor: absent ? words.principal(absent, titles) : null }
      }),
    )
  }

  async function told(row: TaskRow, language?: Language): Promise<Omit<TaskSummary, 'standsInFor'>> {
    const words = wordsOf(library, language)
    const { manifest } = await definitions.get(row.process_definition_id)
    return {
      id: row.id,
      caseId: row.case_id,
      reference: row.reference,
      flow: row.flow,
      flowTitle: words.flowTitle(manifest),
      desk: row.desk,
      name: words.element(row.flow, row.desk, row.name),
      title: words.caseTitle(manifest, row.subject),
      subject: row.subject as JsonObject,
      requester: { id: row.requester_id, name: row.requester_name },
      state: row.state as TaskState,
      assignee: row.assignee_id ? { id: row.assignee_id, name: row.assignee_name! } : null,
      decidedBy: row.decided_by ? { id: row.decided_by, name: row.decider_name! } : null,
      createdAt: row.created_at.toISOString(),
      dueAt: row.due_at?.toISOString() ?? null,
      priority: row.priority,
      status: words.status(manifest, 'status', row.status),
      version: row.version,
    }
  }

  async function formOf(task: TaskRow): Promise<FrozenForm | undefined> {
    if (task.form_key === null || task.form_hash === null) return undefined
    return { ...(await definitions.form(task.form_hash)), key: task.form_key }
  }

  return {
    claim,
    release,
    complete,
    undo,
    get,
    list,

    /** How many tasks are in each queue, exact to 99. */
    async count(person: Person): Promise<Record<Queue, { value: number; more: boolean }>> {
      const counts = await Promise.all(
        queues.map(async (queue) => {
          const count = await tasks.countInbox({ principals: readers(person), queue, filters: {} })
          return [queue, counted(count)] as const
        }),
      )
      return Object.fromEntries(counts) as Record<Queue, { value: number; more: boolean }>
    },

    /** Which of these tasks somebody may see. */
    async visible(person: Person, ids: readonly string[]): Promise<string[]> {
      if (person.seesAll) return [...ids]
      return tasks.listVisible(ids, person.id, person.principals)
    },
  }
}

/** Under which principals somebody reads the inbox. */
function readers(person: Person): string[] {
  return person.seesAll ? [everything, `user:${person.id}`] : person.principals
}

function isOver(task: TaskRow): boolean {
  return task.state === 'accepted' || task.state === 'done' || task.state === 'void'
}

/** Why a task cannot be taken or decided: who was faster, and when. */
function taken(task: TaskRow): BusinessError {
  if (isOver(task)) return decided(task)
  if (task.state === 'held')
    return new BusinessError('platform.task-held', { name: task.assignee_name!, at: task.claimed_at!.toISOString() })
  return new BusinessError('platform.task-changed')
}

function decided(task: TaskRow): BusinessError {
  if (task.state === 'void' || task.decider_name === null) return new BusinessError('platform.task-gone')
  return new BusinessError('platform.task-decided', { name: task.decider_name, at: task.decided_at!.toISOString() })
}

function dueAt(notBefore: string, now: Date): Date {
  const due = new Date(notBefore)
  if (due.getTime() - now.getTime() > longestDelay)
    throw new BusinessError('platform.form-invalid', {}, [{ field: '/notBefore', code: 'platform.delay-too-long' }])
  return due
}
