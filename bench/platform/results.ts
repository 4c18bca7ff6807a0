import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** Writes one result as JSON under the machine's name; the content has no times of day. */
export function write(name: string, result: object): void {
  const machine = {
    processor: cpus()[0]?.model.trim(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  const file = join(import.meta.dirname, '../results', `${name}.json`)
  writeFileSync(file, `${JSON.stringify({ ...result, machine }, null, 2)}\n`)
}

/** With `--quick` a measurement runs at its smallest size: it shows that it works, but measures nothing. */
export const quick = process.argv.includes('--quick')

export function sized<T>(usual: T, smallest: T): T {
  return quick ? smallest : usual
}

/** The value below which the given share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Two decimals, for people. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Runs something a number of times with concurrent clients; returns the results in order of completion. */
export async function many<T>(clients: number, count: number, run: () => Promise<T>): Promise<T[]> {
  const given: T[] = []
  let left = count
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left-- > 0) given.push(await run())
    }),
  )
  return given
}
