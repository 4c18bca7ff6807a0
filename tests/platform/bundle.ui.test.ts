import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { bundleSizes } from './check/bundle.ts'
import { openBrowser, type Visitor, type Visitors } from './kit/browser.ts'
import { send } from './kit/people.ts'
import { until } from './kit/poll.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})

afterAll(() => visitors?.close())

/** Bytes of a script, gzipped. */
async function sizeOf(script: string): Promise<number> {
  const answer = await fetch(script)
  expect(answer.status).toBe(200)
  return gzipSync(await answer.arrayBuffer()).length
}

/** Kilobytes of gzipped script that a page loads: until it shows this and is idle. */
async function scriptOf({ page }: Visitor, path: string, shown: string): Promise<number> {
  const scripts = new Set<string>()
  let latest = Date.now()
  const note = (response: Response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
    latest = Date.now()
    scripts.add(response.url())
  }
  page.on('response', note)
  await page.goto(path)
  await page.locator(shown).first().waitFor()
  await until('no script for a second', async () => Date.now() - latest > 1000)
  page.off('response', note)
  // Read from the server: a browser may drop the body of what it has run.
  const sizes = await Promise.all([...scripts].map(sizeOf))
  expect(sizes.length).toBeGreaterThan(3)
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)
}

test('the public page loads at most 260 KB of script, in its heaviest language', async () => {
  const visitor = await visitors.arrives({ language: 'ta' })
  expect(await scriptOf(visitor, '/all_resoures', 'main li h2')).toBeLessThanOrEqual(260)
})

/** The address of a public form for something that is open. */
async function openFor(flow: string, page: string): Promise<string> {
  const { items } = (await send('GET', `/api/public/flows/${flow}/open`)).body
  return `${page}?id=${items.find(({ state }: { state: string }) => state === 'open').id}`
}

/** The forms are heavier than the lists by their fields, by the checks of two forms, and by the proof of work. */
test.each<[string, number, () => Promise<string>, string]>([
  ['the vacancies', 260, async () => '/jobvacancy', 'main h1'],
  ['the choice of a course', 260, async () => '/public/courses/apply', 'main h1'],
  [
    'the form for a course',
    280,
    () => openFor('courses-public/course-application', '/public/courses/apply'),
    'main form input',
  ],
  [
    'the form for an aptitude test',
    280,
    () => openFor('aptitude-tests/aptitude-application', '/aptitude_test_application_form'),
    'main form input',
  ],
])('%s: at most %d KB of script for visitors', async (_page, limit, address, shown) => {
  const visitor = await visitors.arrives({ language: 'ta' })
  expect(await scriptOf(visitor, await address(), shown)).toBeLessThanOrEqual(limit)
})

test('the inbox loads at most 320 KB of script', async () => {
  const before = await visitors.arrives()
  await before.signsIn('registrar', '/myprofile')
  // Signed in with an empty cache, as on the morning after an update.
  const visitor = await visitors.arrives({ language: 'ta' })
  await visitor.page.context().addCookies(await before.page.context().cookies())
  expect(await scriptOf(visitor, '/inbox', 'main h1')).toBeLessThanOrEqual(320)
})

test('ten more areas as large as the largest keep both within their limits', () => {
  const root = join(import.meta.dirname, '../..')
  const copy = mkdtempSync(join(tmpdir(), 'prakriya-bundle-'))
  try {
    const kept = (source: string) => !/web[\\/]dist/.test(source)
    for (const part of ['forms', 'web']) cpSync(join(root, part), join(copy, part), { recursive: true, filter: kept })
    for (const part of ['node_modules', 'package.json', 'tsconfig.json'])
      symlinkSync(join(root, part), join(copy, part))
    for (let number = 1; number <= 10; number++) {
      const area = `area-${'abcdefghij'[number - 1]}`
      const renamed = (text: string) => text.replaceAll('resource-reservation', area).replaceAll('vouchers', area)
      mkdirSync(join(copy, 'forms', area))
      for (const [source, files] of Object.entries({
        'resource-reservation': ['texts.en', 'texts.si', 'texts.ta'],
        vouchers: ['screens', 'texts.staff.en', 'texts.staff.si', 'texts.staff.ta'],
      }))
        for (const file of files) {
          const text = renamed(readFileSync(join(root, `forms/${source}/${file}.json`), 'utf8'))
          // Different texts per area: equal ones would compress to nothing.
          const own = file.startsWith('texts') ? text.replaceAll(/"(?=,?\n)/g, ` ${number}"`) : text
          writeFileSync(join(copy, 'forms', area, `${file}.json`), own)
        }
    }
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const built = spawnSync(process.execPath, [vite, 'build', 'web'], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    expect([built.status, built.status === 0 ? '' : built.stdout + built.stderr]).toEqual([0, ''])
    const before = bundleSizes(root)
    const sizes = bundleSizes(copy)
    expect(sizes.filter(({ kilobytes, limit }) => kilobytes > limit)).toEqual([])
    // They are loaded: the menu names their pages.
    const inbox = (all: typeof sizes) => all.find(({ route }) => route === '/inbox')!.kilobytes
    expect(inbox(sizes)).toBeGreaterThan(inbox(before))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

/** Code that only drawing needs, by a string unique to it, and the chunk that contains it. */
const heavy = [
  { word: 'create.subprocess-expanded', chunk: 'platform/features/studio/workbench.tsx' },
  { word: 'bts-toggle-mode', chunk: 'platform/features/studio/workbench.tsx' },
  { word: 'decision-table-properties', chunk: 'platform/features/studio/decisions/editor.tsx' },
]

test('only the draft page of the studio loads the modelers of diagrams and decision tables', () => {
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
  const askFor = (chunk: string) => Object.keys(chunks).filter((key) => chunks[key]!.dynamicImports?.includes(chunk))
  // Requests of the chunk itself load after it: it may share code with them.
  const comesAfter = (key: string, chunk: string) => askFor(key).length > 0 && askFor(key).every((by) => by === chunk)
  for (const { word, chunk } of heavy) {
    const holding = new Set([...codeOf].filter(([, code]) => code.includes(word)).map(([file]) => file))
    const bringing = Object.keys(chunks).filter((key) => [...filesOf(key)].some((file) => holding.has(file)))
    const first = bringing.filter((key) => !key.startsWith('_') && !comesAfter(key, chunk))
    expect([word, ...first]).toEqual([word, chunk])
  }
  expect(askFor('platform/features/studio/workbench.tsx')).toEqual(['platform/features/studio/draft.tsx'])
  expect(askFor('platform/features/studio/decisions/editor.tsx')).toEqual(['platform/features/studio/workbench.tsx'])
})
