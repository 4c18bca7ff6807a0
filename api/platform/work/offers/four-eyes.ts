import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { decidersAt, listDecisions } from '../rows/decisions.ts'

/** The requester of a task's case, and who sent it for them. */
export function requestersOf({ requester_id, sent_by }: Pick<TaskRow, 'requester_id' | 'sent_by'>): string[] {
  return [requester_id, ...(sent_by === null ? [] : [sent_by])]
}

/** The four-eyes rules of a desk, including those of the desk that the task had before its case moved. */
export function fourEyesAt(
  { desk, four_eyes }: TaskRow,
  definition: Pick<Definition, 'diagram'> | undefined,
): string[] {
  return [...new Set([...four_eyes, ...(definition?.diagram.desks.get(desk)?.fourEyes ?? [])])]
}

/** By task: the people who may not decide it, whatever their roles are. */
export async function barredFrom(
  db: Kysely<DB> | Transaction<DB>,
  definitions: Definitions,
  tasks: readonly TaskRow[],
): Promise<Map<string, string[]>> {
  const decisions = await listDecisions(db, [...new Set(tasks.map((task) => task.case_id))])
  const entries = tasks.map(async (task): Promise<[string, string[]]> => {
    const fourEyes = fourEyesAt(task, await definitions.find(task.process_definition_id))
    const deciders = decidersAt(decisions, task.case_id, fourEyes)
    return [task.id, fourEyes.includes('requester') ? [...deciders, ...requestersOf(task)] : deciders]
  })
  return new Map(await Promise.all(entries))
}
