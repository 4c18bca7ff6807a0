import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Static, TObject } from 'typebox'
import type { EndsLinked } from '../../api/platform/work/cases/end-linked.ts'
import type { allocations } from '../../api/platform/work/allocations/allocations.ts'
import type { audit } from '../../api/platform/kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import type { Engine, Variables } from '../../api/platform/kernel/engine/port.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import type { mail } from '../../api/platform/records/mail/mail.ts'
import type { numbers } from '../../api/platform/records/numbers/numbers.ts'
import type { registers } from '../../api/platform/records/registers/registers.ts'

/** The context of a worker. Everything here belongs to one transaction, which commits or rolls back with the run. */
export interface WorkerContext<I> {
  /** Exactly the process variables and input parameters of the input schema. */
  variables: I
  case: WorkerCase
  /** The content of the case: the start form with all later changes. */
  submission: JsonObject
  /** All submissions of this case that took effect, oldest first. */
  submissions: readonly WorkerSubmission[]
  trx: Transaction<DB>
  registers: ReturnType<typeof registers>
  allocations: ReturnType<typeof allocations>
  numbers: ReturnType<typeof numbers>
  audit: ReturnType<typeof audit>
  mail: ReturnType<typeof mail>
  /**
   * Begins the case of `linked` with this name for the requester of this one, if there is none yet; `by` is who has
   * brought it about. Its fields are those of the case as it is now.
   */
  begin(name: string, by: { id: string; actedAs: string }): Promise<void>
  /**
   * Ends what follows from the case by links with `ends`, or by those in `only`; returns the names of those by which
   * something is left.
   */
  endLinked(how?: EndsLinked): Promise<string[]>
  /** Adds facts to the case; an existing name gets the new value. */
  facts(patch: JsonObject): Promise<void>
  /** A text in English, with its placeholders filled. */
  text(key: string, values?: Record<string, string | number>): string
  library: Library
  publicUrl: string
  now: Date
  log: Logger
}

/** The case that a worker acts for. */
export interface WorkerCase {
  id: string
  reference: string
  /** `<area>/<flow>`. */
  flow: string
  requesterId: string
  status: string
  statuses: Record<string, string>
  scope: Record<string, string>
  subject: JsonObject
}

/** A submission of the case. */
export interface WorkerSubmission {
  formKey: string
  /** The desk (id of the user task) it was sent from; null for the start form and for acts of the requester. */
  desk: string | null
  data: JsonObject
  by: string
  /** The role by which they sent it; null for a person's own. */
  actedAs: string | null
  at: Date
}

/** A worker. Its topic follows from its path: `workers/<area>/<verb-noun>.ts` runs `<area>.<verb-noun>`. */
export interface WorkerDefinition<I extends TObject, O extends TObject> {
  /** Required variables; a task without them becomes an incident. */
  input: I
  /** The variables it sets, all of them scalars. */
  output: O
  /**
   * Codes of the business errors that it may throw; each needs a boundary event in the diagram, because the engine
   * silently ends a case whose error nobody catches. All other errors lead to retries.
   */
  raises?: readonly string[]
  /** Runs once per task, without network access and without waiting. */
  run(context: WorkerContext<Static<I>>): Promise<Static<O> & Variables>
}

/** The context of a schedule's worker, which has no case. Everything here belongs to one transaction. */
export interface ScheduleContext<I> extends Pick<
  WorkerContext<I>,
  'variables' | 'trx' | 'mail' | 'text' | 'library' | 'publicUrl' | 'now' | 'log'
> {
  /**
   * The database with separate transactions, and read access to the engine: for idempotent comparisons. What must
   * commit with the run uses `trx`.
   */
  apart: { db: Kysely<DB>; engine: Engine }
  /** An additional address for checkpoints of the audit trail; undefined if none is set. */
  auditMailTo: string | undefined
}

/** One step of a schedule, as short as a step of a case; its diagram repeats it. */
export interface ScheduleDefinition<I extends TObject, O extends TObject> extends Omit<
  WorkerDefinition<I, O>,
  'run' | 'raises'
> {
  run(context: ScheduleContext<Static<I>>): Promise<Static<O> & Variables>
}

/** Any worker, where its variables do not matter. */
export type AnyWorker = Omit<WorkerDefinition<TObject, TObject>, 'run'> & {
  // A method, so that workers with narrower contexts are assignable.
  run(context: WorkerContext<any> | ScheduleContext<any>): Promise<Variables>
  /** It works for schedules. */
  schedule?: true
}

const defined = new WeakSet<object>()

/** Defines a worker: two schemas and one function, the default export of its file. */
export function worker<I extends TObject, O extends TObject>(definition: WorkerDefinition<I, O>): AnyWorker {
  defined.add(definition)
  return definition
}

/** Defines a step of a schedule, which has no case. */
export function schedule<I extends TObject, O extends TObject>(definition: ScheduleDefinition<I, O>): AnyWorker {
  const made: AnyWorker = { ...definition, schedule: true }
  defined.add(made)
  return made
}

/** Whether an export of a file is a worker. */
export function isWorker(value: unknown): value is AnyWorker {
  return typeof value === 'object' && value !== null && defined.has(value)
}
