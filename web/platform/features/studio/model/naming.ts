import type { Vocabulary } from '../../../kernel/api/studio.ts'
import type { Translate } from '../../../kernel/texts/texts.ts'
import { treeOf } from './diagrams.ts'
import { spanOf, writtenSpan } from './duration.ts'
import { kindOf, listOf, partOf, timerOf, type Element } from './element.ts'
import type { Naming } from './facts.ts'

/** The parts of an ISO 8601 duration, from the largest. */
const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const
const written =
  /^(?:R(\d+)\/)?P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** A moment or a length of time in words: *3 working days*, *14 days*; any other value stays as written. */
export function timeInWords(value: string, t: Translate): string {
  // Times that the server computes are variables; reminders and escalations are plain values.
  const span = spanOf(value.replace(/^\$\{(.*)\}$/, '$1'))
  if (span?.unit === 'workdays') return t('platform.studio-time.working-days', { count: span.count })
  const [, repeats, ...counts] = written.exec(value) ?? []
  const parts = units.flatMap((unit, index) => (counts[index] ? { unit, count: Number(counts[index]) } : []))
  if (parts.length > 0) {
    const length = parts.map((part) => partInWords(part, parts.length === 1, t)).join(' ')
    return repeats ? t('platform.studio-time.repeated', { length, times: Number(repeats) }) : length
  }
  const [, variable] = /^\$\{(\w+)\}$/.exec(value) ?? []
  return variable ? t('platform.studio-time.variable', { variable }) : value
}

/** Days that alone make whole years are given in years. */
function partInWords({ unit, count }: { unit: string; count: number }, alone: boolean, t: Translate): string {
  const years = count / 365
  return alone && unit === 'days' && years > 0 && Number.isInteger(years)
    ? t('platform.studio-time.years', { count: years })
    : t(`platform.studio-time.${unit}`, { count })
}

/** The time of a reminder or escalation in words: *3 working days*, *28 hours*; any other value stays as written. */
export function spanInWords(value: string, t: Translate): string {
  const span = spanOf(value)
  return timeInWords(span ? writtenSpan(span) : value, t)
}

/** The name of an element: its label, else its kind and id. */
export function titleOf(element: Element, t: Translate): string {
  const label = element.name?.trim()
  if (label) return label
  const timer = timerOf(element)
  if (timer) return timeInWords(timer.value, t)
  const [from, to] =
    kindOf(element) === 'SequenceFlow' ? [partOf(element, 'sourceRef'), partOf(element, 'targetRef')] : []
  if (from && to) return t('platform.studio.way', { from: titleOf(from, t), to: titleOf(to, t) })
  return t('platform.studio.unnamed', { kind: t(`platform.studio-kind.${kindOf(element)}`), id: element.id })
}

/**
 * The name of an element in any tool's document: without a label and without a kind that has a text, the name of its
 * parent.
 */
export function labelOf(element: Element, t: Translate): string {
  if (element.$type === 'bpmn:Definitions') return t('platform.studio.whole')
  if (element.name?.trim()) return titleOf(element, t)
  const shown = partOf(partOf(element, 'plane') ?? element, 'bpmnElement')
  if (shown) return labelOf(shown, t)
  const pools = listOf(element, 'participants')
  if (pools.length > 0) return pools.map((pool) => labelOf(pool, t)).join(', ')
  const kind = `platform.studio-kind.${kindOf(element)}`
  return t(kind) === kind && element.$parent ? labelOf(element.$parent, t) : titleOf(element, t)
}

/** The names of a document's elements, by id. */
export function labelsIn(definitions: Element, t: Translate): (id: string) => string {
  const all = new Map([...treeOf(definitions)].map((element) => [element.id, element]))
  return (id) => {
    const element = all.get(id)
    return element ? labelOf(element, t) : id
  }
}

/** Texts for the values of a model, from everything that a model of its flow may name. */
export function namingOf(
  vocabulary: Pick<Vocabulary, 'forms' | 'people' | 'topics' | 'mails' | 'decisions' | 'statusLists'> | undefined,
  t: Translate,
): (elements: ReadonlyMap<string, Element>) => Naming {
  return (elements) => {
    const element = (id: string) => {
      const found = elements.get(id)
      return found ? titleOf(found, t) : id
    }
    return {
      element,
      candidate: (one) => {
        if (one === 'requester') return t('platform.studio.requester')
        if (one.kind) return t('platform.studio.role-of', { role: one.role, kind: one.kind })
        return vocabulary?.people.find(({ candidate }) => candidate === one.role)?.title ?? one.role
      },
      form: (key) => vocabulary?.forms.find((one) => one.key === key)?.title ?? key,
      topic: (topic) => vocabulary?.topics.find((one) => one.topic === topic)?.title ?? topic,
      mail: (key) => vocabulary?.mails.find((one) => one.key === key)?.title ?? key,
      decision: (id) => vocabulary?.decisions.find((one) => one.id === id)?.name ?? id,
      status: (property, value) =>
        vocabulary?.statusLists.find((list) => list.property === property)?.states.find(({ state }) => state === value)
          ?.title ?? value,
      recipient: (to) => {
        const [, how, desk] = /^(desk|above):(.+)$/.exec(to) ?? []
        if (how && desk) return t(`platform.studio.to-${how}`, { desk: element(desk) })
        return to === 'requester' ? t('platform.studio.requester') : to
      },
      time: (value) => timeInWords(value, t),
      after: (value) => t('platform.studio-promise.after', { time: spanInWords(value, t) }),
      condition: (feel) => conditionInWords(feel, element, t),
    }
  }
}

/**
 * `(userTask_x_outcome = "approve") = true` as *Approve as head: approve*; any other condition without its wrapping.
 */
function conditionInWords(feel: string, element: (id: string) => string, t: Translate): string {
  const inner = /^\((.*)\)\s*=\s*true$/s.exec(feel)?.[1] ?? feel
  const [, desk, outcome] = /^(\w+)_outcome\s*=\s*"([^"]*)"$/.exec(inner) ?? []
  return desk && outcome ? t('platform.studio.outcome-is', { desk: element(desk), outcome }) : inner
}
