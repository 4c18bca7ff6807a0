import { isExpression, readIdentifier, readList, readTemplate, variableName } from './expressions.ts'
import { fieldOf, panelWords } from './panel-words.ts'
import type { Problem } from './read.ts'
import { type XmlElement, descendants } from './xml.ts'

/** Says why a value is refused; undefined if it is not. */
type Check = (value: string) => string | undefined

/** What may stand in an element. What is not named here is refused. */
interface Rule {
  attributes?: Readonly<Record<string, Check>>
  children?: readonly string[]
  /** Absent: no text but white space. */
  text?: Check
  /** What holds of some elements only within this one. */
  within?: Readonly<Record<string, Rule>>
}

const plain: Check = (value) => (isExpression(value) ? 'expressions are not evaluated here and not allowed' : undefined)
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `only ${values.join(' or ')} is allowed`
const matching =
  (pattern: RegExp, meaning: string): Check =>
  (value) =>
    pattern.test(value.trim()) ? undefined : `this is not ${meaning}`
const either =
  (...checks: Check[]): Check =>
  (value) => {
    const reasons = checks.map((check) => check(value))
    return reasons.includes(undefined) ? undefined : reasons.at(-1)
  }

const boolean = oneOf('true', 'false')
const id = matching(/^[A-Za-z_][\w.-]*$/, 'an id')
const number = matching(/^-?\d+(\.\d+)?$/, 'a number')
const colour = matching(/^#[0-9a-fA-F]{3,8}$|^[a-z]+$/, 'a colour')
const language = matching(/^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)?$/, 'a language such as en or si')
const variable = matching(variableName, 'the name of a variable')
/** An ISO 8601 duration. */
export const isoDuration = /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/
const duration = matching(isoDuration, 'an ISO 8601 duration such as P14D, or ${identifier}')
const cycle = matching(
  /^R[1-9]\d{0,2}\/P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/,
  'an ISO 8601 repetition such as R3/P1D',
)
/** Within a minute nothing is told apart, so that nothing begins every second. */
const cron = matching(
  /^0( [\d*?/,-]+){3} [\dA-Z*?/,-]+ [\dA-Z*?/,#-]+$/,
  'a time of day in six fields that begin with the second 0, such as 0 30 6 * * ?',
)
const zoned = matching(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/,
  'an ISO 8601 date and time with its zone, or ${identifier}',
)
const identifier: Check = (value) => refusal(readIdentifier(value.trim()))
const template: Check = (value) => refusal(readTemplate(value))
const collection: Check = (value) => refusal(readList(value))

function refusal(reading: object): string | undefined {
  return 'refused' in reading ? String(reading.refused) : undefined
}

const named = { id, name: plain }
const asynchronous = { 'camunda:asyncBefore': boolean, 'camunda:asyncAfter': boolean, 'camunda:exclusive': boolean }
const documented = ['bpmn:documentation', 'bpmn:extensionElements']
const passed = [...documented, 'bpmn:incoming', 'bpmn:outgoing']
const event: Rule = {
  attributes: { ...named, ...asynchronous },
  children: [
    ...passed,
    ...['bpmn:timerEventDefinition', 'bpmn:messageEventDefinition'],
    ...['bpmn:errorEventDefinition', 'bpmn:escalationEventDefinition'],
  ],
}
const thrown: Rule = {
  attributes: event.attributes,
  children: [
    ...passed,
    ...['bpmn:messageEventDefinition', 'bpmn:errorEventDefinition', 'bpmn:escalationEventDefinition'],
  ],
}
const activity = {
  attributes: { ...named, ...asynchronous },
  children: [...passed, 'bpmn:multiInstanceLoopCharacteristics'],
}
const gateway: Rule = {
  attributes: { ...named, ...asynchronous, default: id, gatewayDirection: plain },
  children: passed,
}
const flowElements = [
  ...[
    'bpmn:startEvent',
    'bpmn:endEvent',
    'bpmn:intermediateCatchEvent',
    'bpmn:intermediateThrowEvent',
    'bpmn:boundaryEvent',
  ],
  ...['bpmn:userTask', 'bpmn:serviceTask', 'bpmn:businessRuleTask', 'bpmn:callActivity', 'bpmn:subProcess'],
  ...['bpmn:exclusiveGateway', 'bpmn:parallelGateway', 'bpmn:eventBasedGateway', 'bpmn:sequenceFlow'],
  ...['bpmn:textAnnotation', 'bpmn:association', 'bpmn:group'],
]
const formal = { 'xsi:type': matching(/^(\w+:)?tFormalExpression$/, 'a formal expression'), id }
const coloured = {
  ...{ 'bioc:stroke': colour, 'bioc:fill': colour },
  ...{ 'color:border-color': colour, 'color:background-color': colour, 'color:color': colour },
}
const bounds: Rule = { attributes: { x: number, y: number, width: number, height: number } }
const waypoint: Rule = { attributes: { x: number, y: number } }
const exported = {
  ...{ id, name: plain, exporter: plain, exporterVersion: plain },
  ...{ 'modeler:executionPlatform': plain, 'modeler:executionPlatformVersion': plain },
}

const bpmn: Readonly<Record<string, Rule>> = {
  'bpmn:definitions': {
    attributes: { ...exported, targetNamespace: plain },
    children: [
      ...['bpmn:process', 'bpmn:collaboration', 'bpmn:message', 'bpmn:error', 'bpmn:escalation', 'bpmn:category'],
      // No event may name one. It stays behind where such an event is replaced, and no panel takes it away.
      'bpmn:signal',
      'bpmndi:BPMNDiagram',
    ],
  },
  'bpmn:process': {
    attributes: {
      ...named,
      isExecutable: boolean,
      processType: plain,
      isClosed: boolean,
      'camunda:versionTag': plain,
      'camunda:historyTimeToLive': matching(isoDuration, 'an ISO 8601 duration'),
    },
    children: [...documented, 'bpmn:laneSet', ...flowElements],
  },
  'bpmn:collaboration': { attributes: named, children: [...documented, 'bpmn:participant'] },
  'bpmn:participant': { attributes: { ...named, processRef: id }, children: documented },
  'bpmn:laneSet': { attributes: named, children: ['bpmn:lane'] },
  'bpmn:childLaneSet': { attributes: named, children: ['bpmn:lane'] },
  'bpmn:lane': { attributes: named, children: [...documented, 'bpmn:flowNodeRef', 'bpmn:childLaneSet'] },
  'bpmn:flowNodeRef': { text: id },
  'bpmn:message': { attributes: named },
  'bpmn:error': { attributes: { ...named, errorCode: plain } },
  'bpmn:escalation': { attributes: { ...named, escalationCode: plain } },
  'bpmn:signal': { attributes: named },
  'bpmn:category': { attributes: { id }, children: ['bpmn:categoryValue'] },
  'bpmn:categoryValue': { attributes: { id, value: plain } },
  'bpmn:documentation': { attributes: { id }, text: plain },
  'bpmn:incoming': { text: id },
  'bpmn:outgoing': { text: id },

  'bpmn:startEvent': {
    ...event,
    attributes: { ...event.attributes, isInterrupting: boolean },
    within: { 'bpmn:timeCycle': { attributes: formal, text: either(cycle, cron) } },
  },
  'bpmn:endEvent': thrown,
  'bpmn:intermediateCatchEvent': event,
  'bpmn:intermediateThrowEvent': thrown,
  'bpmn:boundaryEvent': { ...event, attributes: { ...event.attributes, attachedToRef: id, cancelActivity: boolean } },
  'bpmn:timerEventDefinition': {
    attributes: { id },
    children: ['bpmn:timeDate', 'bpmn:timeDuration', 'bpmn:timeCycle'],
  },
  'bpmn:timeDate': { attributes: formal, text: either(identifier, zoned) },
  'bpmn:timeDuration': { attributes: formal, text: either(identifier, duration) },
  'bpmn:timeCycle': { attributes: formal, text: cycle },
  'bpmn:messageEventDefinition': {
    attributes: { id, messageRef: id, 'camunda:type': oneOf('external'), 'camunda:topic': plain },
  },
  'bpmn:errorEventDefinition': { attributes: { id, errorRef: id } },
  'bpmn:escalationEventDefinition': { attributes: { id, escalationRef: id } },

  'bpmn:userTask': {
    ...activity,
    attributes: {
      ...activity.attributes,
      // Which roles and which scopes there are, the gate knows.
      'camunda:candidateGroups': () => undefined,
      'camunda:formKey': plain,
      'camunda:dueDate': either(identifier, duration),
      'camunda:followUpDate': either(identifier, duration),
      'camunda:priority': either(identifier, matching(/^(\d{1,2}|100)$/, 'a priority from 0 to 100, or ${identifier}')),
    },
  },
  'bpmn:serviceTask': {
    ...activity,
    attributes: { ...activity.attributes, 'camunda:type': oneOf('external'), 'camunda:topic': plain },
  },
  'bpmn:businessRuleTask': {
    ...activity,
    attributes: {
      ...activity.attributes,
      'camunda:decisionRef': plain,
      'camunda:decisionRefBinding': oneOf('deployment'),
      'camunda:resultVariable': variable,
      'camunda:mapDecisionResult': oneOf('singleEntry'),
    },
  },
  'bpmn:callActivity': { ...activity, attributes: { ...activity.attributes, calledElement: plain } },
  'bpmn:subProcess': {
    attributes: { ...activity.attributes, triggeredByEvent: boolean },
    children: [...activity.children, ...flowElements],
  },
  'bpmn:multiInstanceLoopCharacteristics': {
    attributes: { id, isSequential: boolean, 'camunda:collection': collection, 'camunda:elementVariable': variable },
    children: ['bpmn:completionCondition'],
  },
  'bpmn:completionCondition': { attributes: formal, text: identifier },

  'bpmn:exclusiveGateway': gateway,
  'bpmn:parallelGateway': { attributes: { ...named, ...asynchronous, gatewayDirection: plain }, children: passed },
  'bpmn:eventBasedGateway': {
    attributes: { ...named, ...asynchronous, gatewayDirection: plain, eventGatewayType: oneOf('Exclusive') },
    children: passed,
  },
  'bpmn:sequenceFlow': {
    attributes: { ...named, sourceRef: id, targetRef: id },
    children: [...documented, 'bpmn:conditionExpression'],
  },
  // What the condition says, the gate reads: it has to know the variables.
  'bpmn:conditionExpression': { attributes: { ...formal, language: oneOf('feel') }, text: plain },
  'bpmn:textAnnotation': { attributes: { id, textFormat: plain }, children: ['bpmn:text'] },
  'bpmn:text': { text: plain },
  'bpmn:association': { attributes: { id, sourceRef: id, targetRef: id, associationDirection: plain } },
  'bpmn:group': { attributes: { id, categoryValueRef: id } },

  'bpmn:extensionElements': {
    children: [
      'camunda:properties',
      'camunda:inputOutput',
      'camunda:in',
      'camunda:out',
      'camunda:failedJobRetryTimeCycle',
    ],
  },
  'camunda:properties': { children: ['camunda:property'] },
  'camunda:property': { attributes: { id, name: plain, value: plain } },
  'camunda:inputOutput': { children: ['camunda:inputParameter'] },
  'camunda:inputParameter': { attributes: { name: variable }, text: template },
  'camunda:in': { attributes: { source: variable, target: variable, businessKey: oneOf('${caseId}') } },
  'camunda:out': { attributes: { source: variable, target: variable } },
  'camunda:failedJobRetryTimeCycle': { text: cycle },

  'bpmndi:BPMNDiagram': { attributes: named, children: ['bpmndi:BPMNPlane', 'bpmndi:BPMNLabelStyle'] },
  'bpmndi:BPMNPlane': { attributes: { id, bpmnElement: id }, children: ['bpmndi:BPMNShape', 'bpmndi:BPMNEdge'] },
  'bpmndi:BPMNShape': {
    attributes: {
      id,
      bpmnElement: id,
      isExpanded: boolean,
      isHorizontal: boolean,
      isMarkerVisible: boolean,
      ...coloured,
    },
    children: ['dc:Bounds', 'bpmndi:BPMNLabel'],
  },
  'bpmndi:BPMNEdge': {
    attributes: { id, bpmnElement: id, ...coloured },
    children: ['di:waypoint', 'bpmndi:BPMNLabel'],
  },
  'bpmndi:BPMNLabel': { attributes: { id, ...coloured }, children: ['dc:Bounds'] },
  'dc:Bounds': bounds,
  'di:waypoint': waypoint,
}

/** The engine would take other languages of expressions where none is named: so each has to say that it is FEEL. */
const feel = { id, typeRef: plain, expressionLanguage: oneOf('feel') }
const described = ['dmn:description']

const dmn: Readonly<Record<string, Rule>> = {
  'dmn:definitions': {
    attributes: { ...exported, namespace: plain },
    children: [...described, 'dmn:decision', 'dmn:inputData', 'dmndi:DMNDI'],
  },
  'dmn:decision': {
    attributes: { ...named, 'camunda:historyTimeToLive': matching(isoDuration, 'an ISO 8601 duration') },
    children: [...described, 'dmn:variable', 'dmn:informationRequirement', 'dmn:decisionTable'],
  },
  'dmn:inputData': { attributes: named, children: [...described, 'dmn:variable'] },
  'dmn:variable': { attributes: { ...named, typeRef: plain } },
  'dmn:informationRequirement': { attributes: { id }, children: ['dmn:requiredInput', 'dmn:requiredDecision'] },
  'dmn:requiredInput': { attributes: { href: plain } },
  'dmn:requiredDecision': { attributes: { href: plain } },
  'dmn:decisionTable': {
    attributes: { id, hitPolicy: oneOf('UNIQUE', 'FIRST', 'ANY') },
    children: [...described, 'dmn:input', 'dmn:output', 'dmn:rule'],
  },
  'dmn:input': { attributes: { id, label: plain }, children: ['dmn:inputExpression', 'dmn:inputValues'] },
  'dmn:inputExpression': { attributes: feel, children: ['dmn:text'] },
  'dmn:inputValues': { attributes: { id }, children: ['dmn:text'] },
  'dmn:output': { attributes: { ...named, label: plain, typeRef: plain }, children: ['dmn:outputValues'] },
  'dmn:outputValues': { attributes: { id }, children: ['dmn:text'] },
  'dmn:rule': { attributes: { id }, children: [...described, 'dmn:inputEntry', 'dmn:outputEntry'] },
  'dmn:inputEntry': { attributes: feel, children: ['dmn:text'] },
  'dmn:outputEntry': { attributes: feel, children: ['dmn:text'] },
  // What the text says, the gate reads.
  'dmn:text': { text: plain },
  'dmn:description': { text: plain },
  'dmndi:DMNDI': { children: ['dmndi:DMNDiagram'] },
  'dmndi:DMNDiagram': { attributes: named, children: ['dmndi:DMNShape', 'dmndi:DMNEdge'] },
  'dmndi:DMNShape': { attributes: { id, dmnElementRef: plain }, children: ['dc:Bounds'] },
  'dmndi:DMNEdge': { attributes: { id, dmnElementRef: plain }, children: ['di:waypoint'] },
  'dc:Bounds': bounds,
  'di:waypoint': waypoint,
}

/** Why what people try most often is not there. */
const explained: Readonly<Record<string, string>> = {
  'bpmn:scriptTask': 'models run no scripts; use a decision table or a worker',
  'bpmn:sendTask': 'a mail or message is sent by a service task with a topic',
  'bpmn:receiveTask': 'a message is awaited by a message event',
  'bpmn:task': 'a task without a kind does nothing; make it a user task or a service task',
  'bpmn:manualTask': 'a task that nobody sees does nothing; make it a user task',
  'bpmn:inclusiveGateway': 'use exclusive and parallel gateways',
  'bpmn:complexGateway': 'use exclusive and parallel gateways',
  'bpmn:signalEventDefinition': 'areas meet by messages and call activities',
  'bpmn:terminateEventDefinition': 'let an error or a message end the sub-process',
  'bpmn:ioSpecification': 'documents never become variables',
  'camunda:class': 'models run no code; use an external task with a topic',
  'camunda:expression': 'models run no code; use an external task with a topic',
  'camunda:delegateExpression': 'models run no code; use an external task with a topic',
  'camunda:executionListener': 'models run no code; use an external task with a topic',
  'camunda:taskListener': 'models run no code; use an external task with a topic',
  'camunda:connector': 'models run no code; use an external task with a topic',
  'camunda:script': 'models run no scripts; use a decision table or a worker',
  'camunda:outputParameter': 'a worker gives its outputs by its schema',
  'camunda:formData': 'a form is chosen, not drawn',
  'camunda:assignee': `tasks are offered to roles, under “${panelWords['camunda:candidateGroups']}”`,
  'camunda:candidateUsers': `tasks are offered to roles, under “${panelWords['camunda:candidateGroups']}”`,
}

/** What stands in a BPMN document although the list does not have it. */
export function notAllowed(document: XmlElement): Problem[] {
  return [...unknownVocabularies(document), ...walk(document, bpmn, 'definitions')]
}

/** What stands in a DMN document although the list does not have it. */
export function notAllowedInDecisions(document: XmlElement): Problem[] {
  return [...unknownVocabularies(document), ...walk(document, dmn, 'definitions')]
}

/** The vocabularies that are none of ours, each once; what is written in them is refused where it stands as well. */
function unknownVocabularies(document: XmlElement): Problem[] {
  const all = [document, ...descendants(document)].flatMap((element) => element.unknownVocabularies)
  return [...new Set(all)].map((uri) => ({ element: 'definitions', reason: `it uses the unknown vocabulary ${uri}` }))
}

/** The check of an attribute; undefined where it is not on the list. */
function checkOf({ attributes = {} }: Rule, element: string, name: string): Check | undefined {
  // The schema of BPMN has it on every element with an id but this one, and the engine holds to the schema.
  const saysLanguage = element.startsWith('bpmn:') && attributes['id'] && element !== 'bpmn:documentation'
  if (name === 'xml:lang' && saysLanguage) return language
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

function walk(element: XmlElement, around: Readonly<Record<string, Rule>>, host: string): Problem[] {
  const at = element.attributes.get('id') ?? host
  const rule = Object.hasOwn(around, element.name) ? around[element.name]! : {}
  const rules = rule.within ? { ...around, ...rule.within } : around
  const problem = (name: string, reason: string): Problem => ({ element: at, reason: `${name}: ${reason}` })

  const attributes = [...element.attributes].flatMap(([name, value]) => {
    const check = checkOf(rule, element.name, name)
    if (!check) return [problem(name, explained[name] ?? `not allowed on ${element.name}`)]
    const reason = check(value)
    // Within an extension it is the name of a property or a parameter, and no label.
    const field = name !== 'name' || element.name.startsWith('bpmn:') ? fieldOf(name) : undefined
    return reason === undefined ? [] : [problem(field ?? name, reason)]
  })
  const text = element.text.trim()
  const refusedText = text === '' && !rule.text ? undefined : rule.text ? rule.text(text) : 'no text may stand here'
  const children = element.children.flatMap((child) =>
    rule.children?.includes(child.name)
      ? walk(child, rules, at)
      : [
          {
            element: child.attributes.get('id') ?? at,
            reason: `${child.name}: ${explained[child.name] ?? `not allowed in ${element.name}`}`,
          },
        ],
  )
  return [
    ...attributes,
    ...(refusedText === undefined ? [] : [problem(fieldOf(element.name) ?? element.name, refusedText)]),
    ...children,
  ]
}
