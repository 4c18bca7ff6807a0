import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../../tests/platform/kit/browser.ts'
import { as } from '../../tests/platform/kit/people.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const PROCESS = 'resource-booking'
const NODES = sized(250, 10)
const ROUNDS = sized(12, 1)
const WARM_UP = sized(2, 0)
const LAST = 'endEvent_last'
const modules = join(import.meta.dirname, '../../node_modules')

/**
 * Ours: an owner goes on with a draft of 500 elements, from the press to the first frame with all of it. Baseline: the
 * same diagram in the same browser, opened by bpmn-js alone with its script read already.
 */
const bench: Bench = {
  title: 'studio: opening a diagram of 500 elements, against bpmn-js alone',
  async run(say) {
    const owner = await as('owner.flows')
    const bpmn = drawn()
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

/** A process of as many nodes and ways as make 500 elements, in rows. */
function drawn(): string {
  const nodes = Array.from({ length: NODES }, (_, n) => {
    const [tag, id] = n === 0 ? ['startEvent', 'startEvent_first'] : ['userTask', `userTask_${n}`]
    return n === NODES - 1 ? { tag: 'endEvent', id: LAST, n } : { tag, id, n }
  })
  const at = (n: number) => ({ x: 100 + (n % 25) * 150, y: 100 + Math.floor(n / 25) * 120 })
  const ways = nodes.slice(1).map(({ id, n }) => ({ id: `flow_${n}`, from: nodes[n - 1]!, to: { id, n } }))
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="definitions_large" targetNamespace="https://prakriya/bench">
<bpmn:process id="${PROCESS}" isExecutable="true">
${nodes.map(({ tag, id, n }) => `<bpmn:${tag} id="${id}" name="Step ${n}">${n > 0 ? `<bpmn:incoming>flow_${n}</bpmn:incoming>` : ''}${n < NODES - 1 ? `<bpmn:outgoing>flow_${n + 1}</bpmn:outgoing>` : ''}</bpmn:${tag}>`).join('\n')}
${ways.map(({ id, from, to }) => `<bpmn:sequenceFlow id="${id}" sourceRef="${from.id}" targetRef="${to.id}" />`).join('\n')}
</bpmn:process>
<bpmndi:BPMNDiagram id="diagram_large"><bpmndi:BPMNPlane id="plane_large" bpmnElement="${PROCESS}">
${nodes.map(({ tag, id, n }) => `<bpmndi:BPMNShape id="shape_${n}" bpmnElement="${id}"><dc:Bounds x="${at(n).x}" y="${at(n).y}" width="${tag === 'userTask' ? 100 : 36}" height="${tag === 'userTask' ? 80 : 36}" /></bpmndi:BPMNShape>`).join('\n')}
${ways.map(({ id, from, to }) => `<bpmndi:BPMNEdge id="edge_${id}" bpmnElement="${id}"><di:waypoint x="${at(from.n).x + 50}" y="${at(from.n).y + 18}" /><di:waypoint x="${at(to.n).x}" y="${at(to.n).y + 18}" /></bpmndi:BPMNEdge>`).join('\n')}
</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>
`
}
