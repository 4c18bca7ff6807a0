import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import type { Engine, Variables } from '../../api/platform/kernel/engine/port.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import type { AnyWorker } from './worker.ts'

/** What became of a run, stored for good. */
export type Outcome =
  { kind: 'completed'; output: Variables } | { kind: 'business-error'; code: string; message: string }

export interface Run {
  worker: AnyWorker
  task: {
    id: string
    topic: string
    element: string
    /** Key of the process that it is a step of; a schedule is known by it. */
    process?: string
    caseId: string | null
    variables: Record<string, unknown>
  }
  lock: {
    /** False as soon as the engine is known to have ended the task. */
    held(): boolean
    /** Asks the engine now; true only if it still has the task for us. */
    confirm(): Promise<boolean>
  }
  log: Logger
}

/** `refused`: nothing was run and nothing is stored, so the task may come again. */
export type RunOnce = (run: Run) => Promise<Outcome | { kind: 'refused'; reason: string }>

/** A task that no repetition can help: what it brings does not fit its worker, or nobody has decided before it. */
export class WrongInput extends Error {}

export class Refused extends Error {}

export interface RunDependencies {
  db: Kysely<DB>
  library: Library
  /** Where people reach the product: for links in mails. */
  publicUrl: string
  /** One more address for the checkpoints of the audit. */
  auditMailTo?: string | undefined
  /** For schedules that compare the database with it. */
  engine?: Engine
  clock?: () => Date
  /** Milliseconds that one run may take; meanwhile whatever else happens to its case waits. */
  timeLimit?: number
}
