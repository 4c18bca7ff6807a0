import { messageIn } from '../../kernel/objects.ts'
import { bound } from '../../kernel/bound.ts'
import { spawn } from 'node:child_process'
import { type WriteStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { markOf, type ProcessMark, stopProcess } from './processes.ts'

/** How one part is started, probed and stopped. */
export interface PartPlan {
  name: string
  /** Called before every start, so that it can clean up after a crash. */
  prepare(): Promise<Launch> | Launch
  /** Throws, with the reason, until the part is ready. */
  probe(): Promise<void>
  /** Time limit of a start, in milliseconds. */
  readyWithin: number
  stopSignal: NodeJS.Signals
  /** Time limit of a stop before it is forced, in milliseconds. */
  stopWithin: number
  /** The console line for a line of output that is a warning or error; undefined for others. */
  warning(line: string): string | undefined
}

/** A program with its arguments. */
export type PartCommand = [program: string, ...args: string[]]

interface Launch {
  command: PartCommand
  env?: Record<string, string>
  user?: { uid: number; gid: number }
  /** A third-party program: its environment has only what `env` contains. */
  foreign?: boolean
  /** PostgreSQL would react to an interrupt from the terminal, so it runs in its own session. */
  ownSession?: boolean
}

/** The state of a part in the status file. */
export interface PartState extends Partial<ProcessMark> {
  state: 'waiting' | 'starting' | 'ready' | 'down' | 'stopped'
  /** How often it was restarted. */
  restarts: number
  /** Why it last stopped. */
  reason?: string
}

/** Writes the status file and the console. */
export interface Reporter {
  changed(): void
  say(line: string): void
}

/** A supervised part: it is restarted when it dies, after a delay that grows while it keeps dying. */
export interface Part {
  name: string
  status: PartState
  /** Starts it and resolves when it is ready; rejects if it does not start. */
  start(): Promise<void>
  /** Stops it for good, within its own limit and at most `patience` milliseconds; returns how it ended. */
  stop(patience: number): Promise<string>
}

const firstAttempts = 3
const longestWait = 10_000
/** Milliseconds after which a part counts as recovered. */
const settled = 5_000

/** The environment that any program needs, without secrets. */
function surroundings(): Record<string, string | undefined> {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'JAVA_HOME', 'JAVA_TOOL_OPTIONS']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/** A part with the state of its present process. */
interface Supervised {
  plan: PartPlan
  root: string
  reporter: Reporter
  stopping: AbortSignal
  status: PartState
  log: WriteStream
  /** Its last warning or else its first line, to explain why it ended. */
  lastWords: string | undefined
  /** Resolves with how the present process ended. */
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

/** One process: resolves when the part is ready, rejects if it ends or times out before that. */
async function live(part: Supervised): Promise<void> {
  const { plan, stopping, root } = part
  const { command, env, user, ownSession, foreign } = await plan.prepare()
  stopping.throwIfAborted()
  // Shields the part from the terminal's interrupt and hang-up: the supervisor stops the parts in order.
  const shielded: PartCommand = ownSession ? command : ['/bin/sh', '-c', 'trap "" INT HUP; exec "$@"', 'sh', ...command]
  const [program, ...args] = shielded
  const child = spawn(program, args, {
    cwd: ownSession ? '/' : root,
    env: { ...(foreign ? surroundings() : process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownSession ?? false,
    ...user,
  })
  part.lastWords = undefined
  part.ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Not the `close` event: PostgreSQL's children may keep the pipes open a little longer. Wait briefly for the last
    // output.
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
      const mark = markIn(status)
      if (mark) await stopProcess(mark, 'SIGTERM', 2_000)
      throw new Error(`not ready after ${plan.readyWithin / 1000} s: ${outcome.message || outcome.name}`)
    }
    await pause(50)
  }
}

/** The mark of the part's process, if it has one. */
function markIn({ pid, began }: PartState): ProcessMark | undefined {
  return pid && began ? { pid, began } : undefined
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
      become(part, { state: 'down', reason: messageIn(error), pid: undefined, began: undefined })
      if (attempt === firstAttempts)
        throw new Error(`${plan.name} does not start: ${messageIn(error)}`, { cause: error })
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
        reason = messageIn(error)
        deaths++
      }
    }
  }
}

async function stop(part: Supervised, patience: number): Promise<string> {
  const { status, plan, log } = part
  const mark = markIn(status)
  if (mark) await stopProcess(mark, plan.stopSignal, Math.min(plan.stopWithin, patience))
  const end = await part.ended
  become(part, { state: 'stopped', pid: undefined, began: undefined })
  log.end()
  return end
}

/** Supervises one part. Once `stopping` is aborted, it is not restarted. */
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

/** The log of the present start; those of the two previous starts are kept. */
function openLog(file: string) {
  for (const [from, to] of [
    ['.1', '.2'],
    ['', '.1'],
  ] as const) {
    if (existsSync(file + from)) renameSync(file + from, file + to)
  }
  return createWriteStream(file, { flags: 'a', mode: 0o600 })
}
