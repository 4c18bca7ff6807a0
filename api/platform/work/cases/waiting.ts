import type { Language } from '../../model/library/library.ts'
import { wordsOf } from '../../model/library/words.ts'
import { whoOf } from '../../people/persons/who.ts'
import type { CasesContext } from './context.ts'
import type { WaitingTask } from './view.ts'
import { listCandidates } from '../rows/candidates.ts'
import { listOpenTasksOfCases } from '../rows/task-reads.ts'
import { itemTitles } from '../rows/items.ts'

/** The tasks that each of these cases waits for. */
export async function waitingTasks(
  { db, library }: Pick<CasesContext, 'db' | 'library'>,
  caseIds: readonly string[],
  language?: Language,
): Promise<Map<string, WaitingTask[]>> {
  const tasks = await listOpenTasksOfCases(db, caseIds)
  const candidates = await listCandidates(
    db,
    tasks.map((task) => task.id),
  )
  const titles = await itemTitles(
    db,
    candidates.flatMap(({ principal }) => principal.split(':').slice(1)),
  )
  const words = wordsOf(library, language)
  const aboutCase = ({ flow, requester_id: requester }: (typeof tasks)[number]) => ({
    requester,
    manifest: library.flows.get(flow)?.manifest,
  })
  const view = (task: (typeof tasks)[number]): WaitingTask => ({
    taskId: task.id,
    desk: task.desk,
    name: words.element(task.flow, task.desk, task.name),
    principals: candidates
      .filter((one) => one.task_id === task.id)
      .map((one) => words.principal(one.principal, titles, aboutCase(task))),
    assignee: whoOf(task.assignee_id, task.assignee_name),
    since: task.created_at.toISOString(),
    dueAt: task.due_at?.toISOString() ?? null,
  })
  const found = new Map<string, WaitingTask[]>()
  for (const task of tasks) found.set(task.case_id, [...(found.get(task.case_id) ?? []), view(task)])
  return found
}
