import { describe, expect, test } from '@jest/globals'
import { endOfWorkingDay } from '../../api/platform/calendar/working-days.ts'

const none = new Set<string>()

describe('a working day', () => {
  test.each([
    ['is the next day, to its end', '2026-05-12T09:00:00+05:30', 1, '2026-05-13T16:15:00+05:30'],
    ['is Monday after a Friday', '2026-05-15T09:00:00+05:30', 1, '2026-05-18T16:15:00+05:30'],
    ['is Monday after a Sunday', '2026-05-17T23:30:00+05:30', 1, '2026-05-18T16:15:00+05:30'],
    ['skips the week-end on its way', '2026-05-14T09:00:00+05:30', 3, '2026-05-19T16:15:00+05:30'],
    ['begins at midnight in Colombo, not elsewhere', '2026-05-12T19:00:00Z', 1, '2026-05-14T16:15:00+05:30'],
  ])('%s', (_, now, n, end) => {
    expect(endOfWorkingDay(new Date(now), n, none)).toBe(end)
  })

  test('is never a holiday', () => {
    const holidays = new Set(['2026-04-13', '2026-04-14'])
    expect(endOfWorkingDay(new Date('2026-04-10T12:00:00+05:30'), 1, holidays)).toBe('2026-04-15T16:15:00+05:30')
  })
})
