import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Static, TObject } from 'typebox'
import type { allocations } from '../../api/platform/work/allocations/allocations.ts'
import type { audit } from '../../api/platform/kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import type { Engine, Variables } from '../../api/platform/kernel/engine/port.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import type { mail } from '../../api/platform/records/mail/mail.ts'
import type { numbers } from '../../api/platform/records/numbers/numbers.ts'
import type { registers } from '../../api/platform/records/registers/registers.ts'

/** What a worker may know and use. Everything here belongs to one transaction: it stands or falls with the run. */
export interface WorkerContext<I> {
  /** Exactly the process variables and input parameters that the input schema names. */
  variables: I
  case: WorkerCase
  /** What the case says now: the start form with all that was changed since. */
  submission: JsonObject
  /** Everything people sent in this case that took effect, the oldest first. */
  submissions: readonly WorkerSubmission[]
  trx: Transaction<DB>
  registers: ReturnType<typeof registers>
  allocations: ReturnType<typeof allocations>
  numbers: ReturnType<typeof numbers>
  audit: ReturnType<typeof audit>
  mail: ReturnType<typeof mail>
  /** Adds to the facts of the case; a name that is there already gets the new value. */
  facts(patch: JsonObject): Promise<void>
  /** A text in English, with its placeholders filled. */
  text(key: string, values?: Record<string, string | number>): string
  library: Library
  /** Where people reach the product. */
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

/** What a person sent by one form of the case. */
export interface WorkerSubmission {
  formKey: string
  /** The desk (id of the user task) it was sent from; null for the start form and for acts of the requester. */
  desk: string | null
  data: JsonObject
  by: string
  at: Date
}

/** One effect of ours. Its topic is its place: `workers/<area>/<verb-noun>.ts` runs `<area>.<verb-noun>`. */
export interface WorkerDefinition<I extends TObject, O extends TObject> {
  /** The variables it needs; a task without them becomes an incident. */
  input: I
  /** The variables it sets, all of them scalars. */
  output: O
  /**
   * Codes of the business errors that it may throw; each needs a boundary event in the diagram, because the engine
   * silently ends a case whose error nobody catches. Any other error is a fault.
   */
  raises?: readonly string[]
  /** Acts once per task, without network and without waiting. */
  run(context: WorkerContext<Static<I>>): Promise<Static<O> & Variables>
}

/** What a worker of a schedule may know and use; it works for no case. All of it belongs to one transaction. */
export interface ScheduleContext<I> extends Pick<
  WorkerContext<I>,
  'variables' | 'trx' | 'mail' | 'text' | 'library' | 'publicUrl' | 'now' | 'log'
> {
  /**
   * The database in transactions of their own, and the engine to look at: for comparing the two, which is done again
   * without harm. What stands or falls with the run goes through `trx`.
   */
  apart: { db: Kysely<DB>; engine: Engine }
  /** One more address for the checkpoints of the audit; undefined where the operator names none. */
  auditMailTo: string | undefined
}

/** One step of a schedule, as small as a step of a case; a diagram that comes again to it makes many of them. */
export interface ScheduleDefinition<I extends TObject, O extends TObject> extends Omit<
  WorkerDefinition<I, O>,
  'run' | 'raises'
> {
  run(context: ScheduleContext<Static<I>>): Promise<Static<O> & Variables>
}

/** Any worker, where its variables do not matter. */
export type AnyWorker = Omit<WorkerDefinition<TObject, TObject>, 'run'> & {
  // Methods, so that workers with narrower contexts fit.
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

/** Tells a worker from whatever else a file may export. */
export function isWorker(value: unknown): value is AnyWorker {
  return typeof value === 'object' && value !== null && defined.has(value)
}
