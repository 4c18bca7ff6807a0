import type { GateContext } from '../context.ts'
import type { Decision } from '../decisions/decisions.ts'
import type { Reading } from '../expressions.ts'
import type { Graph, Node } from '../graph.ts'
import { type Element, type Extension, extensionsOf } from '../read.ts'

/** The input of each part of the gate. */
export interface Check {
  graph: Graph
  context: GateContext
  decisions: readonly Decision[]
  known: (node: Node) => ReadonlySet<string>
}

/** Variables that an expression reads and nothing sets before, or why it is not valid. */
export function unset(read: Reading, node: Node, { known }: Check): string[] {
  if ('refused' in read) return [read.refused]
  return read.variables.filter((name) => !known(node).has(name)).map((name) => `nothing sets ${name} before`)
}

/** Whether a node is a throw or end event with a message. */
export function isSending({ type, element }: Node): boolean {
  return (
    (type === 'EndEvent' || type === 'IntermediateThrowEvent') &&
    element.eventDefinitions?.[0]?.$type === 'bpmn:MessageEventDefinition'
  )
}

/** The in and out mappings of a call activity. */
export function passing(element: Element): Extension[] {
  return [...extensionsOf(element, 'camunda:In'), ...extensionsOf(element, 'camunda:Out')]
}

/** An attribute as written. */
export function attribute(element: Element, name: string): string | undefined {
  const value = element.get(name)
  return value === undefined || value === null ? undefined : String(value)
}
