import type { Translate } from '../../../kernel/texts/texts.ts'
import { secondsOf, spanOf, type Span } from './duration.ts'
import { spanInWords } from './naming.ts'

/** A desk's reminder goes to the assignee; its escalation goes to those above when a task is late. */
export const promises = ['remind', 'escalate'] as const
export type Promised = (typeof promises)[number]

/** The desk properties that name an email template other than the area's. */
export const templateOf = { remind: 'remindTemplate', escalate: 'escalateTemplate' } as const

const mostWorkdays = 60
const mostDays = 365

/** The reminder or escalation of a desk in one sentence; undefined if there is none. */
export function promiseInWords(properties: Readonly<Record<string, string>>, t: Translate): string | undefined {
  const { remind, escalate } = properties
  if (!remind && !escalate) return undefined
  const which = remind && escalate ? 'both' : remind ? 'remind' : 'escalate'
  return t(`platform.studio-promise.${which}`, {
    ...(remind && { remind: spanInWords(remind, t) }),
    ...(escalate && { escalate: spanInWords(escalate, t) }),
  })
}

/** Why a reminder or escalation cannot work as written, in words; undefined if it can. */
export function promiseProblem(
  which: Promised,
  properties: Readonly<Record<string, string>>,
  t: Translate,
): string | undefined {
  const value = properties[which]
  if (!value) return undefined
  const span = spanOf(value)
  if (!span) return t('platform.studio-promise.unreadable', { value })
  if (span.count === 0) return t('platform.studio-promise.zero')
  if (span.unit === 'workdays' ? span.count > mostWorkdays : lengthOf(span) > lengthOf(year))
    return t('platform.studio-promise.too-long', { workdays: mostWorkdays, days: mostDays })
  const reminded = which === 'escalate' ? properties['remind'] : undefined
  const before = reminded ? spanOf(reminded) : undefined
  return reminded && before && lengthOf(span) <= lengthOf(before)
    ? t('platform.studio-promise.not-after', { remind: spanInWords(reminded, t) })
    : undefined
}

const year: Span = { count: mostDays, unit: 'days' }

/** In seconds; a working day counts as a day, as on the server. */
function lengthOf({ count, unit }: Span): number {
  return secondsOf({ count, unit: unit === 'workdays' ? 'days' : unit })
}
