import { known } from '../../../kernel/known.ts'
import { circlesOf } from '../../../kernel/circles.ts'
import { askedIn } from '../../definitions/mailed-question.ts'
import { type Manifest, scopesOf } from '../../definitions/manifest.ts'
import { type GateContext, countsWorkingDays, scopeKinds, sendsMail } from '../context.ts'
import { isoDuration, secondsOf } from '../durations.ts'
import type { Graph, Node } from '../graph.ts'
import { called, panelWords } from '../panel-words.ts'
import { lengthOf, mailOfArea, offeredTo, promiseKinds, readAfter, templateOf, toRequester } from '../promises.ts'
import { type Element, type Problem, fourEyesOf, inputsOf, propertiesOf, topicOf } from '../read.ts'

/** Seconds. */
const day = 86_400

/**
 * Loops without a wait: the engine would run them forever and block a thread and a transaction. A wait is a desk, a
 * worker's step (but not a mail or calendar look-up), a message, or a timer with a duration; a date may have passed
 * already. A multi-instance activity does not wait if its list is empty, and what a called process does is not known
 * here.
 */
export function loopsWithoutWait(graph: Graph): Problem[] {
  const restless = [...graph.nodes.values()].filter(passedAtOnce)
  const among = new Set(restless)
  return circlesOf(restless, (node) => onwards(node, graph).filter((one) => among.has(one))).map((circle) => ({
    element: known(circle[0], 'a node of the loop').id,
    reason: `the loop ${named(circle)} waits for nothing, so the engine would never leave it`,
  }))
}

/**
 * Loops that send a mail although nobody acts and no day passes: the recipient would get it over and over. A desk, a
 * message, or a timer of a day or more breaks the loop.
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

/** Processes that call each other, or themselves, before anything waits: they would start forever. */
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

/** Where a token continues at once, also after a multi-instance activity, because its list may be empty. */
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

function named(circle: readonly Node[]): string {
  const shown = circle.slice(0, 5).map(({ element }) => called(element))
  return [...shown, ...(circle.length > shown.length ? [`${circle.length - shown.length} more`] : [])].join(', ')
}

/** How long histories of cases are kept, in days: auditors may need them years later, but not forever. */
const keptDays = { least: 1825, most: 3650 }

/**
 * The diagram must set its history time to live. Otherwise the engine's configuration decides: a day, or forever. Runs
 * of a schedule are no cases and may expire earlier.
 */
export function checkHistoryTimeToLive(process: Element, { schedule }: GateContext): Problem[] {
  const written = process.get('camunda:historyTimeToLive')
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

/** People read labels in diagrams, inboxes and histories, so every step and every path out of a gateway needs one. */
export function unlabelled(graph: Graph): Problem[] {
  return [...graph.nodes.values()].flatMap(({ type, element }) => {
    if (type === 'TextAnnotation' || type === 'Group' || type === 'Association') return []
    if (!type.endsWith('Gateway')) return said(element) ? [] : [{ element: element.id, reason: 'it has no label' }]
    const ways = element.outgoing ?? []
    if (type !== 'ExclusiveGateway' || ways.length < 2) return []
    return ways.filter((way) => !said(way)).map(({ id }) => ({ element: id, reason: 'the path has no label' }))
  })
}

function said({ name }: Element): boolean {
  return (name ?? '').trim() !== ''
}

/** Each path out of a gateway needs a condition or is the default; the engine would reject it with its own message. */
export function undecidedForks(graph: Graph): Problem[] {
  return [...graph.nodes.values()].flatMap(({ type, element }) => {
    const ways = element.outgoing ?? []
    if (type !== 'ExclusiveGateway') return []
    if (ways.length < 2) return []
    return ways
      .filter((way) => !way.conditionExpression && way !== element.default)
      .map(({ id }) => ({ element: id, reason: 'this path has no condition and is not the default one' }))
  })
}

/**
 * Why the requester could decide at a desk alone. A desk of roles must exclude the requester in its four-eyes rule. A
 * desk of the requester needs a form made for requesters, because they may answer it.
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

/** Why nobody would see a desk: none of its roles has a holder now. Empty if holders or a role are unknown. */
export function seenByNobody({ element }: Node, { held, roles: existing }: GateContext): string[] {
  const roles = offeredTo(element).map((group) => {
    const [role = group] = group.split('@')
    return group === toRequester ? group : role
  })
  if (!held || roles.some((role) => role === toRequester || held.has(role) || !existing.has(role))) return []
  return [`nobody holds ${roles.join(' or ')} now, so nobody would see what waits here`]
}

/** The variable of a candidate that is a person that a step has named: `user:${driverId}`; undefined for others. */
export function personAt(principal: string): string | undefined {
  return principal === toRequester ? undefined : /^user:\$\{([A-Za-z]\w*)\}$/.exec(principal)?.[1]
}

/** The title in the manifest of a candidate that is a person that a step has named; undefined for others. */
export function titleOfPerson(principal: string, { people = {} }: Pick<Manifest, 'people'>): string | undefined {
  const person = personAt(principal)
  return Object.entries(people).find(([name]) => `${name}Id` === person)?.[1]
}

/**
 * Why a candidate is not valid: it must be a role, or a role at a unit of the case through a variable that the server
 * sets. Other variables could contain “12,ADMIN”.
 */
export function whyNobody(principal: string, { manifest, roles }: GateContext): string[] {
  if (principal === '') return ['name a role, or the requester']
  const person = personAt(principal)
  if (person !== undefined)
    return titleOfPerson(principal, manifest) !== undefined
      ? []
      : [`the flow does not say that its steps name somebody as \${${person}}`]
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

/**
 * Checks a mail: its template must exist, and the case must name the recipient. A diagram contains no texts or
 * addresses.
 */
export function mailed({ element }: Node, graph: Graph, context: GateContext): string[] {
  if (topicOf(element) !== sendsMail) return []
  const { template, to = 'requester' } = inputsOf(element)
  const [, desk] = /^(?:desk|above):(.+)$/.exec(to) ?? []
  const { mails } = context
  const nodes = [...graph.nodes.values()]
  const atDesks = new Set(nodes.flatMap((node) => (node.type === 'UserTask' ? offeredTo(node.element) : [])))
  const asked = askedIn(to)
  const few = (principal: string) => principal.includes('@') || atDesks.has(principal)
  const isReachable = (one: string) => one === 'requester' || (whyNobody(one, context).length === 0 && few(one))
  const reachable =
    asked !== undefined
      ? asked in (context.manifest.asks ?? {})
      : desk === undefined
        ? to.split(',').every(isReachable)
        : graph.nodes.get(desk)?.type === 'UserTask'
  return [
    ...(template === undefined || !mails || mails.has(template) ? [] : [`there is no mail ${template}`]),
    ...(reachable
      ? []
      : [
          `“${to}” is nobody a mail can go to: requester, desk:<desk>, above:<desk>, asked:<question>, a role of one unit or one that has a desk here`,
        ]),
  ]
}

/**
 * Timers must wait a minute or more, and repeat at most once a day: shorter ones burden the engine and mean nothing to
 * people.
 */
export function tooShort({ element }: Node): string[] {
  return (element.eventDefinitions ?? []).map(timeOf).flatMap((text) => {
    const duration = text.replace(/^R\d*\//, '')
    if (!isoDuration.test(duration)) return []
    if (secondsOf(duration) < 60) return [`${text} is less than a minute`]
    return duration !== text && secondsOf(duration) < day ? [`${text} comes again within a day`] : []
  })
}

const propertiesOfPromises = promiseKinds.flatMap((kind) => [kind, templateOf[kind]])

/** The properties of a desk's promises. */
export const promiseProperties: readonly string[] = propertiesOfPromises

/** Longest delay of a promise, in seconds. */
const longest = 365 * day

/**
 * Promises that nobody could keep: an invalid delay, an escalation that is not after the reminder, or a mail that does
 * not exist. Only desks can have promises.
 */
export function promisedWrongly({ type, element }: Node, { area, mails }: GateContext): string[] {
  const properties = propertiesOf(element)
  const written = propertiesOfPromises.filter((name) => name in properties)
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

/**
 * What the engine requires of an element: each scope has one start event, each waiting event has something to wait for.
 */
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
        return [{ element: id, reason: 'it is attached to nothing' }]
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
