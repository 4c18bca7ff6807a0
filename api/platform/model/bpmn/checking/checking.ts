import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BusinessError } from '../../../kernel/errors.ts'
import type { Answer, ModelProblem, Question } from './check-thread.ts'
import type { TableAnalysis } from '../decisions/analysis.ts'
import type { Problem } from '../read.ts'
import { type CheckedModel, type CheckLibrary, type FlowModel, gateModel } from './repository-models.ts'

/** Time limit of one check. The largest model that the gate accepts needs a tenth of it on a slow machine. */
const LIMIT_MS = 20_000
/** How long the thread waits for the next check: editors check again at every pause. */
const IDLE_MS = 5 * 60_000

interface Check {
  question: Question
  library?: CheckLibrary
  /** Key of a check: a newer one replaces it if it has not begun. */
  of?: string
  settle(answer: unknown): void
  fail(error: unknown): void
}

/**
 * Checks models one at a time on a worker thread, so that requests are never blocked. The first check starts the
 * thread. It does not keep the process alive, and it ends when idle.
 */
export function modelChecks(limits: { limit?: number; idle?: number } = {}) {
  const ask = checkQueue(limits)

  const problemsOf = (model: CheckedModel, library: CheckLibrary, held?: ReadonlySet<string>): Promise<Problem[]> =>
    ask({ kind: 'gate', model, ...(held && { held }) }, { library })

  return {
    /** What prevents the deployment of a flow or schedule, as the gate's `problemsOf` returns it. */
    problemsOf,

    /** Passes if a model of the repository may be deployed; throws `ModelRefused` otherwise. */
    gate: (model: CheckedModel, library: CheckLibrary): Promise<void> => gateModel(model, library, problemsOf),

    /** The same and, if the gate finds nothing, the lint problems of the drawing. */
    modelProblems(
      model: FlowModel,
      library: CheckLibrary,
      held: ReadonlySet<string>,
      { of }: { of?: string } = {},
    ): Promise<ModelProblem[]> {
      return ask({ kind: 'model', model, held }, { library, ...(of !== undefined && { of }) })
    },

    /**
     * Problems of decision tables, also with the model that they steer: inputs that no row matches, and inputs that
     * several match.
     */
    tables: (dmn: string, drawn?: { model: FlowModel; library: CheckLibrary }): Promise<TableAnalysis> =>
      ask({ kind: 'tables', dmn, ...(drawn && { model: drawn.model }) }, drawn && { library: drawn.library }),
  }
}

/** The checks of this process: one model at a time, whatever the number of callers. */
export const checks = modelChecks()

/** Sends requests to the thread one at a time, each with the time limit. */
function checkQueue({ limit = LIMIT_MS, idle = IDLE_MS }: { limit?: number; idle?: number }) {
  const waiting: Check[] = []
  let running: Check | undefined
  let timer: NodeJS.Timeout | undefined
  const thread = checkThread({
    answered: (answer) =>
      finish((check) => ('fault' in answer ? check.fail(answer.fault) : check.settle(answer.found))),
    ended: (error) => finish((check) => check.fail(error)),
  })

  function finish(tell: (check: Check) => void): void {
    const check = running
    clearTimeout(timer)
    running = undefined
    next()
    if (check) tell(check)
  }

  function next(): void {
    if (running) return
    running = waiting.shift()
    if (!running) {
      thread.rest()
      timer = setTimeout(thread.drop, idle).unref()
      return
    }
    clearTimeout(timer)
    timer = setTimeout(() => {
      thread.drop()
      finish((check) => check.fail(new BusinessError('platform.check-too-long', { seconds: limit / 1000 })))
    }, limit)
    try {
      thread.post(running)
    } catch (error) {
      finish((check) => check.fail(error))
    }
  }

  return function ask<T>(question: Question, about: Pick<Check, 'library' | 'of'> = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const older = about.of === undefined ? -1 : waiting.findIndex(({ of }) => of === about.of)
      const [overtaken] = older >= 0 ? waiting.splice(older, 1) : []
      overtaken?.fail(new BusinessError('platform.check-overtaken'))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Question` decides the type of the answer
      waiting.push({ question, ...about, settle: (found) => resolve(found as T), fail: reject })
      next()
    })
  }
}

/** The checking thread: started by the first request, until it is stopped or ends by itself. */
function checkThread(tell: { answered(answer: Answer): void; ended(error: Error): void }) {
  let worker: Worker | undefined
  /** The library the thread got last: it is large and rarely changes. */
  let known: CheckLibrary | undefined

  function start(): Worker {
    const started = new Worker(join(import.meta.dirname, 'check-thread.ts'), { env: {} })
    // A message that arrives after the time limit belongs to no running check.
    const ended = (error: Error) => {
      if (worker !== started) return
      drop()
      tell.ended(error)
    }
    started.on('message', (answer: Answer) => {
      if (worker === started) tell.answered(answer)
    })
    started.on('error', ended)
    started.on('exit', (code) => ended(new Error(`the thread that checks models ended with code ${code}`)))
    return started
  }

  function drop(): void {
    const ended = worker
    worker = undefined
    known = undefined
    void ended?.terminate()
  }

  return {
    drop,

    /** Lets the process exit while no check runs. */
    rest(): void {
      worker?.unref()
    },

    post({ question, library }: Check): void {
      worker ??= start()
      worker.ref()
      const fresh = library !== undefined && library !== known
      worker.postMessage({ question, ...(fresh && { library: dataOf(library) }) })
      if (fresh) known = library
    },
  }
}

/** A library without its functions, so that it can be sent to the thread. */
function dataOf({ flows, forms, roles, statusLists, topics, texts }: CheckLibrary): CheckLibrary {
  return { flows, forms, roles, statusLists, topics, texts }
}
