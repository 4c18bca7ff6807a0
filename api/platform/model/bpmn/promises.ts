import { sendsMail } from './context.ts'
import { secondsOf } from './durations.ts'
import type { Graph, Node } from './graph.ts'
import { type Element, inputsOf, propertiesOf, topicOf } from './read.ts'

/** The candidate that offers a task to the requester. */
export const toRequester = 'user:${requesterId}'

/** The candidates of a desk, as written in the diagram. */
export function offeredTo({ candidateGroups = '' }: Element): string[] {
  return candidateGroups.split(',').map((group) => group.trim())
}

/** What a desk promises: a reminder to the person who has the task, and an escalation to the people above. */
export const promiseKinds = ['remind', 'escalate'] as const
export type PromiseKind = (typeof promiseKinds)[number]

/** Properties that replace the area's default mail. */
export const templateOf = { remind: 'remindTemplate', escalate: 'escalateTemplate' } as const

/** Delay after the start of a task: to the end of the nth working day after it, or a duration. */
export type After = { workdays: number } | { seconds: number }

/** One promise of a desk, from its properties. */
export interface DeskPromise {
  kind: PromiseKind
  after: After
  /** Prefix of the mail's text keys; undefined for the area's default. */
  template: string | undefined
}

/** A timer at a desk that only sends a mail to its people. Older diagrams drew promises this way. */
export interface TellingTimer {
  kind: PromiseKind
  desk: string
  timer: string
  /** The event that sends. */
  mail: string
}

const workdays = /^workday([1-9]|[1-5]\d|60)$/
const duration = /^P(?=.)(\d{1,5}D)?(T(?=.)(\d{1,5}H)?(\d{1,6}M)?)?$/

/** Undefined unless it is `workday1` to `workday60`, or a duration in days, hours and minutes. */
export function readAfter(text: string): After | undefined {
  const days = workdays.exec(text)?.[1]
  if (days !== undefined) return { workdays: Number(days) }
  return duration.test(text) ? { seconds: secondsOf(text) } : undefined
}

/** Seconds; a working day counts as a day. */
export function lengthOf(after: After): number {
  return 'workdays' in after ? after.workdays * 86_400 : after.seconds
}

/** The promises in a desk's properties. The gate has rejected invalid ones. */
export function promisesOf(desk: Element): DeskPromise[] {
  const properties = propertiesOf(desk)
  return promiseKinds.flatMap((kind) => {
    const after = readAfter(properties[kind] ?? '')
    return after ? [{ kind, after, template: properties[templateOf[kind]] }] : []
  })
}

/** The default mail of a promise: `resignations.mail.reminder`. */
export function mailOfArea(area: string, kind: PromiseKind): string {
  return `${area}.mail.${kind === 'remind' ? 'reminder' : 'escalation'}`
}

/** Name of a kept promise among the elements of a path: `userTask_approve.remind`. */
export function promiseAt(desk: string, kind: PromiseKind): string {
  return `${desk}.${kind}`
}

/** The desk of such a name; the name of an element is returned unchanged. */
export function elementOf(id: string): string {
  return id.replace(/\.(remind|escalate)$/, '')
}

/** A path in which timers that only send a mail appear as promises. */
export function withPromises(path: readonly string[], telling: readonly TellingTimer[]): string[] {
  const mails = new Set(telling.map(({ mail }) => mail))
  const timers = new Map(telling.map(({ timer, desk, kind }) => [timer, promiseAt(desk, kind)]))
  return path.filter((id) => !mails.has(id)).map((id) => timers.get(id) ?? id)
}

/** Whether a desk is offered to the requester. */
export function isOfRequester(desk: Element): boolean {
  return offeredTo(desk).includes(toRequester)
}

/** The timers of a process that only send a mail to the people of a desk. */
export function tellingTimers(graph: Graph): TellingTimer[] {
  return [...graph.nodes.values()].flatMap((timer) => {
    const desk = graph.nodes.get(timer.element.attachedToRef?.id ?? '')
    const waits = timer.element.eventDefinitions?.[0]?.$type === 'bpmn:TimerEventDefinition'
    if (desk?.type !== 'UserTask' || !waits || timer.element.cancelActivity !== false) return []
    const [mail, ...others] = graph.next(timer)
    const kind = mail && others.length === 0 ? toldBy(mail, desk) : undefined
    return kind && mail ? [{ kind, desk: desk.id, timer: timer.id, mail: mail.id }] : []
  })
}

function toldBy({ type, element }: Node, desk: Node): PromiseKind | undefined {
  if (type !== 'EndEvent' || topicOf(element) !== sendsMail) return undefined
  const { to = 'requester' } = inputsOf(element)
  if (to === `above:${desk.id}`) return 'escalate'
  return to === `desk:${desk.id}` || (to === 'requester' && isOfRequester(desk.element)) ? 'remind' : undefined
}
