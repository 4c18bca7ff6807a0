import { type Element, processesOf } from './read.ts'

/** A flow node of a process, with what is needed to follow a token. */
export interface Node {
  id: string
  /** Without the vocabulary: `UserTask`. */
  type: string
  element: Element
  /** The sub-process around it; undefined at the top of the process. */
  host: Node | undefined
}

/** The paths of one process, its sub-processes included. */
export interface Graph {
  nodes: ReadonlyMap<string, Node>
  /** Where the token of a node may stand next: along flows, into and out of sub-processes, from a thrown error to its catcher. */
  next(node: Node): Node[]
  /** Every node that a token may have visited before it stands at this one, interruptions included. */
  before(node: Node): ReadonlySet<Node>
  /** Every node that a token may visit from these on, themselves included; behind a `stop` it is not followed. */
  from(starts: Iterable<Node>, stop?: (node: Node) => boolean): Set<Node>
  /** As `from`, and also what follows when an activity on the way is interrupted or accompanied by an event. */
  after(starts: Iterable<Node>, stop?: (node: Node) => boolean): Set<Node>
  /** The events on the border of an activity, and those that begin an event sub-process within it. */
  interrupters(activity: Node): Node[]
  /** The event that would catch an error raised at this node; undefined if none does. */
  catcher(node: Node, code: string): Node | undefined
  /** The start events at the top of the process and of its event sub-processes. */
  starts: readonly Node[]
}

/** Every flow node of a document. */
export function nodesOf(definitions: Element): Node[] {
  return processesOf(definitions).flatMap((process) => [...graphOf(process).nodes.values()])
}

/** Follows a process. */
export function graphOf(process: Element): Graph {
  const structure = structureOf(process)
  const next = (node: Node) => nextOf(structure, node)
  const interrupters = (activity: Node) => interruptersOf(structure, activity)
  const previous = previousIn(structure)
  // Asked again by each check that looks back.
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

/** What stands where in a process. */
interface Structure {
  nodes: ReadonlyMap<string, Node>
  /** The nodes behind the outgoing flows of one. */
  targets(node: Node): Node[]
  /** The events on the border of an activity. */
  borders(activity: Node): Node[]
  plainStarts(host: Node | undefined): Node[]
  eventSubProcessStarts(host: Node | undefined): Node[]
}

function structureOf(process: Element): Structure {
  const nodes = collectNodes(process)
  // Looked up, never searched for: a model may have 500 nodes, and each is asked about from each.
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
    // An event sub-process does not catch what is raised inside itself.
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
  // The token of an inner end goes on behind its sub-process; an event sub-process ends the scope around it.
  let host = node.host
  while (host?.element.triggeredByEvent) host = host.host
  return host ? [...targets(host), ...caught] : caught
}

function interruptersOf({ borders, eventSubProcessStarts }: Structure, activity: Node): Node[] {
  return [...borders(activity), ...eventSubProcessStarts(activity)]
}

/** Where the token of a node may have stood just before, interruptions included. */
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
