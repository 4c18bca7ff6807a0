import type { TaskList } from 'graphile-worker'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { known } from '../../../kernel/known.ts'
import type { DB } from '../../../kernel/db/database.generated.ts'
import { type Engine, EngineRefusal } from '../../../kernel/engine/port.ts'
import type { Library } from '../../../model/library/library.ts'
import { scopesOf } from '../../../model/definitions/manifest.ts'
import { audit } from '../../../kernel/audit/audit.ts'
import { pause } from '../../../kernel/pause.ts'
import { compared } from './rehearsal.ts'
import { play } from './player.ts'
import { RUN_SCENARIOS, endRun, endForgottenRuns, listGoingOn, findRunWork, addResult } from './repository.ts'
import { stageOf } from './stage.ts'

export interface TellingDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'state' | 'deployTrial' | 'trials' | 'forgetTrial'>
  library: Library
  log: Logger
}

/** Age in milliseconds up to which an unknown trial may have only just begun. */
const MIN_TRIAL_AGE_MS = 60_000
const MAX_ATTEMPTS = 3

/** The tenant of a run; a retry finds what the interrupted attempt left. */
function tenantOf(run: string): string {
  return `trial-${run}`
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [RUN_SCENARIOS]: { id: string }
    }
  }
}

/**
 * Runs scenarios on the engine, one run at a time. Each run deploys its models under its own tenant. They are deleted
 * with their instances, also by the attempt that follows a crash.
 */
export function scenarioTasks({ db, engine, library, log }: TellingDependencies): TaskList {
  const manifests = new Map([...library.flows.values()].map(({ manifest }) => [manifest.process, manifest]))

  async function tell(id: string): Promise<void> {
    const work = await findRunWork(db, id, [...manifests.keys()])
    if (!work) return
    const { process, content, wanted, kind } = work
    const manifest = known(manifests.get(process), 'the manifest of a process that has runs')
    await forgetTrials(engine, ({ tenantId }) => tenantId === tenantOf(id))
    const resources = [
      { name: `${process}.bpmn`, content: content.bpmn },
      ...content.dmn.map(({ key, content: table }) => ({ name: key, content: table })),
    ]
    const trial = await engine.deployTrial({ name: process, tenantId: tenantOf(id), resources })
    try {
      const stage = await stageOf(engine, trial, {
        bpmn: content.bpmn,
        process,
        topics: library.topics,
        first: manifest.firstStatus,
        scopes: scopesOf(manifest).map(({ name }) => name),
      })
      for (const { scenario, path } of wanted) {
        const result = await play(stage, scenario)
        await addResult(db, id, path ? compared(result, path, stage) : result)
      }
    } finally {
      await engine.forgetTrial(trial.deploymentId)
    }
    await db.transaction().execute(async (trx) => {
      await endRun(trx, id, 'done')
      await audit(trx).record({
        actor: work.asked_by,
        actedAs: work.acted_as,
        action: kind === 'rehearsal' ? 'model.rehearsed' : 'model.tried',
        object: `model:${process}`,
        payload: { run: id, told: wanted.map(({ scenario }) => scenario.name) },
      })
    })
  }

  return {
    async [RUN_SCENARIOS]({ id }, { job }) {
      try {
        await tell(id)
      } catch (error) {
        // If the engine refuses for good, or three attempts fail, report it to the person who waits.
        if (!(error instanceof EngineRefusal) && job.attempts < MAX_ATTEMPTS) throw error
        log.error({ err: error, run: id }, 'running scenarios on the engine failed')
        await endRun(db, id, 'failed')
      }
    },
  }
}

/**
 * Looks for stray trials for as long as the process runs. The second check follows soon, because the first cannot tell
 * an interrupted trial from a new one. Later checks are hourly, for other nodes that crash.
 */
export async function watchStrayTrials(
  dependencies: Omit<TellingDependencies, 'library'>,
  signal: AbortSignal,
  [soon, later]: readonly [number, number] = [2 * MIN_TRIAL_AGE_MS, 3_600_000],
): Promise<void> {
  for (let milliseconds = soon; ; milliseconds = later) {
    await pause(milliseconds, signal)
    if (signal.aborted) return
    try {
      await forgetStrayTrials(dependencies)
    } catch (error) {
      dependencies.log.warn({ err: error }, 'looking for interrupted trials failed; retrying later')
    }
  }
}

/** Ends the runs of processes that crashed too often, and deletes trials that belong to no present run. */
export async function forgetStrayTrials({ db, engine, log }: Omit<TellingDependencies, 'library'>): Promise<void> {
  const ended = await endForgottenRuns(db)
  if (ended > 0) log.warn({ ended }, 'interrupted scenario runs ended')
  const going = new Set((await listGoingOn(db)).map(tenantOf))
  const stray = await forgetTrials(
    engine,
    ({ tenantId, at }) => !going.has(tenantId) && Date.now() - Date.parse(at) > MIN_TRIAL_AGE_MS,
  )
  if (stray > 0) log.warn({ stray }, 'interrupted trials deleted')
}

async function forgetTrials(
  engine: Pick<Engine, 'trials' | 'forgetTrial'>,
  which: (trial: { tenantId: string; at: string }) => boolean,
): Promise<number> {
  const found = (await engine.trials()).filter(which)
  for (const { deploymentId } of found) {
    try {
      await engine.forgetTrial(deploymentId)
    } catch (error) {
      // Another node was faster.
      if (!(error instanceof EngineRefusal)) throw error
    }
  }
  return found.length
}
