import { rupees } from '../../kernel/rupees.ts'
import type { Language } from './library.ts'
import { formats } from '../../kernel/formats.ts'

const locales = { en: 'en-GB', si: 'si-LK', ta: 'ta-LK' } as const
const inWords = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
/** In figures: Node names the Sinhala months like the lunar ones, which fall on other days. */
const inFigures = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const colombo = { timeZone: 'Asia/Colombo' } as const

/** Cached per language: a formatter costs time and, outside the heap, memory. */
const writers = { en: writersOf('en'), si: writersOf('si'), ta: writersOf('ta') }

function writersOf(language: Language) {
  const date = language === 'si' ? inFigures : inWords
  const writer = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locales[language], options)
  return {
    day: writer({ ...date, timeZone: 'UTC' }),
    dayOfMoment: writer({ ...date, ...colombo }),
    time: writer({ ...time, ...colombo }),
    moment: writer({ ...date, ...time, ...colombo }),
  }
}

/**
 * Values for a text, with dates and times as people write them (`Thu 14 May 2026, 18:00`); other values are not
 * changed. In a range within one day, `until` is only the time; a range of days is also a `span`, which names one day once. Whole numbers also exist as money: `fee_money` for a
 * `fee` in cents. A value named for the language replaces the plain one: `kind_si` is the `kind` of Sinhala texts.
 */
export function readable(
  values: Readonly<Record<string, unknown>>,
  language: Language = 'en',
): Record<string, unknown> {
  const written = (form: 'day' | 'dayOfMoment' | 'time' | 'moment', at: unknown) => {
    const words = writers[language][form].format(new Date(String(at)))
    return language === 'en' ? words.replace(/^(\w+),/, '$1') : words
  }
  const isMoment = (value: unknown) => typeof value === 'string' && formats['date-time'].test(value)
  const isDay = (value: unknown) => typeof value === 'string' && formats.date.test(value)
  const dayOf = (value: unknown) => written('dayOfMoment', value)
  const words = (name: string, value: unknown) => {
    if (isDay(value)) return written('day', value)
    if (!isMoment(value)) return value
    const sameDay = name === 'until' && isMoment(values['from']) && dayOf(values['from']) === dayOf(value)
    return written(sameDay ? 'time' : 'moment', value)
  }
  const money = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'number' && Number.isSafeInteger(value) ? [[`${name}_money`, rupees(value)]] : [],
  )
  const { from, until } = values
  const span =
    isDay(from) && isDay(until)
      ? [['span', [...new Set([from, until])].map((day) => written('day', day)).join(' – ')]]
      : []
  const plain = Object.entries(values).map(([name, value]) => [name, words(name, value)])
  const own = plain.flatMap(([name, value]) =>
    String(name).endsWith(`_${language}`) ? [[String(name).slice(0, -3), value]] : [],
  )
  return Object.fromEntries([...money, ...span, ...plain, ...own])
}
