import { isoDuration } from '../durations.ts'
import type { Rule } from './rule.ts'
import { bounds, exported, named, waypoint } from './shared.ts'
import { id, label, matching, oneOf, plain } from './values.ts'

/** The engine's default expression language is not FEEL, so every expression has to name it. */
const feel = { id, typeRef: plain, expressionLanguage: oneOf('feel') }
const described = ['dmn:description']

/** What a DMN document may contain, by element. */
export const dmn: Readonly<Record<string, Rule>> = {
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
  'dmn:input': { attributes: { id, label }, children: ['dmn:inputExpression', 'dmn:inputValues'] },
  'dmn:inputExpression': { attributes: feel, children: ['dmn:text'] },
  'dmn:inputValues': { attributes: { id }, children: ['dmn:text'] },
  'dmn:output': { attributes: { ...named, label, typeRef: plain }, children: ['dmn:outputValues'] },
  'dmn:outputValues': { attributes: { id }, children: ['dmn:text'] },
  'dmn:rule': { attributes: { id }, children: [...described, 'dmn:inputEntry', 'dmn:outputEntry'] },
  'dmn:inputEntry': { attributes: feel, children: ['dmn:text'] },
  'dmn:outputEntry': { attributes: feel, children: ['dmn:text'] },
  // The gate reads the text.
  'dmn:text': { text: plain },
  'dmn:description': { text: plain },
  'dmndi:DMNDI': { children: ['dmndi:DMNDiagram'] },
  'dmndi:DMNDiagram': { attributes: named, children: ['dmndi:DMNShape', 'dmndi:DMNEdge'] },
  'dmndi:DMNShape': { attributes: { id, dmnElementRef: plain }, children: ['dc:Bounds'] },
  'dmndi:DMNEdge': { attributes: { id, dmnElementRef: plain }, children: ['di:waypoint'] },
  'dc:Bounds': bounds,
  'di:waypoint': waypoint,
}
