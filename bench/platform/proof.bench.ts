import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import sparticuz from '@sparticuz/chromium'
import { join } from 'node:path'
import { type Page, chromium } from 'playwright-core'
import { challenge } from '../../tests/platform/kit/proof.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const library = join(import.meta.dirname, '../../node_modules/altcha-lib/dist/esm/v2')
/** CPU throttling of the page: an applicant's phone compared with this machine. */
const SLOWER = 4
const ROUNDS = sized(15, 1)
/** Challenges per sample of the number of attempts. */
const CHALLENGES = sized(40, 2)

/**
 * Ours: a browser on a processor four times slower solves challenges of the product, sequentially and without workers,
 * which is the worst case. Baseline: bare Node makes the average number of attempts of such a challenge.
 */
const bench: Bench = {
  title: `proof: what an ordinary proof of work costs a browser on a ${SLOWER}× slowed processor, against bare Node`,
  async run(say) {
    const { parameters } = await challenge()
    const tries = await averageTries()
    const bare: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const given = await createChallenge({
        algorithm: parameters.algorithm,
        cost: parameters.cost,
        counter: tries,
        deriveKey,
      })
      const began = performance.now()
      await solveChallenge({ challenge: given, deriveKey })
      bare.push(performance.now() - began)
    }
    say(`${tries} tries of ${parameters.cost} rounds; bare Node p50 ${Math.round(percentile(bare, 0.5))} ms`)

    const args = sparticuz.args.filter((arg) => !['--single-process', '--no-zygote'].includes(arg))
    const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args, headless: true })
    const page = await browser.newPage()
    await page.route('**/bench/**', (route) =>
      route.fulfill({ path: join(library, new URL(route.request().url()).pathname.slice('/bench/'.length)) }),
    )
    await page.goto(stack().url)
    await solveIn(page)
    const plain: number[] = []
    for (let n = 0; n < ROUNDS; n++) plain.push(await solveIn(page))
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const slowed: number[] = []
    for (let n = 0; n < ROUNDS; n++) slowed.push(await solveIn(page))
    await browser.close()
    const sum = (times: number[]) => times.reduce((total, time) => total + time, 0) / times.length
    // Throttling slows the page but not its hashing threads: the bound is four times the plain time.
    const worst = Math.max(sum(slowed), SLOWER * sum(plain))
    return {
      figures: {
        'tries on average': tries,
        'bare ms': rounded(percentile(bare, 0.5)),
        'browser ms': rounded(sum(plain)),
        'slowed browser ms': rounded(sum(slowed)),
        'slowed browser p95 ms': rounded(percentile(slowed, 0.95)),
        'all of it slowed ms': rounded(worst),
        'slowed to bare': rounded(sum(slowed) / percentile(bare, 0.5)),
      },
      promises: [
        { figure: 'all of it slowed ms', atMost: 1000 },
        { figure: 'slowed browser ms', atMost: 1000 },
      ],
    }

    /** Solves a new challenge of the product in the page; returns the milliseconds. */
    async function solveIn(on: Page): Promise<number> {
      const given = await challenge()
      return on.evaluate(async (wanted) => {
        const { solveChallenge: solve } = await import('/bench/pow.js' as string)
        const { deriveKey: derive } = await import('/bench/algorithms/web/pbkdf2.js' as string)
        const began = performance.now()
        await solve({ challenge: wanted, deriveKey: derive })
        return performance.now() - began
      }, given)
    }
  },
}
export default bench

/** The average number of attempts that a challenge of the product takes. */
async function averageTries(): Promise<number> {
  const counters: number[] = []
  for (let n = 0; n < CHALLENGES; n++)
    counters.push((await solveChallenge({ challenge: await challenge(), deriveKey }))!.counter)
  return Math.round(counters.reduce((total, one) => total + one, 0) / counters.length)
}
