import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** Writes one result as JSON beside the machine it was measured on; times of day and machine names stay out. */
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

/** With `--quick` a measurement runs at its smallest size: that shows that it runs, and measures nothing. */
export const quick = process.argv.includes('--quick')

/** How much of something: as much as measures, or as little as runs. */
export function sized<T>(usual: T, smallest: T): T {
  return quick ? smallest : usual
}

/** The value below which the given share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Two decimals, for figures that are read by people. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Does something so many times, by so many at once; what each gave, in the order in which they were through. */
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
