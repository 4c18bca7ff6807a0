import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { taskActs } from '../../work/tasks/acts.ts'
import { takesOver, taken, taskPermission } from '../../work/tasks/permission.ts'
import { type TaskRow, taskRepository } from '../../work/rows/tasks.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { BulkKind } from '../../work/rows/bulk.ts'

export interface BulkDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Cases
  tasks: Tasks
  publicUrl: string
}

/** A requested bulk action. */
export interface BulkRequest {
  kind: BulkKind
  tasks: string[]
  outcome?: string
  data?: unknown
  to?: string
  notBefore?: string
}

/** The expected result for one task: the form to decide it with, or why it would be refused. */
export interface ExpectedResult {
  id: string
  /** The task, if this person may see it. */
  task?: TaskRow
  form?: FrozenForm
  reason?: BusinessError
}

/** Tasks checked concurrently. */
const CONCURRENT_CHECKS = 4

/* Checks many tasks as the act itself would, without changing anything. */

/** Throws why it cannot be decided. */
async function lookToComplete(
  { tasks, definitions }: BulkDependencies,
  person: Person,
  id: string,
): Promise<ExpectedResult> {
  const { permit, form } = await tasks.decidable(person, id)
  const { manifest } = await definitions.get(permit.task.process_definition_id)
  if (form.key === manifest.start) throw new BusinessError('platform.bulk-correction')
  return { id, task: permit.task, form }
}

/** Throws why it cannot be claimed. */
async function lookToClaim(dependencies: BulkDependencies, person: Person, id: string): Promise<ExpectedResult> {
  const { permitted, obstacle } = taskPermission(dependencies)
  const permit = await permitted(person, id)
  const { task } = permit
  const blocked = await obstacle(person, permit)
  if (blocked) throw new BusinessError(blocked)
  if (task.state !== 'open' && task.delegated_by !== person.id && !takesOver(permit)) throw taken(task)
  return { id, task }
}

/** Throws why it cannot be released. */
async function lookToRelease(dependencies: BulkDependencies, person: Person, id: string): Promise<ExpectedResult> {
  const { db } = dependencies
  const { permitted } = taskPermission(dependencies)
  const task = await taskRepository(db).find(id)
  if (task?.state === 'held' && task.assignee_id === person.id) return { id, task }
  const permit = await permitted(person, id)
  throw permit.task.state === 'open' ? new BusinessError('platform.task-not-held') : taken(permit.task)
}

/** The expected result for one task. */
async function look(
  dependencies: BulkDependencies,
  person: Person,
  { kind, to }: BulkRequest,
  id: string,
): Promise<ExpectedResult> {
  const { db } = dependencies
  const { assignable } = taskActs(dependencies)
  try {
    switch (kind) {
      case 'complete':
        return await lookToComplete(dependencies, person, id)
      case 'claim':
        return await lookToClaim(dependencies, person, id)
      case 'release':
        return await lookToRelease(dependencies, person, id)
      case 'assign':
        return { id, task: (await assignable(person, id, known(to, 'who gets the tasks of a bulk action'))).task }
    }
  } catch (reason) {
    if (!(reason instanceof BusinessError)) throw reason
    // Reveals nothing about tasks that the person may not see.
    const task = reason.code === 'platform.not-found' ? undefined : await taskRepository(db).find(id)
    return { id, reason, ...(task && { task }) }
  }
}

/** Why an answer with this form would be rejected for one task. */
async function objection(
  { tasks }: BulkDependencies,
  person: Person,
  { task, form: own }: ExpectedResult,
  { form, answer, outcome }: { form: FrozenForm; answer: JsonObject | undefined; outcome: string | undefined },
): Promise<BusinessError | undefined> {
  if (known(own, 'the form of a task that can be decided').hash !== form.hash)
    return new BusinessError('platform.bulk-form-differs')
  // Until the form is complete, only the outcome is checked.
  if (outcome !== undefined && !outcomesOf(form).includes(outcome)) return new BusinessError('platform.form-invalid')
  try {
    if (answer) await tasks.checkAnswer(person, known(task, 'a task that can be decided'), form, answer)
    return undefined
  } catch (error) {
    if (error instanceof BusinessError) return error
    throw error
  }
}

/** The expected result for each task in order, and the form to decide the others with. */
export async function previewTasks(
  dependencies: BulkDependencies,
  person: Person,
  request: BulkRequest,
): Promise<{ looks: ExpectedResult[]; form: FrozenForm | undefined }> {
  const { kind, tasks: ids, outcome } = request
  const seen = await inTurn(ids, (id) => look(dependencies, person, request, id))
  const form = kind === 'complete' ? commonForm(seen.filter(({ reason }) => !reason)) : undefined
  if (!form) return { looks: seen, form }
  const given = { form, outcome, answer: request.data === undefined ? undefined : answerOf(request) }
  const checked = await inTurn(seen, async (one): Promise<ExpectedResult> => {
    const reason = one.reason ?? (await objection(dependencies, person, one, given))
    return reason ? { ...one, reason } : one
  })
  return { looks: checked, form }
}

/** Whether this person may see all these tasks. */
export async function mayKnowAll(
  dependencies: BulkDependencies,
  person: Person,
  request: BulkRequest,
  ids: readonly string[],
): Promise<boolean> {
  const seen = await inTurn(ids, (id) => look(dependencies, person, request, id))
  return seen.every(({ task }) => task !== undefined)
}

/** The form that most of them have. */
export function commonForm(looks: readonly Pick<ExpectedResult, 'form'>[]): FrozenForm | undefined {
  const counts = new Map<string, { form: FrozenForm; count: number }>()
  for (const { form } of looks)
    if (form) counts.set(form.hash, { form, count: (counts.get(form.hash)?.count ?? 0) + 1 })
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.form
}

/** The answer as data of the form. */
export function answerOf({ outcome, data }: Pick<BulkRequest, 'outcome' | 'data'>): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- routes take it from a JSON body, as an object
  const given = data as JsonObject | undefined
  return { ...given, ...(outcome !== undefined && { outcome }) }
}

/** The outcomes of a form. */
export function outcomesOf(form: FrozenForm): string[] {
  const options = form.schema.properties?.['outcome']?.oneOf ?? []
  return options.map((option) => String(option.const))
}

/** Runs some at a time, in order. */
async function inTurn<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = Array.from({ length: all.length })
  const turns = all.entries()
  await Promise.all(
    Array.from({ length: CONCURRENT_CHECKS }, async () => {
      for (const [at, one] of turns) results[at] = await act(one)
    }),
  )
  return results
}
