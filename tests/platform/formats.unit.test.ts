import { describe, expect, test } from '@jest/globals'
import texts from '../../forms/platform/texts.en.json' with { type: 'json' }
import { formats } from '../../web/platform/kernel/texts/formats.ts'

/** English without the library: the text of the key, in the singular if the count is one. */
const t = (key: string, values: Record<string, unknown> = {}) => {
  const words = texts as Record<string, string>
  const pattern = words[key] ?? words[`${key}_${values['count'] === 1 ? 'one' : 'other'}`] ?? key
  return pattern.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
}
const f = formats(t)
const now = Date.parse('2026-05-14T12:00:00+05:30')

describe('formats', () => {
  test('write money in rupees with cents', () => {
    expect(f.money(1_250_000)).toBe('Rs. 12,500.00')
  })

  test('write times in Colombo, short in tables and in words in sentences', () => {
    expect(f.dateTime('2026-05-14T18:30:00Z')).toBe('15/05/2026 00:00')
    expect(f.moment('2026-05-14T12:30:00Z')).toBe('Thu 14 May 2026, 18:00')
    expect(f.date('2026-05-14')).toBe('14/05/2026')
    expect(f.month('2026-05')).toBe('May 2026')
  })

  test('name the second day of a range only if it differs', () => {
    expect(f.range('2026-05-14T12:30:00Z', '2026-05-14T16:30:00Z')).toBe('Thu 14 May 2026, 18:00 to 22:00')
    expect(f.range('2026-05-14T12:30:00Z', '2026-05-15T02:30:00Z')).toBe(
      'Thu 14 May 2026, 18:00 to Fri 15 May 2026, 08:00',
    )
  })

  test('write durations in words', () => {
    expect(f.duration(9_000_000)).toBe('2 hours 30 minutes')
    expect(f.duration(90_000_000)).toBe('1 day 1 hour')
    expect(f.waited('2026-05-14T03:00:00+05:30', now)).toBe('9 hours')
    expect(f.waited('2026-05-14T12:00:00+05:30', now)).toBe('just now')
  })

  test('write due times as people say them', () => {
    expect(f.due('2026-05-14T16:15:00+05:30', now)).toEqual({ text: 'today', late: false })
    expect(f.due('2026-05-15T16:15:00+05:30', now)).toEqual({ text: 'tomorrow', late: false })
    expect(f.due('2026-05-17T16:15:00+05:30', now)).toEqual({ text: 'in 3 days', late: false })
    expect(f.due('2026-05-12T16:15:00+05:30', now)).toEqual({ text: '2 days late', late: true })
    expect(f.due('2026-05-14T09:00:00+05:30', now)).toEqual({ text: 'late since 09:00', late: true })
  })

  test('count exactly up to 99', () => {
    expect(f.count({ value: 99, more: false })).toBe('99')
    expect(f.count({ value: 99, more: true })).toBe('99+')
  })
})
