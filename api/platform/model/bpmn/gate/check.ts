import type { GateContext } from '../context.ts'
import type { Decision } from '../decisions.ts'
import type { Reading } from '../expressions.ts'
import type { Graph, Node } from '../graph.ts'
import { type Element, type Extension, extensionsOf } from '../read.ts'

/** What each part of the gate looks at. */
export interface Check {
  graph: Graph
  context: GateContext
  decisions: readonly Decision[]
  known: (node: Node) => ReadonlySet<string>
}

/** What an expression reads although nothing sets it before, or why it is none. */
export function unset(read: Reading, node: Node, { known }: Check): string[] {
  if ('refused' in read) return [read.refused]
  return read.variables.filter((name) => !known(node).has(name)).map((name) => `nothing sets ${name} before`)
}

/** Whether a node is an event that sends: thrown on the way or at an end, with a message. */
export function isSending({ type, element }: Node): boolean {
  return (
    (type === 'EndEvent' || type === 'IntermediateThrowEvent') &&
    element.eventDefinitions?.[0]?.$type === 'bpmn:MessageEventDefinition'
  )
}

/** What a call hands over and takes back. */
export function passing(element: Element): Extension[] {
  return [...extensionsOf(element, 'camunda:In'), ...extensionsOf(element, 'camunda:Out')]
}

/** An attribute as it is written. */
export function attribute(element: Element, name: string): string | undefined {
  const value = (element as Element & { get(name: string): unknown }).get(name)
  return value === undefined || value === null ? undefined : String(value)
}
