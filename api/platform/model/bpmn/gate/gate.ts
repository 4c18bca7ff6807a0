import { notAllowed } from '../allowed/allowed.ts'
import type { GateContext } from '../context.ts'
import { decisionsOf, gateDecisions } from '../decisions/decisions.ts'
import { type Check, isSending } from './check.ts'
import { condition } from './conditions.ts'
import { desk } from './desks.ts'
import { duplicates, unwrittenFlows } from './document.ts'
import { event } from './events.ts'
import {
  checkMessages,
  begins,
  checkErrorAreas,
  checkFees,
  checkPlaces,
  mailsOfEntries,
  namesGiven,
  neededDecisions,
} from './flow.ts'
import { extensions, multiInstance, namesSet } from './properties.ts'
import { call, decision, step } from './steps.ts'
import { type Node, graphOf } from '../graph.ts'
import {
  callsAtOnce,
  decidedAlone,
  incomplete,
  checkHistoryTimeToLive,
  loopsWithoutWait,
  mailed,
  mailsWithoutEnd,
  promisedWrongly,
  tooShort,
  undecidedForks,
  unlabelled,
} from './hazards.ts'
import { type Model, type Problem, processesOf } from '../read.ts'
import { lessSeparate } from '../separation.ts'
import { steeringProblems } from './steering.ts'
import { multiplied } from './tokens.ts'
import { variablesKnownAt } from '../variables.ts'

/** Maximum problems reported at once. */
const mostProblems = 100

/**
 * What prevents the deployment of a model; empty if nothing does. First come the permitted elements, attributes and
 * values: a model that passes can run no code, and can read only its variables. Only then it checks that everything it
 * names exists and every path can be followed: topics, forms, roles, statuses, decisions, variables and errors.
 * `hazards.ts` checks whether it could block the engine, let one person decide alone, or lack labels. Problems are in
 * document order within each check, at most 100. What `readModel` accepts bounds the work.
 */
export function gate(model: Model, context: GateContext): Problem[] {
  const problems = problemsIn(model, context)
  const more = problems.length - mostProblems
  if (more <= 0) return problems
  return [...problems.slice(0, mostProblems), { element: 'definitions', reason: `and ${more} more problems` }]
}

function problemsIn(model: Model, context: GateContext): Problem[] {
  const forbidden = [...notAllowed(model.document), ...duplicates(model), ...unwrittenFlows(model), ...model.warnings]
  if (forbidden.length > 0) return forbidden

  const [process, ...others] = processesOf(model.definitions)
  if (!process || others.length > 0) return [{ element: 'definitions', reason: 'a model has exactly one process' }]
  if (process.id !== context.manifest.process)
    return [{ element: process.id, reason: `the process of this flow is ${context.manifest.process}` }]
  if (process.isExecutable !== true)
    return [{ element: process.id, reason: 'it is not marked as one that runs (isExecutable)' }]

  const graph = graphOf(process)
  const refusedDecisions = context.decisions.flatMap(gateDecisions)
  if (refusedDecisions.length > 0) return refusedDecisions
  const decisions = context.decisions.flatMap(decisionsOf)

  const check: Check = { graph, context, decisions, known: variablesKnownAt(graph, context) }
  return [
    ...checkHistoryTimeToLive(process, context),
    ...incomplete(process, graph),
    ...loopsWithoutWait(graph),
    ...mailsWithoutEnd(graph),
    ...multiplied(graph),
    ...callsAtOnce(process, graph),
    ...(context.floor ? lessSeparate(graph, context.floor) : []),
    ...unlabelled(graph),
    ...undecidedForks(graph),
    ...neededDecisions(process, context),
    ...steeringProblems(graph, context).problems,
    ...begins(process, graph, context),
    ...checkMessages(model, process, context),
    ...checkPlaces(process, graph, context),
    ...checkFees(graph, context),
    ...checkErrorAreas(model, context),
    ...mailsOfEntries(process, graph, context),
    ...namesGiven(process, graph, context),
    ...[...graph.nodes.values()].flatMap((node) => nodeProblems(node, check)),
    ...[...graph.nodes.values()]
      .flatMap(({ element }) => element.outgoing ?? [])
      .flatMap((flow) => condition(flow, check)),
  ]
}

function nodeProblems(node: Node, check: Check): Problem[] {
  const reasons = [
    ...(node.type === 'UserTask' ? desk(node, check) : []),
    ...mailed(node, check.graph, check.context),
    ...tooShort(node),
    ...promisedWrongly(node, check.context),
    ...(node.type === 'ServiceTask' || isSending(node) ? step(node, check) : []),
    ...(node.type === 'BusinessRuleTask' ? decision(node, check) : []),
    ...(node.type === 'CallActivity' ? call(node, check) : []),
    ...event(node, check),
    ...extensions(node, check),
    ...multiInstance(node, check),
    ...namesSet(node),
  ]
  return [
    ...(node.type === 'UserTask' ? decidedAlone(node, check.context) : []),
    ...reasons.map((reason) => ({ element: node.id, reason })),
  ]
}
