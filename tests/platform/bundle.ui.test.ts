import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

/** What only whoever draws needs, by a word that stands in its code alone, and the chunk that brings it. */
const heavy = [
  { word: 'create.subprocess-expanded', chunk: 'platform/studio/workbench.tsx' },
  { word: 'bts-toggle-mode', chunk: 'platform/studio/workbench.tsx' },
  { word: 'decision-table-properties', chunk: 'platform/studio/decisions/editor.tsx' },
]

test('the modelers of diagrams and of decision tables are loaded by the draft of the studio, and by nothing else', () => {
  const dist = join(import.meta.dirname, '../../web/dist')
  const chunks = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const codeOf = new Map(
    Object.values(chunks)
      .filter(({ file }) => file.endsWith('.js'))
      .map(({ file }) => [file, readFileSync(join(dist, file), 'utf8')]),
  )
  const filesOf = (key: string, files = new Set<string>()): Set<string> => {
    const { file, imports = [] } = chunks[key]!
    if (files.has(file)) return files
    files.add(file)
    for (const one of imports) filesOf(one, files)
    return files
  }
  for (const { word, chunk } of heavy) {
    const holding = new Set([...codeOf].filter(([, code]) => code.includes(word)).map(([file]) => file))
    const bringing = Object.keys(chunks).filter((key) => [...filesOf(key)].some((file) => holding.has(file)))
    expect([word, ...bringing.filter((key) => !key.startsWith('_'))]).toEqual([word, chunk])
  }
  const askFor = (chunk: string) => Object.keys(chunks).filter((key) => chunks[key]!.dynamicImports?.includes(chunk))
  expect(askFor('platform/studio/workbench.tsx')).toEqual(['platform/studio/draft.tsx'])
  expect(askFor('platform/studio/decisions/editor.tsx')).toEqual(['platform/studio/workbench.tsx'])
})
