import sparticuz from '@sparticuz/chromium'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { demonstrated } from '../../tests/platform/kit/global-setup.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import type { Bench, Bound } from '../main.ts'
import { sized } from './results.ts'

/** Downloaded when it is run: nothing else needs it. Version 13 cannot load a page in the browser of the tests. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const PAGES = sized(
  ['/public/home', '/all_resoures', '/jobvacancy', '/verify', '/aptitude_test_application_form'],
  ['/public/home'],
)
const LEAST = { performance: 0.95, accessibility: 1, 'best-practices': 1, seo: 1 }

interface Report {
  categories: Record<keyof typeof LEAST, { score: number | null }>
  runtimeError?: { message: string }
}

/** Scores of Lighthouse, from 0 to 1: of a computer on a cable, and for comparison of a slow phone on a slow network. */
const bench: Bench = {
  title: `lighthouse: scores of ${PAGES.length} public pages, against the ${Object.values(LEAST).join(', ')} promised`,
  async run(say) {
    // A product that has just started plays its demo cases beside the first pages.
    await demonstrated()
    const profile = mkdtempSync(join(tmpdir(), 'prakriya-lighthouse-'))
    const browser = spawn(
      await sparticuz.executablePath(),
      ['--headless=shell', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = new Promise((settle) => browser.once('exit', settle))
    try {
      const port = await portOf(createInterface(browser.stderr))
      browser.stderr.resume()
      const figures: Record<string, number> = {}
      for (const page of PAGES) {
        const [computer, phone] = [await scores(page, port, '--preset=desktop'), await scores(page, port)]
        for (const [category, score] of Object.entries(computer)) figures[`${page} ${category}`] = score
        figures[`${page} performance on a slow phone`] = phone.performance
        say(`${page}: ${JSON.stringify(computer)}, on a slow phone ${phone.performance}`)
      }
      const promises = PAGES.flatMap((page) =>
        Object.entries(LEAST).map(([category, atLeast]): Bound => ({ figure: `${page} ${category}`, atLeast })),
      )
      return { figures, promises }
    } finally {
      browser.kill()
      await ended
      rmSync(profile, { recursive: true, force: true })
    }
  },
}

/** The port at which the browser can be steered, which it prints. */
async function portOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1]
    if (port) return port
  }
  throw new Error('the browser ended without a port')
}

async function scores(page: string, port: string, ...more: string[]): Promise<Record<keyof typeof LEAST, number>> {
  const given = ['--yes', LIGHTHOUSE, `${stack().url}${page}`, `--port=${port}`, '--output=json', '--quiet', ...more]
  const { stdout } = await promisify(execFile)('npx', given, { maxBuffer: 2 ** 26 })
  const { categories, runtimeError } = JSON.parse(stdout) as Report
  if (runtimeError) throw new Error(`${page}: ${runtimeError.message}`)
  const of = (category: keyof typeof LEAST) => categories[category].score ?? Number.NaN
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    'best-practices': of('best-practices'),
    seo: of('seo'),
  }
}

export default bench
