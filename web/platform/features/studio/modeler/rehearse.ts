import { fit, type Drawing, type Warning } from '../canvas/parts.ts'
import { treeOf, type Loss } from '../model/diagrams.ts'
import { listOf, partOf } from '../model/element.ts'
import css from '../canvas/canvas.module.css'
import { known } from '../../../kernel/known.ts'

/** Kinds of elements that belong on a diagram. */
const drawable = [
  ...['FlowNode', 'SequenceFlow', 'MessageFlow', 'Participant', 'Lane', 'Artifact'],
  ...['DataObjectReference', 'DataStoreReference'],
].map((kind) => `bpmn:${kind}`)

/**
 * Draws a document off screen and returns what does not appear on the canvas. Rejects with the modeler's error if it
 * cannot be drawn at all.
 */
export async function rehearse(xml: string, make: (host: HTMLElement) => Drawing): Promise<Loss[]> {
  const host = document.createElement('div')
  host.className = known(css['rehearsal'], 'the style of a rehearsal')
  host.inert = true
  document.body.append(host)
  const made = make(host)
  try {
    const { warnings } = await made.importXML(xml)
    fit(made, 0)
    const { x, y, width, height } = made.get('canvas').viewbox().inner
    if (!made.get('canvas').getRootElement()) throw new Error('its diagram shows nothing')
    if (![x, y, width, height].every(Number.isFinite)) throw new Error('its diagram does not say where things stand')
    return lossesIn(made, warnings)
  } finally {
    made.destroy()
    host.remove()
  }
}

function lossesIn(made: Drawing, warnings: Warning[]): Loss[] {
  const definitions = made.getDefinitions()
  const shown = listOf(definitions, 'diagrams').flatMap((diagram) =>
    listOf(partOf(diagram, 'plane'), 'planeElement').flatMap((one) => partOf(one, 'bpmnElement') ?? []),
  )
  const all = [...treeOf(definitions)].filter((one) => drawable.some((type) => one.$instanceOf?.(type)))
  const registry = made.get('elementRegistry')
  const undrawn = [...new Set([...all, ...shown])].filter(({ id }) => !registry.get(id))
  const losses: Loss[] = undrawn.map((element) => ({ why: 'undrawn', element }))
  for (const { message, element, context } of warnings) {
    const about = context?.element ?? element ?? definitions
    const told = losses.some((loss) => loss.element === about)
    if (!told) losses.push({ why: 'warning', element: about, detail: message.split('\n')[0] ?? message })
  }
  return losses
}
