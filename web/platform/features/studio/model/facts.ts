import {
  candidatesOf,
  conditionOf,
  definitionOf,
  extensionsOf,
  fourEyesOf,
  inputsOf,
  kindOf,
  partOf,
  propertiesOf,
  sendsMail,
  textOf,
  timerOf,
  toRequester,
  topicOf,
  type Candidate,
  type Element,
} from './element.ts'
import { templateOf } from './promise.ts'

/** Names for the values of a model: roles, forms, times and elements. */
export interface Naming {
  candidate(candidate: Candidate | 'requester'): string
  form(key: string): string
  topic(topic: string): string
  mail(key: string): string
  decision(id: string): string
  /** A state of the list that the extension property sets: `status`, `status.payment`. */
  status(property: string, state: string): string
  /** The recipient of an email: `requester`, `desk:<id>`, `above:<id>`. */
  recipient(to: string): string
  /** A moment or a length of time: `${workday3}`, `P14D`. */
  time(value: string): string
  /** Time until a reminder or escalation of a desk: `workday3`, `P14D`. */
  after(value: string): string
  element(id: string): string
  condition(feel: string): string
}

/** One fact that a model states about an element. */
export interface Fact {
  /** The last part of its text key: `form`, `due`; `status.<list>` and `input.<name>` carry a name. */
  about: string
  words: string
}

/** Everything a model states about an element in words, most asked first. */
export function factsOf(element: Element, name: Naming): Fact[] {
  const facts: (Fact | undefined)[] = [
    said('name', element.name),
    said(
      'history',
      kept(kindOf(element) === 'Process' ? textOf(element, 'camunda:historyTimeToLive') : undefined, name.time),
    ),
    ...deskFacts(element, name),
    ...stepFacts(element, name),
    ...eventFacts(element, name),
    ...flowFacts(element, name),
    ...Object.entries(propertiesOf(element)).flatMap(([property, value]) =>
      property === 'status' || property.startsWith('status.')
        ? [{ about: property, words: name.status(property, value) }]
        : [],
    ),
  ]
  return facts.filter((fact) => fact !== undefined)
}

function said(about: string, words: string | undefined): Fact | undefined {
  return words === undefined || words === '' ? undefined : { about, words }
}

const kept = (value: string | undefined, words: (value: string) => string) =>
  value === undefined || value === '' ? undefined : words(value)

function deskFacts(element: Element, name: Naming): (Fact | undefined)[] {
  if (kindOf(element) !== 'UserTask') return []
  const offered = candidatesOf(element).map((one) => name.candidate(one.role === toRequester ? 'requester' : one))
  const barred = fourEyesOf(element).map((one) =>
    one === 'requester' ? name.candidate('requester') : name.element(one),
  )
  const promised = propertiesOf(element)
  return [
    said('offered', offered.join(', ')),
    said('form', kept(textOf(element, 'camunda:formKey'), name.form)),
    said('due', kept(textOf(element, 'camunda:dueDate'), name.time)),
    said('reminder', kept(promised['remind'], name.after)),
    said('remind-mail', kept(promised[templateOf.remind], name.mail)),
    said('escalation', kept(promised['escalate'], name.after)),
    said('escalate-mail', kept(promised[templateOf.escalate], name.mail)),
    said('follow-up', kept(textOf(element, 'camunda:followUpDate'), name.time)),
    said('priority', textOf(element, 'camunda:priority')),
    said('four-eyes', barred.join(', ')),
  ]
}

function stepFacts(element: Element, name: Naming): (Fact | undefined)[] {
  const mail = sendsMail(element)
  const inputs = inputsOf(element)
  const several = partOf(element, 'loopCharacteristics')
  return [
    mail ? undefined : said('topic', kept(topicOf(element), name.topic)),
    ...Object.entries(inputs).map(([input, value]) => {
      if (mail && input === 'to') return said('to', name.recipient(value))
      if (mail && input === 'template') return said('mail', name.mail(value))
      return said(`input.${input}`, value)
    }),
    said('decision', kept(textOf(element, 'camunda:decisionRef'), name.decision)),
    said('result', textOf(element, 'camunda:resultVariable')),
    said('called', textOf(element, 'calledElement')),
    said('passed', passed(element)),
    said(
      'several',
      several && `${textOf(several, 'camunda:collection') ?? ''} ${textOf(several, 'isSequential') ?? ''}`,
    ),
    said(
      'repeats',
      extensionsOf(element, 'camunda:FailedJobRetryTimeCycle')
        .map((one) => textOf(one, 'body'))
        .join(),
    ),
  ]
}

function passed(element: Element): string {
  const pairs = (type: string, sign: string) =>
    extensionsOf(element, type).map((one) =>
      textOf(one, 'businessKey') ? '' : `${textOf(one, 'source') ?? ''} ${sign} ${textOf(one, 'target') ?? ''}`,
    )
  return [...pairs('camunda:In', '→'), ...pairs('camunda:Out', '←')].filter((one) => one !== '').join(', ')
}

function eventFacts(element: Element, name: Naming): (Fact | undefined)[] {
  const timer = timerOf(element)
  const reference = (type: string, member: string, value: string) => {
    const definition = definitionOf(element, type)
    const referred = definition && partOf(definition, member)
    return referred && (textOf(referred, value) ?? referred.name)
  }
  const attached = partOf(element, 'attachedToRef')
  const stops = textOf(element, 'cancelActivity') ?? textOf(element, 'isInterrupting')
  return [
    said('timer', timer && name.time(timer.value)),
    said('message', reference('Message', 'messageRef', 'name')),
    said('error', reference('Error', 'errorRef', 'errorCode')),
    said('escalation', reference('Escalation', 'escalationRef', 'escalationCode')),
    said('attached', attached && name.element(attached.id)),
    attached && said('interrupting', stops ?? 'true'),
  ]
}

function flowFacts(element: Element, name: Naming): (Fact | undefined)[] {
  const end = (member: string) => {
    const node = kindOf(element) === 'SequenceFlow' ? partOf(element, member) : undefined
    return node && name.element(node.id)
  }
  const otherwise = partOf(element, 'default')
  return [
    said('from', end('sourceRef')),
    said('leads-to', end('targetRef')),
    said('condition', kept(conditionOf(element), name.condition)),
    said('default', otherwise && name.element(otherwise.id)),
  ]
}
