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

/** A file that is not taken: why, in words of the reader, and where in it, as far as that is known. */
export class NotTaken extends Error {
  readonly place: { element: string } | { line: number } | undefined

  constructor(reason: string, place?: NotTaken['place']) {
    super(reason)
    this.name = 'NotTaken'
    this.place = place
  }
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
 * Reads a document of whatever tool, gives its only process the id that the flow's has and lets it run, and leaves out what stands in
 * vocabularies that are not ours. What two readers could take differently is not mended: then it throws `NotTaken`, as
 * it does for what is no BPMN.
 */
export async function adopted(xml: string, process: string): Promise<Adopted> {
  const ambiguity = ambiguityOf(xml)
  if (ambiguity !== undefined) throw new NotTaken(ambiguity)
  const moddle = new BpmnModdle({ camunda })
  const { rootElement, warnings } = (await moddle.fromXML(xml).catch((error: Error) => {
    throw notTaken(error.message)
  })) as { rootElement: Described; warnings: { message: string }[] }
  const leftOut = new Set<string>()
  for (const { message } of warnings) {
    const { content, nested } = passedOver(message)
    if (/^(unrecognized element|unknown type)/.test(nested)) leftOut.add(content)
    else if (nested) throw notTaken(message)
  }
  const foreign = Object.entries(rootElement.$attrs).flatMap(([name, uri]) =>
    name.startsWith('xmlns:') && !known.includes(String(uri)) ? [name.slice('xmlns:'.length)] : [],
  )
  clean(rootElement, { leftOut, foreign, seen: new Set() })
  const [only, ...others] = listOf(rootElement, 'rootElements').filter(({ $type }) => $type === 'bpmn:Process')
  const renamed = only && others.length === 0 && only.id !== process ? only.id : undefined
  if (only && renamed !== undefined) only.id = process
  // Other tools mark as documentation what they draw; a draft is drawn to run.
  if (only) Object.assign(only, { isExecutable: true })
  const written = await moddle.toXML(rootElement, { format: true })
  return { xml: written.xml, leftOut: [...leftOut].sort(), renamed }
}

const xmlDeclaration =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(\s+encoding\s*=\s*(["'])utf-?8\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*\?>$/i

const mostElements = 20_000

/** What this reader would pass over in silence or mend, and whoever wrote it meant to be read; undefined without any. */
function ambiguityOf(xml: string): string | undefined {
  const markup = xml.replaceAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g, '')
  if (/<!(DOCTYPE|ENTITY)/i.test(markup)) return 'it contains a DOCTYPE or another declaration'
  // Reading them would hold the page up for a second, only for the server to say so.
  if ((markup.match(/<[^/!?]/g)?.length ?? 0) > mostElements) return `it has more than ${mostElements} elements`
  const instructions = markup.match(/<\?[^]*?\?>/g) ?? []
  if (instructions.some((one) => !xmlDeclaration.test(one)))
    return 'it contains a processing instruction, or is not XML 1.0 in UTF-8'
  const entity = [...markup.matchAll(/&([^;&<]{0,16};?)/g)].find(([, name]) => !isEntity(name!))
  return entity && `unknown entity ${entity[0]}`
}

function isEntity(name: string): boolean {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+));$/i.exec(name) ?? []
  if (hex ?? decimal) return (hex ? Number.parseInt(hex, 16) : Number(decimal)) <= 0x10ffff
  return /^(amp|lt|gt|quot|apos);$/.test(name)
}

/** What the reader says it could not make sense of: what stands there, in which line, and why. */
function passedOver(message: string): { content: string; line: number | undefined; nested: string } {
  const [, content = '', line, nested = ''] =
    /^unparsable content ?([^]*?) detected\s+line: (\d+)[^]*nested error: ([^]*)$/.exec(message) ?? []
  return {
    content: /[^<\s/>]+/.exec(content)?.[0] ?? '',
    line: line === undefined ? undefined : Number(line) + 1,
    nested,
  }
}

function notTaken(message: string): NotTaken {
  const { line, nested } = passedOver(message)
  if (line === undefined) return new NotTaken('it is not a BPMN model')
  const [, twice] = /^duplicate ID <(.+)>$/.exec(nested) ?? []
  return twice ? new NotTaken('the id is there twice', { element: twice }) : new NotTaken(nested, { line })
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
