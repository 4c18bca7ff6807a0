import type { Drawn } from '../canvas/parts.ts'
import { spanOf } from '../model/duration.ts'
import {
  candidatesOf,
  conditionOf,
  inputsOf,
  kindOf,
  listOf,
  propertiesOf,
  sendsMail,
  textOf,
  timerOf,
  topicOf,
  toRequester,
} from '../model/element.ts'
import { promises, templateOf, type Promised } from '../model/promise.ts'
import { withProperties, type Editing } from './edit.ts'

/** Boundary timers of a desk that only remind or escalate. */
export interface PromiseTimers {
  /** The equivalent reminder and escalation times. */
  spans: Partial<Record<Promised, string>>
  /** Keys of the emails that they send. */
  mails: Partial<Record<Promised, string>>
  /** The timers and their end events. */
  shapes: Drawn[]
}

/**
 * The boundary timers of a desk that only send a reminder or an escalation, and could be desk properties instead;
 * undefined if there are none, or if one property would have to replace several timers.
 */
export function promiseTimersOf(desk: Drawn): PromiseTimers | undefined {
  const found = (desk.attachers ?? []).flatMap((timer) => promiseTimer(timer, desk) ?? [])
  const twice = promises.some((which) => found.filter((one) => one.which === which).length > 1)
  if (found.length === 0 || twice) return undefined
  return {
    spans: Object.fromEntries(found.map(({ which, span }) => [which, span])),
    shapes: found.flatMap(({ shapes }) => shapes),
    mails: Object.fromEntries(found.map(({ which, mail }) => [which, mail])),
  }
}

function promiseTimer(timer: Drawn, desk: Drawn) {
  const { businessObject: event } = timer
  if (kindOf(event) !== 'BoundaryEvent' || textOf(event, 'cancelActivity') !== 'false') return undefined
  const written = timerOf(event)
  const span = written?.value.replace(/^\$\{(workday\d+)\}$/, '$1')
  if (span === undefined || written?.kind === 'timeCycle' || !spanOf(span)) return undefined
  const [way, ...others] = timer.outgoing
  const end = way?.target
  if (!way || others.length > 0 || conditionOf(way.businessObject) || end?.incoming.length !== 1) return undefined
  const mail = mailOf(end, desk)
  const more = [timer, end].some(
    ({ businessObject }) =>
      listOf(businessObject, 'eventDefinitions').length !== 1 || Object.keys(propertiesOf(businessObject)).length > 0,
  )
  return mail && !more ? { ...mail, span, shapes: [timer, end] } : undefined
}

function mailOf({ businessObject: end }: Drawn, desk: Drawn): { which: Promised; mail: string } | undefined {
  const { to, template = '', ...more } = inputsOf(end)
  const sends = kindOf(end) === 'EndEvent' && sendsMail(end) && topicOf(end) === 'platform.send-mail'
  if (!sends || Object.keys(more).length > 0) return undefined
  const { id } = desk.businessObject
  const ofRequester = candidatesOf(desk.businessObject).some(({ role }) => role === toRequester)
  if (to === `above:${id}`) return { which: 'escalate', mail: template }
  return to === `desk:${id}` || (ofRequester && to === 'requester') ? { which: 'remind', mail: template } : undefined
}

/** The area's default email templates of reminders and escalations. */
const usualMail = {
  remind: /^(?!platform\.)[\w-]+\.mail\.reminder$/,
  escalate: /^(?!platform\.)[\w-]+\.mail\.escalation$/,
}

/** Replaces the timers and their end events with desk properties. One undo step. */
export class TurnTimers {
  readonly #editing: Editing
  constructor(editing: Editing) {
    this.#editing = editing
  }

  preExecute({ desk, timers }: { desk: Drawn; timers: PromiseTimers }): void {
    this.#editing.modeling.removeElements(timers.shapes)
    const said = propertiesOf(desk.businessObject)
    for (const which of promises) {
      const [span, mail] = [timers.spans[which], timers.mails[which]]
      // An existing property stays.
      if (!span || said[which]) continue
      const template = mail && !usualMail[which].test(mail) ? mail : undefined
      withProperties(this.#editing, desk, { [which]: span, [templateOf[which]]: template })
    }
  }
}
