import { listOf, partOf, type Element } from './element.ts'
import { membersOf } from './metadata.ts'
import { known } from '../../../kernel/known.ts'

/** Something that the draft cannot keep as it is in the file. */
export interface Loss {
  /** The reason; its text key is `platform.studio-loss.<why>`. */
  why: 'undrawn' | 'nothing' | 'twice' | 'ends' | 'reference' | 'diagram' | 'elsewhere' | 'warning'
  element: Element
  /** The missing name, or the modeler's message. */
  detail?: string
}

/** One diagram of a file, or one process if there are no diagrams: only one can be imported. */
export interface Choice {
  element: Element
  shows: Element[]
}

/** Every element inside an element. */
export function treeOf(element: Element, found = new Set<Element>()): Set<Element> {
  found.add(element)
  for (const { ns, isReference, isVirtual } of element.$descriptor.properties)
    if (!isReference && !isVirtual)
      for (const one of membersOf(element.get(ns.name))) if (!found.has(one)) treeOf(one, found)
  return found
}

const planeOf = (diagram: Element) => partOf(diagram, 'plane')
const rootOf = (diagram: Element) => {
  const plane = planeOf(diagram)
  return plane && partOf(plane, 'bpmnElement')
}
/** The same, of a diagram without loose ends. */
const shownBy = (diagram: Element) => known(rootOf(diagram), 'what a diagram shows')
const shownIn = (diagram: Element) =>
  listOf(planeOf(diagram), 'planeElement').flatMap((one) => partOf(one, 'bpmnElement') ?? [])

/** Removes flows without an end, shapes without an element or drawn twice, and empty diagrams. */
export function withoutLooseEnds(definitions: Element): Loss[] {
  const losses: Loss[] = []
  let kept = treeOf(definitions)
  const isKept = (one: Element | undefined) => one !== undefined && kept.has(one)
  for (const container of kept)
    for (const list of ['flowElements', 'artifacts', 'messageFlows'])
      keepOnly(container, list, (one) => {
        if (!/^bpmn:(SequenceFlow|Association|MessageFlow)$/.test(one.$type)) return true
        const leads = ['sourceRef', 'targetRef'].every((end) => isKept(partOf(one, end)))
        if (!leads) losses.push({ why: 'ends', element: one })
        return leads
      })
  kept = treeOf(definitions)
  const root =
    listOf(definitions, 'rootElements').find(({ $type }) => /^bpmn:Collaboration$/.test($type)) ??
    processesOf(definitions)[0]
  keepOnly(definitions, 'diagrams', (diagram) => {
    const plane = planeOf(diagram)
    if (!plane) return false
    if (!isKept(rootOf(diagram))) plane.set('bpmnElement', root)
    const seen = new Set<Element>()
    keepOnly(plane, 'planeElement', (one) => {
      const shown = partOf(one, 'bpmnElement')
      const why = !isKept(shown) ? 'nothing' : shown && seen.has(shown) ? 'twice' : undefined
      // A flow without an end has been reported already.
      if (why && !losses.some(({ element }) => element === shown)) losses.push({ why, element: shown ?? one })
      if (shown) seen.add(shown)
      return why === undefined
    })
    return seen.size > 0 && rootOf(diagram) !== undefined
  })
  return losses
}

/** The diagrams (or processes, if there are none) to choose from. */
export function choicesOf(definitions: Element): Choice[] {
  const diagrams = listOf(definitions, 'diagrams')
  const tops = diagrams.filter((diagram) => !isPartOf(shownBy(diagram)))
  if (diagrams.length === 0) return processesOf(definitions).map((process) => ({ element: process, shows: [process] }))
  return (tops.length > 0 ? tops : diagrams.slice(0, 1)).map((diagram) => ({
    element: diagram,
    shows: [shownBy(diagram), ...shownIn(diagram)],
  }))
}

/** Keeps one diagram with its sub-process diagrams, or one process; removes what is shown nowhere else. */
export function keepChoice(definitions: Element, { element }: Choice): Loss[] {
  const losses: Loss[] = []
  const drawn = new Set<Element>()
  const isProcess = element.$type === 'bpmn:Process'
  if (!isProcess) {
    const first = [shownBy(element), ...shownIn(element)]
    for (const one of first) drawn.add(one)
    keepOnly(definitions, 'diagrams', (diagram) => {
      if (diagram === element) return true
      const within =
        isPartOf(shownBy(diagram)) &&
        drawnIn(shownBy(diagram), drawn) &&
        !shownIn(diagram).some((one) => drawn.has(one))
      if (within) for (const one of shownIn(diagram)) drawn.add(one)
      else losses.push({ why: 'diagram', element: diagram })
      return within
    })
  }
  keepOnly(definitions, 'rootElements', (root) => {
    if (root.$type !== 'bpmn:Process' && root.$type !== 'bpmn:Collaboration') return true
    const stays = isProcess ? root === element : drawnIn(root, drawn)
    if (!stays) losses.push({ why: 'elsewhere', element: root })
    return stays
  })
  return losses
}

/** Whether an element is drawn: itself, something in it, or as the pool of its process. */
function drawnIn(element: Element, drawn: ReadonlySet<Element>): boolean {
  const pool = [...drawn].some((one) => one.$type === 'bpmn:Participant' && partOf(one, 'processRef') === element)
  return pool || [...treeOf(element)].some((one) => drawn.has(one))
}

const isPartOf = ({ $type }: Element) =>
  !/^bpmn:(Process|Collaboration|Choreography|GlobalConversation|GlobalChoreographyTask)$/.test($type)

/** Removes references to removed elements, and rewrites each node's incoming and outgoing flows. */
export function rewire(definitions: Element): void {
  const kept = treeOf(definitions)
  const all: ReadonlySet<unknown> = kept
  for (const element of kept)
    for (const { ns, isReference, isVirtual } of element.$descriptor.properties) {
      if (!isReference || isVirtual || !Object.hasOwn(element, ns.localName)) continue
      const value: unknown = element.get(ns.name)
      if (Array.isArray(value)) value.splice(0, value.length, ...membersOf(value).filter((one) => kept.has(one)))
      else if (!all.has(value)) element.set(ns.name, undefined)
    }
  const flows = [...kept].filter(({ $type }) => $type === 'bpmn:SequenceFlow')
  for (const node of kept)
    for (const [list, end] of [
      ['incoming', 'targetRef'],
      ['outgoing', 'sourceRef'],
    ] as const) {
      if (!node.$instanceOf?.('bpmn:FlowNode')) continue
      const led = flows.filter((flow) => partOf(flow, end) === node)
      const written = listOf(node, list).filter((flow) => led.includes(flow))
      const present: unknown = node.get(list)
      if (Array.isArray(present)) present.splice(0, present.length, ...new Set([...written, ...led]))
    }
}

export function processesOf(definitions: Element): Element[] {
  return listOf(definitions, 'rootElements').filter(({ $type }) => $type === 'bpmn:Process')
}

/** Filters a list of an element in place. */
function keepOnly(element: Element, list: string, stays: (one: Element) => boolean): void {
  if (!element.$descriptor.properties.some(({ ns }) => ns.localName === list)) return
  const members: unknown = element.get(list)
  if (Array.isArray(members)) members.splice(0, members.length, ...listOf(element, list).filter(stays))
}
