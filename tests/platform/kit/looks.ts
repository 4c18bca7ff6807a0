import { expect } from '@jest/globals'
import { expectAccessible } from './axe.ts'
import { NARROW, type Visitor } from './browser.ts'

/** Takes screenshots at both widths; neither may scroll sideways, and axe finds nothing. */
export async function looks({ page, picture }: Visitor, name: string): Promise<void> {
  const before = page.viewportSize()!
  for (const size of [
    { width: 1440, height: 900 },
    { width: NARROW, height: 740 },
  ]) {
    await page.setViewportSize(size)
    await picture(name)
    await expectAccessible(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    // Less where a page keeps room for a scrollbar.
    expect({ name, wide: Math.max(0, wide) }).toEqual({ name, wide: 0 })
  }
  await page.setViewportSize(before)
}
