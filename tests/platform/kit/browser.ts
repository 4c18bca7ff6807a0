import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PASSWORD } from './people.ts'
import { stack } from './stack.ts'

/** The folder for screenshots; without it none are taken, which saves minutes. */
const pictures = process.env['PRAKRIYA_SCREENSHOTS']

/** The two widths at which every page is checked: a desktop screen and a small phone. */
const WIDE = 1440
export const NARROW = 360

export type Language = 'en' | 'si' | 'ta'

/** Somebody with a browser context of their own: session and language are not shared. */
export interface Visitor {
  page: Page
  /** Opens an address of the product, as typed into the address bar. */
  opens(path: string): Promise<void>
  /** Goes to an address as a link does, without reloading the app. */
  goes(path: string): Promise<void>
  /** Fills in the sign-in page, which must be open, and submits it. */
  fillsInSignIn(username: string): Promise<void>
  /** Signs in through the sign-in page's requests, without rendering it, and arrives at `to`. */
  signsIn(username: string, to?: string): Promise<void>
  /** Saves a screenshot under this name, if wanted; fonts are loaded by then. */
  picture(name: string): Promise<void>
  /** Expects an answer that this visitor will provoke: any other refusal counts as trouble. */
  expects(status: number, path: string): void
  /** Problems since the last call: console errors, and requests of ours that failed or were refused. */
  troubles(): string[]
}

/** A real browser; close it at the end of the file. */
export interface Visitors {
  /**
   * Visitors of a test close with its end, unless they stay for the next: an open page keeps sending requests. With
   * `hesitate` decisions wait for their undo time; all others are sent at once.
   */
  arrives(as?: { width?: number; language?: Language; hesitates?: boolean; stays?: boolean }): Promise<Visitor>
  close(): Promise<void>
}

/** What jest's environment has loaded for its worker: each test file would load and compile it again. */
const { chromiumOfWorker } = globalThis as { chromiumOfWorker?: () => Promise<typeof import('./chromium.ts')> }

/** Opens the worker's browser; with more arguments, or outside of jest, one of its own. */
export async function openBrowser(more: readonly string[] = []): Promise<Visitors> {
  const { keptBrowser, launched } = await (chromiumOfWorker?.() ?? import('./chromium.ts'))
  const ofWorker = chromiumOfWorker !== undefined && more.length === 0
  const browser = ofWorker ? await keptBrowser() : await launched(more)
  const left = new Map<string, BrowserContext[]>()
  const passing: (() => Promise<void>)[] = []
  const leave = () => Promise.all(passing.splice(0).map((leaves) => leaves()))
  Object.assign(globalThis, { whatIsSeen: () => whatIsSeen(browser), testIsOver: leave })
  return {
    async arrives({ stays = false, ...given } = {}) {
      const as = { width: WIDE, language: 'en' as const, hesitates: false, ...given }
      const kind = JSON.stringify(as)
      const context = left.get(kind)?.pop() ?? (await contextOf(browser, as))
      const arrived = await visitor(context)
      const leaves = async () => {
        if (await emptied(context)) left.set(kind, [...(left.get(kind) ?? []), context])
      }
      if ('testRuns' in globalThis && !stays) passing.push(leaves)
      return arrived
    },
    async close() {
      if (!ofWorker) return browser.close()
      passing.length = 0
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
  }
}

/** The text on all open pages, requested when a test fails. */
async function whatIsSeen(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages())
  const seen = pages.map(async (page) => {
    const words = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch((error: Error) => error.message)
    return `seen at ${page.url()}: ${words.replaceAll(/\s+/g, ' ').slice(0, 1200)}`
  })
  return (await Promise.all(seen)).join('\n')
}

/** Runs in the page: sends decisions at once, without the undo time. */
function pressSendNow(): void {
  const press = () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-send]:enabled')) button.click()
  }
  new MutationObserver(press).observe(document, { childList: true, subtree: true, attributes: true })
}

/** Runs in the page before its scripts, at the first load after a sign-in only: a sign-out forgets the account. */
function rememberOnce([signIn, account]: readonly [string, string]): void {
  if (localStorage.getItem(signIn)) return
  localStorage.setItem(signIn, 'remembered')
  localStorage.setItem('prakriya.signed-in', account)
}

/** Waits until the page shows this text, be it at several places: at its field, say, and in a toast. */
export const reads = (page: Page, text: string | RegExp, options: { exact?: boolean } = {}) =>
  page.getByText(text, options).filter({ visible: true }).first().waitFor()

interface Kind {
  width: number
  language: Language
  hesitates: boolean
}

async function contextOf(browser: Browser, { width, language, hesitates }: Kind): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: stack().url,
    viewport: { width, height: width === NARROW ? 740 : 900 },
    hasTouch: width === NARROW,
    reducedMotion: 'reduce',
    // Neither Colombo's time zone nor a neighbour, so that a page that shows the browser's own time fails.
    timezoneId: 'America/New_York',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(45_000)
  await context.addInitScript((chosen) => localStorage.setItem('prakriya.language', chosen), language)
  if (!hesitates) await context.addInitScript(pressSendNow)
  return context
}

/**
 * Closes the pages of a visitor who has left and forgets all that they stored: the next one of the kind finds the
 * compiled scripts, which take more than half of a first visit. False if a test has closed the context.
 */
async function emptied(context: BrowserContext): Promise<boolean> {
  const pages = context.pages()
  if (pages.length === 0) return false
  const blank = await context.newPage()
  await Promise.all(pages.map((page) => page.close()))
  await context.setOffline(false)
  await context.clearCookies()
  const session = await context.newCDPSession(blank)
  const storageTypes = 'local_storage,indexeddb,service_workers,cache_storage'
  await session.send('Storage.clearDataForOrigin', { origin: stack().url, storageTypes })
  await blank.close()
  return true
}

async function visitor(context: BrowserContext): Promise<Visitor> {
  const { url } = stack()
  const page = await context.newPage()
  const troubles: string[] = []
  const expected: { status: number; path: string }[] = []
  let signIns = 0
  const ours = (address: string) => new URL(address).origin === new URL(url).origin

  page.on('pageerror', (error) => troubles.push(`thrown: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // The console message of a refused request has no address; the response is checked below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // A request that a navigation aborts has not failed.
    if (ours(request.url()) && reason !== 'net::ERR_ABORTED')
      troubles.push(`${request.method()} ${request.url()}: ${reason}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!ours(response.url()) || response.status() < 400) return
    if (expected.some(({ status, path }) => status === response.status() && path === pathname)) return
    troubles.push(`${response.request().method()} ${pathname}: ${response.status()}`)
  })

  const fillsInSignIn = async (username: string) => {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  return {
    page,
    fillsInSignIn,
    async opens(path) {
      await page.goto(path)
    },
    async goes(path) {
      await page.evaluate((to) => history.pushState(null, '', to), path)
    },
    async signsIn(username, to = '/dashboard') {
      const form = { grant_type: 'password', client_id: 'web', username, password: PASSWORD }
      const answer = await context.request.post('/api/auth/token', { form })
      if (!answer.ok()) throw new Error(`${username} is not let in: ${await answer.text()}`)
      const [, claims] = ((await answer.json()) as { access_token: string }).access_token.split('.')
      const { sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { sub: string }
      // Public pages ask for the account only if the browser remembers one.
      signIns += 1
      await page.addInitScript(rememberOnce, [`sign-in ${signIns}`, sub] as const)
      await page.goto(to)
      await page.waitForURL((at) => at.pathname + at.search === to)
    },
    async picture(name) {
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      if (!pictures) return
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}-${page.viewportSize()?.width}.png`) })
    },
    expects: (status, path) => void expected.push({ status, path }),
    troubles: () => troubles.splice(0),
  }
}
