import { randomInt } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../kernel/objects.ts'

/** Identifies a process, even if its pid is used again. */
export interface ProcessMark {
  pid: number
  /** Start time, as the system writes it. */
  began: string
}

/** The mark of a running process, or undefined if there is none (a zombie counts as none). */
export function markOf(pid: number): ProcessMark | undefined {
  const began = process.platform === 'linux' ? beganOnLinux(pid) : beganElsewhere(pid)
  return began === undefined ? undefined : { pid, began }
}

function beganOnLinux(pid: number): string | undefined {
  try {
    // The second field, the name, may contain spaces and brackets; the rest begins after its last bracket.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state === 'Z' || state === 'X' ? undefined : fields[18]
  } catch (error) {
    return goneOrThrow(error, ['ENOENT', 'ESRCH'])
  }
}

function beganElsewhere(pid: number): string | undefined {
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() || undefined
}

/** The command line of a process; empty if it is gone. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch (error) {
    return goneOrThrow(error, ['ENOENT', 'ESRCH']) ?? ''
  }
}

function goneOrThrow(error: unknown, gone: string[]): undefined {
  const code = isObject(error) ? error['code'] : undefined
  if (typeof code !== 'string' || !gone.includes(code)) throw error
}

/** Whether this process still runs. */
export function isAlive(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.began === mark.began
}

/** Sends a signal to this process, if it still runs. */
export function signal(mark: ProcessMark, name: NodeJS.Signals): void {
  if (!isAlive(mark)) return
  try {
    process.kill(mark.pid, name)
  } catch (error) {
    goneOrThrow(error, ['ESRCH'])
  }
}

/** Asks a process to end, and kills it after `patience` milliseconds. */
export async function stopProcess(mark: ProcessMark, name: NodeJS.Signals, patience: number): Promise<void> {
  signal(mark, name)
  if (await within(patience, () => !isAlive(mark))) return
  signal(mark, 'SIGKILL')
  await within(2_000, () => !isAlive(mark))
}

/** Polls until the condition holds; returns false on time-out. */
export async function within(milliseconds: number, condition: () => boolean): Promise<boolean> {
  const end = Date.now() + milliseconds
  while (!condition()) {
    if (Date.now() >= end) return false
    await pause(25)
  }
  return true
}

/** Whether a port of this address is free; an address that the machine lacks counts as free. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve(['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)),
    )
    server.listen({ port, host }, () => server.close(() => resolve(true)))
  })
}

/**
 * The wanted loopback port if it is free, otherwise any free one below the ephemeral range: a port in that range could
 * be taken before its part listens, or while it restarts. Never one of `given`, whose parts do not listen yet.
 */
export async function freePort(wanted?: number, given: readonly number[] = []): Promise<number> {
  for (let port = wanted ?? anyPort(), tries = 0; tries < 100; port = anyPort(), tries += 1)
    if (!given.includes(port) && (await isPortFree(port, '127.0.0.1'))) return port
  throw new Error('No free port was found between 20000 and 32000.')
}

const anyPort = (): number => randomInt(20_000, 32_000)
