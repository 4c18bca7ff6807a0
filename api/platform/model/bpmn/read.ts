import { BpmnModdle } from 'bpmn-moddle'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import { UnreadableModel, type XmlElement, descendants, parseXml } from './xml.ts'

const mostNodes = 500
const mostFlows = 1000
/** Maximum characters of all conditions together: they are parsed on the thread that serves requests. */
const mostOfConditions = 65_536

/** A parsed BPMN document: its raw elements and attributes, and its BPMN objects. */
export interface Model {
  xml: string
  document: XmlElement
  definitions: Element
  /** What the BPMN parser could not resolve, for example a missing reference. */
  warnings: Problem[]
}

/** A problem of a model: the element and the reason, for the person who drew it. */
export interface Problem {
  /** Id of the element; of the process or `definitions` if it concerns the whole. */
  element: string
  reason: string
  /** What its four-eyes rule must name to solve it: `requester`, or the id of a desk. */
  apartFrom?: string
}

/** The members of a BPMN object that are read here; `$type` decides which ones it has. */
export interface Element {
  $type: string
  $parent?: Element
  /** The value of an attribute by its name in the document, with prefix. */
  get(name: string): unknown
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

/** An extension element of the `camunda` namespace. */
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

/** The shape of an element in the diagram. */
export interface Shape {
  $type: string
  bpmnElement?: Element
  bounds?: { x: number; y: number; width: number; height: number }
}

/**
 * Parses a BPMN document. Throws `UnreadableModel` if it is too large, not well-formed or not BPMN. Sizes are checked
 * before it is processed, so that no document can block the server.
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
  return { xml, document, definitions: rootElement, warnings: warnings.map(toProblem) }
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

/** The topic of a service task or sending event; undefined for other elements. */
export function topicOf(element: Element): string | undefined {
  const sent = element.eventDefinitions?.find(({ $type }) => $type === 'bpmn:MessageEventDefinition')
  return element.topic ?? sent?.topic
}

/** The extension elements of one type. */
export function extensionsOf(element: Element, type: string): Extension[] {
  return element.extensionElements?.values?.filter(({ $type }) => $type === type) ?? []
}

function toProblem(warning: { message: string; element?: Element }): Problem {
  const [reason = warning.message] = warning.message.split('\n')
  return { element: warning.element?.id ?? 'definitions', reason }
}
