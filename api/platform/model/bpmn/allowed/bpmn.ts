import { isoDuration } from '../durations.ts'
import type { Rule } from './rule.ts'
import { bounds, coloured, exported, named, waypoint } from './shared.ts'
import {
  boolean,
  collection,
  cron,
  cycle,
  duration,
  either,
  id,
  identifier,
  matching,
  oneOf,
  plain,
  template,
  variable,
  zoned,
} from './values.ts'

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

/** What a BPMN document may contain, by element. */
export const bpmn: Readonly<Record<string, Rule>> = {
  'bpmn:definitions': {
    attributes: { ...exported, targetNamespace: plain },
    children: [
      ...['bpmn:process', 'bpmn:collaboration', 'bpmn:message', 'bpmn:error', 'bpmn:escalation', 'bpmn:category'],
      // No event may use a signal. It can be left over when such an event is replaced, and no panel removes it.
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
      // The gate checks roles and scopes.
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
  // The gate reads the condition, because it has to know the variables.
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
