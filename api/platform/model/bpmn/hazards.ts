import { scopesOf } from '../definitions/manifest.ts'
import { type GateContext, countsWorkingDays, scopeKinds, sendsMail } from './context.ts'
import { isoDuration, secondsOf } from './durations.ts'
import type { Graph, Node } from './graph.ts'
import { called, panelWords } from './panel-words.ts'
import { lengthOf, mailOfArea, promiseKinds, readAfter, templateOf } from './promises.ts'
import { type Element, type Problem, fourEyesOf, inputsOf, propertiesOf, topicOf } from './read.ts'

/** Seconds. */
const day = 86_400

/** How a task is offered to the requester. */
export const toRequester = 'user:${requesterId}'

/** Whom a desk is offered to, as the diagram writes it. */
export function offeredTo({ candidateGroups = '' }: Element): string[] {
  return candidateGroups.split(',').map((group) => group.trim())
}

/**
 * Loops that wait for nobody: the engine would walk them for ever, and hold a thread and a transaction meanwhile. What
 * waits is a desk, a step of a worker that is more than a mail or a look at the calendar, a message, and a timer that
 * runs for a time of its own: a date may have passed long ago. An activity that runs once per item of a list is passed
 * at once when the list is empty, and what another process does is not known here.
 */
export function loopsWithoutWait(graph: Graph): Problem[] {
  const restless = [...graph.nodes.values()].filter(passedAtOnce)
  const among = new Set(restless)
  return circlesOf(restless, (node) => onwards(node, graph).filter((one) => among.has(one))).map((circle) => ({
    element: circle[0]!.id,
    reason: `the loop ${named(circle)} waits for nobody, so the engine would never come out of it`,
  }))
}

/**
 * Loops on which a mail is sent though nobody acts and no day passes: whoever gets it would get it again and again. What
 * ends it is a desk or a message, or a timer of a day or more.
 */
export function mailsWithoutEnd(graph: Graph): Problem[] {
  const hurried = [...graph.nodes.values()].filter((node) => passedAtOnce(node) || !waitsForLong(node))
  const among = new Set(hurried)
  return circlesOf(hurried, (node) => onwards(node, graph).filter((one) => among.has(one))).flatMap((circle) => {
    const mail = circle.find(({ element }) => topicOf(element) === sendsMail)
    const reason = `the loop ${named(circle)} sends this mail again and again: nobody acts in it and no day passes`
    return mail ? [{ element: mail.id, reason }] : []
  })
}

function waitsForLong({ type, element }: Node): boolean {
  if (type === 'ServiceTask') return false
  const definition = element.eventDefinitions?.[0]
  if (definition?.$type !== 'bpmn:TimerEventDefinition') return true
  const duration = timeOf(definition).replace(/^R\d*\//, '')
  return isoDuration.test(duration) && secondsOf(duration) >= day
}

/** Processes that call each other, or themselves, before anything waits would begin for ever. */
export function callsAtOnce(process: Element, graph: Graph): Problem[] {
  const itself = ({ host, element }: Node) =>
    host === undefined || element.eventDefinitions?.[0]?.$type === 'bpmn:TimerEventDefinition'
  const begun = new Set(graph.starts.filter((start) => itself(start) && passedAtOnce(start)))
  for (const node of begun) if (passedAtOnce(node)) for (const next of onwards(node, graph)) begun.add(next)
  return [...begun]
    .filter(({ type }) => type === 'CallActivity')
    .map(({ id, element }) => ({
      element: id,
      reason:
        element.calledElement === process.id
          ? 'the process would call itself for ever: nothing waits before'
          : 'a process is called before anything waits: if that one calls this one, both begin for ever',
    }))
}

/** Where a token goes on to at once; behind what runs once per item of a list as well, for the list may be empty. */
function onwards(node: Node, graph: Graph): Node[] {
  const { loopCharacteristics, outgoing = [] } = node.element
  const targets = outgoing.flatMap(({ targetRef }) => graph.nodes.get(targetRef?.id ?? '') ?? [])
  return [...graph.next(node), ...(loopCharacteristics ? targets : [])]
}

function passedAtOnce(node: Node): boolean {
  return !waits(node) || node.element.loopCharacteristics !== undefined
}

function waits({ type, element }: Node): boolean {
  if (type === 'UserTask') return true
  if (type === 'ServiceTask') return element.topic !== sendsMail && element.topic !== countsWorkingDays
  const definition = element.eventDefinitions?.[0]
  if (definition?.$type === 'bpmn:MessageEventDefinition') return !/^(End|IntermediateThrow)Event$/.test(type)
  return definition?.$type === 'bpmn:TimerEventDefinition' && !definition.timeDate && !timeOf(definition).includes('${')
}

function timeOf({ timeDate, timeDuration, timeCycle }: Element): string {
  return ((timeDate ?? timeDuration ?? timeCycle)?.body ?? '').trim()
}

/** The circles among nodes, each as the nodes of one strongly connected part (Tarjan), in the order of the document. */
function circlesOf(nodes: readonly Node[], next: (node: Node) => Node[]): Node[][] {
  const [index, low] = [new Map<Node, number>(), new Map<Node, number>()]
  const [stack, on] = [[] as Node[], new Set<Node>()]
  const circles: Node[][] = []
  const visit = (node: Node): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    on.add(node)
    for (const one of next(node)) {
      if (!index.has(one)) visit(one)
      if (on.has(one)) low.set(node, Math.min(low.get(node)!, low.get(one)!))
    }
    if (low.get(node) !== index.get(node)) return
    const part = new Set(stack.splice(stack.indexOf(node)))
    for (const one of part) on.delete(one)
    if (part.size > 1 || next(node).includes(node)) circles.push(nodes.filter((one) => part.has(one)))
  }
  // As deep as there are nodes: the gate lets at most 500 through.
  for (const node of nodes) if (!index.has(node)) visit(node)
  return circles
}

function named(circle: readonly Node[]): string {
  const shown = circle.slice(0, 5).map(({ element }) => called(element))
  return [...shown, ...(circle.length > shown.length ? [`${circle.length - shown.length} more`] : [])].join(', ')
}

/** Days for which the history of a case is kept: what an auditor replays years later must still be there, and not for ever. */
const keptDays = { least: 1825, most: 3650 }

/**
 * How long the engine keeps what a case did, said by the diagram itself: an engine set up otherwise would else keep it
 * for ever, or a day. A schedule's runs are no cases; they may go earlier.
 */
export function keptLongEnough(process: Element, { schedule }: GateContext): Problem[] {
  const written = (process as Element & { get(name: string): unknown }).get('camunda:historyTimeToLive')
  const least = schedule ? 1 : keptDays.least
  const range = `P${least}D to P${keptDays.most}D`
  if (written === undefined || written === null || written === '')
    return [
      {
        element: process.id,
        reason: `${panelWords.history}: it does not say how long (${range})`,
      },
    ]
  const days = /^P(\d{1,5})D$/.exec(String(written))?.[1]
  return days !== undefined && Number(days) >= least && Number(days) <= keptDays.most
    ? []
    : [
        {
          element: process.id,
          reason: `${panelWords.history}: ${String(written)} is not allowed, only ${range} is`,
        },
      ]
}

/** Whoever reads a diagram, an inbox or a trail reads labels: every step has one, and so has each way out of a fork. */
export function unlabelled(graph: Graph): Problem[] {
  return [...graph.nodes.values()].flatMap(({ type, element }) => {
    if (type === 'TextAnnotation' || type === 'Group' || type === 'Association') return []
    if (!type.endsWith('Gateway')) return said(element) ? [] : [{ element: element.id, reason: 'it has no label' }]
    const ways = element.outgoing ?? []
    if (type !== 'ExclusiveGateway' || ways.length < 2) return []
    return ways.filter((way) => !said(way)).map(({ id }) => ({ element: id, reason: 'the way out has no label' }))
  })
}

function said({ name }: Element): boolean {
  return (name ?? '').trim() !== ''
}

/** Each way out of a fork has a condition or is the one that is taken otherwise; the engine would refuse it, in its own words. */
export function undecidedForks(graph: Graph): Problem[] {
  return [...graph.nodes.values()].flatMap(({ type, element }) => {
    const ways = element.outgoing ?? []
    if (type !== 'ExclusiveGateway') return []
    if (ways.length < 2) return []
    return ways
      .filter((way) => !way.conditionExpression && way !== element.default)
      .map(({ id }) => ({ element: id, reason: 'this way out has no condition and is not the default one' }))
  })
}

/**
 * Why the requester could decide at a desk alone. A desk of roles names the requester among its four eyes; a desk of
 * the requester has a form that is made for them, for at the desk that offers it to them by name they may answer.
 */
export function decidedAlone({ element }: Node, { forms, manifest }: GateContext): Problem[] {
  const offered = offeredTo(element)
  if (offered.includes(toRequester)) {
    const form = element.formKey ?? ''
    return form === manifest.start || forms.get(form)?.schema['x-requester'] === true
      ? []
      : [
          {
            element: element.id,
            reason: `the requester could decide alone: the form ${form} is not one that requesters answer`,
          },
        ]
  }
  return fourEyesOf(element).includes('requester')
    ? []
    : [
        {
          element: element.id,
          reason: `the requester could decide alone, holding the role: “${panelWords.fourEyes}” does not name them`,
          apartFrom: 'requester',
        },
      ]
}

/** A desk that nobody would see, because none of its roles is held now. Nothing where that or a role is not known. */
export function seenByNobody({ element }: Node, { held, roles: known }: GateContext): string[] {
  const roles = offeredTo(element).map((group) => (group === toRequester ? group : group.split('@')[0]!))
  if (!held || roles.some((role) => role === toRequester || held.has(role) || !known.has(role))) return []
  return [`nobody holds ${roles.join(' or ')} now, so nobody would see what waits here`]
}

/**
 * Why a principal is nobody that a diagram may name: it is a role, or a role in a unit of the case by the variable that
 * the server sets. Any other variable could say “12,ADMIN”.
 */
export function whyNobody(principal: string, { manifest, roles }: GateContext): string[] {
  if (principal === '') return ['name a role, or the requester']
  const [, role, kind, variable] = /^([^@:${}#]+?)(?:@([a-z]+):\$\{([A-Za-z]\w*)\})?$/.exec(principal) ?? []
  if (role === undefined) return [`“${principal}” is neither a role nor one that is held for a unit of the case`]
  if (!roles.has(role)) return [`there is no role ${role}`]
  if (kind === undefined) return []
  if (!(scopeKinds as readonly string[]).includes(kind)) return [`there is no kind of unit ${kind}`]
  const held = scopesOf(manifest)
    .filter((scope) => scope.kind === kind)
    .map(({ name }) => `\${${name}Id}`)
  if (held.length === 0) return [`the flow does not say which ${kind} a case belongs to`]
  return held.includes(`\${${variable}}`)
    ? []
    : [`${role}@${kind} is held for ${held.join(' or ')}, not for \${${variable}}`]
}

/** A mail that there is, to somebody whom the case names: no text and no address is typed into a diagram. */
export function mailed({ element }: Node, graph: Graph, context: GateContext): string[] {
  if (topicOf(element) !== sendsMail) return []
  const { template, to = 'requester' } = inputsOf(element)
  const [, desk] = /^(?:desk|above):(.+)$/.exec(to) ?? []
  const { mails } = context
  const nodes = [...graph.nodes.values()]
  const atDesks = new Set(nodes.flatMap((node) => (node.type === 'UserTask' ? offeredTo(node.element) : [])))
  const few = (principal: string) => principal.includes('@') || atDesks.has(principal)
  const reachable =
    desk === undefined
      ? to === 'requester' || to.split(',').every((one) => whyNobody(one, context).length === 0 && few(one))
      : graph.nodes.get(desk)?.type === 'UserTask'
  return [
    ...(template === undefined || !mails || mails.has(template) ? [] : [`there is no mail ${template}`]),
    ...(reachable
      ? []
      : [
          `“${to}” is nobody a mail can go to: requester, desk:<desk>, above:<desk>, a role of one unit or one that has a desk here`,
        ]),
  ]
}

/** Nothing waits for less than a minute, or comes again within a day: that wears the engine down and means nothing to people. */
export function tooShort({ element }: Node): string[] {
  return (element.eventDefinitions ?? []).map(timeOf).flatMap((text) => {
    const duration = text.replace(/^R\d*\//, '')
    if (!isoDuration.test(duration)) return []
    if (secondsOf(duration) < 60) return [`${text} is less than a minute`]
    return duration !== text && secondsOf(duration) < day ? [`${text} comes again within a day`] : []
  })
}

/** The properties of what a desk promises. */
export const promiseProperties: readonly string[] = promiseKinds.flatMap((kind) => [kind, templateOf[kind]])

/** The longest that a promise waits, in seconds: what takes longer than a year is no promise. */
const longest = 365 * day

/**
 * What a desk promises that nobody could keep: what is no time, an escalation that does not come after the reminder, or
 * a mail that does not exist. Only desks promise anything.
 */
export function promisedWrongly({ type, element }: Node, { area, mails }: GateContext): string[] {
  const properties = propertiesOf(element)
  const written = promiseProperties.filter((name) => name in properties) as (keyof typeof panelWords)[]
  if (type !== 'UserTask') return written.map((name) => `${panelWords[name]}: only desks say it`)
  const [remind, escalate] = promiseKinds.map((kind) => readAfter(properties[kind] ?? ''))
  return [
    ...promiseKinds.flatMap((kind) => {
      const [text, template] = [properties[kind], properties[templateOf[kind]]]
      const mail = template ?? mailOfArea(area, kind)
      if (text === undefined)
        return template === undefined ? [] : [`${panelWords[templateOf[kind]]}: ${panelWords[kind]} does not say when`]
      return [
        ...refusedTime(text).map((reason) => `${panelWords[kind]}: ${reason}`),
        ...(!mails || mails.has(mail) ? [] : [`${panelWords[templateOf[kind]]}: there is no mail ${mail}`]),
      ]
    }),
    ...(remind && escalate && lengthOf(escalate) <= lengthOf(remind)
      ? [`${panelWords.escalate}: ${properties['escalate']} is not later than ${properties['remind']}: remind first`]
      : []),
  ]
}

function refusedTime(text: string): string[] {
  const after = readAfter(text)
  if (!after)
    return [`“${text}” is neither workday1 to workday60 nor a duration in days, hours and minutes such as P2D or PT4H`]
  if (lengthOf(after) < 60) return [`${text} is no time at all`]
  return lengthOf(after) > longest ? [`${text} is more than a year`] : []
}

/** What an element needs before the engine takes it at all: each scope one beginning, each event that waits something to wait for. */
export function incomplete(process: Element, graph: Graph): Problem[] {
  const nodes = [...graph.nodes.values()]
  const scopes = [undefined, ...nodes.filter(({ type }) => type === 'SubProcess')]
  return [
    ...scopes.flatMap((scope) => {
      const starts = nodes.filter(({ type, host }) => type === 'StartEvent' && host === scope)
      return starts.length === 1
        ? []
        : [{ element: scope?.id ?? process.id, reason: 'it begins with exactly one start event' }]
    }),
    ...nodes.flatMap(({ id, type, element }) => {
      const count = element.eventDefinitions?.length ?? 0
      if (type.endsWith('Event') && count > 1) return [{ element: id, reason: 'an event is of one kind' }]
      if (type === 'BoundaryEvent' && !graph.nodes.has(element.attachedToRef?.id ?? ''))
        return [{ element: id, reason: 'it stands on the border of nothing' }]
      if ((type === 'BoundaryEvent' || type === 'IntermediateCatchEvent') && count === 0)
        return [{ element: id, reason: 'it does not say what it waits for' }]
      if (type === 'EventBasedGateway' && !onlyEventsFollow(element, graph))
        return [{ element: id, reason: 'only events that wait follow it, at least two' }]
      return []
    }),
  ]
}

function onlyEventsFollow(gateway: Element, graph: Graph): boolean {
  const ways = gateway.outgoing ?? []
  return (
    ways.length > 1 &&
    ways.every(({ targetRef }) => graph.nodes.get(targetRef?.id ?? '')?.type === 'IntermediateCatchEvent')
  )
}
