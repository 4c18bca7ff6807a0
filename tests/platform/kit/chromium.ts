import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ChildProcess } from 'node:child_process'
import { registerHooks } from 'node:module'
import type { Socket } from 'node:net'
import sparticuz from '@sparticuz/chromium'
import type { Browser } from 'playwright-core'

/** Playwright's waits between two looks at a page, in milliseconds, and ours. */
const waits = [
  ['const backoffScale = [20, 50, 100, 100, 500];', 'const backoffScale = [20, 50, 100];'],
  ['const waitTime = [0, 20, 100, 100, 500];', 'const waitTime = [0, 20, 50, 100];'],
] as const

// Playwright looks for what a test awaits every 100 ms: of itself it does so every 500 ms after the first 270, and most
// pages come soon after those. There is no option for it.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/playwright-core/lib/coreBundle.js')) return loaded
    return { ...loaded, source: looksOften(String(loaded.source)) }
  },
})

function looksOften(source: string): string {
  return waits.reduce((before, [theirs, ours]) => {
    if (!before.includes(theirs)) throw new Error(`playwright-core no longer has ${theirs}: look for its waits again`)
    return before.replace(theirs, ours)
  }, source)
}

const { chromium } = await import('playwright-core')

let kept: Promise<Browser> | undefined

/**
 * The browser of this process: the test files of a worker use it one after the other, each with contexts of its own. It
 * ends with the process.
 */
export async function keptBrowser(): Promise<Browser> {
  // A start that failed has told the file that wanted it; the next one tries again.
  const open = await kept?.catch(() => undefined)
  if (open?.isConnected()) {
    // Left open by a file that failed.
    await Promise.all(open.contexts().map((context) => context.close()))
    return open
  }
  kept = keepingNobodyWaiting(launched)
  return kept
}

/** Starts the browser from npm, perhaps with more arguments. */
export async function launched(more: readonly string[] = []): Promise<Browser> {
  // A single-process browser dies with its first page, and without its zygote it cannot start as root.
  // An emulated graphics card takes a third of a page's time; pages need none. They live too briefly to gain from
  // optimised scripts.
  const without = /^--(single-process|no-zygote|ignore-gpu-blocklist|in-process-gpu|use-gl|use-angle|enable-unsafe-)/
  const own = sparticuz.args.filter((arg) => !without.test(arg))
  const fewer = ['--disable-gpu', '--renderer-process-limit=1', '--js-flags=--no-maglev,--no-turbofan']
  const args = [...own, ...fewer, ...more]
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args, headless: true })
}

/** What this starts does not keep the process from ending, and ends with it. */
async function keepingNobodyWaiting<T>(starts: () => Promise<T>): Promise<T> {
  const children: ChildProcess[] = []
  const note = (message: unknown) => void children.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  try {
    return await starts()
  } finally {
    unsubscribe('child_process', note)
    for (const child of children) {
      child.unref()
      for (const stream of child.stdio) (stream as Socket | null)?.unref()
    }
  }
}
