import { sendsMail } from './context.ts'
import { secondsOf } from './durations.ts'
import type { Graph, Node } from './graph.ts'
import { type Element, inputsOf, propertiesOf, topicOf } from './read.ts'

/** What a desk promises: the person who has a task there is reminded, and those above are told that it still waits. */
export const promiseKinds = ['remind', 'escalate'] as const
export type PromiseKind = (typeof promiseKinds)[number]

/** The properties of a desk that name another mail than that of its area. */
export const templateOf = { remind: 'remindTemplate', escalate: 'escalateTemplate' } as const

/** How long after a task has begun: to the end of the nth working day after that day, or a time by the clock. */
export type After = { workdays: number } | { seconds: number }

/** One promise of a desk, as its properties say it. */
export interface DeskPromise {
  kind: PromiseKind
  after: After
  /** Prefix of the text keys of the mail; undefined for that of the area. */
  template: string | undefined
}

/** A timer beside a desk that only sends a mail to its people, as diagrams drew promises before desks had properties. */
export interface TellingTimer {
  kind: PromiseKind
  desk: string
  timer: string
  /** The event that sends. */
  mail: string
}

const workdays = /^workday([1-9]|[1-5]\d|60)$/
const duration = /^P(?=.)(\d{1,5}D)?(T(?=.)(\d{1,5}H)?(\d{1,6}M)?)?$/

/** Undefined for what is neither `workday1` to `workday60` nor a duration in days, hours and minutes. */
export function readAfter(text: string): After | undefined {
  const days = workdays.exec(text)?.[1]
  if (days !== undefined) return { workdays: Number(days) }
  return duration.test(text) ? { seconds: secondsOf(text) } : undefined
}

/** Seconds, where a working day counts as a day. */
export function lengthOf(after: After): number {
  return 'workdays' in after ? after.workdays * 86_400 : after.seconds
}

/** What the properties of a desk promise. The gate has refused what cannot be understood. */
export function promisesOf(desk: Element): DeskPromise[] {
  const properties = propertiesOf(desk)
  return promiseKinds.flatMap((kind) => {
    const after = readAfter(properties[kind] ?? '')
    return after ? [{ kind, after, template: properties[templateOf[kind]] }] : []
  })
}

/** The mail of a promise where the desk names none: `resignations.mail.reminder`. */
export function mailOfArea(area: string, kind: PromiseKind): string {
  return `${area}.mail.${kind === 'remind' ? 'reminder' : 'escalation'}`
}

/** What keeping a promise is called where the elements of a path are: `userTask_approve.remind`. */
export function promiseAt(desk: string, kind: PromiseKind): string {
  return `${desk}.${kind}`
}

/** The desk of such a name; an element is its own. */
export function elementOf(id: string): string {
  return id.replace(/\.(remind|escalate)$/, '')
}

/** A path in which timers that only send a mail are told as the promises that they keep. */
export function withPromises(path: readonly string[], telling: readonly TellingTimer[]): string[] {
  const mails = new Set(telling.map(({ mail }) => mail))
  const timers = new Map(telling.map(({ timer, desk, kind }) => [timer, promiseAt(desk, kind)]))
  return path.filter((id) => !mails.has(id)).map((id) => timers.get(id) ?? id)
}

/** Whether a desk is offered to the requester. */
export function isOfRequester({ candidateGroups = '' }: Element): boolean {
  return /(^|,)\s*user:/.test(candidateGroups)
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
