import { LAST, largeModel } from '../../tests/platform/fixtures/large-model.ts'
import { openBrowser, type Visitor } from '../../tests/platform/kit/browser.ts'
import { as, type Person } from '../../tests/platform/kit/people.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const PROCESS = 'resource-booking'
const DRAFT = `/api/studio/models/${PROCESS}/draft`
/** Nodes of the two models; with their connections 500 elements, and 40. */
const LARGE = sized(250, 30)
const SMALL = 20
const WARM_UP = sized(1, 0)
const ROUNDS = sized(5, 1)
const CHOICES = sized(12, 2)
const REQUESTS = sized(400, 5)
/** Below the limit of one person's requests per minute. */
const CHECKS = sized(50, 2)

/** Milliseconds of each repetition. */
interface Times {
  choose: number[]
  compare: number[]
  jump: number[]
}

/**
 * Ours: with a draft of 500 elements an owner selects a shape, opens the comparison with a version in which every label
 * differs, and jumps from one difference to the next; each until the page is idle. Baseline: the same page in the same
 * browser with a draft of 40 elements. And the time of another person's request while the large draft is checked
 * repeatedly, against the same request without checks.
 */
const bench: Bench = {
  title:
    'studio-large: working on 500 elements, against 40; and a request beside their check, against the request alone',
  async run(say) {
    const owner = await as('owner.flows')
    const visitors = await openBrowser()
    try {
      const visitor = await visitors.arrives()
      await visitor.signsIn('owner.flows', `/studio/${PROCESS}`)
      const drafts = { small: drafted(owner, SMALL), large: drafted(owner, LARGE) }
      const times = {
        small: { choose: [], compare: [], jump: [] } as Times,
        large: { choose: [], compare: [], jump: [] } as Times,
      }
      // The rounds before the first load the scripts.
      for (let n = 1 - WARM_UP; n <= ROUNDS; n += 1)
        for (const size of ['small', 'large'] as const) {
          await drafts[size]()
          const taken = await worked(visitor, size === 'small' ? SMALL : LARGE)
          if (n > 0) for (const what of ['choose', 'compare', 'jump'] as const) times[size][what].push(...taken[what])
        }
      say(`${times.large.choose.length} shapes chosen, ${times.large.compare.length} times compared`)
      await visitor.page.context().close()

      const [alone, beside] = [await latencies(REQUESTS), [] as number[]]
      const checker = await as('owner.bookings')
      const body = { bpmn: largeModel(PROCESS, LARGE), dmn: [] }
      for (let n = 0; n < CHECKS && beside.length < REQUESTS; n += 1) {
        let checked = false
        const check = checker.ok('POST', `/api/studio/models/${PROCESS}/check`, body).finally(() => (checked = true))
        const [taken] = await Promise.all([latencies(REQUESTS / 10, () => checked), check])
        beside.push(...taken)
      }
      say(`${alone.length} requests alone, ${beside.length} beside checks`)

      const p50 = (size: 'small' | 'large', what: keyof Times) => percentile(times[size][what], 0.5)
      const ratio = (what: keyof Times) => rounded(p50('large', what) / p50('small', what))
      return {
        figures: {
          'choosing p50 ms': rounded(p50('large', 'choose')),
          'choosing, 500 to 40': ratio('choose'),
          'comparing p50 ms': rounded(p50('large', 'compare')),
          'comparing, 500 to 40': ratio('compare'),
          'jumping p50 ms': rounded(p50('large', 'jump')),
          'jumping, 500 to 40': ratio('jump'),
          'request alone p95 ms': rounded(percentile(alone, 0.95)),
          'request beside checks p95 ms': rounded(percentile(beside, 0.95)),
          'request beside checks to alone p95': rounded(percentile(beside, 0.95) / percentile(alone, 0.95)),
        },
        promises: [
          { figure: 'choosing p50 ms', atMost: 1000 },
          { figure: 'comparing p50 ms', atMost: 3000 },
          { figure: 'choosing, 500 to 40', atMost: 2 },
          // The elements are 12 times as many.
          { figure: 'comparing, 500 to 40', atMost: 5 },
          { figure: 'jumping, 500 to 40', atMost: 2 },
          { figure: 'request beside checks to alone p95', atMost: 8 },
        ],
      }
    } finally {
      await visitors.close()
      await owner.send('DELETE', DRAFT)
    }
  },
}
export default bench

/** Makes a model of this many nodes the draft, each time it is called. */
function drafted(owner: Person, nodes: number): () => Promise<void> {
  const bpmn = largeModel(PROCESS, nodes)
  return async () => {
    await owner.send('DELETE', DRAFT)
    const { revision } = await owner.ok('POST', DRAFT, {})
    await owner.ok('PUT', DRAFT, { revision, bpmn })
  }
}

/** Selects shapes of the draft, compares it, and jumps from difference to difference. */
async function worked(visitor: Visitor, nodes: number): Promise<Times> {
  const { page } = visitor
  // No version of that size is deployed, so its request is mocked.
  const before = largeModel(PROCESS, nodes).replaceAll('name="Step', 'name="Stage')
  const versions = `**/api/studio/models/${PROCESS}/versions/*`
  await page.route(versions, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), bpmn: before } })
  })
  await visitor.opens(`/studio/${PROCESS}/draft`)
  await page.getByRole('region', { name: 'Problems' }).locator('header button').waitFor()
  const choose = await page.evaluate(async (count) => {
    const took: number[] = []
    const rests = async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      await new Promise((idle) => requestIdleCallback(idle))
    }
    for (let n = 1; n <= count; n += 1) {
      const id = `userTask_s${n}`
      const shape = document.querySelector(`[data-element-id="${id}"] .djs-hit`)!
      const { x, y, width, height } = shape.getBoundingClientRect()
      const at = { bubbles: true, cancelable: true, clientX: x + width / 2, clientY: y + height / 2 }
      const began = performance.now()
      for (const type of ['mousedown', 'mouseup', 'click']) shape.dispatchEvent(new MouseEvent(type, at))
      await rests()
      const [said] = document.querySelectorAll('section[aria-label="What it says"] code')
      if (said?.textContent !== id) throw new Error(`the panel shows ${said?.textContent}, not ${id}`)
      took.push(performance.now() - began)
    }
    return took
  }, CHOICES)

  await visitor.goes(`/studio/${PROCESS}`)
  await page.getByRole('button', { name: 'Go on with the draft' }).waitFor()
  const { compare, jump } = await page.evaluate(
    async ([to, last, count]) => {
      const rests = async () => {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        await new Promise((idle) => requestIdleCallback(idle))
      }
      const rows = () => document.querySelectorAll<HTMLElement>('section[aria-label="Differences"] li > button')
      await rests()
      const began = performance.now()
      history.pushState(null, '', to)
      const there = () => document.querySelectorAll(`[data-element-id="${last}"]`).length === 2 && rows().length > 0
      await new Promise<void>((shown) => {
        const watcher = new MutationObserver(() => {
          if (!there()) return
          watcher.disconnect()
          shown()
        })
        watcher.observe(document, { childList: true, subtree: true, attributes: true })
      })
      await rests()
      const took = { compare: [performance.now() - began], jump: [] as number[] }
      for (let n = 1; n <= count; n += 1) {
        const pressed = performance.now()
        rows()[n]!.click()
        await rests()
        took.jump.push(performance.now() - pressed)
      }
      return took
    },
    [`/studio/${PROCESS}/compare?to=draft`, LAST, CHOICES] as const,
  )
  await page.unroute(versions)
  return { choose, compare, jump }
}

/** Milliseconds of a number of sequential requests, or of as many as fit into the time. */
async function latencies(most: number, over = () => false): Promise<number[]> {
  const other = await as('student.nuwan')
  const took: number[] = []
  while (took.length < most && !over()) {
    const began = performance.now()
    await other.ok('GET', '/api/me')
    took.push(performance.now() - began)
  }
  return took
}
