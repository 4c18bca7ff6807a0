import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import type { Definitions } from '../flows/definitions.ts'
import { type TaskRow, taskRepository } from './repository.ts'

/** Whose request a task is about, and who sent it for them. */
export function requestersOf({ requester_id, sent_by }: Pick<TaskRow, 'requester_id' | 'sent_by'>): string[] {
  return [requester_id, ...(sent_by === null ? [] : [sent_by])]
}

/** Who may not decide at the desk of a task, whatever they hold. */
export async function barredFrom(
  db: Kysely<DB> | Transaction<DB>,
  definitions: Definitions,
  task: TaskRow,
): Promise<string[]> {
  const fourEyes = (await definitions.find(task.process_definition_id))?.diagram.desks.get(task.desk)?.fourEyes ?? []
  const desks = fourEyes.filter((desk) => desk !== 'requester')
  const deciders = await taskRepository(db).listDeciders(task.case_id, desks)
  return fourEyes.includes('requester') ? [...deciders, ...requestersOf(task)] : deciders
}
