import type { Language } from './flows/library.ts'
import { formats } from './forms/formats.ts'

const locales = { en: 'en-GB', si: 'si-LK', ta: 'ta-LK' } as const

/** Values for a text, dates and times among them as people write them; everything else stays as it is. */
export function readable(values: Readonly<Record<string, unknown>>, language: Language = 'en'): Record<string, unknown> {
  const words = (value: unknown) => {
    if (typeof value !== 'string') return value
    if (formats['date-time']!.test(value)) return moment(language).format(new Date(value))
    return formats['date']!.test(value) ? day(language).format(new Date(value)) : value
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, words(value)]))
}

function moment(language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Colombo' })
}

function day(language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
}
