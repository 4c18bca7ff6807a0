import { BpmnModdle } from 'bpmn-moddle'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import {
  choicesOf,
  keepChoice,
  processesOf,
  rewire,
  treeOf,
  withoutLooseEnds,
  type Choice,
  type Loss,
} from './diagrams.ts'
import { listOf, type Element } from './element.ts'
import { foreignNames } from './foreign.ts'
import { withoutMetadata } from './metadata.ts'
import { readBpmn } from './read.ts'

/** A foreign document, converted to what a draft can hold. */
export interface Adopted {
  xml: string
  /** The parsed document, for the labels of its elements. */
  definitions: Element
  /** Names of removed elements and attributes that our flows do not support, such as `zeebe:taskDefinition`. */
  leftOut: string[]
  /** The former id of the process, which now has the flow's id; undefined if it did not change. */
  renamed: string | undefined
  /** What differs from the file, one by one. */
  losses: Loss[]
  /** The diagrams (or processes, if there are none) of which one was chosen; empty if there is only one. */
  choices: Choice[]
  /** The file had no diagram, so one was generated. */
  laidOut: boolean
}

/** A rejected file: why, in the reader's language, and where in the file if known. */
export class NotTaken extends Error {
  readonly place: { element: string } | { line: number } | undefined

  constructor(reason: string, place?: NotTaken['place']) {
    super(reason)
    this.name = 'NotTaken'
    this.place = place
  }
}

/**
 * Reads a BPMN document from any tool. Gives its only process the flow's id, makes it executable, selects one diagram
 * or generates one, and removes what our flows do not support. Throws `NotTaken` for ambiguous documents and for what
 * is not BPMN.
 */
export async function adopted(xml: string, process: string, chosen = 0): Promise<Adopted> {
  const ambiguity = ambiguityOf(xml)
  if (ambiguity !== undefined) throw new NotTaken(ambiguity)
  const moddle = new BpmnModdle({ camunda })
  const read = await readDocument(moddle, xml)
  const { definitions } = read
  const leftOut = new Set([...read.unknown, ...foreignNames(xml)])
  const unresolved = resolveQualified(read)
  for (const name of withoutMetadata(definitions)) leftOut.add(name)
  const losses = withoutLooseEnds(definitions)
  const choices = choicesOf(definitions)
  const choice = choices[chosen] ?? choices[0]
  if (!choice) throw new NotTaken('there is nothing in it that could be drawn')
  losses.push(...keepChoice(definitions, choice))
  const kept = treeOf(definitions)
  for (const { element, value } of unresolved)
    if (kept.has(element)) losses.push({ why: 'reference', element, detail: value })
  rewire(definitions)
  const [only, ...others] = processesOf(definitions)
  const renamed = only && others.length === 0 && only.id !== process ? only.name?.trim() || only.id : undefined
  if (only && renamed !== undefined) only.id = process
  // Other tools often export processes as not executable; a draft has to run.
  if (only) Object.assign(only, { isExecutable: true })
  const laidOut = listOf(definitions, 'diagrams').length === 0
  const written = (await moddle.toXML(definitions, { format: true })).xml
  const drawn = laidOut ? await withDiagram(written, nodesIn(kept)) : written
  return {
    xml: drawn,
    definitions: laidOut ? (await readBpmn(drawn)).definitions : definitions,
    leftOut: [...leftOut].sort(),
    renamed,
    losses,
    choices: choices.length > 1 ? choices : [],
    laidOut,
  }
}

/** More would block the page, and no draft may have more. */
const mostNodes = 500

/** The same document with a generated diagram of its process, from left to right. */
async function withDiagram(xml: string, nodes: number): Promise<string> {
  if (nodes === 0) throw new NotTaken('it has no diagram, and nothing that could be drawn')
  if (nodes > mostNodes) throw new NotTaken(`it has no diagram, and more than ${mostNodes} elements to draw one of`)
  const { layoutProcess } = await import('bpmn-auto-layout')
  try {
    return await layoutProcess(xml)
  } catch (error) {
    throw new NotTaken(
      `it has no diagram, and none could be made: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const nodesIn = (kept: ReadonlySet<Element>) =>
  [...kept].filter((element) => element.$instanceOf?.('bpmn:FlowNode')).length

interface Unresolved {
  element: Element
  property: string
  value: string
}

interface ReadDocument {
  definitions: Element
  byId: Readonly<Record<string, Element>>
  /** Names of BPMN elements that do not exist. */
  unknown: string[]
  unresolved: Unresolved[]
}

/** The parser's answer. */
interface Parsed {
  rootElement: Element
  elementsById: Record<string, Element>
  warnings: ({ message: string } & Partial<Unresolved>)[]
}

async function readDocument(moddle: BpmnModdle, xml: string): Promise<ReadDocument> {
  const { rootElement, elementsById, warnings }: Parsed = await moddle.fromXML(xml).catch((error: Error) => {
    throw notTaken(error.message)
  })
  const unknown: string[] = []
  const unresolved: Unresolved[] = []
  for (const { message, element, property, value } of warnings) {
    const { content, nested } = passedOver(message)
    if (/^(unrecognized element|unknown type)/.test(nested)) unknown.push(content)
    else if (nested) throw notTaken(message)
    else if (message.startsWith('unresolved reference') && element && property && value)
      unresolved.push({ element, property, value })
  }
  return { definitions: rootElement, byId: elementsById, unknown, unresolved }
}

/** References that repeat flows and shapes: what is lost there is reported elsewhere. */
const toldElsewhere = /(^|:)(incoming|outgoing|flowNodeRef|bpmnElement|sourceRef|targetRef|labelStyle)$/

/**
 * Resolves references that carry the document's own prefix, as some tools write them; returns those that resolve to
 * nothing.
 */
function resolveQualified({ definitions, byId, unresolved }: ReadDocument): Unresolved[] {
  const own = String(definitions.get('targetNamespace'))
  return unresolved.filter(({ element, property, value }) => {
    const [, prefix, id] = /^([\w.-]+):([\w.-]+)$/.exec(value) ?? []
    const found = id !== undefined && definitions.$attrs[`xmlns:${prefix}`] === own ? byId[id] : undefined
    if (!found) return !toldElsewhere.test(property)
    const now: unknown = element.get(property)
    if (Array.isArray(now)) now.push(found)
    else element.set(property, found)
    return false
  })
}

const xmlDeclaration =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(\s+encoding\s*=\s*(["'])utf-?8\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*\?>$/i

const mostElements = 20_000

/** What this reader would ignore or repair silently although its author meant it; undefined if there is nothing. */
function ambiguityOf(xml: string): string | undefined {
  const markup = xml.replaceAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g, '')
  if (/<!(DOCTYPE|ENTITY)/i.test(markup)) return 'it contains a DOCTYPE or another declaration'
  // Parsing more would block the page for a second, and the server would reject it anyway.
  if ((markup.match(/<[^/!?]/g)?.length ?? 0) > mostElements) return `it has more than ${mostElements} elements`
  const instructions = markup.match(/<\?[^]*?\?>/g) ?? []
  if (instructions.some((one) => !xmlDeclaration.test(one)))
    return 'it contains a processing instruction, or is not XML 1.0 in UTF-8'
  const entity = [...markup.matchAll(/&([^;&<]{0,16};?)/g)].find(([written]) => !isEntity(written.slice(1)))
  return entity && `unknown entity ${entity[0]}`
}

function isEntity(name: string): boolean {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+));$/i.exec(name) ?? []
  if (hex ?? decimal) return (hex ? Number.parseInt(hex, 16) : Number(decimal)) <= 0x10ffff
  return /^(amp|lt|gt|quot|apos);$/.test(name)
}

/** What the reader reports as unparsable: content, line and reason. */
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
  return twice ? new NotTaken('the id is used twice', { element: twice }) : new NotTaken(nested, { line })
}
