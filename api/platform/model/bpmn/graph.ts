import { type Element, processesOf } from './read.ts'

/** A flow node of a process, with what is needed to follow a token. */
export interface Node {
  id: string
  /** Without prefix: `UserTask`. */
  type: string
  element: Element
  /** The subprocess around it; undefined at the top level. */
  host: Node | undefined
}

/** The paths of one process, including its subprocesses. */
export interface Graph {
  nodes: ReadonlyMap<string, Node>
  /** Where a token may be next: along flows, into and out of subprocesses, from a thrown error to its catcher. */
  next(node: Node): Node[]
  /** Every node that a token may have visited before this one, including boundary events. */
  before(node: Node): ReadonlySet<Node>
  /** Every node that a token may visit from these on, including them; a `stop` node ends the path. */
  from(starts: Iterable<Node>, stop?: (node: Node) => boolean): Set<Node>
  /** Like `from`, and also what follows boundary events and event subprocesses on the way. */
  after(starts: Iterable<Node>, stop?: (node: Node) => boolean): Set<Node>
  /** The boundary events of an activity, and the start events of its event subprocesses. */
  interrupters(activity: Node): Node[]
  /** The event that catches an error of this node; undefined if none does. */
  catcher(node: Node, code: string): Node | undefined
  /** The start events of the process and of its event subprocesses. */
  starts: readonly Node[]
}

/** Every flow node of a document. */
export function nodesOf(definitions: Element): Node[] {
  return processesOf(definitions).flatMap((process) => [...graphOf(process).nodes.values()])
}

/** The graph of a process. */
export function graphOf(process: Element): Graph {
  const structure = structureOf(process)
  const next = (node: Node) => nextOf(structure, node)
  const interrupters = (activity: Node) => interruptersOf(structure, activity)
  const previous = previousIn(structure)
  // Cached, because many checks look back.
  const earlier = new Map<Node, ReadonlySet<Node>>()

  return {
    nodes: structure.nodes,
    next,
    before(node) {
      const found = earlier.get(node) ?? reach(previous.get(node) ?? [], (at) => previous.get(at) ?? [])
      earlier.set(node, found)
      return found
    },
    from(starts, stop) {
      return reach(starts, next, stop)
    },
    after(starts, stop) {
      return reach(starts, (node) => [...next(node), ...interrupters(node)], stop)
    },
    interrupters,
    catcher: (node, code) => catcherOf(structure, node, code),
    starts: [...structure.plainStarts(undefined), ...structure.eventSubProcessStarts(undefined)],
  }
}

/** Indexes of a process. */
interface Structure {
  nodes: ReadonlyMap<string, Node>
  /** The targets of a node's outgoing flows. */
  targets(node: Node): Node[]
  /** The boundary events of an activity. */
  borders(activity: Node): Node[]
  plainStarts(host: Node | undefined): Node[]
  eventSubProcessStarts(host: Node | undefined): Node[]
}

function structureOf(process: Element): Structure {
  const nodes = collectNodes(process)
  // Maps instead of searches: a model may have 500 nodes, and each is looked up from each.
  const [hosted, attached] = [new Map<Node | undefined, Node[]>(), new Map<string | undefined, Node[]>()]
  for (const node of nodes.values()) {
    put(hosted, node.host, node)
    put(attached, node.element.attachedToRef?.id, node)
  }
  const inside = (host: Node | undefined) => hosted.get(host) ?? []
  const plainStarts = (host: Node | undefined) => inside(host).filter(({ type }) => type === 'StartEvent')
  return {
    nodes,
    targets: ({ element }) => (element.outgoing ?? []).flatMap((flow) => nodes.get(flow.targetRef?.id ?? '') ?? []),
    borders: ({ id }) => attached.get(id) ?? [],
    plainStarts,
    eventSubProcessStarts: (host) =>
      inside(host)
        .filter(({ element }) => element.triggeredByEvent)
        .flatMap(plainStarts),
  }
}

function collectNodes(process: Element): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const collect = (scope: Element, host: Node | undefined): void => {
    for (const element of scope.flowElements ?? []) {
      if (element.$type === 'bpmn:SequenceFlow') continue
      const node: Node = { id: element.id, type: element.$type.replace('bpmn:', ''), element, host }
      nodes.set(element.id, node)
      collect(element, node)
    }
  }
  collect(process, undefined)
  return nodes
}

function catcherOf({ borders, eventSubProcessStarts }: Structure, node: Node, code: string): Node | undefined {
  const matches = ({ element }: Node) =>
    element.eventDefinitions?.some(
      ({ $type, errorRef }) =>
        $type === 'bpmn:ErrorEventDefinition' && (errorRef === undefined || errorRef.errorCode === code),
    ) ?? false
  for (let at: Node | undefined = node; at; at = at.host) {
    // An event subprocess does not catch errors from inside itself.
    const beside = eventSubProcessStarts(at.host).filter(({ host }) => host !== at)
    const found = [...borders(at), ...beside].find(matches)
    if (found) return found
  }
  return undefined
}

function escalationCatchersOf(
  { borders, eventSubProcessStarts }: Structure,
  node: Node,
  code: string | undefined,
): Node[] {
  const matches = ({ element }: Node) =>
    element.eventDefinitions?.some(
      ({ $type, escalationRef }) =>
        $type === 'bpmn:EscalationEventDefinition' && (!escalationRef || escalationRef.escalationCode === code),
    ) ?? false
  for (let at = node.host; at; at = at.host) {
    const found = [...borders(at), ...eventSubProcessStarts(at)].filter(matches)
    if (found.length > 0) return found
  }
  return []
}

function nextOf(structure: Structure, node: Node): Node[] {
  const { element, type } = node
  const { targets } = structure
  if (type === 'SubProcess') return structure.plainStarts(node)
  const thrown = (type === 'EndEvent' || type === 'IntermediateThrowEvent') && element.eventDefinitions?.[0]
  if (thrown && thrown.$type === 'bpmn:ErrorEventDefinition') {
    const found = catcherOf(structure, node, thrown.errorRef?.errorCode ?? '')
    return found ? [found] : []
  }
  const caught =
    thrown && thrown.$type === 'bpmn:EscalationEventDefinition'
      ? escalationCatchersOf(structure, node, thrown.escalationRef?.escalationCode)
      : []
  if (type !== 'EndEvent') return [...targets(node), ...caught]
  // A token at an inner end continues behind its subprocess; an event subprocess ends the scope around it.
  let host = node.host
  while (host?.element.triggeredByEvent) host = host.host
  return host ? [...targets(host), ...caught] : caught
}

function interruptersOf({ borders, eventSubProcessStarts }: Structure, activity: Node): Node[] {
  return [...borders(activity), ...eventSubProcessStarts(activity)]
}

/** Where a token may have been just before a node, including boundary events. */
function previousIn(structure: Structure): Map<Node, Node[]> {
  const previous = new Map<Node, Node[]>()
  for (const node of structure.nodes.values()) {
    const interrupted: Node[] = []
    for (let at: Node | undefined = node; at; at = at.host) interrupted.push(...interruptersOf(structure, at))
    interrupted.push(...structure.eventSubProcessStarts(undefined).filter((start) => start.host !== node.host))
    for (const follower of [...nextOf(structure, node), ...interrupted]) put(previous, follower, node)
  }
  return previous
}

function reach(starts: Iterable<Node>, step: (node: Node) => Node[], stop = (_node: Node) => false): Set<Node> {
  const seen = new Set<Node>()
  const open = [...starts]
  for (let node = open.pop(); node; node = open.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (!stop(node)) open.push(...step(node))
  }
  return seen
}

function put<Key>(lists: Map<Key, Node[]>, key: Key, node: Node): void {
  const list = lists.get(key)
  if (list) list.push(node)
  else lists.set(key, [node])
}
