import { bound } from '../../kernel/bound.ts'
import { spawn } from 'node:child_process'
import { type WriteStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { markOf, type ProcessMark, stopProcess } from './processes.ts'

/** How one part of the product is started, asked and stopped. */
export interface PartPlan {
  name: string
  /** Called before every start, so that it can tidy up after a crash. */
  prepare(): Promise<Launch> | Launch
  /** Throws, with the reason, until the part is ready for work. */
  probe(): Promise<void>
  /** How long a start may take, in milliseconds. */
  readyWithin: number
  stopSignal: NodeJS.Signals
  /** How long a stop may take before it is forced, in milliseconds. */
  stopWithin: number
  /** The line for the console if this line of output is a warning or an error that people should see. */
  warning(line: string): string | undefined
}

interface Launch {
  command: string[]
  env?: Record<string, string>
  user?: { uid: number; gid: number }
  /** Not ours: it gets nothing of the settings but what `env` names. */
  foreign?: boolean
  /** PostgreSQL takes an interrupt from the terminal for itself, so it gets a session of its own. */
  ownSession?: boolean
}

/** What the status file tells of a part. */
export interface PartState extends Partial<ProcessMark> {
  state: 'waiting' | 'starting' | 'ready' | 'down' | 'stopped'
  /** How often it was started again. */
  restarts: number
  /** Why it was last down. */
  reason?: string
}

/** Tells the status file and the console. */
export interface Reporter {
  changed(): void
  say(line: string): void
}

/** A part that is kept running: when it dies it is started again, after a wait that grows while it keeps dying. */
export interface Part {
  name: string
  status: PartState
  /** Starts it and settles when it is ready; fails when it will not start. */
  start(): Promise<void>
  /** Drains and stops it for good, within its own time and at most `patience` milliseconds; answers how it ended. */
  stop(patience: number): Promise<string>
}

const firstAttempts = 3
const longestWait = 10_000
/** A part that lived this long has recovered: its next death is a new one. */
const settled = 5_000

/** What any program needs to know of the machine; secrets are not among it. */
function surroundings(): Record<string, string | undefined> {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'JAVA_HOME', 'JAVA_TOOL_OPTIONS']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/** A part with what is known of it while it lives. */
interface Supervised {
  plan: PartPlan
  root: string
  reporter: Reporter
  stopping: AbortSignal
  status: PartState
  log: WriteStream
  /** Its last warning, or, without one, the first thing it said: what explains its end best. */
  lastWords: string | undefined
  /** Settles with how its present life ended. */
  ended: Promise<string>
}

function become({ status, reporter }: Supervised, change: Partial<PartState>): void {
  Object.assign(status, change)
  reporter.changed()
}

function note(part: Supervised, line: string): void {
  const { log, plan, reporter } = part
  if (line.trim() === '') return
  log.write(`${line}\n`)
  const warning = plan.warning(line)
  if (warning) reporter.say(`${plan.name}: ${warning}`)
  part.lastWords = warning ?? part.lastWords ?? line
}

function explain(part: Supervised, end: string): string {
  return part.lastWords === undefined ? end : `${end}: ${part.lastWords.slice(0, 300)}`
}

/** One life: settles when the part is ready, and fails when it ends or idles before that. */
async function live(part: Supervised): Promise<void> {
  const { plan, stopping, root } = part
  const { command, env, user, ownSession, foreign } = await plan.prepare()
  stopping.throwIfAborted()
  // An interrupt or hang-up of the terminal reaches us alone: we stop the parts in their order.
  const shielded = ownSession ? command : ['/bin/sh', '-c', 'trap "" INT HUP; exec "$@"', 'sh', ...command]
  const child = spawn(shielded[0] as string, shielded.slice(1), {
    cwd: ownSession ? '/' : root,
    env: { ...(foreign ? surroundings() : process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownSession ?? false,
    ...user,
  })
  part.lastWords = undefined
  part.ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Not its close: processes of PostgreSQL may hold the pipes a little longer. A moment for its last words.
    child.once(
      'exit',
      (code, killed) => void pause(100, killed ? `killed by ${killed}` : `ended with code ${code}`).then(resolve),
    )
  })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => note(part, line))
  const mark = child.pid === undefined ? undefined : markOf(child.pid)
  become(part, { state: 'starting', ...(mark ?? { pid: undefined, began: undefined }) })
  await ready(part)
}

async function ready(part: Supervised): Promise<void> {
  const { plan, status } = part
  const deadline = Date.now() + plan.readyWithin
  const early = part.ended.then((how) => ({ how }))
  for (;;) {
    const outcome = await Promise.race([
      early,
      plan.probe().then(
        () => 'ready' as const,
        (error: Error) => error,
      ),
    ])
    if (outcome === 'ready') return
    if ('how' in outcome) throw new Error(explain(part, outcome.how))
    if (Date.now() > deadline) {
      if (status.pid && status.began) await stopProcess(status as ProcessMark, 'SIGTERM', 2_000)
      throw new Error(`not ready after ${plan.readyWithin / 1000} s: ${outcome.message || outcome.name}`)
    }
    await pause(50)
  }
}

async function start(part: Supervised): Promise<void> {
  const { stopping, plan } = part
  for (let attempt = 1; ; attempt++) {
    try {
      await live(part)
      become(part, { state: 'ready' })
      void keepAlive(part)
      return
    } catch (error) {
      if (stopping.aborted) return
      become(part, { state: 'down', reason: (error as Error).message, pid: undefined, began: undefined })
      if (attempt === firstAttempts)
        throw new Error(`${plan.name} does not start: ${(error as Error).message}`, { cause: error })
      await pause(250 * attempt)
    }
  }
}

async function keepAlive(part: Supervised): Promise<void> {
  const { stopping, status, reporter, plan } = part
  let deaths = 0
  for (;;) {
    const since = Date.now()
    let reason = explain(part, await part.ended)
    if (stopping.aborted) return
    deaths = Date.now() - since > settled ? 1 : deaths + 1
    for (;;) {
      const wait = Math.min(250 * 2 ** (deaths - 1), longestWait)
      become(part, { state: 'down', reason, pid: undefined, began: undefined, restarts: status.restarts + 1 })
      reporter.say(`${plan.name} is down (${reason}); starting it again in ${wait / 1000} s`)
      await pause(wait, undefined, { signal: stopping }).catch(() => undefined)
      if (stopping.aborted) return
      const began = Date.now()
      try {
        await live(part)
        become(part, { state: 'ready', reason: undefined })
        reporter.say(`${plan.name} is back after ${((Date.now() - began) / 1000).toFixed(1)} s`)
        break
      } catch (error) {
        if (stopping.aborted) return
        reason = (error as Error).message
        deaths++
      }
    }
  }
}

async function stop(part: Supervised, patience: number): Promise<string> {
  const { status, plan, log } = part
  const mark = status as ProcessMark
  if (status.pid) await stopProcess(mark, plan.stopSignal, Math.min(plan.stopWithin, patience))
  const end = await part.ended
  become(part, { state: 'stopped', pid: undefined, began: undefined })
  log.end()
  return end
}

/** Supervises one part. Once `stopping` is aborted it is not started again. */
export function supervise(
  plan: PartPlan,
  { root, logs, reporter, stopping }: { root: string; logs: string; reporter: Reporter; stopping: AbortSignal },
): Part {
  const part: Supervised = {
    plan,
    root,
    reporter,
    stopping,
    status: { state: 'waiting', restarts: 0 },
    log: openLog(join(logs, `${plan.name}.log`)),
    lastWords: undefined,
    ended: Promise.resolve('not started'),
  }
  return { name: plan.name, status: part.status, ...bound(part, { start, stop }) }
}

/** The log of the present start; those of the two starts before are kept beside it. */
function openLog(file: string) {
  for (const [from, to] of [
    ['.1', '.2'],
    ['', '.1'],
  ] as const) {
    if (existsSync(file + from)) renameSync(file + from, file + to)
  }
  return createWriteStream(file, { flags: 'a', mode: 0o600 })
}
