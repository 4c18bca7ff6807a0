import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import type { Definitions } from '../flows/definitions.ts'
import { type TaskRow, decidersAt, taskRepository } from './repository.ts'

/** Whose request a task is about, and who sent it for them. */
export function requestersOf({ requester_id, sent_by }: Pick<TaskRow, 'requester_id' | 'sent_by'>): string[] {
  return [requester_id, ...(sent_by === null ? [] : [sent_by])]
}

/** Who may not decide at the desks of some tasks, whatever they hold, by task. */
export async function barredFrom(
  db: Kysely<DB> | Transaction<DB>,
  definitions: Definitions,
  tasks: readonly TaskRow[],
): Promise<Map<string, string[]>> {
  const decisions = await taskRepository(db).listDecisions([...new Set(tasks.map((task) => task.case_id))])
  const entries = tasks.map(async (task): Promise<[string, string[]]> => {
    const { diagram } = (await definitions.find(task.process_definition_id)) ?? {}
    const fourEyes = diagram?.desks.get(task.desk)?.fourEyes ?? []
    const deciders = decidersAt(decisions, task.case_id, fourEyes)
    return [task.id, fourEyes.includes('requester') ? [...deciders, ...requestersOf(task)] : deciders]
  })
  return new Map(await Promise.all(entries))
}
