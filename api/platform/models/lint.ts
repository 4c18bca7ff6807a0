import Linter from 'bpmnlint/lib/linter.js'
import adHocSubProcess from 'bpmnlint/rules/ad-hoc-sub-process.js'
import conditionalFlows from 'bpmnlint/rules/conditional-flows.js'
import endEventRequired from 'bpmnlint/rules/end-event-required.js'
import eventBasedGateway from 'bpmnlint/rules/event-based-gateway.js'
import eventSubProcessTypedStartEvent from 'bpmnlint/rules/event-sub-process-typed-start-event.js'
import fakeJoin from 'bpmnlint/rules/fake-join.js'
import global from 'bpmnlint/rules/global.js'
import labelRequired from 'bpmnlint/rules/label-required.js'
import linkEvent from 'bpmnlint/rules/link-event.js'
import noBpmndi from 'bpmnlint/rules/no-bpmndi.js'
import noComplexGateway from 'bpmnlint/rules/no-complex-gateway.js'
import noDisconnected from 'bpmnlint/rules/no-disconnected.js'
import noDuplicateSequenceFlows from 'bpmnlint/rules/no-duplicate-sequence-flows.js'
import noGatewayJoinFork from 'bpmnlint/rules/no-gateway-join-fork.js'
import noImplicitEnd from 'bpmnlint/rules/no-implicit-end.js'
import noImplicitSplit from 'bpmnlint/rules/no-implicit-split.js'
import noImplicitStart from 'bpmnlint/rules/no-implicit-start.js'
import noInclusiveGateway from 'bpmnlint/rules/no-inclusive-gateway.js'
import noOverlappingElements from 'bpmnlint/rules/no-overlapping-elements.js'
import singleBlankStartEvent from 'bpmnlint/rules/single-blank-start-event.js'
import singleEventDefinition from 'bpmnlint/rules/single-event-definition.js'
import startEventRequired from 'bpmnlint/rules/start-event-required.js'
import subProcessBlankStartEvent from 'bpmnlint/rules/sub-process-blank-start-event.js'
import superfluousGateway from 'bpmnlint/rules/superfluous-gateway.js'
import superfluousLabel from 'bpmnlint/rules/superfluous-label.js'
import superfluousTermination from 'bpmnlint/rules/superfluous-termination.js'
import { type Element, type Model, type Problem } from './read.ts'
import { rules } from './rules.ts'
import { type XmlElement, descendants, parseXml } from './xml.ts'

/** The recommended rules of bpmnlint, all of them as errors. */
const recommended = {
  'ad-hoc-sub-process': adHocSubProcess,
  'conditional-flows': conditionalFlows,
  'end-event-required': endEventRequired,
  'event-based-gateway': eventBasedGateway,
  'event-sub-process-typed-start-event': eventSubProcessTypedStartEvent,
  'fake-join': fakeJoin,
  global,
  'label-required': labelRequired,
  'link-event': linkEvent,
  'no-bpmndi': noBpmndi,
  'no-complex-gateway': noComplexGateway,
  'no-disconnected': noDisconnected,
  'no-duplicate-sequence-flows': noDuplicateSequenceFlows,
  'no-gateway-join-fork': noGatewayJoinFork,
  'no-implicit-end': noImplicitEnd,
  'no-implicit-split': noImplicitSplit,
  'no-implicit-start': noImplicitStart,
  'no-inclusive-gateway': noInclusiveGateway,
  'no-overlapping-elements': noOverlappingElements,
  'single-blank-start-event': singleBlankStartEvent,
  'single-event-definition': singleEventDefinition,
  'start-event-required': startEventRequired,
  'sub-process-blank-start-event': subProcessBlankStartEvent,
  'superfluous-gateway': superfluousGateway,
  'superfluous-label': superfluousLabel,
  'superfluous-termination': superfluousTermination,
}

/**
 * What is wrong with a model as a drawing and as a text for people; empty when nothing is. The rules are bpmnlint's
 * recommended ones and ours (`rules.ts`), each reason beginning with the name of its rule.
 */
export async function lint({ definitions }: Model): Promise<Problem[]> {
  const names = [...Object.keys(recommended), ...Object.keys(rules).map((name) => `prakriya/${name}`)]
  const linter = new Linter({
    resolver: {
      resolveRule: (pkg, name) =>
        pkg === 'bpmnlint-plugin-prakriya' ? plugged(name) : recommended[name as keyof typeof recommended],
      resolveConfig: (_pkg, name) => {
        throw new Error(`there is no configuration ${name}`)
      },
    },
  })
  const reports = await linter.lint(definitions, { rules: Object.fromEntries(names.map((name) => [name, 'error'])) })
  return Object.entries(reports).flatMap(([rule, found]) =>
    found.map(({ id, message, category }) => {
      if (category === 'rule-error') throw new Error(`the rule ${rule} failed: ${message}`)
      return { element: id ?? 'definitions', reason: `${rule}: ${message}` }
    }),
  )
}

/** A rule of ours as bpmnlint takes it: called for every element, and acting on the whole once. */
function plugged(name: string) {
  const rule = rules[name]
  return (
    rule &&
    (() => ({
      check(node: Element, reporter: { report(id: string, message: string): void }) {
        if (node.$type !== 'bpmn:Definitions') return
        for (const { element, reason } of rule(node)) reporter.report(element, reason)
      },
    }))
  )
}

/** What is wrong with a DMN document as a text for people: names and labels that are missing, and no line to explain. */
export function lintDecisions(xml: string): Problem[] {
  const elements = descendants(parseXml(xml))
  const missing = (name: string, attribute: string) =>
    elements
      .filter((element) => element.name === name && !element.attributes.get(attribute)?.trim())
      .map((element) => ({ element: idOf(element), reason: `${attribute} is missing` }))
  return [
    ...missing('dmn:decision', 'name'),
    ...missing('dmn:input', 'label'),
    ...missing('dmn:output', 'label'),
    ...missing('dmn:output', 'name'),
    ...elements
      .filter(({ name, children }) => name === 'dmn:decisionTable' && !children.some((child) => child.name === 'dmn:rule'))
      .map((table) => ({ element: idOf(table), reason: 'the table has no rule' })),
  ]
}

function idOf(element: XmlElement): string {
  return element.attributes.get('id') ?? 'definitions'
}
