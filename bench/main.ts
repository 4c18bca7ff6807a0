import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startProduct } from '../tests/platform/kit/product.ts'
import { write } from './platform/results.ts'

/** One measurement: ratios against a baseline of the same run, and whether they keep what was promised. */
export interface Bench {
  /** What is measured, and against what. */
  title: string
  run(say: (line: string) => void): Promise<{ figures: Record<string, number>; promises: Bound[] }>
}

/** A promise about one figure. */
export interface Bound {
  figure: string
  atMost?: number
  atLeast?: number
}

const benches = new Map<string, string>()
for (const area of ['platform', 'resource-reservation', 'year-renewals'])
  for (const file of readdirSync(join(import.meta.dirname, area)))
    if (file.endsWith('.bench.ts')) benches.set(file.replace('.bench.ts', ''), join(import.meta.dirname, area, file))

const name = process.argv[2] ?? ''
const file = benches.get(name)
if (!file) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${[...benches.keys()].sort().join(', ')}`)
  process.exit(2)
}

const { default: bench } = (await import(pathToFileURL(file).href)) as { default: Bench }
console.log(bench.title)
const product = await startProduct({ LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback' })
process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
try {
  const { figures, promises } = await bench.run((line) => console.log(`  ${line}`))
  const broken = promises.filter(({ figure, atMost, atLeast }) => {
    const value = figures[figure] ?? Number.NaN
    return !((atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast))
  })
  for (const [figure, value] of Object.entries(figures)) console.log(`  ${figure}: ${value}`)
  for (const { figure, atMost, atLeast } of broken)
    console.error(
      `  BROKEN: ${figure} is ${figures[figure]}, promised ${atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`}`,
    )
  write(name, { title: bench.title, figures, promises, kept: broken.length === 0 })
  process.exitCode = broken.length === 0 ? 0 : 1
} finally {
  await product.stop()
}
