import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Product, givenProduct } from '../tests/platform/kit/product.ts'
import { quick, write } from './platform/results.ts'

/** One measurement: ratios against a baseline of the same run, with bounds to keep. */
export interface Bench {
  /** What is measured, and against what. */
  title: string
  /** It starts what it measures itself. */
  alone?: true
  run(say: (line: string) => void): Promise<{ figures: Record<string, number>; promises: Bound[] }>
}

/** A bound on one figure. */
export interface Bound {
  figure: string
  atMost?: number
  atLeast?: number
}

const benches = new Map<string, string>()
for (const area of [
  'bursary',
  'mahapola',
  'medical',
  'platform',
  'recruitment',
  'resource-reservation',
  'students',
  'year-renewals',
])
  for (const file of readdirSync(join(import.meta.dirname, area)))
    if (file.endsWith('.bench.ts')) benches.set(file.replace('.bench.ts', ''), join(import.meta.dirname, area, file))

const names = process.argv.slice(2).filter((given) => given !== '--quick')
const files = names.flatMap((name) => benches.get(name) ?? [])
if (names.length === 0 || files.length < names.length) {
  console.error(`npm run bench -- NAME … [--quick], where NAME is one of: ${[...benches.keys()].sort().join(', ')}`)
  process.exit(2)
}

let product: Product | undefined
try {
  for (const [n, file] of files.entries()) {
    const { default: bench } = (await import(pathToFileURL(file).href)) as { default: Bench }
    console.log(bench.title)
    if (!bench.alone) product ??= await givenProduct({ LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback' })
    const began = performance.now()
    const { figures, promises } = await bench.run((line) => console.log(`  ${line}`))
    console.log(`  took ${Math.round((performance.now() - began) / 1000)} s`)
    for (const [figure, value] of Object.entries(figures)) console.log(`  ${figure}: ${value}`)
    if (quick) console.log('  It runs; at this size the figures say nothing, and no result is kept.')
    else judge(names[n]!, bench.title, figures, promises)
  }
} finally {
  await product?.stop()
}

/** Prints which bounds are broken, and saves the result. */
function judge(name: string, title: string, figures: Record<string, number>, promises: Bound[]): void {
  const broken = promises.filter(({ figure, atMost, atLeast }) => {
    const value = figures[figure] ?? Number.NaN
    return !((atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast))
  })
  for (const { figure, atMost, atLeast } of broken)
    console.error(
      `  BROKEN: ${figure} is ${figures[figure]}, promised ${atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`}`,
    )
  write(name, { title, figures, promises, kept: broken.length === 0 })
  if (broken.length > 0) process.exitCode = 1
}
