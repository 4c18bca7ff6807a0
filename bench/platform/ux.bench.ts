import { openBrowser, type Visitor } from '../../tests/platform/kit/browser.ts'
import { as } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { aBooking, aRoom, BOOKING } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { many, percentile, rounded, sized } from './results.ts'

const HEAD = 'hod.western-music'
/** CPU throttling of the reader's device. */
const SLOWER = 4
const TASKS = sized(40, 4)
const WARM_UP = sized(4, 0)

/**
 * Ours: an approver on a slow device opens a task of the list, approves it, and the list opens the next. Baseline: the
 * same rows in the same browser, as a page that only marks the clicked row. Measured is the time from a click to the
 * first frame that shows its effect, as the browser reports it.
 */
const bench: Bench = {
  title: `ux: opening, deciding and going on in a browser slowed ${SLOWER} times, against a static list of the same rows`,
  async run(say) {
    const [student, head, room] = [await as('student.nuwan'), await as(HEAD), await aRoom()]
    await many(4, TASKS, () => student.submit(BOOKING, aBooking(room)))
    const list = `/api/tasks?queue=open&filter.resource=${room.id}&limit=50`
    await until('all tasks wait', async () => (await head.get(list)).items.length === TASKS)
    const visitors = await openBrowser()
    try {
      const visitor = await visitors.arrives({ hesitates: true })
      const { page } = visitor
      await visitor.signsIn(HEAD, `/inbox?queue=open&filter.resource=${room.id}`)
      const rows = page.locator('main [data-row]')
      await until('the rows are shown', async () => (await rows.count()) === TASKS)
      const still = await page.locator('main').evaluate((main) => ({
        html: main.outerHTML,
        css: [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('\n'),
      }))
      await slowDown(visitor)
      const times = { open: [] as number[], act: [] as number[], next: [] as number[], still: [] as number[] }

      const decidable = page.getByRole('button', { name: 'Approve', exact: true })
      const goesOn = async (from: string | null) => {
        await page.waitForURL((at) => ![from, null].includes(taskOf(at.href)))
        await decidable.waitFor()
      }
      await page.keyboard.press('j')
      for (let n = 0; n < TASKS - 3; n += 1) {
        const pressed = async (of: keyof typeof times, key: string) => {
          const took = await firstFrame(visitor, () => page.keyboard.press(key))
          if (n >= WARM_UP) times[of].push(took)
        }
        await pressed('open', 'o')
        await goesOn(null)
        const decided = taskOf(page.url())
        await pressed('act', 'a')
        await goesOn(decided)
        const skipped = taskOf(page.url())
        await pressed('next', 'u')
        await goesOn(skipped)
        await page.keyboard.press('Escape')
        await page.waitForURL((at) => taskOf(at.href) === null)
        // Once the focus is back in the list, return to the skipped row, so that the list lasts.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        await page.keyboard.press('k')
      }
      say(`${times.open.length} tasks opened and decided`)

      await page.context().close()
      const reader = await visitors.arrives()
      await slowDown(reader)
      await reader.page.setContent(`<style>${still.css}</style>${still.html}`)
      await reader.page.evaluate(() => {
        for (const row of document.querySelectorAll<HTMLElement>('[data-row]'))
          row.addEventListener('click', (event) => {
            event.preventDefault()
            row.style.outline = row.style.outline === '' ? '2px solid' : ''
          })
      })
      for (let n = 0; n < times.open.length; n += 1)
        times.still.push(
          await firstFrame(reader, () =>
            reader.page
              .locator('[data-row]')
              .nth(n % 8)
              .click(),
          ),
        )

      const ours = [...times.open, ...times.act, ...times.next]
      const of = (name: string, values: number[]) => [
        [`${name} p50 ms`, rounded(percentile(values, 0.5))],
        [`${name} p95 ms`, rounded(percentile(values, 0.95))],
      ]
      return {
        figures: {
          ...Object.fromEntries([
            ...of('first feedback', ours),
            ...of('opening', times.open),
            ...of('deciding', times.act),
            ...of('going on', times.next),
            ...of('static list', times.still),
          ]),
          'ours to static p50': rounded(percentile(ours, 0.5) / percentile(times.still, 0.5)),
        },
        promises: [
          { figure: 'first feedback p50 ms', atMost: 50 },
          { figure: 'first feedback p95 ms', atMost: 100 },
        ],
      }
    } finally {
      await visitors.close()
    }
  },
}
export default bench

const taskOf = (address: string) => new URL(address).searchParams.get('task')

async function slowDown({ page }: Visitor): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}

/** Milliseconds from a click to the next frame, in steps of 8; less than 16 counts as 16. */
async function firstFrame({ page }: Visitor, press: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const kept = globalThis as { presses?: number[]; watcher?: PerformanceObserver }
    kept.watcher?.disconnect()
    kept.presses = []
    kept.watcher = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown' || name === 'click') kept.presses!.push(duration)
    })
    kept.watcher.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await press()
  // The browser reports an event after its frame; without a report after two further frames it was shorter than the
  // minimum.
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const frame = (left: number) =>
          requestAnimationFrame(() => {
            const { presses = [] } = globalThis as { presses?: number[] }
            if (presses.length > 0) resolve(Math.max(...presses))
            else if (left === 0) resolve(16)
            else frame(left - 1)
          })
        frame(6)
      }),
  )
}
