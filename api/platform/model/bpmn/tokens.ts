import type { Graph, Node } from './graph.ts'
import type { Problem } from './read.ts'

/** So many paths may one case be on at once without anybody having done anything. */
const mostTokens = 1000
/** What runs once per item of a list is counted so often: how long the list will be, the diagram does not say. */
const itemsOfList = 50

/**
 * Forks whose branches meet again without a parallel join, and lists within lists: each such stage multiplies what the
 * engine walks, and a hundred of them need no loop to fill it. Counted is, per node, on how many paths at once a case
 * may be because of one that leaves it, up to where a person or a message is waited for; workers and timers go on by
 * themselves. One way out of a decision is taken, all of a fork; each path that arrives at a join is its share of one.
 */
export function multiplied(graph: Graph): Problem[] {
  const nodes = insideOut(graph)
  const [arriving, leaving] = [new Map<Node, number>(), new Map<Node, number>()]
  const sum = (of: readonly Node[], counts: ReadonlyMap<Node, number>) =>
    of.reduce((total, node) => total + (counts.get(node) ?? 0), 0)
  const within = new Map(
    nodes.map((node) => {
      const follow = graph.next(node)
      // Events catch an escalation beside the path that throws it; an error ends its own path, and begins another one.
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
  const count = (node: Node): boolean => {
    const { starts, ways, caught } = within.get(node)!
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
    // Shares of a join add up to a little more or less than one.
    const least = 1e-6
    const grown = left > (leaving.get(node) ?? 0) + least || arrived > (arriving.get(node) ?? 0) + least
    leaving.set(node, left)
    arriving.set(node, arrived)
    return grown
  }
  // Without a loop, one round per node is enough at the most; what still grows then grows for ever.
  let growing = nodes
  for (let round = 0; round <= nodes.length && growing.length > 0; round++) growing = nodes.filter(count)
  const size = (node: Node) => Math.max(arriving.get(node)!, leaving.get(node)!)
  const among = new Set([...growing, ...nodes.filter((node) => size(node) > mostTokens)])
  const multiplies = (node: Node) =>
    node.element.loopCharacteristics !== undefined || (within.get(node)!.ways.length > 1 && !takesOneWay(node))
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

/** What follows a node stands before it, as far as there are no loops: so almost one round counts all. */
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
  // As deep as there are nodes: the gate lets at most 500 through.
  for (const node of graph.nodes.values()) visit(node)
  return ordered
}
