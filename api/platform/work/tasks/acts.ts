import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { commentRepository } from '../comments/repository.ts'
import { invalid } from '../../people/access/refusals.ts'
import { BusinessError, wrongField } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { type Person, isStaff } from '../../people/persons/person.ts'
import type { TaskSummary } from './task-rows.ts'
import { containing } from '../../kernel/like.ts'
import { type Colleague, actRepository } from './act-repository.ts'
import { barredFrom, requestersOf } from '../offers/four-eyes.ts'
import { type HandlingDependencies, type Reached, taskHandling } from './handling.ts'
import { isAskedForOpinion, taken } from './permission.ts'
import { rightOn } from '../offers/right-on.ts'
import type { TaskRow } from '../rows/tasks.ts'
import type { Joint } from './service.ts'

/** So many people are proposed at a time. */
const PROPOSED = 20

/** Somebody to whom a task is given, and by what right it can be theirs. */
interface Receiver extends Reached {
  person: Person
}

/** Why somebody else may not decide at a desk, told to who would give them a task there. */
const unsuitable: Readonly<Record<string, string>> = {
  'platform.own-case': 'platform.assignee-own-case',
  'platform.own-case-of-absent': 'platform.assignee-own-case',
  'platform.decided-before': 'platform.assignee-decided-before',
  'platform.absent-decided-before': 'platform.assignee-decided-before',
}

/**
 * Handing a task on and putting it off. Each act is one transaction that asks what it changes to be as it was looked at:
 * of two at a time one is told who was faster, and when.
 */
export function taskActs(dependencies: HandlingDependencies) {
  const { db, definitions } = dependencies
  const { reach, reachOwn, take, must, change, write, note, obstacle, stillOffered } = taskHandling(dependencies)

  /** Somebody a task can be given to; throws why they cannot have it. */
  async function receiverOf(to: string, { task, candidates }: Reached): Promise<Receiver> {
    const person = await findPerson(db, to)
    if (!person) throw invalid([{ field: '/to', code: 'platform.person-unknown' }])
    const free = { ...task, state: 'open', assignee_id: null, held_for: null, delegated_by: null }
    const right = rightOn(person, free, candidates)
    // Who sees everything is not offered everything.
    if (!right || !(right.standsFor || candidates.includes(right.actedAs)))
      throw wrongField('/to', 'platform.assignee-not-offered', { name: person.name })
    const receiver = { task: free, candidates, ...right, leading: undefined, offered: true, person }
    const blocked = await obstacle(person, receiver)
    if (blocked) throw wrongField('/to', unsuitable[blocked] ?? blocked, { name: person.name })
    return receiver
  }

  /** A task with whom it would be taken from (null: nobody) and given to; throws what stands against it. */
  async function assignable(person: Person, id: string, to: string) {
    const reached = await reach(person, id)
    const { task, leading } = reached
    if (isAskedForOpinion(person, task)) throw new BusinessError('platform.asked-for-opinion')
    const from = task.state === 'open' ? null : task.assignee_id
    const taking = from !== null && from !== person.id
    if ((taking && leading === undefined) || to === from) throw taken(task)
    const permit = taking ? { ...reached, actedAs: leading!, standsFor: null } : reached
    return { task, permit, from, taking, receiver: await receiverOf(to, permit) }
  }

  /** Gives a task to somebody else it is offered to: what one holds or nobody does, and as who leads there anything. */
  async function assign(
    person: Person,
    id: string,
    { to, reason }: { to: string; reason?: string },
    language?: Language,
    { within, more, quiet = false }: Joint = {},
  ): Promise<TaskSummary> {
    const { permit, from, taking, receiver } = await assignable(person, id, to)
    const act = async (trx: Transaction<DB>) => {
      if (!(await stillOffered(trx, receiver.person, receiver)))
        throw wrongField('/to', 'platform.assignee-not-offered', { name: receiver.person.name })
      const handed = { from, to, heldFor: receiver.standsFor?.id ?? null }
      await must(trx, permit, await actRepository(trx).hand(id, handed))
      await note(trx, person, permit, taking ? 'task.reassigned' : 'task.assigned', {
        to,
        ...(from !== null && { from }),
        ...(reason !== undefined && { reason }),
        ...more,
      })
      const values = { by: person.name, to: receiver.person.name, words: reason ?? '' }
      if (to !== person.id && !quiet) await write(trx, permit, to, { template: 'platform.mail.task-assigned', values })
      if (from !== null && taking && !quiet)
        await write(trx, permit, from, { template: 'platform.mail.task-taken', values })
      await within?.(trx)
    }
    return change(person, permit, act, { language, others: [to, from] })
  }

  /** Asks somebody of the staff what they think; they hold the task until they say it, and do not decide it. */
  async function delegate(
    person: Person,
    id: string,
    { to, words }: { to: string; words: string },
    language?: Language,
  ): Promise<TaskSummary> {
    const permit = await reachOwn(person, id)
    const { task } = permit
    const colleague = await findPerson(db, to)
    if (!colleague) throw invalid([{ field: '/to', code: 'platform.person-unknown' }])
    if (excludedFromOpinion(person, task).includes(to) || !isStaff(colleague))
      throw wrongField('/to', 'platform.colleague-unsuitable', { name: colleague.name })
    const act = async (trx: Transaction<DB>) => {
      await take(trx, person, permit)
      await must(trx, permit, await actRepository(trx).delegate(id, person.id, to))
      await note(trx, person, permit, 'task.delegated', { to })
      const said = { caseId: task.case_id, taskId: id, author: person.id, kind: 'comment', body: words } as const
      await commentRepository(trx).add({ ...said, mentions: [to], files: [] })
      await write(trx, permit, to, { template: 'platform.mail.opinion-asked', values: { by: person.name, words } })
    }
    return change(person, permit, act, { language, others: [to] })
  }

  /** Gives a task back, with what one thinks, to the requester. */
  async function resolve(person: Person, id: string, opinion: string, language?: Language): Promise<TaskSummary> {
    const permit = await reach(person, id)
    const { task } = permit
    if (!isAskedForOpinion(person, task)) throw new BusinessError('platform.opinion-not-asked')
    const asker = task.delegated_by!
    const act = async (trx: Transaction<DB>) => {
      await must(trx, permit, await actRepository(trx).giveBack(id, person.id))
      await note(trx, person, permit, 'task.resolved', { to: asker })
      const said = { caseId: task.case_id, taskId: id, author: person.id, kind: 'opinion', body: opinion } as const
      await commentRepository(trx).add({ ...said, mentions: [], files: [] })
      const values = { by: person.name, words: opinion }
      await write(trx, permit, asker, { template: 'platform.mail.opinion-given', values })
    }
    return change(person, permit, act, { language, others: [asker] })
  }

  /** Puts a task off until a moment, or takes it up again; a free one is taken with it. */
  async function followUp(person: Person, id: string, at: string | null, language?: Language): Promise<TaskSummary> {
    const permit = await reach(person, id)
    const { task } = permit
    const until = at === null ? null : coming(at)
    const own = task.state === 'held' && task.assignee_id === person.id
    if (!own && until === null) throw task.state === 'held' ? taken(task) : new BusinessError('platform.task-not-held')
    const reached = own ? permit : await reachOwn(person, id)
    const act = async (trx: Transaction<DB>) => {
      await take(trx, person, reached)
      await must(trx, reached, await actRepository(trx).putOff(id, person.id, until))
      await note(trx, person, reached, 'task.put-off', { until: until?.toISOString() ?? null })
    }
    return change(person, reached, act, { language })
  }

  /** Says how urgent a task is: what one holds, what nobody holds, and as who leads there any. */
  async function setPriority(person: Person, id: string, priority: number, language?: Language): Promise<TaskSummary> {
    const reached = await reach(person, id)
    const { task, leading } = reached
    if (isAskedForOpinion(person, task)) throw new BusinessError('platform.asked-for-opinion')
    const others = task.state === 'held' && task.assignee_id !== person.id
    if (others && leading === undefined) throw taken(task)
    const permit = others ? { ...reached, actedAs: leading!, standsFor: null } : reached
    const act = async (trx: Transaction<DB>) => {
      await must(trx, permit, await actRepository(trx).set(id, task.version, { priority }))
      await note(trx, person, permit, 'task.priority-set', { priority })
    }
    return change(person, permit, act, { language, others: [task.assignee_id] })
  }

  /** Says until when a task is to be decided; for who leads there. */
  async function setDue(
    person: Person,
    id: string,
    { at, reason }: { at: string; reason: string },
    language?: Language,
  ): Promise<TaskSummary> {
    const reached = await reach(person, id)
    const { task, leading } = reached
    if (leading === undefined) throw new BusinessError('platform.not-allowed')
    const due = coming(at)
    const permit = { ...reached, actedAs: leading, standsFor: null }
    const act = async (trx: Transaction<DB>) => {
      await must(trx, permit, await actRepository(trx).set(id, task.version, { due_at: due }))
      const before = task.due_at?.toISOString() ?? null
      await note(trx, person, permit, 'task.due-set', { due: due.toISOString(), before, reason })
    }
    return change(person, permit, act, { language, others: [task.assignee_id] })
  }

  /** To whom a task can be given, or whom one can ask for an opinion on it; who has least to do comes first. */
  async function people(
    person: Person,
    id: string,
    { for: what, search }: { for: 'assign' | 'delegate'; search?: string },
  ): Promise<Colleague[]> {
    const { task, candidates } = await reach(person, id)
    const wanted = { search: search ? containing(search) : null, limit: PROPOSED }
    if (what === 'delegate')
      return actRepository(db).listColleagues({ ...wanted, without: excludedFromOpinion(person, task) })
    // Who takes it from somebody may take it for themselves.
    const taking = task.state === 'held' && task.assignee_id !== person.id
    const barred = await barredFrom(db, definitions, [task])
    const without = [taking ? task.assignee_id! : person.id, ...barred.get(id)!]
    return actRepository(db).listColleagues({ ...wanted, principals: candidates, without })
  }

  return { assignable, assign, delegate, resolve, followUp, setPriority, setDue, people }
}

/** Whom somebody does not ask for an opinion: themselves, and those whose own request it is. */
function excludedFromOpinion(person: Person, task: TaskRow): string[] {
  return [person.id, ...requestersOf(task)]
}

function coming(at: string): Date {
  const moment = new Date(at)
  if (moment.getTime() <= Date.now()) throw wrongField('/at', 'platform.moment-past')
  return moment
}
