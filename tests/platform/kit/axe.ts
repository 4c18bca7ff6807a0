import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@jest/globals'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Menus, lists of choices and passing messages float at the end of the body, outside every landmark.
  rules: { region: { enabled: false } },
}

/** The menu beside staff pages: half of what there is to look at, and on most of them the same. */
const MENU = '#root nav:has(> div > section > ul)'
/** Menus in which nothing was found, by the width of the screen and their words; how much waits is no matter. */
const menusSeen = new Set<string>()

/**
 * Looks at the page with axe-core and fails with what it finds: the rule, and where it is broken. What still loads is
 * waited for, since it is paler as long as it does, and so is the page's heading: just after a move in the page neither
 * is drawn yet. A menu in which nothing was found is not looked at again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[data-loading]') && document.querySelector('h1'))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const menu = await page.evaluate((selector) => {
    const words = document.querySelector(selector)?.textContent.replaceAll(/\d+/g, '#')
    return words && `${window.innerWidth} ${words}`
  }, MENU)
  const { violations } = await page.evaluate(
    ([given, without]) =>
      (window as unknown as { axe: { run(on: unknown, options: RunOptions): Promise<AxeResults> } }).axe.run(
        without ? { exclude: [without] } : document,
        given,
      ),
    [options, menu && menusSeen.has(menu) ? MENU : undefined] as const,
  )
  if (menu && violations.length === 0) menusSeen.add(menu)
  expect(
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`)),
  ).toEqual([])
}
