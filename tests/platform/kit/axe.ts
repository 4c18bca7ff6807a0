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

/**
 * Looks at the page with axe-core and fails with what it finds: the rule, and where it is broken. What still loads is
 * waited for, since it is paler as long as it does.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[data-loading]'))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: { run(on: Document, options: RunOptions): Promise<AxeResults> } }).axe.run(
        document,
        given,
      ),
    options,
  )
  expect(
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`)),
  ).toEqual([])
}
