import type { Translate } from '../../../kernel/texts/texts.ts'
import { secondsOf, spanOf, type Span } from './duration.ts'
import { spanInWords } from './naming.ts'

/** What a desk promises: the person who has a task is reminded, and those above are told when it is late. */
export const promises = ['remind', 'escalate'] as const
export type Promised = (typeof promises)[number]

/** The properties of a desk that name another mail than that of its area. */
export const templateOf = { remind: 'remindTemplate', escalate: 'escalateTemplate' } as const

const mostWorkdays = 60
const mostDays = 365

/** What a desk promises, in one sentence; undefined where it promises nothing. */
export function promiseInWords(properties: Readonly<Record<string, string>>, t: Translate): string | undefined {
  const made = promises.filter((one) => properties[one])
  if (made.length === 0) return undefined
  const spans = Object.fromEntries(made.map((one) => [one, spanInWords(properties[one]!, t)]))
  return t(`platform.studio-promise.${made.length > 1 ? 'both' : made[0]!}`, spans)
}

/** Why a promise cannot be kept as it is written, in words; undefined where it can. */
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
  return before && lengthOf(span) <= lengthOf(before)
    ? t('platform.studio-promise.not-after', { remind: spanInWords(reminded!, t) })
    : undefined
}

const year: Span = { count: mostDays, unit: 'days' }

/** In seconds; a working day counts as a day, as where the server compares them. */
function lengthOf({ count, unit }: Span): number {
  return secondsOf({ count, unit: unit === 'workdays' ? 'days' : unit })
}
