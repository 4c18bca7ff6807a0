import { describe, expect, test } from '@jest/globals'
import {
  type Hours,
  type SpecialDay,
  type Week,
  type WorkingCalendar,
  calendarDay,
  daysBetween,
  endOfWorkingDay,
} from '../../api/platform/records/calendar/working-days.ts'

/** A week with these hours from Monday to Friday and on Saturday. */
const week = (startsOn: string, weekdays?: Hours, saturday?: Hours): Week => ({
  startsOn,
  days: [undefined, weekdays, weekdays, weekdays, weekdays, weekdays, saturday],
})
const usual = week('2000-01-01', { from: '08:15', until: '16:15' })
const calendar = (special: Record<string, Partial<SpecialDay>[]> = {}, weeks = [usual]): WorkingCalendar => ({
  weeks,
  special: new Map(
    Object.entries(special).map(([date, days]) => [
      date,
      days.map((day) => ({ name: 'Some day', kind: 'Public', until: undefined, ...day })),
    ]),
  ),
})

describe('a working day', () => {
  test.each([
    ['is the next day, to its end', '2026-05-12T09:00:00+05:30', 1, '2026-05-13T16:15:00+05:30'],
    ['is Monday after a Friday', '2026-05-15T09:00:00+05:30', 1, '2026-05-18T16:15:00+05:30'],
    ['is Monday after a Sunday', '2026-05-17T23:30:00+05:30', 1, '2026-05-18T16:15:00+05:30'],
    ['skips the week-end on its way', '2026-05-14T09:00:00+05:30', 3, '2026-05-19T16:15:00+05:30'],
    ['begins at midnight in Colombo, not elsewhere', '2026-05-12T19:00:00Z', 1, '2026-05-14T16:15:00+05:30'],
  ])('%s', (_, now, n, end) => {
    expect(endOfWorkingDay(new Date(now), n, calendar())).toBe(end)
  })

  const afterFriday = (of: WorkingCalendar) => endOfWorkingDay(new Date('2026-04-10T12:00:00+05:30'), 1, of)

  test('is never a holiday', () => {
    const holidays = calendar({ '2026-04-13': [{}], '2026-04-14': [{ kind: 'University' }] })
    expect(afterFriday(holidays)).toBe('2026-04-15T16:15:00+05:30')
  })

  test('may be a Saturday that is declared one, with the hours of the week or its own', () => {
    expect(afterFriday(calendar({ '2026-04-11': [{ kind: 'Working day' }] }))).toBe('2026-04-11T16:15:00+05:30')
    const short = calendar({ '2026-04-11': [{ kind: 'Working day', until: '13:00' }] })
    expect(afterFriday(short)).toBe('2026-04-11T13:00:00+05:30')
    // An explicit working day overrides a holiday.
    const both = calendar({ '2026-04-13': [{ kind: 'Public' }, { kind: 'Working day' }] })
    expect(afterFriday(both)).toBe('2026-04-13T16:15:00+05:30')
  })

  test('ends early on a half day, unless nobody works that day anyway', () => {
    const half = { kind: 'Half day', until: '12:00' }
    expect(afterFriday(calendar({ '2026-04-13': [half] }))).toBe('2026-04-13T12:00:00+05:30')
    expect(afterFriday(calendar({ '2026-04-13': [half, { kind: 'Public' }] }))).toBe('2026-04-14T16:15:00+05:30')
    expect(afterFriday(calendar({ '2026-04-11': [half] }))).toBe('2026-04-13T16:15:00+05:30')
    // It lengthens no day, and hours that end before they begin are ignored.
    expect(afterFriday(calendar({ '2026-04-13': [{ ...half, until: '18:00' }] }))).toBe('2026-04-13T16:15:00+05:30')
    expect(afterFriday(calendar({ '2026-04-13': [{ ...half, until: '08:00' }] }))).toBe('2026-04-14T16:15:00+05:30')
  })

  test('follows the weekly pattern in force that day', () => {
    const later = week('2026-04-13', { from: '09:00', until: '17:00' }, { from: '09:00', until: '12:00' })
    const changed = calendar({}, [later, usual])
    expect(endOfWorkingDay(new Date('2026-04-09T12:00:00+05:30'), 1, changed)).toBe('2026-04-10T16:15:00+05:30')
    expect(afterFriday(changed)).toBe('2026-04-13T17:00:00+05:30')
    expect(calendarDay(changed, '2026-04-18').hours).toEqual({ from: '09:00', until: '12:00' })
    expect(calendarDay(changed, '2026-04-11').hours).toBeUndefined()
  })

  test('is from Monday to Friday without a pattern in force, and never occurs if nobody ever works', () => {
    expect(afterFriday(calendar({}, []))).toBe('2026-04-13T16:15:00+05:30')
    expect(() => afterFriday(calendar({}, [week('2000-01-01')]))).toThrow('no 1 working days')
  })
})

test('a year has all its days, in order', () => {
  const days = daysBetween(calendar(), '2028-01-01', '2028-12-31')
  expect([days.length, days[0]!.date, days[59]!.date, days.at(-1)!.date]).toEqual([
    366,
    '2028-01-01',
    '2028-02-29',
    '2028-12-31',
  ])
})
