import { useMemo } from 'react'
import { useTexts, type Translate } from './texts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Colombo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  weekday: 'short',
  hourCycle: 'h23',
})
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

interface Local {
  year: string
  month: string
  day: string
  time: string
  weekday: number
  /** The Colombo day as days since 1970, for counting days. */
  number: number
}

function local(at: string | number | Date): Local {
  // A plain date has no time of day; noon keeps it on its day everywhere.
  const instant =
    typeof at === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(at) ? new Date(`${at}T12:00:00+05:30`) : new Date(at)
  const found: Record<string, string> = {}
  for (const { type, value } of parts.formatToParts(instant)) found[type] = value
  const { year = '', month = '', day: date = '' } = found
  return {
    year,
    month,
    day: date,
    time: `${found['hour']}:${found['minute']}`,
    weekday: weekdays.indexOf(found['weekday'] ?? ''),
    number: Date.UTC(Number(year), Number(month) - 1, Number(date)) / day,
  }
}

const amounts = new Intl.NumberFormat('en-LK', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Durations, waiting times and due times in words. */
function spans(t: Translate) {
  return {
    /** `2 hours 30 minutes`: the two largest units, at least one minute. */
    duration: (milliseconds: number) => {
      const minutes = Math.max(1, Math.round(milliseconds / minute))
      const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
      const words = [
        days && t('platform.duration.days', { count: days }),
        hours && t('platform.duration.hours', { count: hours }),
        !days && rest && t('platform.duration.minutes', { count: rest }),
      ]
      return words.filter(Boolean).join(' ')
    },
    /** Waiting time in its largest unit: `3 hours`, or `just now`. */
    waited: (since: string, now: number) => {
      const passed = Math.max(0, now - Date.parse(since))
      if (passed < minute) return t('platform.duration.now')
      if (passed < hour) return t('platform.duration.minutes', { count: Math.floor(passed / minute) })
      if (passed < day) return t('platform.duration.hours', { count: Math.floor(passed / hour) })
      return t('platform.duration.days', { count: Math.floor(passed / day) })
    },
    /** Due time in words: `today`, `tomorrow`, `in 3 days`, `2 days late`. */
    due: (at: string, now: number): { text: string; late: boolean } => {
      const days = local(at).number - local(now).number
      if (days < 0) return { text: t('platform.due.late', { count: -days }), late: true }
      if (days > 1) return { text: t('platform.due.in', { count: days }), late: false }
      if (days === 1) return { text: t('platform.due.tomorrow'), late: false }
      return Date.parse(at) < now
        ? { text: t('platform.due.since', { time: local(at).time }), late: true }
        : { text: t('platform.due.today'), late: false }
    },
  }
}

/** Dates, durations and money in one language. All times are in Asia/Colombo. */
export function formats(t: Translate) {
  const dayInWords = (l: Local) =>
    t('platform.format.day', {
      weekday: t(`platform.weekday.${l.weekday}`),
      day: Number(l.day),
      month: t(`platform.month.${Number(l.month)}`),
      year: l.year,
    })

  return {
    /** `Rs. 12,500.00`, from cents. */
    money: (cents: number) => t('platform.format.money', { amount: amounts.format(cents / 100) }),
    /** `14/05/2026`, for tables and forms. */
    date: (at: string | number | Date) => {
      const l = local(at)
      return `${l.day}/${l.month}/${l.year}`
    },
    /** `14/05/2026 18:00`, for tables. */
    dateTime: (at: string | number | Date) => {
      const l = local(at)
      return `${l.day}/${l.month}/${l.year} ${l.time}`
    },
    /** `18:00`. */
    time: (at: string | number | Date) => local(at).time,
    /** `Thu 14 May 2026`, for sentences. */
    day: (at: string | number | Date) => dayInWords(local(at)),
    /** `May 2026`, from `2026-05`. */
    month: (at: string) => {
      const [year = '', month = ''] = at.split('-')
      return t('platform.format.month', { month: t(`platform.month.${Number(month)}`), year })
    },
    /** `Thu 14 May 2026, 18:00`, for sentences. */
    moment: (at: string | number | Date) => {
      const l = local(at)
      return t('platform.format.moment', { day: dayInWords(l), time: l.time })
    },
    /** `Thu 14 May 2026, 18:00 to 22:00`, with the second day only where it differs. */
    range: (from: string | number | Date, until: string | number | Date) => {
      const [a, b] = [local(from), local(until)]
      const start = t('platform.format.moment', { day: dayInWords(a), time: a.time })
      const end = a.number === b.number ? b.time : t('platform.format.moment', { day: dayInWords(b), time: b.time })
      return t('platform.format.range', { from: start, until: end })
    },
    ...spans(t),
    /** A count in lists: exact to 99, then `99+`. */
    count: (count: { value: number; more: boolean } | number) => {
      const { value, more } = typeof count === 'number' ? { value: count, more: count > 99 } : count
      return more || value > 99 ? t('platform.count.more') : String(value)
    },
  }
}

export type Formats = ReturnType<typeof formats>

/** The formats of the present language. */
export function useFormats(): Formats {
  const { t } = useTexts()
  return useMemo(() => formats(t), [t])
}

/** The last second before a moment, of which people read the day. */
export const lastSecond = (until: string) => new Date(Date.parse(until) - 1000).toISOString()
