import { sendsMail } from '../context.ts'
import type { Node } from '../graph.ts'
import { panelWords } from '../panel-words.ts'
import { extensionsOf, inputsOf, topicOf } from '../read.ts'
import { type Check, attribute, isSending } from './check.ts'

/**
 * Checks a service task or sending event: its topic must exist, its inputs must be set, and its errors must be caught.
 */
export function step(node: Node, { graph, context, known }: Check): string[] {
  const { element } = node
  const [sent] = isSending(node) ? (element.eventDefinitions ?? []) : []
  const asking = sent ?? element
  if (attribute(asking, 'camunda:type') !== 'external')
    return [
      isSending(node)
        ? 'an event that sends does it by a mail of ours'
        : `${panelWords['camunda:topic']}: it does not say what is done`,
    ]
  const name = topicOf(element)
  const topic = context.topics.get(name ?? '')
  if (!topic) return [`there is no topic ${name ?? '(none)'}`]
  if (isSending(node) && name !== sendsMail) return [`an event sends by ${sendsMail}; ${name} is for a service task`]
  if ((topic.schedule ?? false) !== (context.schedule ?? false))
    return [topic.schedule ? `${name} is for schedules` : `${name} works for a case, and a schedule is none`]
  const given = new Set([...Object.keys(inputsOf(element)), ...known(node)])
  return [
    ...topic.needs
      .filter((needed) => !given.has(needed))
      .map((needed) => `${name} needs ${needed}, which nothing sets before`),
    ...topic.raises
      .filter((code) => !graph.catcher(node, code))
      .map((code) => `${name} may raise ${code}, and no boundary event catches it`),
  ]
}

/** Checks a business rule task: its decision must exist, be called correctly, and have its inputs set. */
export function decision(node: Node, { decisions, known }: Check): string[] {
  const { element } = node
  const found = decisions.find(({ id }) => id === element.decisionRef)
  if (!found) return [`there is no decision ${element.decisionRef ?? '(none)'}`]
  const required = ['camunda:decisionRefBinding', 'camunda:resultVariable', 'camunda:mapDecisionResult'] as const
  return [
    ...required
      .filter((name) => attribute(element, name) === undefined)
      .map((name) =>
        name === 'camunda:resultVariable'
          ? `${panelWords[name]}: a decision needs it`
          : `${panelWords[name]}: choose it again, for the model does not say how it is asked`,
      ),
    ...found.reads
      .filter((name) => !known(node).has(name))
      .map((name) => `the decision ${found.id} reads ${name}, which nothing sets before`),
  ]
}

/** Checks a call activity: its process must exist, and it passes the case and only variables that are set. */
export function call(node: Node, { context, known }: Check): string[] {
  const { element } = node
  const given = extensionsOf(element, 'camunda:In')
  const business = given.some(({ businessKey }) => businessKey === '${caseId}')
  const caseId = given.some(({ source, target }) => source === 'caseId' && target === 'caseId')
  return [
    ...(context.processes.has(element.calledElement ?? '')
      ? []
      : [`there is no process ${element.calledElement ?? '(none)'}`]),
    ...(business && caseId ? [] : ['what is called needs the case: pass businessKey ${caseId}, and caseId as caseId']),
    ...given.flatMap(({ source }) =>
      source && !known(node).has(source) ? [`${source} is passed on, but nothing sets it before`] : [],
    ),
  ]
}
