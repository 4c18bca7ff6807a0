import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BusinessError } from '../../kernel/errors.ts'
import type { Answer, ModelProblem, Question } from './check-thread.ts'
import type { TableAnalysis } from './decision-analysis.ts'
import type { Problem } from './read.ts'
import { type CheckedModel, type CheckLibrary, type FlowModel, gateModel } from './repository-models.ts'

/** How long one check may take. A model at every limit of the gate needs a tenth of it on a slow machine. */
const LIMIT_MS = 20_000
/** How long the thread waits for the next check: whoever draws asks again with every pause. */
const IDLE_MS = 5 * 60_000

interface Check {
  question: Question
  library?: CheckLibrary
  /** Whose check it is of what: a newer one takes its place as long as it has not begun. */
  of?: string
  settle(answer: unknown): void
  fail(error: Error): void
}

/**
 * Checks models on a thread of its own, one after the other, so that the thread that answers people is never held. The
 * thread is started by the first check, keeps no process alive, and is ended when nothing was asked for a while.
 */
export function modelChecks(limits: { limit?: number; idle?: number } = {}) {
  const ask = checkQueue(limits)

  const problemsOf = (model: CheckedModel, library: CheckLibrary, held?: ReadonlySet<string>): Promise<Problem[]> =>
    ask({ kind: 'gate', model, ...(held && { held }) }, { library })

  return {
    /** What keeps the model of a flow or a schedule from being deployed, as `problemsOf` of the gate says it. */
    problemsOf,

    /** Lets a model of the repository through to the engine, or throws `ModelRefused`. */
    gate: (model: CheckedModel, library: CheckLibrary): Promise<void> => gateModel(model, library, problemsOf),

    /** The same and, where the gate finds nothing, what is wrong with the model as a drawing. */
    modelProblems(
      model: FlowModel,
      library: CheckLibrary,
      held: ReadonlySet<string>,
      { of }: { of?: string } = {},
    ): Promise<ModelProblem[]> {
      return ask({ kind: 'model', model, held }, { library, ...(of !== undefined && { of }) })
    },

    /** What is wrong with decision tables, also in a model that they steer; where no row applies, and where several do. */
    tables: (dmn: string, drawn?: { model: FlowModel; library: CheckLibrary }): Promise<TableAnalysis> =>
      ask({ kind: 'tables', dmn, ...(drawn && { model: drawn.model }) }, drawn && { library: drawn.library }),
  }
}

/** The checks of this process: however many ask, one model is looked at at a time. */
export const checks = modelChecks()

/** Asks the thread one question at a time, each no longer than `limit`. */
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
      finish((check) => check.fail(error as Error))
    }
  }

  return function ask<T>(question: Question, about: Pick<Check, 'library' | 'of'> = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const older = about.of === undefined ? -1 : waiting.findIndex(({ of }) => of === about.of)
      if (older >= 0) waiting.splice(older, 1)[0]!.fail(new BusinessError('platform.check-overtaken'))
      waiting.push({ question, ...about, settle: (found) => resolve(found as T), fail: reject })
      next()
    })
  }
}

/** The thread that checks: there from the first question until it is dropped or ends by itself. */
function checkThread(tell: { answered(answer: Answer): void; ended(error: Error): void }) {
  let worker: Worker | undefined
  /** What the thread was given last: a library is large and hardly ever another one. */
  let known: CheckLibrary | undefined

  function start(): Worker {
    const started = new Worker(join(import.meta.dirname, 'check-thread.ts'), { env: {} })
    // What a thread says after its time was up is the answer to no check that runs now.
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

    /** Lets the process end while nothing is asked. */
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

/** A library as it can be handed to another thread: without its functions. */
function dataOf({ flows, forms, roles, statusLists, topics, texts }: CheckLibrary): CheckLibrary {
  return { flows, forms, roles, statusLists, topics, texts }
}
