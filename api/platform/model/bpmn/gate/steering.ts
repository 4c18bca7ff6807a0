import type { NeededDecision } from '../../definitions/manifest.ts'
import { type Known, type Knowledge, asksOf, fixedValue, holds } from '../conditions.ts'
import type { GateContext } from '../context.ts'
import { analyseTables } from '../decisions/analysis.ts'
import { type AnsweringTable, answersOf } from '../decisions/decisions.ts'
import { readCondition } from '../expressions.ts'
import type { Graph, Node } from '../graph.ts'
import { offeredTo, toRequester } from '../promises.ts'
import { called } from '../panel-words.ts'
import type { Element, Problem } from '../read.ts'
import { outcomesOf } from '../variables.ts'

/** The table output that names no desk. */
const NO_DESK = 'nobody'
/** The end of the names of variables that hold the answer of a desk. */
const OUTCOME = '_outcome'
/** Maximum different answers of a table that are followed through the diagram. */
const MAX_ANSWERS = 60

/** A table's effect that the diagram does not expect, or that two owners have to confirm. */
export interface Steered {
  /** The business rule task that evaluates the table. */
  task: string
  /** Absent for inputs that no row matches. */
  rule?: string
  words: string
  /** Nobody decides then; permitted if two owners confirm it. */
  undecided?: true
}

type SteeringContext = Pick<GateContext, 'manifest' | 'forms' | 'decisions'>

/**
 * Problems of tables that steer a case. The diagram compares answers with certain values; any other answer would
 * silently take the case past every desk. Such answers are rejected. So are answers that take a case to a step without
 * the decision it needs (`floor` of the manifest). If the flow requires no decisions, a row after which nobody decides
 * is reported as `undecided`.
 */
export function steeredBy(graph: Graph, context: SteeringContext): Steered[] {
  return steeringTables(graph, context).flatMap(steeredAt)
}

/** The same as problems of the diagram: those that reject it, and those that two owners have to confirm. */
export function steeringProblems(
  graph: Graph,
  context: SteeringContext,
): { problems: Problem[]; undecided: Problem[] } {
  const tables = steeringTables(graph, context)
  const found = tables.flatMap(steeredAt)
  const told = (wanted: true | undefined): Problem[] =>
    found.filter(({ undecided }) => undecided === wanted).map(({ task, words }) => ({ element: task, reason: words }))
  const [undecided, refused] = [told(true), told(undefined)]
  return { problems: [...refused, ...(tables.length === 0 ? undecidedSteps(graph, context) : [])], undecided }
}

function steeringTables(graph: Graph, context: SteeringContext): Steering[] {
  const tables = context.decisions.flatMap((xml) => answersOf(xml).map((table) => ({ ...table, xml })))
  const conditions = conditionsOf(graph)
  return [...graph.nodes.values()].flatMap((task) => {
    const variable = task.type === 'BusinessRuleTask' ? task.element.resultVariable : undefined
    const table = tables.find(({ decision }) => decision === task.element.decisionRef)
    if (variable === undefined || !table) return []
    const steers = conditions.some((one) => one.variables.includes(variable) && graph.before(one.source).has(task))
    return steers ? [{ task, variable, table, graph, context, conditions }] : []
  })
}

/** The steps that a case can reach without the decision they need, where no table is involved. */
function undecidedSteps(graph: Graph, context: SteeringContext): Problem[] {
  return (context.manifest.floor ?? []).flatMap((floor) => {
    const step = stepWithout(graph, context, { floor, value: () => undefined })
    return step
      ? [{ element: step.id, reason: 'a case comes here though nobody has decided as the flow needs it' }]
      : []
  })
}

interface Steering {
  task: Node
  variable: string
  table: AnsweringTable & { xml: string }
  graph: Graph
  context: SteeringContext
  conditions: readonly Condition[]
}

interface Condition {
  source: Node
  text: string
  variables: readonly string[]
}

function steeredAt(steering: Steering): Steered[] {
  const { task, variable, table, conditions } = steering
  const [column, ...more] = table.outputs
  if (column === undefined || more.length > 0)
    return [{ task: task.id, words: `“${table.name}” has several outputs, and the diagram keeps one` }]
  const asked = conditions.flatMap(({ text }) => asksOf(text)).filter((one) => one.variable === variable)
  if (new Set(table.rows.map(({ outputs }) => outputs[0])).size > MAX_ANSWERS)
    return [{ task: task.id, words: `“${table.name}” has more than ${MAX_ANSWERS} different answers` }]
  const fates = new Map<Known, ReturnType<typeof fateOf>>()
  const fate = (answer: Known) => {
    if (!fates.has(answer)) fates.set(answer, fateOf(steering, answer))
    return fates.get(answer)
  }
  const found = table.rows.flatMap(({ id, outputs }, index): Steered[] => {
    const place = `“${table.name}”, row ${index + 1}, ${column}`
    const about = { task: task.id, rule: id }
    const answer = fixedValue(outputs[0] ?? '')
    const strange = strangeness(outputs[0] ?? '', answer, asked)
    if (strange) return [{ ...about, words: `${place}: ${strange}` }]
    const then = fate(answer)
    if (!then) return []
    const words = `${place}: with “${String(answer ?? outputs[0])}” ${then.words}`
    if (!then.undecided || typeof answer !== 'string' || answer === NO_DESK) return [{ ...about, ...then, words }]
    return [{ ...about, words: `${words}; if that is meant, write “${NO_DESK}”` }]
  })
  return [...found, ...leftOpen(steering), ...notAsked(steering)]
}

/** Why an answer is not among those that the diagram compares with. */
function strangeness(written: string, answer: Known, asked: readonly { literal: string; as: string }[]) {
  if (asked.length === 0) return undefined
  const list = [...new Set(asked.map(({ literal }) => literal))].sort()
  const choice = `it asks for ${list.map((one) => `“${one}”`).join(', ')}, and “${NO_DESK}” is written for no desk`
  if (typeof answer !== 'string')
    return `${written || 'an empty cell'} is no fixed text of those that the diagram asks for; ${choice}`
  if (answer === NO_DESK || asked.some(({ literal, as }) => as === 'whole' && literal === answer)) return undefined
  const parts = answer.split(',').map((part) => part.trim())
  const strange = parts.find((part) => !asked.some(({ literal, as }) => as === 'part' && literal === part))
  if (strange === undefined) return undefined
  return strange === ''
    ? `a name is missing in “${answer}”; ${choice}`
    : `the diagram does not ask for “${strange}”; ${choice}`
}

/** The engine has no result for inputs that no row matches; that must lead to a desk. */
function leftOpen(steering: Steering): Steered[] {
  const { task, table } = steering
  if (table.rows.some(({ appliesAlways }) => appliesAlways)) return []
  const fate = fateOf(steering, null)
  if (!fate) return []
  return analyseTables(table.xml)
    .gaps.filter(({ decision }) => decision === table.decision)
    .map(({ words }) => ({
      task: task.id,
      words: `“${table.name}”: ${words}, and then ${fate.words}; add a row for it`,
    }))
}

/** Before the table is evaluated, its result is missing. */
function notAsked({ task, variable, table, graph, context }: Steering): Steered[] {
  return (context.manifest.floor ?? []).flatMap((floor) => {
    const step = stepWithout(graph, context, {
      floor,
      value: (name) => (name === variable ? null : undefined),
      barrier: task,
    })
    const words = `“${table.name}” is not asked on every way to ${called(step?.element ?? task.element)}, and nobody decides there`
    return step ? [{ task: task.id, words }] : []
  })
}

/** What happens to a case with this answer if nobody decides on it. */
function fateOf(
  { task, variable, graph, context }: Steering,
  answer: Known,
): Pick<Steered, 'words' | 'undecided'> | undefined {
  const value = (name: string) => (name === variable ? answer : undefined)
  for (const floor of context.manifest.floor ?? []) {
    const step = stepWithout(graph, context, { floor, value })
    if (step) return { words: `a case comes to ${called(step.element)} though nobody has decided as the flow needs it` }
  }
  const decides = (node: Node) => asksPeople(node) && (outcomesOf(node.id, node, context)?.length ?? 0) > 1
  const over = ({ type, host }: Node) => type === 'EndEvent' && host === undefined
  const known = knowledgeOf({ graph, context, decides, value })
  return reached(graph, [task], { next: (node) => onwards(node, graph, known), stop: decides, wanted: over })
    ? { words: 'nobody decides on the case', undecided: true }
    : undefined
}

interface Needed {
  floor: NeededDecision
  value: Knowledge['value']
  /** Paths end here. */
  barrier?: Node
}

/** The step that a case can reach without the decision it needs. */
function stepWithout(
  graph: Graph,
  context: SteeringContext,
  { floor: { before, decided, unless = {} }, value, barrier }: Needed,
): Node | undefined {
  const decides = (node: Node) => asksPeople(node) && Object.hasOwn(decided, node.element.formKey ?? '')
  const known = knowledgeOf({
    ...{ graph, context, decides },
    value: (name) => (Object.hasOwn(unless, name) ? !unless[name] : value(name)),
  })
  return reached(graph, graph.starts, {
    // A boundary event can leave a desk without a decision.
    next: (node) => [...(decides(node) ? [] : onwards(node, graph, known)), ...graph.interrupters(node)],
    stop: (node) => node === barrier,
    wanted: ({ element }) => before.includes(element.topic ?? ''),
  })
}

/**
 * What is known on a path without a decision: no desk has agreed, and none has returned the case. A desk of
 * `agreement` has no answer either, because a correction clears what it has not agreed to. The answers of other desks
 * outlive a correction, so they are unknown.
 */
function knowledgeOf({ graph, context, decides, value }: Undecided): Knowledge {
  const agreeing = context.manifest.agreement?.by ?? {}
  const answers = (name: string) => {
    const desk = name.endsWith(OUTCOME) ? graph.nodes.get(name.slice(0, -OUTCOME.length)) : undefined
    return desk !== undefined && decides(desk) && Object.hasOwn(agreeing, desk.id)
  }
  return {
    value: (name) => (answers(name) ? null : value(name)),
    says: (name, literal) => {
      const desk = name === 'agreed' || namesDesks(name, context) ? graph.nodes.get(literal) : undefined
      return desk && decides(desk) ? false : undefined
    },
  }
}

interface Undecided {
  graph: Graph
  context: SteeringContext
  decides(node: Node): boolean
  value: Knowledge['value']
}

/** Whether a variable comes from a field that names a desk which decided before. */
function namesDesks(variable: string, { forms }: SteeringContext): boolean {
  return [...forms.values()].some(({ schema }) => schema.properties?.[variable]?.['x-desk'] !== undefined)
}

function asksPeople({ type, element }: Node): boolean {
  return type === 'UserTask' && offeredTo(element).some((group) => group !== toRequester)
}

/** Where the token continues, as far as conditions are known. */
function onwards(node: Node, graph: Graph, known: Knowledge): Node[] {
  if (node.type !== 'ExclusiveGateway') return graph.next(node)
  const ways: Element[] = []
  for (const way of node.element.outgoing ?? []) {
    const text = way.conditionExpression?.body?.trim()
    if (way === node.element.default) continue
    const taken = text === undefined ? true : holds(text, known)
    if (taken !== false) ways.push(way)
    if (taken === true) return targets(ways, graph)
  }
  return targets([...ways, ...(node.element.default ? [node.element.default] : [])], graph)
}

function targets(ways: readonly Element[], graph: Graph): Node[] {
  return ways.flatMap(({ targetRef }) => graph.nodes.get(targetRef?.id ?? '') ?? [])
}

/**
 * The first wanted node that a token reaches. A parallel join waits for all branches. The token of a non-interrupting
 * event leads nowhere after its end, because its scope continues with the activity.
 */
function reached(
  graph: Graph,
  starts: readonly Node[],
  { next, stop, wanted }: { next(node: Node): Node[]; stop(node: Node): boolean; wanted(node: Node): boolean },
): Node | undefined {
  const arrived = new Map<Node, Set<Node>>()
  const seen = { within: new Set<Node>(), beside: new Set<Node>() }
  const open: Token[] = starts.map((node) => ({ node, at: 'within' }))
  for (let token = open.pop(); token; token = open.pop()) {
    const { node, at, from } = token
    if (seen[at].has(node)) continue
    if (node.type === 'ParallelGateway' && from) {
      const there = arrived.get(node) ?? new Set()
      arrived.set(node, there.add(from))
      if (there.size < (node.element.incoming?.length ?? 0)) continue
    }
    seen[at].add(node)
    if (wanted(node)) return node
    if (stop(node) || (at === 'beside' && endsInSilence(node))) continue
    open.push(...next(node).map((one) => ({ node: one, at: accompanies(one) ? ('beside' as const) : at, from: node })))
  }
  return undefined
}

interface Token {
  node: Node
  /** Whether the token belongs to a non-interrupting event. */
  at: 'within' | 'beside'
  from?: Node
}

function accompanies({ element }: Node): boolean {
  return element.cancelActivity === false || element.isInterrupting === false
}

function endsInSilence({ type, element }: Node): boolean {
  const speaks = ['bpmn:ErrorEventDefinition', 'bpmn:EscalationEventDefinition']
  return type === 'EndEvent' && !(element.eventDefinitions ?? []).some(({ $type }) => speaks.includes($type))
}

function conditionsOf(graph: Graph): Condition[] {
  return [...graph.nodes.values()].flatMap((source) =>
    (source.element.outgoing ?? []).flatMap(({ conditionExpression }) => {
      const text = conditionExpression?.body?.trim()
      if (text === undefined) return []
      const read = readCondition(text)
      return 'variables' in read ? [{ source, text, variables: read.variables }] : []
    }),
  )
}
