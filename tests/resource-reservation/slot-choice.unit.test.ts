import { describe, expect, test } from '@jest/globals'
import { addDays, momentOf, wallClock } from '../../web/platform/kernel/clock/colombo.ts'
import {
  clashes,
  closedForEnd,
  closedForStart,
  onDay,
  spanOf,
  wholeDayTaken,
  withStart,
} from '../../web/resource-reservation/booking/slot.ts'

const at = (time: string, date = '2026-05-14') => momentOf({ date, time })
const taken = (from: string, until: string) => ({ id: from, title: null, from, until, state: 'claimed' as const })
const morning = taken(at('09:00'), at('12:00'))
const before = Date.parse(at('06:00'))

describe('choosing a slot', () => {
  test('needs all four values', () => {
    expect(spanOf({ start_date: '2026-05-14', start_time: '09:00', end_date: '2026-05-14' })).toBeUndefined()
    expect(
      spanOf({ start_date: '2026-05-14', start_time: '09:00', end_date: '2026-05-14', end_time: '10:00' }),
    ).toEqual({
      from: '2026-05-14T09:00:00+05:30',
      until: '2026-05-14T10:00:00+05:30',
    })
  })

  test('conflicts with what overlaps, not with what touches', () => {
    expect(clashes({ from: at('08:00'), until: at('09:00') }, [morning])).toEqual([])
    expect(clashes({ from: at('12:00'), until: at('13:00') }, [morning])).toEqual([])
    expect(clashes({ from: at('11:59'), until: at('13:00') }, [morning])).toEqual([morning])
    expect(clashes({ from: at('08:00'), until: at('13:00') }, [morning])).toEqual([morning])
  })

  test('may begin when another booking ends, and end when another begins', () => {
    expect(closedForStart(at('12:00'), [morning], before)).toBe(false)
    expect(closedForStart(at('09:00'), [morning], before)).toBe(true)
    expect(closedForEnd(at('09:00'), at('08:00'), [morning], before)).toBe(false)
    expect(closedForEnd(at('10:00'), at('08:00'), [morning], before)).toBe(true)
  })

  test('refuses past times and an end that is not after the start', () => {
    expect(closedForStart(at('05:00'), [], before)).toBe(true)
    expect(closedForEnd(at('08:00'), at('08:00'), [], before)).toBe(true)
  })

  test('closes a day only when no minute of it is free', () => {
    const halves = [taken(at('12:00'), at('00:00', '2026-05-15')), taken(at('22:00', '2026-05-13'), at('12:00'))]
    expect(wholeDayTaken('2026-05-14', halves)).toBe(true)
    expect(wholeDayTaken('2026-05-14', halves.slice(0, 1))).toBe(false)
    expect(wholeDayTaken('2026-05-15', halves)).toBe(false)
  })

  test('moves the end along when the start moves past it', () => {
    expect(withStart({ end_date: '2026-05-10', end_time: '10:00' }, { start_date: '2026-05-14' }).end_date).toBe(
      '2026-05-14',
    )
    expect(withStart({ end_date: '2026-05-16' }, { start_date: '2026-05-14' }).end_date).toBe('2026-05-16')
  })

  test('draws of an overnight booking only the part on the day', () => {
    expect(onDay('2026-05-14', [taken(at('18:00'), at('06:00', '2026-05-15'))])).toEqual([
      { from: '18:00', until: '24:00', left: 0.75, width: 0.25 },
    ])
  })
})

test('clocks show Colombo time wherever the browser is', () => {
  expect(wallClock('2026-05-13T19:00:00Z')).toEqual({ date: '2026-05-14', time: '00:30' })
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
})
