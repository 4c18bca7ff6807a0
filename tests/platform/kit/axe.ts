import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@jest/globals'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { until } from './poll.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Menus, drop-downs and toasts are at the end of the body, outside every landmark.
  rules: { region: { enabled: false } },
}

/** The menu of staff pages: half of all elements, and the same on most pages. */
const MENU = '#root nav:has(> div > section > ul)'
/** Menus without findings, by screen width and text; task counts are ignored. */
const menusSeen = new Set<string>()

/**
 * Checks the page with axe-core and fails with each violation: rule and place. A violation that is gone a moment later
 * was one of a page that was still loading: a text that had not come, or a heading not yet drawn.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await until(
    'the page is accessible',
    async () => {
      expect(await violationsOf(page)).toEqual([])
      return true
    },
    { seconds: 5, everyMilliseconds: 250 },
  )
}

interface InPage {
  axe: {
    run(on: unknown, options: RunOptions): Promise<AxeResults>
    commons: { color: { Color: new () => Colour; getContrast(back: Colour, front: Colour): number } }
  }
}

interface Colour {
  alpha: number
  parseString(css: string): void
}

/**
 * The contrast of a text with the nearest background around it, from 1 to 21: for one text that shows only for moments,
 * such as a message.
 */
export async function contrastOf(text: Locator): Promise<number> {
  await bringAxe(text.page())
  return text.evaluate((element) => {
    const { Color, getContrast } = (window as unknown as InPage).axe.commons.color
    const read = (css: string) => {
      const colour = new Color()
      colour.parseString(css)
      return colour
    }
    let behind: Element = element
    let back = read(getComputedStyle(behind).backgroundColor)
    while (back.alpha === 0 && behind.parentElement) {
      behind = behind.parentElement
      back = read(getComputedStyle(behind).backgroundColor)
    }
    return getContrast(back, read(getComputedStyle(element).color))
  })
}

async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
}

/**
 * Waits for loading to end, because loading parts are paler, and for the page's heading. A menu without findings is not
 * checked again.
 */
async function violationsOf(page: Page): Promise<string[]> {
  await page.waitForFunction(() => !document.querySelector('[data-loading]') && document.querySelector('h1'))
  await bringAxe(page)
  const menu = await page.evaluate((selector) => {
    const words = document.querySelector(selector)?.textContent.replaceAll(/\d+/g, '#')
    return words && `${window.innerWidth} ${words}`
  }, MENU)
  const { violations } = await page.evaluate(
    async ([given, without]) => {
      const { axe } = window as unknown as InPage
      const found = await axe.run(without ? { exclude: [without] } : document, given)
      // A bar that stays at the edge covers a part of what lies below it, until somebody scrolls there.
      for (const one of found.violations.filter(({ id }) => id === 'target-size')) {
        const small: typeof one.nodes = []
        for (const node of one.nodes) {
          const target = document.querySelector(String(node.target[0]))
          target?.scrollIntoView({ block: 'center' })
          const again = target && (await axe.run(target, { runOnly: { type: 'rule', values: ['target-size'] } }))
          if (!again || again.violations.length > 0) small.push(node)
        }
        one.nodes = small
      }
      return { violations: found.violations.filter(({ nodes }) => nodes.length > 0) }
    },
    [options, menu && menusSeen.has(menu) ? MENU : undefined] as const,
  )
  if (menu && violations.length === 0) menusSeen.add(menu)
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))
}
