import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gzipSync } from 'node:zlib'
import { openBrowser, type Visitor, type Visitors } from './kit/browser.ts'
import { until } from './kit/poll.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})

afterAll(() => visitors?.close())

/** Kilobytes of script, gzipped, that a page loads by itself: until it shows this and then asks for nothing more. */
async function scriptOf({ page }: Visitor, path: string, shown: string): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>()
  let latest = Date.now()
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
    latest = Date.now()
    scripts.set(response.url(), response.body())
  })
  await page.goto(path)
  await page.locator(shown).first().waitFor()
  await until('no script for a second', async () => Date.now() - latest > 1000)
  const bodies = await Promise.all(scripts.values())
  expect(bodies.length).toBeGreaterThan(3)
  return Math.ceil(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1024)
}

test('the public page loads at most 280 KB of script, in its heaviest language', async () => {
  const visitor = await visitors.arrives({ language: 'ta' })
  expect(await scriptOf(visitor, '/all_resoures', 'main li h2')).toBeLessThanOrEqual(280)
})

test('the inbox loads at most 600 KB of script', async () => {
  const before = await visitors.arrives()
  await before.signsIn('registrar', '/myprofile')
  // Signed in, but with nothing kept of what was loaded: as on the first morning after an update.
  const visitor = await visitors.arrives({ language: 'ta' })
  await visitor.page.context().addCookies(await before.page.context().cookies())
  expect(await scriptOf(visitor, '/inbox', 'main h1')).toBeLessThanOrEqual(600)
})
