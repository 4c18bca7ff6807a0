import { setTimeout as pause } from 'node:timers/promises'
import { demonstrated } from '../../tests/platform/kit/global-setup.ts'
import { startProduct } from '../../tests/platform/kit/product.ts'
import type { Bench } from '../main.ts'
import { decisions } from './deciding.ts'
import { residentMiB } from './resident.ts'
import { percentile, quick, rounded, sized } from './results.ts'

const USERS = sized(16, 2)
const DECISIONS = Number(process.env['BENCH_DECISIONS'] ?? sized(10_000, 4))
/** Cases that are submitted and decided before memory is looked at again. */
const CHUNK = sized(250, 2)
/** A product of its own is idle that long after its demo cases are played, in milliseconds. */
const IDLE_MS = 75_000

/**
 * Resident memory of the API and the workers: idle after the demo cases, and while thousands of cases are submitted and
 * decided. Drift is the median of the last quarter against that of the quarter before.
 */
const bench: Bench = {
  title: 'memory: API and workers, idle and over thousands of decisions',
  alone: true,
  async run(say) {
    const before = process.env['PRAKRIYA_TEST_DATA']
    // At its smallest size it uses the product of the tests.
    const product = quick && before ? undefined : await startProduct({ LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback' })
    if (product) process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
    try {
      if (product) {
        await demonstrated(product.dataDir)
        await pause(IDLE_MS)
      }
      const idle = { api: residentMiB('api'), workers: residentMiB('workers') }
      say(`idle: API ${idle.api} MiB, workers ${idle.workers} MiB`)
      const seen = { api: [] as number[], workers: [] as number[] }
      const decide = await decisions(USERS)
      for (let done = 0; done < DECISIONS; done += CHUNK) {
        await decide(CHUNK)
        seen.api.push(residentMiB('api'))
        seen.workers.push(residentMiB('workers'))
        if (seen.api.length % 4 === 0)
          say(`after ${done + CHUNK}: API ${seen.api.at(-1)} MiB, workers ${seen.workers.at(-1)} MiB`)
      }
      return {
        figures: {
          'API idle MiB': idle.api,
          'workers idle MiB': idle.workers,
          'API at the end MiB': seen.api.at(-1)!,
          'workers at the end MiB': seen.workers.at(-1)!,
          'API drift in the last quarter': drift(seen.api),
          'workers drift in the last quarter': drift(seen.workers),
        },
        promises: [
          { figure: 'API idle MiB', atMost: 260 },
          { figure: 'API drift in the last quarter', atMost: 1.05 },
          { figure: 'workers drift in the last quarter', atMost: 1.05 },
        ],
      }
    } finally {
      if (before === undefined) delete process.env['PRAKRIYA_TEST_DATA']
      else process.env['PRAKRIYA_TEST_DATA'] = before
      await product?.stop()
    }
  },
}
export default bench

function drift(values: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(values.length / 4))
  const median = (some: readonly number[]) => percentile([...some], 0.5)
  return rounded(median(values.slice(-quarter)) / median(values.slice(-2 * quarter, -quarter)))
}
