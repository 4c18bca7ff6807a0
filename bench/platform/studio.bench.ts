import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../../tests/platform/kit/browser.ts'
import { LAST, largeModel } from '../../tests/platform/fixtures/large-model.ts'
import { as } from '../../tests/platform/kit/people.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const PROCESS = 'resource-booking'
const ROUNDS = sized(12, 1)
const WARM_UP = sized(2, 0)
const modules = join(import.meta.dirname, '../../node_modules')

/**
 * Ours: an owner opens a draft of 500 elements, from the click to the first complete frame. Baseline: the same diagram
 * in the same browser, opened by bpmn-js alone with its script already loaded.
 */
const bench: Bench = {
  title: 'studio: opening a diagram of 500 elements, against bpmn-js alone',
  async run(say) {
    const owner = await as('owner.flows')
    const bpmn = largeModel(PROCESS, sized(250, 10))
    const { revision } = await owner.ok('POST', `/api/studio/models/${PROCESS}/draft`, {})
    await owner.ok('PUT', `/api/studio/models/${PROCESS}/draft`, { revision, bpmn })
    const visitors = await openBrowser()
    try {
      const { page: alone } = await visitors.arrives()
      await alone.setContent('<div id="canvas" style="height: 800px"></div>')
      for (const sheet of ['diagram-js.css', 'bpmn-js.css'])
        await alone.addStyleTag({ content: readFileSync(join(modules, 'bpmn-js/dist/assets', sheet), 'utf8') })
      await alone.addScriptTag({ path: join(modules, 'bpmn-js/dist/bpmn-modeler.production.min.js') })
      const visitor = await visitors.arrives()
      const { page } = visitor
      await visitor.signsIn('owner.flows', `/studio/${PROCESS}`)

      const times = { ours: [] as number[], alone: [] as number[] }
      for (let n = 0; n < ROUNDS; n += 1) {
        const bare = await alone.evaluate(async (xml) => {
          type Modeler = { importXML(xml: string): Promise<unknown>; destroy(): void }
          const { BpmnJS } = globalThis as unknown as { BpmnJS: new (options: object) => Modeler }
          const began = performance.now()
          const modeler = new BpmnJS({ container: '#canvas' })
          await modeler.importXML(xml)
          await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))
          const took = performance.now() - began
          modeler.destroy()
          return took
        }, bpmn)
        const ours = await page.getByRole('button', { name: 'Go on with the draft' }).evaluate(async (button, last) => {
          const drawnNow = () => document.querySelector(`[data-element-id="${last}"]`) !== null
          const began = performance.now()
          ;(button as HTMLElement).click()
          await new Promise<void>((there) => {
            const watcher = new MutationObserver(() => {
              if (!drawnNow()) return
              watcher.disconnect()
              there()
            })
            watcher.observe(document, { childList: true, subtree: true, attributes: true })
          })
          await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))
          return performance.now() - began
        }, LAST)
        if (n >= WARM_UP) {
          times.alone.push(bare)
          times.ours.push(ours)
        }
        await visitor.goes(`/studio/${PROCESS}`)
      }
      say(`${times.ours.length} times opened`)
      const [ours, bare] = [percentile(times.ours, 0.5), percentile(times.alone, 0.5)]
      return {
        figures: {
          'studio p50 ms': rounded(ours),
          'bpmn-js alone p50 ms': rounded(bare),
          'ours to bpmn-js alone p50': rounded(ours / bare),
        },
        promises: [{ figure: 'ours to bpmn-js alone p50', atMost: 2 }],
      }
    } finally {
      await visitors.close()
      await owner.send('DELETE', `/api/studio/models/${PROCESS}/draft`)
    }
  },
}
export default bench
