import type { Kysely } from 'kysely'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { RunDefinition } from '../../model/definitions/run.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library, Manifest } from '../../model/library/library.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { presentManifest } from '../../work/cases/context.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { CaseRow } from '../../work/rows/cases.ts'
import { type RunRow, findRun } from '../../work/rows/runs.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import { type Permit, taskPermission } from '../../work/tasks/permission.ts'

export interface RunDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Pick<Cases, 'check' | 'list'>
}

/** A run, for a person who may see its case. */
export interface ReachedRun {
  of: CaseRow
  run: RunRow
  manifest: Manifest & { run: RunDefinition }
  /** The reader's own student entry: they may not act on its lines. */
  own: string | null
}

/** The run of a case that this person may see; throws 404 for everybody else, and for cases without a run. */
export async function reachRun(deps: RunDependencies, person: Person, caseId: string): Promise<ReachedRun> {
  const of = await deps.cases.check(person, caseId)
  const manifest = await presentManifest(deps, of)
  const run = await findRun(deps.db, caseId)
  if (!run || !manifest.run) throw new BusinessError('platform.not-found')
  const entry = await findOwnEntry(deps.db, person.id)
  return { of, run, manifest: { ...manifest, run: manifest.run }, own: entry?.id ?? null }
}

/** The task of a case that this person may decide now, with their right; undefined if there is none. */
export async function decidable(deps: RunDependencies, person: Person, caseId: string): Promise<Permit | undefined> {
  const { permitted, obstacle } = taskPermission(deps)
  for (const task of await taskRepository(deps.db).listOpenOfCase(caseId)) {
    if (task.state === 'accepted' || (task.state === 'held' && task.assignee_id !== person.id)) continue
    const permit = await permitted(person, task.id).catch((error: unknown) => {
      if (error instanceof BusinessError) return undefined
      throw error
    })
    if (permit && (await obstacle(person, permit)) === null) return permit
  }
  return undefined
}

/** The right by which a person does what a manifest reserves for some roles; undefined if they may not. */
export function rightOf(person: Person, roles: readonly string[] | undefined): string | undefined {
  return roles && admits(person, roles)
}

/** Notifies the browsers of people who have the case open that its run has changed. */
export async function notifyRunChanged({ db }: RunDependencies, { of }: ReachedRun): Promise<void> {
  await announce(db, { principals: [`user:${of.requester_id}`], cases: [of.id], tasks: [] })
}
