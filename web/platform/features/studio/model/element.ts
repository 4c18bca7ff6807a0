/** A BPMN object as the parser returns it, reduced to what our flows use. */
export interface Element {
  $type: string
  $parent?: Element
  $attrs: Record<string, unknown>
  /** The parser's description of its type. */
  $descriptor: { isGeneric?: boolean; properties: Property[] }
  id: string
  name?: string
  $instanceOf?(type: string): boolean
  get(name: string): unknown
  set(name: string, value: unknown): void
}

/** A member that a type may have. */
export interface Property {
  ns: { name: string; localName: string }
  default?: unknown
  isReference?: boolean
  isVirtual?: boolean
}

/** When a timer fires: which of its three members is set, and the value. */
export interface Timer {
  kind: 'timeDate' | 'timeDuration' | 'timeCycle'
  value: string
}

/** Who is offered a desk: a role, and the unit of the case for which they must hold it. */
export interface Candidate {
  role: string
  kind: string | null
  variable: string | null
}

/** The candidate that means the requester. */
export const toRequester = 'user:${requesterId}'

/** An attribute as text; undefined if it is not set. */
export function textOf(element: Element, name: string): string | undefined {
  const value = element.get(name)
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    ? String(value)
    : undefined
}

/** A member that is another element. */
export function partOf(element: Element, name: string): Element | undefined {
  const value = element.get(name)
  return isElement(value) ? value : undefined
}

/** A member that is a list of elements; empty if it is not set. */
export function listOf(element: Element | undefined, name: string): Element[] {
  const value = element?.get(name)
  return Array.isArray(value) ? value.filter(isElement) : []
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && '$type' in value
}

/** A type without its prefix: `UserTask`. */
export const kindOf = ({ $type }: Element): string => $type.replace(/^.*:/, '')

export function extensionsOf(element: Element, type: string): Element[] {
  return listOf(partOf(element, 'extensionElements'), 'values').filter(({ $type }) => $type === type)
}

/** The extension properties of an element by name: statuses, four eyes. */
export function propertiesOf(element: Element): Record<string, string> {
  const all = extensionsOf(element, 'camunda:Properties').flatMap((list) => listOf(list, 'values'))
  return Object.fromEntries(all.map((one) => [textOf(one, 'name') ?? '', textOf(one, 'value') ?? '']))
}

/** The input parameters of a step or an email, by name. */
export function inputsOf(element: Element): Record<string, string> {
  const all = extensionsOf(element, 'camunda:InputOutput').flatMap((list) => listOf(list, 'inputParameters'))
  return Object.fromEntries(all.map((one) => [textOf(one, 'name') ?? '', textOf(one, 'value') ?? '']))
}

/** An event definition of one type. */
export function definitionOf(element: Element, type: string): Element | undefined {
  return listOf(element, 'eventDefinitions').find(({ $type }) => $type === `bpmn:${type}EventDefinition`)
}

/** Whether an event sends an email. */
export function sendsMail(element: Element): boolean {
  const kind = kindOf(element)
  return (kind === 'EndEvent' || kind === 'IntermediateThrowEvent') && definitionOf(element, 'Message') !== undefined
}

/** The topic of a step, or of an event that sends. */
export function topicOf(element: Element): string | undefined {
  const definition = definitionOf(element, 'Message')
  return textOf(element, 'camunda:topic') ?? (definition && textOf(definition, 'camunda:topic'))
}

/** When the timer of an event fires; undefined if it has none or sets no time. */
export function timerOf(element: Element): Timer | undefined {
  const definition = definitionOf(element, 'Timer')
  if (!definition) return undefined
  for (const kind of ['timeDate', 'timeDuration', 'timeCycle'] as const) {
    const value = partOf(definition, kind)
    if (value) return { kind, value: (textOf(value, 'body') ?? '').trim() }
  }
  return undefined
}

/** The condition of a path; undefined if it has none. */
export function conditionOf(element: Element): string | undefined {
  const expression = partOf(element, 'conditionExpression')
  return expression && (textOf(expression, 'body') ?? '').trim()
}

/** The candidates of a desk as written; a name that is no role of ours is returned unchanged. */
export function candidatesOf(element: Element): Candidate[] {
  const written = textOf(element, 'camunda:candidateGroups') ?? ''
  return written
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [, role, kind, variable] = /^([^@]+)@([a-z]+):\$\{(\w+)\}$/.exec(one) ?? []
      return role && kind && variable ? { role, kind, variable } : { role: one, kind: null, variable: null }
    })
}

/** Candidates in the model's notation. */
export function writtenCandidates(candidates: readonly Candidate[]): string {
  return candidates
    .map(({ role, kind, variable }) => (kind && variable ? `${role}@${kind}:\${${variable}}` : role))
    .join(',')
}

/** Who may not act at a desk: `requester`, or ids of other desks. */
export function fourEyesOf(element: Element): string[] {
  return (propertiesOf(element)['fourEyes'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** Every task, event, gateway, sub-process and path of a document, and its processes, by id. */
export function elementsOf(definitions: Element): Map<string, Element> {
  const found = new Map<string, Element>()
  const walk = (element: Element) => {
    found.set(element.id, element)
    for (const child of listOf(element, 'flowElements')) walk(child)
    for (const child of listOf(element, 'artifacts')) found.set(child.id, child)
    for (const set of listOf(element, 'laneSets')) for (const lane of listOf(set, 'lanes')) found.set(lane.id, lane)
  }
  for (const root of listOf(definitions, 'rootElements')) if (root.$type === 'bpmn:Process') walk(root)
  return found
}
