import type { CaseView } from '../cases/view.ts'
import { wordsOf } from '../../model/library/words.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type TaskSummary, taskSummary } from './task-rows.ts'
import { type Draft, draftOf } from './drafts.ts'
import { type TaskContext, taskContext } from './task-context.ts'
import { type Permit, isAskedForOpinion, obstacleOf } from './permission.ts'
import { rightOn } from '../offers/right-on.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { findTask } from '../rows/task-reads.ts'
import { listCandidates, listVisibleTasks } from '../rows/candidates.ts'
import type { TasksDependencies } from './context.ts'
import { earlierDesksOf } from './answers.ts'
import type { BesideForm } from '../cases/beside.ts'
import type { Unavailable } from '../cases/picked.ts'
import { getCaseRow } from '../rows/cases.ts'

/** A task with what its assignee needs to decide. */
export interface TaskView extends TaskContext {
  task: TaskSummary
  case: CaseView
  form: FrozenForm | null
  /** What the desk has to answer. */
  question: string | null
  /** Code of the reason why this person may not decide here, although they are a candidate. */
  blockedBy: string | null
  draft: Draft | null
  /** The entries that its form cannot pick now. */
  unavailable: Unavailable[]
  /** The desks that it can be returned to, if its form asks for one, with who decided there last. */
  earlierDesks: { id: string; name: string; by: { id: string; name: string } }[]
}

/** A task with its case and form, as this person may see them. */
export async function readTask(
  context: TasksDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<TaskView> {
  const { db, library, definitions, cases } = context
  const task = await findTask(db, id)
  if (!task) throw new BusinessError('platform.not-found')
  const view = await cases.get(person, task.case_id, language)
  const candidates = (await listCandidates(db, [id])).map((one) => one.principal)
  const right = rightOn(person, task, candidates)
  const blockedBy = await whyNot(context, person, task, right && { task, candidates, ...right })
  const { manifest } = await definitions.get(task.process_definition_id)
  const form = (await formOfTask(context, task)) ?? null
  const words = wordsOf(library, language)
  const asksForDesk = Object.values(form?.schema.properties ?? {}).some((field) => field['x-desk'] !== undefined)
  return {
    task: await taskSummary(context, person, task, language),
    case: view,
    form,
    earlierDesks: asksForDesk ? await earlierDesksOf(context, task, language) : [],
    unavailable:
      form && blockedBy === null ? await cases.unavailable(await getCaseRow(db, task.case_id), form, words) : [],
    question: words.question(manifest, task.desk, {
      requester: view.requester.name,
      subject: view.subject,
    }),
    ...(await taskContext({ db, library, definitions }, person, { task, candidates, right, blockedBy })),
    draft: await draftOf({ db, library }, person, task, { caseVersion: view.version, ...(language && { language }) }),
    blockedBy,
  }
}

/** What the form of a task shows beside its fields now, for a person who may fill it in. */
export async function readBeside(
  context: TasksDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<BesideForm> {
  const { db, library, cases } = context
  const task = await findTask(db, id)
  if (!task) throw new BusinessError('platform.not-found')
  const row = await cases.check(person, task.case_id)
  const form = await formOfTask(context, task)
  const candidates = (await listCandidates(db, [id])).map((one) => one.principal)
  const right = rightOn(person, task, candidates)
  const blockedBy = await whyNot(context, person, task, right && { task, candidates, ...right })
  if (!form || blockedBy !== null) return { notes: [], limits: [] }
  return cases.beside(row, form, wordsOf(library, language))
}

/** Code of the reason why a person who sees a task may not decide it. */
async function whyNot(
  context: TasksDependencies,
  person: Person,
  task: TaskRow,
  permit: Permit | undefined,
): Promise<string | null> {
  if (permit) return obstacleOf(context, person, permit)
  return isAskedForOpinion(person, task) ? 'platform.asked-for-opinion' : 'platform.not-allowed'
}

export async function formOfTask({ definitions }: TasksDependencies, task: TaskRow): Promise<FrozenForm | undefined> {
  if (task.form_key === null || task.form_hash === null) return undefined
  return { ...(await definitions.form(task.form_hash)), key: task.form_key }
}

/** Which of these tasks a person may see. */
export async function visibleTasks(
  { db }: TasksDependencies,
  person: Person,
  ids: readonly string[],
): Promise<string[]> {
  if (person.seesAll) return [...ids]
  return listVisibleTasks(db, ids, person)
}
