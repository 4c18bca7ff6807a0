import { bpmn } from './bpmn.ts'
import { dmn } from './dmn.ts'
import type { Check, Rule } from './rule.ts'
import { language } from './values.ts'
import { fieldOf, panelWords } from '../panel-words.ts'
import type { Problem } from '../read.ts'
import { type XmlElement, descendants } from '../xml.ts'

/** Explanations for elements that people often try and that are not allowed. */
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

/** Elements and attributes of a BPMN document that are not on the list. */
export function notAllowed(document: XmlElement): Problem[] {
  return [...unknownVocabularies(document), ...walk(document, bpmn, 'definitions')]
}

/** Elements and attributes of a DMN document that are not on the list. */
export function notAllowedInDecisions(document: XmlElement): Problem[] {
  return [...unknownVocabularies(document), ...walk(document, dmn, 'definitions')]
}

/** Unknown namespaces, each once; names in them are also rejected where they occur. */
function unknownVocabularies(document: XmlElement): Problem[] {
  const all = [document, ...descendants(document)].flatMap((element) => element.unknownVocabularies)
  return [...new Set(all)].map((uri) => ({ element: 'definitions', reason: `it uses the unknown vocabulary ${uri}` }))
}

/** The check of an attribute; undefined if it is not on the list. */
function checkOf({ attributes = {} }: Rule, element: string, name: string): Check | undefined {
  // The BPMN schema permits it on every element with an id but this one, and the engine validates against the schema.
  const saysLanguage = element.startsWith('bpmn:') && attributes['id'] && element !== 'bpmn:documentation'
  if (name === 'xml:lang' && saysLanguage) return language
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

function walk(element: XmlElement, around: Readonly<Record<string, Rule>>, host: string): Problem[] {
  const at = element.attributes.get('id') ?? host
  const rule = (Object.hasOwn(around, element.name) ? around[element.name] : undefined) ?? {}
  const rules = rule.within ? { ...around, ...rule.within } : around
  const problem = (name: string, reason: string): Problem => ({ element: at, reason: `${name}: ${reason}` })

  const attributes = [...element.attributes].flatMap(([name, value]) => {
    const check = checkOf(rule, element.name, name)
    if (!check) return [problem(name, explained[name] ?? `not allowed on ${element.name}`)]
    const reason = check(value)
    // Within an extension, `name` is the name of a property or parameter and not a label.
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
