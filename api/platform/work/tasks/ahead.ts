import { evaluate } from 'feelin'
import type { Variables } from '../../kernel/engine/port.ts'
import type { Manifest } from '../../model/library/library.ts'
import { type Graph, type Node, graphOf } from '../../model/bpmn/graph.ts'
import { readCondition } from '../../model/bpmn/expressions.ts'
import { type Element, processesOf, readModel, topicOf } from '../../model/bpmn/read.ts'
import type { FieldSchema } from '../../model/definitions/register.ts'

/** What is known while the path of a token is predicted. */
export interface Ahead {
  /** Process variables, with the answer that is assumed. */
  variables: Variables
  /** Variables that the answer sets to an unknown value. */
  unknown: ReadonlySet<string>
  /** Variables that no worker on the path changes: those of the start form, the server and answers. */
  lasting: ReadonlySet<string>
}

/** Reads the paths of a diagram's process. */
export async function pathsOf(xml: string, process: string): Promise<Graph> {
  const { definitions } = await readModel(xml)
  const drawn = processesOf(definitions).find(({ id }) => id === process)
  if (!drawn) throw new Error(`the diagram has no process ${process}`)
  return graphOf(drawn)
}

/** Names of the variables that a form sets. */
export function variablesOfForm({ properties = {} }: FieldSchema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => (field['x-variable'] === true ? [name] : []))
}

/** Names of the variables that workers do not change: all but those they return. */
export function lastingVariables(graph: Graph, manifest: Manifest, start: FieldSchema): Set<string> {
  const decided = [...graph.nodes.values()].flatMap(({ element }) => element.resultVariable ?? [])
  return new Set([...(manifest.derives ?? []), ...variablesOfForm(start), ...decided])
}

/**
 * Where a token may stop next after a node: desks, events it waits for, and ends. A gateway with known conditions takes
 * one path, every other takes all that remain. Boundary events on the way are ignored.
 */
export function nextStops(graph: Graph, from: Node, { variables, unknown, lasting }: Ahead): Node[] {
  const stops = new Set<Node>()
  const seen = new Set<string>()
  const open: { node: Node; unsure: ReadonlySet<string>; worked: boolean }[] = []
  const go = (nodes: readonly Node[], unsure: ReadonlySet<string>, worked: boolean) => {
    for (const node of nodes) open.push({ node, unsure, worked })
  }
  go(graph.next(from), unknown, false)
  for (let at = open.shift(); at; at = open.shift()) {
    const { node, unsure, worked } = at
    const key = `${node.id} ${worked} ${[...unsure].sort().join()}`
    if (seen.has(key)) continue
    seen.add(key)
    const { type, element } = node
    const after = graph.next(node)
    const isStop = type === 'UserTask' || type === 'IntermediateCatchEvent' || type === 'ReceiveTask'
    if (isStop || after.length === 0) stops.add(node)
    else if (type === 'ExclusiveGateway') {
      const known = (name: string) => !unsure.has(name) && (!worked || lasting.has(name) || name.endsWith('_outcome'))
      go(ways(element, variables, known), unsure, worked)
    } else {
      const set = type === 'BusinessRuleTask' && element.resultVariable ? [element.resultVariable] : []
      go(after, new Set([...unsure, ...set]), worked || (topicOf(element) !== undefined && type === 'ServiceTask'))
    }
  }
  return [...stops]

  function ways(gateway: Element, values: Variables, known: (name: string) => boolean): Node[] {
    const flows = gateway.outgoing ?? []
    const found: Element[] = []
    for (const flow of flows.filter((one) => one !== gateway.default)) {
      const text = flow.conditionExpression?.body
      const held = text === undefined ? true : holds(text, values, known)
      if (held !== false) found.push(flow)
      if (held === true) return targets(found)
    }
    return targets([...found, ...(gateway.default ? [gateway.default] : [])])
  }

  function targets(flows: readonly Element[]): Node[] {
    return flows.flatMap((flow) => graph.nodes.get(flow.targetRef?.id ?? '') ?? [])
  }
}

/** Whether a condition holds; undefined if it depends on an unknown value. */
function holds(text: string, variables: Variables, known: (name: string) => boolean): boolean | undefined {
  const read = readCondition(text)
  if ('refused' in read || !read.variables.every(known)) return undefined
  return evaluate(text, variables).value === true
}

/**
 * Whether a variable decides that a token comes to a desk. That is so if a gateway after `behind` reads it, the desk is
 * next on one path of the gateway, and another path does not reach it without passing the gateway again.
 */
export function dependsOn(graph: Graph, variable: string, behind: Node, desk: Node): boolean {
  return [...graph.from([behind])].some((gateway) => {
    const flows = gateway.type === 'ExclusiveGateway' ? (gateway.element.outgoing ?? []) : []
    const reads = flows.some(({ conditionExpression }) => {
      const read = readCondition(conditionExpression?.body ?? 'true')
      return !('refused' in read) && read.variables.includes(variable)
    })
    if (!reads) return false
    const ways = flows.flatMap(({ targetRef }) => graph.nodes.get(targetRef?.id ?? '') ?? [])
    const leads = (way: Node, stop: (node: Node) => boolean) => graph.from([way], stop).has(desk)
    const isDesk = (node: Node) => node === gateway || node.type === 'UserTask'
    return ways.some((way) => leads(way, isDesk)) && !ways.every((way) => leads(way, (node) => node === gateway))
  })
}
