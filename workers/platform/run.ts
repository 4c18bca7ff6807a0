import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import type { Engine, Variables } from '../../api/platform/kernel/engine/port.ts'
import type { Definitions } from '../../api/platform/model/deployed/definitions.ts'
import type { Rules } from '../../api/platform/model/deployed/rules.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import type { AnyWorker } from './worker.ts'

/** The stored result of a run. */
export type Outcome =
  | { kind: 'completed'; output: Variables }
  | { kind: 'business-error'; code: string; message: string }

export interface Run {
  worker: AnyWorker
  task: {
    id: string
    topic: string
    element: string
    /** Key of the process that the step belongs to; it identifies schedules. */
    process?: string
    caseId: string | null
    variables: Record<string, unknown>
  }
  lock: {
    /** False as soon as the engine is known to have ended the task. */
    held(): boolean
    /** Asks the engine; true only if it still has the task for this worker. */
    confirm(): Promise<boolean>
  }
  log: Logger
}

/** `refused`: nothing was run or stored, so the task may come again. */
export type RunOnce = (run: Run) => Promise<Outcome | { kind: 'refused'; reason: string }>

/** An error that no retry can help: the input does not match the schema, or a required decision is missing. */
export class WrongInput extends Error {}

export class Refused extends Error {}

export interface RunDependencies {
  db: Kysely<DB>
  library: Library
  /** Deployed flows, and their rules, of steps that begin a case of another flow. */
  definitions?: Definitions
  rules?: ReadonlyMap<string, Rules>
  /** Public address, for links in mails. */
  publicUrl: string
  /** An additional address for checkpoints of the audit trail. */
  auditMailTo?: string | undefined
  /** For schedules that compare the database with it. */
  engine?: Engine
  clock?: () => Date
  /** Time limit of a run in milliseconds; other changes of its case wait meanwhile. */
  timeLimit?: number
}
