import { BpmnModdle } from 'bpmn-moddle'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import { UnreadableModel, type XmlElement, descendants, parseXml } from './xml.ts'

const mostNodes = 500
const mostFlows = 1000
/** Characters of all conditions together: they are read on the thread that answers people. */
const mostOfConditions = 65_536

/** A BPMN document that could be read: as every element and attribute that stands in it, and as BPMN objects. */
export interface Model {
  xml: string
  document: XmlElement
  definitions: Element
  /** What the BPMN reader could not make sense of, such as a reference to nothing. */
  warnings: Problem[]
}

/** Something wrong with a model: on which element, and why, in words for the person who drew it. */
export interface Problem {
  /** Id of the element; of the process or `definitions` where it concerns the whole. */
  element: string
  reason: string
  /** Who must be named among its four eyes to solve it: `requester`, or the id of a desk. */
  apartFrom?: string
}

/** A BPMN object as far as we read it; which members it has depends on its `$type`. */
export interface Element {
  $type: string
  $parent?: Element
  id: string
  name?: string
  rootElements?: Element[]
  flowElements?: Element[]
  incoming?: Element[]
  outgoing?: Element[]
  sourceRef?: Element
  targetRef?: Element
  default?: Element
  attachedToRef?: Element
  cancelActivity?: boolean
  isInterrupting?: boolean
  isExecutable?: boolean
  triggeredByEvent?: boolean
  eventDefinitions?: Element[]
  messageRef?: Element
  errorRef?: Element
  escalationRef?: Element
  errorCode?: string
  escalationCode?: string
  conditionExpression?: { body?: string }
  timeDate?: { body?: string }
  timeDuration?: { body?: string }
  timeCycle?: { body?: string }
  loopCharacteristics?: Element
  collection?: string
  elementVariable?: string
  extensionElements?: { values?: Extension[] }
  formKey?: string
  candidateGroups?: string
  dueDate?: string
  topic?: string
  decisionRef?: string
  resultVariable?: string
  calledElement?: string
  diagrams?: { plane?: { planeElement?: Shape[] } }[]
}

/** An extension element of the `camunda` vocabulary. */
export interface Extension {
  $type: string
  name?: string
  value?: string
  source?: string
  target?: string
  businessKey?: string
  values?: { name?: string; value?: string }[]
  inputParameters?: { name?: string; value?: string }[]
}

/** What the diagram shows of an element. */
export interface Shape {
  $type: string
  bpmnElement?: Element
  bounds?: { x: number; y: number; width: number; height: number }
}

/**
 * Reads a BPMN document. Throws `UnreadableModel` if it is too large, not well-formed or not BPMN; before anything is
 * made of it, so that nobody holds the server up with a document.
 */
export async function readModel(xml: string): Promise<Model> {
  const document = parseXml(xml)
  if (document.name !== 'bpmn:definitions') throw new UnreadableModel('the file is not a BPMN model')
  const elements = descendants(document)
  const names = elements.map(({ name }) => name)
  if (names.filter((name) => /(Task|Event|Gateway|Activity|Process)$/.test(name)).length > mostNodes)
    throw new UnreadableModel(`a model has at most ${mostNodes} tasks, events and gateways`)
  if (names.filter((name) => name === 'bpmn:sequenceFlow').length > mostFlows)
    throw new UnreadableModel(`a model has at most ${mostFlows} flows`)
  const conditions = elements.filter(({ name }) => name === 'bpmn:conditionExpression')
  if (conditions.reduce((sum, { text }) => sum + text.length, 0) > mostOfConditions)
    throw new UnreadableModel(`the conditions of a model have at most ${mostOfConditions} characters together`)
  const { rootElement, warnings } = await new BpmnModdle({ camunda }).fromXML(xml)
  return { xml, document, definitions: rootElement as Element, warnings: warnings.map(toProblem) }
}

/** The processes of a model. */
export function processesOf(definitions: Element): Element[] {
  return (definitions.rootElements ?? []).filter(({ $type }) => $type === 'bpmn:Process')
}

/** The extension properties of an element by name. */
export function propertiesOf(element: Element): Record<string, string> {
  const all = extensionsOf(element, 'camunda:Properties').flatMap(({ values }) => values ?? [])
  return Object.fromEntries(all.map(({ name, value }) => [name ?? '', value ?? '']))
}

/** Who may not decide at a desk: `requester`, and the desks whose deciders may not. */
export function fourEyesOf(desk: Element): string[] {
  return (propertiesOf(desk)['fourEyes'] ?? '').split(',').map((one) => one.trim())
}

/** The input parameters of an element by name. */
export function inputsOf(element: Element): Record<string, string> {
  const all = extensionsOf(element, 'camunda:InputOutput').flatMap(({ inputParameters }) => inputParameters ?? [])
  return Object.fromEntries(all.map(({ name, value }) => [name ?? '', value ?? '']))
}

/** What a step, or an event that sends, asks of the workers; undefined for everything else. */
export function topicOf(element: Element): string | undefined {
  const sent = element.eventDefinitions?.find(({ $type }) => $type === 'bpmn:MessageEventDefinition')
  return element.topic ?? sent?.topic
}

/** The extension elements of one type. */
export function extensionsOf(element: Element, type: string): Extension[] {
  return element.extensionElements?.values?.filter(({ $type }) => $type === type) ?? []
}

function toProblem(warning: { message: string; element?: Element }): Problem {
  return { element: warning.element?.id ?? 'definitions', reason: warning.message.split('\n')[0]! }
}
