import type { Locator } from 'playwright-core'

/** More presses of Tab than any page of a form needs. */
const MOST_PRESSES = 80

/** Presses Tab until the element has the focus, as people do who have no mouse; fails if it cannot be reached. */
export async function tabsTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if (await target.evaluate((one) => one === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`${MOST_PRESSES} presses of Tab do not reach ${String(target)}`)
}

/** Reaches a button or a link by Tab and presses Enter. */
export async function entersAt(target: Locator): Promise<void> {
  await tabsTo(target)
  await target.page().keyboard.press('Enter')
}

/** Reaches a field by Tab and types, in place of what it holds. */
export async function typesInto(target: Locator, text: string): Promise<void> {
  await tabsTo(target)
  await target.page().keyboard.press('Control+A')
  await target.page().keyboard.type(text)
}
