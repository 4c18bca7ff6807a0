import { type GateContext, bookerConfirmed, ofArea, placeFreed, takesFee, takesPlace } from '../context.ts'
import type { Graph, Node } from '../graph.ts'
import type { MailedQuestion } from '../../definitions/mailed-question.ts'
import { type Element, type Model, type Problem, inputsOf, topicOf } from '../read.ts'
import { scopesOf } from '../../definitions/manifest.ts'
import { commandVariables, isServerSet, outcomesOfForm, variablesOfForm } from '../variables.ts'
import { descendants } from '../xml.ts'

/** A flow starts on request; a schedule starts by a timer and has no case. */
export function begins(process: Element, graph: Graph, { schedule }: GateContext): Problem[] {
  const top = graph.starts.filter(({ host }) => host === undefined)
  const timed = top.filter((start) => timerOf(start)?.timeCycle)
  if (!schedule)
    return top
      .filter(({ element }) => (element.eventDefinitions ?? []).length > 0)
      .map(({ id }) => ({
        element: id,
        reason: 'a flow begins when somebody asks for it, so its start event has no trigger',
      }))
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

/** Names that come from outside the model are reserved too: those of rules, forms and workers. */
export function namesGiven(process: Element, graph: Graph, context: GateContext): Problem[] {
  const { manifest } = context
  const nodes = [...graph.nodes.values()]
  const forms = new Set([
    manifest.start,
    ...(manifest.acts ?? []).map(({ form }) => form),
    ...Object.values(manifest.asks ?? {}).map(({ form }) => form),
    ...nodes.flatMap(({ element }) => element.formKey ?? []),
  ])
  const topics = new Set(nodes.flatMap(({ element }) => topicOf(element) ?? []))
  const given = [
    ...(manifest.derives ?? []).map((name) => ({ name, where: 'derives' })),
    ...Object.keys(manifest.variables ?? {}).map((name) => ({ name, where: 'variables' })),
    ...Object.keys(manifest.listed ?? {}).map((name) => ({ name, where: 'listed' })),
    ...[...forms].flatMap((form) => variablesOfForm(context, form).map((name) => ({ name, where: `form ${form}` }))),
    // What the platform's own topics return is set by the server.
    ...[...topics]
      .filter((topic) => !topic.startsWith('platform.'))
      .flatMap((topic) => (context.topics.get(topic)?.gives ?? []).map((name) => ({ name, where: `topic ${topic}` }))),
  ]
  const named = Object.keys(manifest.people ?? {}).map((name) => `${name}Id`)
  const own = [...commandVariables, ...scopesOf(manifest).map(({ name }) => `${name}Id`)]
  const people = new Set(named.filter((name) => !own.includes(name)))
  return [
    ...named.filter((name) => own.includes(name)).map((name) => ({ name, where: 'people' })),
    ...given.filter(({ name, where }) => isServerSet(name) && !(people.has(name) && where.startsWith('topic '))),
  ].map(({ name, where }) => ({ element: process.id, reason: `only the server sets ${name} (${where})` }))
}

/** The decisions that the flow requires before a step must be possible: their forms and outcomes must exist. */
export function neededDecisions(process: Element, { manifest, forms, topics }: GateContext): Problem[] {
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

/** Something must wait for each message that the manifest lets people send, and the forms of acts must exist. */
export function checkMessages(model: Model, process: Element, { manifest, forms }: GateContext): Problem[] {
  const asked = Object.entries(manifest.asks ?? {})
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
    ...(manifest.account ? [[bookerConfirmed, 'account'] as [string, string]] : []),
    ...(manifest.places ? [[placeFreed, 'places'] as [string, string]] : []),
    ...(manifest.acts ?? []).map(({ name, message }): [string, string] => [message, `act ${name}`]),
    ...asked.map(([name, { message }]): [string, string] => [message, `question ${name}`]),
  ]
  const reasons = [
    ...messages
      .filter(([message]) => !caught.has(message))
      .map(([message, why]) => `nothing waits for the message ${message} (${why})`),
    ...(manifest.acts ?? [])
      .filter(({ form }) => !forms.has(form))
      .map(({ name, form }) => `there is no form ${form} (act ${name})`),
    ...(manifest.acts ?? [])
      .filter(({ form }, at, acts) => acts.findIndex((one) => one.form === form) < at)
      .map(({ name, form }) => `act ${name} needs a form of its own, because ${form} tells another act`),
    ...asked.flatMap(([name, question]) => wrongWithQuestion(question, { manifest, forms }, `question ${name}`)),
  ]
  return reasons.map((reason) => ({ element: process.id, reason }))
}

/** The steps that a worker of this topic carries out. */
const stepsOf = (graph: Graph, topic: string) =>
  [...graph.nodes.values()].filter(({ element }) => topicOf(element) === topic)

/** Places are taken exactly where the manifest says whose they are. */
export function checkPlaces(process: Element, graph: Graph, { manifest }: GateContext): Problem[] {
  const takers = stepsOf(graph, takesPlace)
  if (manifest.places && takers.length === 0)
    return [{ element: process.id, reason: `no step takes a place by ${takesPlace} (places)` }]
  if (manifest.places) return []
  return takers.map(({ id }) => ({ element: id, reason: `the flow says nowhere whose places ${takesPlace} takes` }))
}

/** A fee is one that the case has, and the manifest says who pays it. */
export function checkFees(graph: Graph, { manifest: { paysWith, subject = {}, facts = [] } }: GateContext): Problem[] {
  return stepsOf(graph, takesFee).flatMap(({ id, element }) => {
    const [place, name = ''] = (inputsOf(element)['amount'] ?? '').slice(1).split('/')
    const reasons = [
      ...(paysWith === 'requester' ? [] : [`the flow says nowhere that its requester pays what ${takesFee} posts`]),
      ...((place === 'subject' ? name in subject : facts.includes(name))
        ? []
        : [`the ${place} of the flow has no ${name}, which ${takesFee} posts`]),
    ]
    return reasons.map((reason) => ({ element: id, reason }))
  })
}

/** A question needs a public form with outcomes, and shows what people recognise the case by. */
function wrongWithQuestion(
  { form, shows }: MailedQuestion,
  { manifest: { subject = {} }, forms }: Pick<GateContext, 'manifest' | 'forms'>,
  where: string,
): string[] {
  const schema = forms.get(form)?.schema
  return [
    ...(outcomesOfForm(schema) && schema?.['x-public'] === true
      ? []
      : [`there is no public form ${form} with outcomes (${where})`]),
    ...shows.filter((name) => !(name in subject)).map((name) => `the subject has no ${name} (${where})`),
  ]
}

/** Who opens a flow for many entries sees the mail of its diagram before. */
export function mailsOfEntries(process: Element, graph: Graph, { manifest: { entries } }: GateContext): Problem[] {
  if (!entries || [...graph.nodes.values()].some(({ element }) => inputsOf(element)['template'] === entries.mail))
    return []
  return [{ element: process.id, reason: `nothing sends the mail ${entries.mail}, which is shown before (entries)` }]
}

/** An error must belong to the area of the flow or to the platform, because people read its text. */
export function checkErrorAreas({ definitions }: Model, { area }: GateContext): Problem[] {
  return (definitions.rootElements ?? [])
    .filter(({ $type, errorCode }) => $type === 'bpmn:Error' && errorCode && !ofArea(area, errorCode))
    .map(({ id, errorCode }) => ({ element: id, reason: `${errorCode} is an error of another area` }))
}
