import { BpmnModdle } from 'bpmn-moddle'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import { listOf, type Element } from './element.ts'

/** A document of another tool as a draft of a flow can hold it. */
export interface Adopted {
  xml: string
  /** Names of what was left out because no flow of ours carries it, such as `zeebe:taskDefinition`. */
  leftOut: string[]
  /** The id that its process had before it was given that of the flow; undefined where it had it already. */
  renamed: string | undefined
}

interface Described extends Element {
  $attrs: Record<string, unknown>
  $descriptor: { isGeneric?: boolean; properties: { name: string; isReference?: boolean; isVirtual?: boolean }[] }
}

/** Vocabularies whose words our documents may use. */
const known = [
  ...['http://www.omg.org/spec/BPMN/20100524/MODEL', 'http://www.omg.org/spec/BPMN/20100524/DI'],
  ...['http://www.omg.org/spec/DD/20100524/DC', 'http://www.omg.org/spec/DD/20100524/DI'],
  ...['http://camunda.org/schema/1.0/bpmn', 'http://www.w3.org/2001/XMLSchema-instance'],
  ...['http://bpmn.io/schema/bpmn/biocolor/1.0', 'http://www.omg.org/spec/BPMN/non-normative/color/1.0'],
]

/**
 * Reads a document of whatever tool, gives its only process the id that the flow's has, and leaves out what stands in
 * vocabularies that are not ours. Throws with the reader's own words if it is no BPMN.
 */
export async function adopted(xml: string, process: string): Promise<Adopted> {
  // What it declares would be lost in reading, and whoever wrote it meant it to be read.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('it contains a DOCTYPE or another declaration')
  const moddle = new BpmnModdle({ camunda })
  const { rootElement } = (await moddle.fromXML(xml)) as { rootElement: Described }
  const leftOut = new Set<string>()
  const foreign = Object.entries(rootElement.$attrs).flatMap(([name, uri]) =>
    name.startsWith('xmlns:') && !known.includes(String(uri)) ? [name.slice('xmlns:'.length)] : [],
  )
  clean(rootElement, { leftOut, foreign, seen: new Set() })
  const [only, ...others] = listOf(rootElement, 'rootElements').filter(({ $type }) => $type === 'bpmn:Process')
  const renamed = only && others.length === 0 && only.id !== process ? only.id : undefined
  if (only && renamed !== undefined) only.id = process
  const written = await moddle.toXML(rootElement, { format: true })
  return { xml: written.xml, leftOut: [...leftOut].sort(), renamed }
}

interface Cleaning {
  leftOut: Set<string>
  /** Prefixes of vocabularies that are not ours. */
  foreign: readonly string[]
  seen: Set<Described>
}

function clean(element: Described, cleaning: Cleaning): void {
  const { leftOut, foreign, seen } = cleaning
  if (seen.has(element)) return
  seen.add(element)
  for (const name of Object.keys(element.$attrs ?? {})) {
    const [prefix, local] = name.split(':') as [string, string | undefined]
    const declares = prefix === 'xmlns' && local !== undefined && foreign.includes(local)
    if (local === undefined || !(declares || foreign.includes(prefix))) continue
    if (!declares) leftOut.add(name)
    delete element.$attrs[name]
  }
  for (const { name, isReference, isVirtual } of element.$descriptor.properties) {
    if (isReference || isVirtual) continue
    const value: unknown = element.get(name)
    const members = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isDescribed)
    const strange = members.filter((one) => one.$descriptor.isGeneric)
    for (const one of strange) leftOut.add(one.$type)
    if (strange.length > 0 && Array.isArray(value))
      value.splice(0, value.length, ...members.filter((one) => !strange.includes(one)))
    for (const one of members) if (!strange.includes(one)) clean(one, cleaning)
  }
}

function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && '$descriptor' in value
}
