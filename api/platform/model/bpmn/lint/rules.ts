import { isoDuration, secondsOf } from '../durations.ts'
import { type Graph, type Node, graphOf } from '../graph.ts'
import { panelWords } from '../panel-words.ts'
import {
  type PromiseKind,
  type TellingTimer,
  isOfRequester,
  promiseKinds,
  promisesOf,
  tellingTimers,
} from '../promises.ts'
import { type Element, type Problem, fourEyesOf, processesOf, propertiesOf } from '../read.ts'
import { statusList } from '../statuses.ts'

/** A lint rule for a whole model. */
export type Rule = (definitions: Element) => Problem[]

/** Our rules by name; in bpmnlint they are called `prakriya/<name>`. */
export const rules: Readonly<Record<string, Rule>> = {
  labelled,
  'left-to-right': leftToRight,
  'ids-carry-their-kind': idsCarryTheirKind,
  'one-path-sets-a-status': onePathSetsAStatus,
  'desk-pattern': deskPattern,
  'deadlines-agree': deadlinesAgree,
}

/** In addition to `label-required`: subprocesses and default flows need labels too, because people read them. */
function labelled(definitions: Element): Problem[] {
  const nodes = processesOf(definitions).flatMap((process) => [...graphOf(process).nodes.values()])
  return nodes.flatMap(({ type, element }) => [
    ...(type === 'SubProcess' && !labelOf(element) ? [{ element: element.id, reason: 'it has no label' }] : []),
    ...(element.default && !labelOf(element.default)
      ? [{ element: element.default.id, reason: 'the default path has no label' }]
      : []),
  ])
}

/** A diagram reads from left to right: every node and flow is drawn, and only flows that close a loop go left. */
function leftToRight(definitions: Element): Problem[] {
  const shapes = (definitions.diagrams ?? []).flatMap(({ plane }) => plane?.planeElement ?? [])
  const drawn = new Map(shapes.map((shape) => [shape.bpmnElement?.id ?? '', shape]))
  const tolerance = 20
  return processesOf(definitions).flatMap((process) => {
    const graph = graphOf(process)
    return [...graph.nodes.values()].flatMap((node) => [
      ...(drawn.get(node.id)?.bounds ? [] : [{ element: node.id, reason: 'it is not drawn' }]),
      ...(node.element.outgoing ?? []).flatMap((flow) => {
        if (!drawn.has(flow.id)) return [{ element: flow.id, reason: 'it is not drawn' }]
        const target = graph.nodes.get(flow.targetRef?.id ?? '')
        const [from, to] = [centre(drawn.get(node.id)), centre(drawn.get(target?.id ?? ''))]
        if (!target || from === undefined || to === undefined || to >= from - tolerance) return []
        return graph.before(node).has(target)
          ? []
          : [{ element: flow.id, reason: `it leads back to the left, from ${node.id} to ${target.id}` }]
      }),
    ])
  })
}

const kinds: Readonly<Record<string, string>> = {
  'bpmn:StartEvent': 'startEvent',
  'bpmn:EndEvent': 'endEvent',
  'bpmn:IntermediateCatchEvent': 'event',
  'bpmn:IntermediateThrowEvent': 'event',
  'bpmn:BoundaryEvent': 'boundary',
  'bpmn:UserTask': 'userTask',
  'bpmn:ServiceTask': 'serviceTask',
  'bpmn:BusinessRuleTask': 'businessRuleTask',
  'bpmn:CallActivity': 'callActivity',
  'bpmn:SubProcess': 'subProcess',
  'bpmn:ExclusiveGateway': 'gateway',
  'bpmn:ParallelGateway': 'gateway',
  'bpmn:EventBasedGateway': 'gateway',
  'bpmn:SequenceFlow': 'flow',
  'bpmn:Message': 'message',
  'bpmn:Error': 'error',
  'bpmn:Escalation': 'escalation',
}

/** An id names its type and meaning, because variables, logs and tests use it: `userTask_approveByHead`. */
function idsCarryTheirKind(definitions: Element): Problem[] {
  const within = (scope: Element): Element[] =>
    (scope.flowElements ?? []).flatMap((element) => [element, ...within(element)])
  const all = [...(definitions.rootElements ?? []), ...processesOf(definitions).flatMap(within)]
  return all.flatMap(({ $type, id }) => {
    const kind = kinds[$type]
    return kind === undefined || new RegExp(`^${kind}_[a-z][A-Za-z0-9]*$`).test(id)
      ? []
      : [{ element: id, reason: `the id is not of the form ${kind}_itsMeaning` }]
  })
}

/**
 * A case has one state per status list. So two tokens may not set the same list at once: in parallel branches, in
 * non-interrupting parts, or in multi-instance activities.
 */
function onePathSetsAStatus(definitions: Element): Problem[] {
  return processesOf(definitions).flatMap((process) => {
    const graph = graphOf(process)
    const nodes = [...graph.nodes.values()]
    return [
      ...nodes.flatMap((node) => betweenBranches(node, graph)),
      ...nodes.flatMap((node) => besideTheRest(node, graph)),
      ...nodes.flatMap((node) => severalTimes(node, nodes)),
    ]
  })
}

/**
 * All desks follow one pattern. A desk of roles excludes the requester, has a due date, promises a reminder and an
 * escalation, and labels each outcome behind it. A desk of the requester has a reminder, and a time after which the
 * request lapses.
 */
function deskPattern(definitions: Element): Problem[] {
  return reasonsOfDesks(definitions, (desk, { graph, nodes, telling }) =>
    isOfRequester(desk.element) ? asksRequester(desk, nodes, telling) : asksRoles(desk, graph, telling),
  )
}

/** What stands around a desk in its process. */
interface Surroundings {
  graph: Graph
  nodes: readonly Node[]
  telling: readonly TellingTimer[]
}

/** The problems of each desk, from the reasons that a rule finds. */
function reasonsOfDesks(definitions: Element, reasonsOf: (desk: Node, around: Surroundings) => string[]): Problem[] {
  return processesOf(definitions).flatMap((process) => {
    const graph = graphOf(process)
    const nodes = [...graph.nodes.values()]
    const around = { graph, nodes, telling: tellingTimers(graph) }
    return nodes
      .filter(({ type }) => type === 'UserTask')
      .flatMap((desk) => reasonsOf(desk, around).map((reason) => ({ element: desk.id, reason })))
  })
}

function asksRoles(desk: Node, graph: Graph, telling: readonly TellingTimer[]): string[] {
  const fourEyes = fourEyesOf(desk.element)
  const ways = graph
    .next(desk)
    .flatMap(({ type, element }) => (type === 'ExclusiveGateway' ? (element.outgoing ?? []) : []))
  return [
    ...(fourEyes.includes('requester') ? [] : [`“${panelWords.fourEyes}” does not name the requester`]),
    ...(desk.element.dueDate ? [] : ['it has no due date']),
    ...unpromised(desk, 'remind', 'nobody reminds it', telling),
    ...unpromised(desk, 'escalate', 'nobody tells those above it', telling),
    ...(ways.length > 1 && ways.some((way) => !labelOf(way)) ? ['a way behind it does not say what was decided'] : []),
  ]
}

function asksRequester(desk: Node, nodes: readonly Node[], telling: readonly TellingTimer[]): string[] {
  const lapses = timersOf(desk, nodes).some(({ timer }) => timer.element.cancelActivity !== false)
  return [
    ...(desk.element.dueDate ? [] : ['it has no due date']),
    ...unpromised(desk, 'remind', 'nobody reminds the requester', telling),
    ...(lapses ? [] : ['it never lapses']),
  ]
}

/** Only their presence is checked; `deadlines-agree` compares the times. */
function unpromised(
  { id, element }: Node,
  kind: PromiseKind,
  reason: string,
  telling: readonly TellingTimer[],
): string[] {
  if (promisesOf(element).some((one) => one.kind === kind)) return []
  const drawn = telling.some((one) => one.desk === id && one.kind === kind)
  const instead = drawn ? ', in place of the timer that only sends a mail' : ''
  return [`${reason}: say when under “${panelWords[kind]}”${instead}`]
}

/**
 * The due date, reminders and escalations of a desk must agree: reminders come before the due date; escalation and
 * lapse come after it. Times that only a case knows are not compared.
 */
function deadlinesAgree(definitions: Element): Problem[] {
  return reasonsOfDesks(definitions, (desk, { nodes, telling }) => contradictions(desk, nodes, telling))
}

function contradictions(desk: Node, nodes: readonly Node[], telling: readonly TellingTimer[]): string[] {
  const due = momentOf(desk.element.dueDate)
  const moments = [
    ...promiseKinds.flatMap((kind) => {
      const moment = momentOf(propertiesOf(desk.element)[kind])
      return moment ? [{ ...moment, kind }] : []
    }),
    ...timersOf(desk, nodes).flatMap(({ timer, after }) => {
      const moment = momentOf(after)
      const told = telling.find((one) => one.timer === timer.id)
      const kind = timer.element.cancelActivity === false ? told?.kind : ('lapse' as const)
      return moment && kind ? [{ ...moment, kind }] : []
    }),
  ]
  const of = (wanted: PromiseKind | 'lapse') => moments.filter(({ kind }) => kind === wanted)
  const [reminders, late, lapses] = [of('remind'), of('escalate'), of('lapse')]
  const says = due && `“${panelWords['camunda:dueDate']}” says ${due.words}`
  return [
    ...reminders
      .filter(({ seconds }) => due && seconds >= due.seconds)
      .map(({ words }) => `${says}, but its reminder comes after ${words}: remind before it is due`),
    ...late
      .filter(({ seconds }) => due && seconds < due.seconds)
      .map(({ words }) => `${says}, but those above it are told after ${words}: tell them once it is due`),
    ...lapses
      .filter(({ seconds }) => due && seconds < due.seconds)
      .map(({ words }) => `${says}, but it lapses after ${words}: let it lapse once it is due`),
    ...[...late, ...lapses].flatMap((end) =>
      reminders
        .filter(({ seconds }) => seconds >= end.seconds)
        .map(
          ({ words }) =>
            `its reminder comes after ${words}, but ${late.includes(end) ? 'those above it are told' : 'it lapses'} after ${end.words}: remind first`,
        ),
    ),
  ]
}

interface Moment {
  /** From when the desk is reached; a working day counts as a day. */
  seconds: number
  words: string
}

/** Undefined if it is not a duration, for example a date from the case. */
function momentOf(text: string | undefined): Moment | undefined {
  const written = (text ?? '').trim().replace(/^R\d*\//, '')
  const workdays = /^(?:workday(\d+)|\$\{workday(\d+)\})$/.exec(written)?.slice(1).find(Boolean)
  if (workdays !== undefined) return { seconds: Number(workdays) * 86_400, words: counted(workdays, 'working day') }
  if (!isoDuration.test(written)) return undefined
  const [, count, unit] = /^PT?(\d+)([DHM])$/.exec(written) ?? []
  const name = unit === 'D' ? 'day' : unit === 'H' ? 'hour' : written.startsWith('PT') ? 'minute' : 'month'
  return { seconds: secondsOf(written), words: count === undefined ? written : counted(count, name) }
}

function counted(count: string, name: string): string {
  return `${count} ${name}${count === '1' ? '' : 's'}`
}

/** The boundary timers of a desk, with their times. */
function timersOf(desk: Node, nodes: readonly Node[]): { timer: Node; after: string }[] {
  return nodes
    .filter(({ element }) => element.attachedToRef?.id === desk.id)
    .flatMap((timer) =>
      (timer.element.eventDefinitions ?? [])
        .filter(({ $type }) => $type === 'bpmn:TimerEventDefinition')
        .map(({ timeDate, timeDuration, timeCycle }) => ({
          timer,
          after: ((timeDate ?? timeDuration ?? timeCycle)?.body ?? '').trim(),
        })),
    )
}

function betweenBranches(fork: Node, graph: Graph): Problem[] {
  const branches = fork.type === 'ParallelGateway' ? graph.next(fork) : []
  if (branches.length < 2) return []
  const reached = branches.map((branch) => graph.after([branch]))
  const joins = (node: Node) =>
    node.type === 'ParallelGateway' && (node.element.incoming?.length ?? 0) > 1 && reached.every((one) => one.has(node))
  const lists = branches.map((branch) => settersOf(graph.after([branch], (node) => node === fork || joins(node))))
  return lists.flatMap((mine, index) =>
    [...mine].flatMap(([list, setters]) =>
      lists.some((other, place) => place !== index && other.has(list))
        ? setters.map(({ id }) => ({
            element: id,
            reason: `the list ${list} is set on another branch of ${fork.id} at the same time`,
          }))
        : [],
    ),
  )
}

function besideTheRest(node: Node, graph: Graph): Problem[] {
  const accompanies = node.element.cancelActivity === false || node.element.isInterrupting === false
  if (!accompanies) return []
  const part = graph.after([node], ({ type, host }) => type === 'EndEvent' && host === node.host)
  const rest = graph.after(
    graph.starts.filter((start) => start !== node),
    (one) => one === node,
  )
  const elsewhere = settersOf([...rest].filter((one) => one !== node))
  return [...settersOf(part)].flatMap(([list, setters]) =>
    elsewhere.has(list)
      ? setters.map(({ id }) => ({
          element: id,
          reason: `the list ${list} is set beside the path that ${node.id} accompanies`,
        }))
      : [],
  )
}

function severalTimes(activity: Node, nodes: readonly Node[]): Problem[] {
  if (!activity.element.loopCharacteristics) return []
  const inside = new Set(nodes.filter((node) => node === activity || isWithin(node, activity)))
  const outside = settersOf(nodes.filter((node) => !inside.has(node)))
  return [...settersOf(inside)].flatMap(([list, setters]) =>
    outside.has(list)
      ? setters.map(({ id }) => ({
          element: id,
          reason: `the list ${list} is set here several times and elsewhere as well`,
        }))
      : [],
  )
}

function settersOf(nodes: Iterable<Node>): Map<string, Node[]> {
  const setters = new Map<string, Node[]>()
  for (const node of nodes)
    for (const property of Object.keys(propertiesOf(node.element))) {
      const list = statusList(property)
      if (list !== undefined) setters.set(list, [...(setters.get(list) ?? []), node])
    }
  return setters
}

function isWithin(node: Node, activity: Node): boolean {
  return node.host === activity || (node.host !== undefined && isWithin(node.host, activity))
}

function labelOf(element: Element): string {
  return (element.name ?? '').trim()
}

function centre(shape: { bounds?: { x: number; width: number } } | undefined): number | undefined {
  return shape?.bounds && shape.bounds.x + shape.bounds.width / 2
}
