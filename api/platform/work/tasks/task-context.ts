import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isInside } from '../cases/insiders.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { whoOf } from '../../people/persons/who.ts'
import { presenceRepository } from '../comments/presence-repository.ts'
import { leadsNow } from '../../people/access/lead.ts'
import { type Permit, isAskedForOpinion, isOver, takesOver } from './permission.ts'
import { type QuestionRow, questionRepository } from '../rows/questions.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { countComments } from '../comments/repository.ts'

/** What a person may do with a task now. `claim` also takes it back from a colleague who was asked for an opinion. */
export interface May {
  claim: boolean
  release: boolean
  assign: boolean
  /** Takes it from its assignee. */
  reassign: boolean
  delegate: boolean
  resolve: boolean
  followUp: boolean
  priority: boolean
  due: boolean
  question: boolean
  decide: boolean
  /** Reads and writes comments, and appears among the viewers. */
  talk: boolean
}

/** A question to the requester, as people who handle the case see it. */
export interface QuestionView {
  id: string
  question: string
  askedBy: { id: string; name: string }
  askedAt: string
  answer: string | null
  answeredBy: { id: string; name: string } | null
  answeredAt: string | null
}

/** What a task has beside its form and its case. */
export interface TaskContext {
  may: May
  /** Who else has it open now. */
  looking: { id: string; name: string; typing: boolean }[]
  questions: QuestionView[]
  /** How many comments on the case the reader can read. */
  comments: number
}

/** A task with the reader's right, and why they may not decide it. */
interface Seen {
  task: TaskRow
  candidates: readonly string[]
  right: Pick<Permit, 'actedAs' | 'standsFor'> | undefined
  blockedBy: string | null
}

export async function taskContext(
  { db, library, definitions }: { db: Kysely<DB>; library: Library; definitions: Definitions },
  person: Person,
  seen: Seen,
): Promise<TaskContext> {
  const { task, candidates } = seen
  const [questions, leading, talk] = await Promise.all([
    questionRepository(db).listOfCase(task.case_id),
    leadsNow(db, person),
    isInside({ db, library, definitions }, person, task.case_id),
  ])
  const [looking, comments] = talk
    ? await Promise.all([
        presenceRepository(db).listOthers(task.id, person.id),
        countComments(db, task.case_id, person.id),
      ])
    : [[], 0]
  const asked = questions.some(({ task_id, open }) => open && task_id === task.id)
  return {
    may: { ...mayDo(person, seen, { leads: leading?.rightOn(candidates) !== undefined, asked }), talk },
    looking,
    questions: questions.map(questionView),
    comments,
  }
}

function mayDo(
  person: Person,
  { task, right, blockedBy }: Seen,
  { leads, asked }: { leads: boolean; asked: boolean },
): Omit<May, 'talk'> {
  const live = !isOver(task)
  const free = task.state === 'open'
  const held = task.state === 'held' && task.assignee_id === person.id
  const forOpinion = isAskedForOpinion(person, task)
  const own = held && !forOpinion
  const offered = right !== undefined
  const decides = offered && blockedBy === null && (free || own)
  const back = task.state === 'held' && task.delegated_by === person.id
  const absents = right !== undefined && takesOver({ task, standsFor: right.standsFor })
  return {
    claim: offered && blockedBy === null && (free || back || absents),
    release: held,
    assign: own || (free && (offered || leads)),
    reassign: live && !free && !held && leads,
    delegate: decides,
    resolve: forOpinion,
    followUp: held || decides,
    priority: own || (free && offered) || (live && leads && !forOpinion),
    due: live && leads,
    question: decides && !asked && task.requester_id !== person.id,
    decide: decides && task.form_key !== null,
  }
}

function questionView(row: QuestionRow): QuestionView {
  return {
    id: row.id,
    question: row.question,
    askedBy: { id: row.asked_by, name: row.asker },
    askedAt: row.asked_at.toISOString(),
    answer: row.answer,
    answeredBy: whoOf(row.answered_by, row.answerer),
    answeredAt: row.answered_at?.toISOString() ?? null,
  }
}
