import { notAllowed } from './allowed.ts'
import { type GateContext, bookerConfirmed, countsWorkingDays, ofArea, sendsMail } from './context.ts'
import { type Decision, decisionsOf, gateDecisions } from './decisions.ts'
import { type Reading, readCondition, readIdentifier, readList, readTemplate } from './expressions.ts'
import { type Graph, type Node, graphOf } from './graph.ts'
import {
  callsAtOnce,
  decidedAlone,
  incomplete,
  keptLongEnough,
  loopsWithoutWait,
  mailsWithoutEnd,
  mailed,
  offeredTo,
  promiseProperties,
  promisedWrongly,
  seenByNobody,
  toRequester,
  tooShort,
  undecidedForks,
  unlabelled,
  whyNobody,
} from './hazards.ts'
import { called, panelWords } from './panel-words.ts'
import {
  type Element,
  type Extension,
  type Model,
  type Problem,
  extensionsOf,
  inputsOf,
  processesOf,
  propertiesOf,
  topicOf,
} from './read.ts'
import { lessSeparate } from './separation.ts'
import { statusList } from './statuses.ts'
import { steeringProblems } from './steering.ts'
import { multiplied } from './tokens.ts'
import { isServers, outcomesOf, outcomesOfForm, variablesKnownAt, variablesOfForm } from './variables.ts'
import { descendants } from './xml.ts'

/** Whoever mends a model reads no more at once. */
const mostProblems = 100

/**
 * What keeps a model from being deployed; empty when nothing does. First the list of elements, attributes and values
 * that may stand in a model at all: a model that passes it can run no code and read nothing but its variables. Then,
 * only if that holds, whether everything that it names exists and every path can be followed: topics, forms, roles,
 * statuses, decisions, variables, errors; and whether it could hold the engine up, be decided by one person alone, or
 * say nothing to whoever reads it (`hazards.ts`). The order of the problems is that of the document within each check;
 * at most 100 are told. The work is bounded by what `readModel` reads at all.
 */
export function gate(model: Model, context: GateContext): Problem[] {
  const problems = problemsIn(model, context)
  const more = problems.length - mostProblems
  if (more <= 0) return problems
  return [...problems.slice(0, mostProblems), { element: 'definitions', reason: `and ${more} problems more` }]
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
    ...keptLongEnough(process, context),
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
    ...awaited(model, process, context),
    ...foreignErrors(model, context),
    ...namesGiven(process, graph, context),
    ...[...graph.nodes.values()].flatMap((node) => nodeProblems(node, check)),
    ...[...graph.nodes.values()]
      .flatMap(({ element }) => element.outgoing ?? [])
      .flatMap((flow) => condition(flow, check)),
  ]
}

interface Check {
  graph: Graph
  context: GateContext
  decisions: readonly Decision[]
  known: (node: Node) => ReadonlySet<string>
}

/** A flow begins when somebody asks for it; a schedule at certain times, and it is nobody's case. */
function begins(process: Element, graph: Graph, { schedule }: GateContext): Problem[] {
  const top = graph.starts.filter(({ host }) => host === undefined)
  const timed = top.filter((start) => timerOf(start)?.timeCycle)
  if (!schedule)
    return top
      .filter(({ element }) => (element.eventDefinitions ?? []).length > 0)
      .map(({ id }) => ({ element: id, reason: 'a flow begins when somebody asks for it, by no event of its own' }))
  return [
    ...(top.length === 1 && timed.length === 1
      ? []
      : [{ element: process.id, reason: 'a schedule begins with one timer that comes again (timeCycle)' }]),
    ...[...graph.nodes.values()]
      .filter(({ type }) => type === 'UserTask')
      .map(({ id }) => ({ element: id, reason: 'a schedule is nobody’s case, so it has no desks' })),
  ]
}

function timerOf({ element }: Node): Element | undefined {
  return element.eventDefinitions?.find(({ $type }) => $type === 'bpmn:TimerEventDefinition')
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

/** A user task: offered to roles that exist, with a form that exists. */
function desk(node: Node, check: Check): string[] {
  const { context } = check
  const { element } = node
  const written = (name: string) => attribute(element, name)
  const form = element.formKey
  return [
    ...candidates(element, context),
    ...seenByNobody(node, context),
    ...(form === undefined ? [`${panelWords['camunda:formKey']}: a desk needs one`] : []),
    ...(form !== undefined && !context.forms.has(form) ? [`there is no form ${form}`] : []),
    ...(form === context.manifest.start && !offeredTo(element).includes(toRequester)
      ? [`${panelWords['camunda:candidateGroups']}: what was asked for is corrected by the requester`]
      : []),
    ...(['camunda:dueDate', 'camunda:followUpDate', 'camunda:priority'] as const).flatMap((name) => {
      const value = written(name)
      const reasons = value?.includes('${') ? unknown(readIdentifier(value.trim()), node, check) : []
      return reasons.map((reason) => `${panelWords[name]}: ${reason}`)
    }),
  ]
}

function candidates(element: Element, context: GateContext): string[] {
  return offeredTo(element)
    .filter((group) => group !== toRequester)
    .flatMap((group) => whyNobody(group, context))
    .map((reason) => `${panelWords['camunda:candidateGroups']}: ${reason}`)
}

/** A service task, or an event that sends: a topic that exists, fed with what it needs, its errors caught. */
function step(node: Node, { graph, context, known }: Check): string[] {
  const { element } = node
  const asking = isSending(node) ? element.eventDefinitions![0]! : element
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

function decision(node: Node, { decisions, known }: Check): string[] {
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

function call(node: Node, { context, known }: Check): string[] {
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

/** Timers wait for something known and lead to desks only past a fresh count of working days; errors are caught. */
function event(node: Node, check: Check): string[] {
  const { graph } = check
  return (node.element.eventDefinitions ?? []).flatMap((definition) => {
    switch (definition.$type) {
      case 'bpmn:TimerEventDefinition': {
        const times = [definition.timeDate, definition.timeDuration, definition.timeCycle].filter((time) => time)
        const text = times[0]?.body?.trim() ?? ''
        return [
          ...(times.length === 1 ? [] : ['a timer has one date, duration or cycle']),
          ...(node.host !== undefined && definition.timeCycle && !text.startsWith('R')
            ? ['only a schedule as a whole begins at times of day']
            : []),
          ...(text.includes('${') ? unknown(readIdentifier(text), node, check) : []),
          ...desksReachedLate(node, graph).map(
            ({ element }) =>
              `time passes before ${called(element)}: the path there must first pass the topic ${countsWorkingDays}`,
          ),
        ]
      }
      case 'bpmn:MessageEventDefinition':
        if (isSending(node)) return []
        return [
          ...(definition.messageRef?.name ? [] : ['a message event needs a message with a name']),
          ...(definition.topic ? ['an event that waits has no topic'] : []),
        ]
      case 'bpmn:EscalationEventDefinition':
        return definition.escalationRef?.escalationCode ? [] : ['an escalation event needs an escalation with a code']
      case 'bpmn:ErrorEventDefinition': {
        const code = definition.errorRef?.errorCode
        if (definition.errorRef && !code) return ['an error needs a code']
        if (node.type !== 'EndEvent') return []
        if (code === undefined) return ['an error end event needs an error']
        return graph.catcher(node, code) ? [] : [`nothing catches ${code}, so it would end the case in silence`]
      }
      default:
        return [`${definition.$type} is not allowed`]
    }
  })
}

/** The desks that a token can reach from a timer without passing the count of working days. */
function desksReachedLate(timer: Node, graph: Graph): Node[] {
  // A reminder beside a desk takes nothing further when it ends: what follows its scope follows the desk's decision.
  const accompanies = timer.element.cancelActivity === false || timer.element.isInterrupting === false
  const around = new Set<Node>()
  for (let host = timer.host; host; host = host.host) around.add(host)
  const stops = ({ type, element, host }: Node) =>
    type === 'UserTask' ||
    (type === 'ServiceTask' && element.topic === countsWorkingDays) ||
    (accompanies &&
      type === 'EndEvent' &&
      (element.eventDefinitions ?? []).every(({ $type }) => $type === 'bpmn:MessageEventDefinition') &&
      host !== undefined &&
      around.has(host))
  return [...graph.from(graph.next(timer), stops)].filter(({ type }) => type === 'UserTask')
}

/** Properties and input parameters. */
function extensions(node: Node, check: Check): string[] {
  const { graph, context } = check
  const { element, type } = node
  const inputs = inputsOf(element)
  const properties = Object.entries(propertiesOf(element)).flatMap(([name, value]) => {
    const list = statusList(name)
    if (list !== undefined) {
      const key = context.manifest.statusLists[list]
      if (!['UserTask', 'IntermediateThrowEvent', 'IntermediateCatchEvent', 'EndEvent'].includes(type))
        return [`only user tasks, intermediate and end events give a status, not a ${type}`]
      if (key === undefined) return [`the flow has no status list ${list}`]
      return context.statusLists.get(key)?.includes(value) ? [] : [`${value} is no state of the list ${key}`]
    }
    if (promiseProperties.includes(name)) return []
    if (name !== 'fourEyes') return [`there is no property ${name}`]
    if (type !== 'UserTask') return [`${panelWords.fourEyes}: only desks say it`]
    const before = graph.before(node)
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== 'requester')
      .filter((one) => {
        const other = graph.nodes.get(one)
        if (other?.type !== 'UserTask') return true
        return !before.has(other) && (other === node || graph.before(other).has(node))
      })
      .map(
        (one) =>
          `${panelWords.fourEyes}: ${called(graph.nodes.get(one)?.element ?? { id: one })} is no desk before or beside this one`,
      )
  })
  return [
    ...properties,
    ...(Object.keys(inputs).length > 0 && type !== 'ServiceTask' && !isSending(node)
      ? ['only service tasks and events that send have input parameters']
      : []),
    ...Object.values(inputs).flatMap((text) => unknown(readTemplate(text), node, check)),
    ...(type === 'CallActivity' ? [] : passing(element).map(() => 'only call activities pass variables')),
  ]
}

function multiInstance(node: Node, { known }: Check): string[] {
  const loop = node.element.loopCharacteristics
  if (!loop) return []
  if (!loop.collection) return ['a multi-instance activity needs a collection ${csv.list(identifier)}']
  const read = readList(loop.collection)
  if ('refused' in read) return [read.refused]
  return read.variables.filter((name) => !known(node).has(name)).map((name) => `nothing sets ${name} before`)
}

/** A model may not set what only the server sets: such values reach candidate groups. */
function namesSet({ element }: Node): string[] {
  const names = [
    element.resultVariable,
    element.loopCharacteristics?.elementVariable,
    ...Object.keys(inputsOf(element)),
    ...passing(element).map(({ source, target }) => (source === target ? undefined : target)),
  ]
  return names.flatMap((name) => (name !== undefined && isServers(name) ? [`only the server sets ${name}`] : []))
}

/** Neither may what comes in from outside of the model: what rules derive, forms declare and workers give. */
function namesGiven(process: Element, graph: Graph, context: GateContext): Problem[] {
  const { manifest } = context
  const nodes = [...graph.nodes.values()]
  const forms = new Set([
    manifest.start,
    ...(manifest.acts ?? []).map(({ form }) => form),
    ...nodes.flatMap(({ element }) => element.formKey ?? []),
  ])
  const topics = new Set(nodes.flatMap(({ element }) => topicOf(element) ?? []))
  const given = [
    ...(manifest.derives ?? []).map((name) => [name, 'derives']),
    ...Object.keys(manifest.variables ?? {}).map((name) => [name, 'variables']),
    ...[...forms].flatMap((form) => variablesOfForm(context, form).map((name) => [name, `form ${form}`])),
    // What the platform's own topics count is the server's.
    ...[...topics]
      .filter((topic) => !topic.startsWith('platform.'))
      .flatMap((topic) => (context.topics.get(topic)?.gives ?? []).map((name) => [name, `topic ${topic}`])),
  ] as [string, string][]
  return given
    .filter(([name]) => isServers(name))
    .map(([name, where]) => ({ element: process.id, reason: `only the server sets ${name} (${where})` }))
}

/** Whether a node is an event that sends: thrown on the way or at an end, with a message. */
function isSending({ type, element }: Node): boolean {
  return (
    (type === 'EndEvent' || type === 'IntermediateThrowEvent') &&
    element.eventDefinitions?.[0]?.$type === 'bpmn:MessageEventDefinition'
  )
}

function passing(element: Element): Extension[] {
  return [...extensionsOf(element, 'camunda:In'), ...extensionsOf(element, 'camunda:Out')]
}

function condition(flow: Element, { graph, context, known }: Check): Problem[] {
  const text = flow.conditionExpression?.body?.trim()
  const source = graph.nodes.get(flow.sourceRef?.id ?? '')
  if (text === undefined || !source) return []
  if (source.type !== 'ExclusiveGateway')
    return [{ element: flow.id, reason: 'only an exclusive gateway has conditions' }]
  const read = readCondition(text)
  if ('refused' in read) return [{ element: flow.id, reason: read.refused }]
  const reasons = [
    ...read.variables
      .filter((name) => !known(source).has(name))
      .map((name) => {
        const other = name.endsWith('_outcome') ? graph.nodes.get(name.slice(0, -'_outcome'.length)) : undefined
        return other
          ? `the condition reads the outcome of ${called(other.element)}, which is not before it`
          : `the condition reads ${name}, which nothing sets before it`
      }),
    ...read.comparisons.flatMap(({ variable, literal }) => {
      const outcomes = outcomesOf(graph.nodes.get(variable.replace(/_outcome$/, '')), context)
      return variable.endsWith('_outcome') && outcomes && !outcomes.includes(literal)
        ? [`${variable} is never “${literal}”, only ${outcomes.join(', ')}`]
        : []
    }),
  ]
  return reasons.map((reason) => ({ element: flow.id, reason }))
}

/** What the flow needs decided before a step can be decided: by forms and answers that there are. */
function neededDecisions(process: Element, { manifest, forms, topics }: GateContext): Problem[] {
  const reasons = (manifest.floor ?? []).flatMap(({ before, decided, unless = {} }) => [
    ...before.filter((topic) => !topics.has(topic)).map((topic) => `there is no topic ${topic}`),
    ...Object.entries(decided).flatMap(([key, outcomes]) => {
      const offered = outcomesOfForm(forms.get(key)?.schema)
      if (!offered) return [`there is no form ${key} with outcomes`]
      return outcomes.filter((one) => !offered.includes(one)).map((one) => `${key} has no outcome ${one}`)
    }),
    ...Object.keys(unless)
      .filter((name) => !manifest.derives?.includes(name))
      .map((name) => `the flow does not derive ${name}`),
  ])
  return reasons.map((reason) => ({ element: process.id, reason: `${reason} (floor)` }))
}

/** Something waits for each message that the manifest lets people send, and the forms of acts exist. */
function awaited(model: Model, process: Element, { manifest, forms }: GateContext): Problem[] {
  const caught = new Set(
    descendants(model.document)
      .filter(({ name }) => name === 'bpmn:messageEventDefinition')
      .map(
        ({ attributes }) => model.definitions.rootElements?.find(({ id }) => id === attributes.get('messageRef'))?.name,
      ),
  )
  const messages: [string, string][] = [
    ...(manifest.withdraw === undefined ? [] : [[manifest.withdraw, 'withdraw'] as [string, string]]),
    ...(manifest.public ? [[bookerConfirmed, 'public'] as [string, string]] : []),
    ...(manifest.acts ?? []).map(({ name, message }): [string, string] => [message, `act ${name}`]),
  ]
  const reasons = [
    ...messages
      .filter(([message]) => !caught.has(message))
      .map(([message, why]) => `nothing waits for the message ${message} (${why})`),
    ...(manifest.acts ?? [])
      .filter(({ form }) => !forms.has(form))
      .map(({ name, form }) => `there is no form ${form} (act ${name})`),
  ]
  return reasons.map((reason) => ({ element: process.id, reason }))
}

/** An error belongs to the area of the flow, or to the platform: it is what people are told of. */
function foreignErrors({ definitions }: Model, { area }: GateContext): Problem[] {
  return (definitions.rootElements ?? [])
    .filter(({ $type, errorCode }) => $type === 'bpmn:Error' && errorCode && !ofArea(area, errorCode))
    .map(({ id, errorCode }) => ({ element: id, reason: `${errorCode} is an error of another area` }))
}

function unknown(read: Reading, node: Node, { known }: Check): string[] {
  if ('refused' in read) return [read.refused]
  return read.variables.filter((name) => !known(node).has(name)).map((name) => `nothing sets ${name} before`)
}

/** Ids are unique: a second element of the same id could hide from one of its readers. */
function duplicates({ document }: Model): Problem[] {
  const seen = new Set<string>()
  return descendants(document).flatMap(({ attributes }) => {
    const id = attributes.get('id')
    if (id === undefined || !seen.has(id)) return id === undefined ? [] : (seen.add(id), [])
    return [{ element: id, reason: 'the id is there twice' }]
  })
}

/** Incoming and outgoing flows are written on both ends, because a second engine insists. */
function unwrittenFlows({ document }: Model): Problem[] {
  return [document, ...descendants(document)].flatMap((scope) => {
    const flows = scope.children.filter(({ name }) => name === 'bpmn:sequenceFlow')
    const ends = (end: string) => Map.groupBy(flows, ({ attributes }) => attributes.get(end))
    const drawnAt = new Map(['sourceRef', 'targetRef'].map((end) => [end, ends(end)]))
    return scope.children.flatMap((node) => {
      const id = node.attributes.get('id')
      if (id === undefined || node.name === 'bpmn:sequenceFlow') return []
      const differs = (end: string, list: string) => {
        const drawn = (drawnAt.get(end)!.get(id) ?? []).map((flow) => flow.attributes.get('id'))
        const written = node.children.filter(({ name }) => name === list).map(({ text }) => text.trim())
        return [...drawn].sort().join() !== [...written].sort().join()
      }
      return [
        ...(differs('targetRef', 'bpmn:incoming')
          ? [{ element: id, reason: 'its incoming flows are not written on it' }]
          : []),
        ...(differs('sourceRef', 'bpmn:outgoing')
          ? [{ element: id, reason: 'its outgoing flows are not written on it' }]
          : []),
      ]
    })
  })
}

function attribute(element: Element, name: string): string | undefined {
  const value = (element as Element & { get(name: string): unknown }).get(name)
  return value === undefined || value === null ? undefined : String(value)
}
