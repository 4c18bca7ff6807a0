import { known } from '../../../kernel/known.ts'
import type { Graph, Node } from '../graph.ts'
import type { Problem } from '../read.ts'

/** Maximum tokens that one case may have at once without anybody acting. */
const mostTokens = 1000
/** Assumed length of lists: the diagram does not say how often a multi-instance activity runs. */
const itemsOfList = 50

/**
 * Forks that join without a parallel gateway, and nested lists: each stage multiplies the tokens of a case, and a
 * hundred stages overload the engine without any loop. It estimates for each node the number of simultaneous tokens
 * that one token leads to, up to where a person or message is awaited; workers and timers do not stop the count. An
 * exclusive gateway takes one path, a fork all; each branch that arrives at a join counts as its share of one.
 */
export function multiplied(graph: Graph): Problem[] {
  const nodes = insideOut(graph)
  const [arriving, leaving] = [new Map<Node, number>(), new Map<Node, number>()]
  const sum = (of: readonly Node[], counts: ReadonlyMap<Node, number>) =>
    of.reduce((total, node) => total + (counts.get(node) ?? 0), 0)
  const within = new Map(
    nodes.map((node) => {
      const follow = graph.next(node)
      // Events catch an escalation in parallel with its path; an error ends its own path and starts another.
      const catches = ({ type }: Node) => type === 'BoundaryEvent' || type === 'StartEvent'
      const beside = node.element.eventDefinitions?.[0]?.$type === 'bpmn:EscalationEventDefinition'
      return [
        node,
        {
          starts: node.type === 'SubProcess' ? follow : [],
          ways: (node.element.outgoing ?? []).flatMap(({ targetRef }) => graph.nodes.get(targetRef?.id ?? '') ?? []),
          caught: beside && node.type !== 'StartEvent' && node.type !== 'BoundaryEvent' ? follow.filter(catches) : [],
        },
      ] as const
    }),
  )
  const partsOf = (node: Node) => known(within.get(node), 'a node of the graph')
  const count = (node: Node): boolean => {
    const { starts, ways, caught } = partsOf(node)
    const { type, element } = node
    const onwards = takesOneWay(node)
      ? Math.max(1, ...ways.map((way) => arriving.get(way) ?? 0))
      : Math.max(sum(ways, arriving), ways.length === 0 ? 1 : 0) + sum(caught, leaving)
    const joined = type === 'ParallelGateway' ? Math.max(1, element.incoming?.length ?? 0) : 1
    const left = Math.min(onwards / joined, 2 * mostTokens)
    const times = element.loopCharacteristics ? itemsOfList : 1
    const inside = times * Math.max(1, sum(starts, leaving))
    const activity = type === 'SubProcess' || element.loopCharacteristics !== undefined
    const arrived = waitsForPeople(node) ? times : activity ? Math.max(inside, left) : left
    // Tolerance: shares of a join do not add up to exactly one.
    const least = 1e-6
    const grown = left > (leaving.get(node) ?? 0) + least || arrived > (arriving.get(node) ?? 0) + least
    leaving.set(node, left)
    arriving.set(node, arrived)
    return grown
  }
  // Without a loop, one round per node is enough; what still grows then grows forever.
  let growing = nodes
  for (let round = 0; round <= nodes.length && growing.length > 0; round++) growing = nodes.filter(count)
  const size = (node: Node) =>
    Math.max(...[arriving, leaving].map((counts) => known(counts.get(node), 'the count of a node')))
  const among = new Set([...growing, ...nodes.filter((node) => size(node) > mostTokens)])
  const multiplies = (node: Node) =>
    node.element.loopCharacteristics !== undefined || (partsOf(node).ways.length > 1 && !takesOneWay(node))
  const [first] = [...among].sort((a, b) => Number(multiplies(b)) - Number(multiplies(a)) || size(a) - size(b))
  if (!first) return []
  const reason = `the paths of a case multiply from here on: it could be on more than ${mostTokens} at once, because branches meet without a parallel join or lists run within lists`
  return [{ element: first.id, reason }]
}

function takesOneWay({ type }: Node): boolean {
  return type === 'ExclusiveGateway' || type === 'EventBasedGateway'
}

function waitsForPeople({ type, element }: Node): boolean {
  return (
    type === 'UserTask' ||
    (type === 'IntermediateCatchEvent' && element.eventDefinitions?.[0]?.$type === 'bpmn:MessageEventDefinition')
  )
}

/** Nodes in reverse topological order, apart from loops, so that almost one round is enough. */
function insideOut(graph: Graph): Node[] {
  const [seen, ordered] = [new Set<Node>(), [] as Node[]]
  const visit = (node: Node): void => {
    if (seen.has(node)) return
    seen.add(node)
    for (const one of graph.next(node)) visit(one)
    for (const { targetRef } of node.element.outgoing ?? []) {
      const target = graph.nodes.get(targetRef?.id ?? '')
      if (target) visit(target)
    }
    ordered.push(node)
  }
  // Recursion depth is bounded by the node count: the gate accepts at most 500.
  for (const node of graph.nodes.values()) visit(node)
  return ordered
}
