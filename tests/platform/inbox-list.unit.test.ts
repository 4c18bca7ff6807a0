import { describe, expect, test } from '@jest/globals'
import type { TaskRow } from '../../web/platform/kernel/client/types.ts'
import { settle, unread } from '../../web/platform/work/inbox/steady-list.ts'

const row = (id: string, minute: number, title = id) =>
  ({ id, title, createdAt: `2026-05-14T10:${String(minute).padStart(2, '0')}:00Z` }) as TaskRow
const shown = ({ rows }: ReturnType<typeof settle>) => rows.map(({ row: { id }, gone }) => (gone ? `${id} gone` : id))

describe('the list of the inbox', () => {
  const first = settle(unread('open'), [row('b', 2), row('a', 1)], 'open')

  test('shows what it first reads', () => {
    expect(shown(first)).toEqual(['b', 'a'])
    expect(first.fresh).toBe(0)
  })

  test('announces new work as a number, until it is requested', () => {
    const next = settle(first, [row('c', 3), row('b', 2), row('a', 1)], 'open')
    expect(shown(next)).toEqual(['b', 'a'])
    expect(next.fresh).toBe(1)
  })

  test('keeps the place of rows that have left the list', () => {
    expect(shown(settle(first, [row('a', 1)], 'open'))).toEqual(['b gone', 'a'])
  })

  test('changes rows in place', () => {
    const next = settle(first, [row('a', 1, 'another title'), row('b', 2)], 'open')
    expect(next.rows.map((each) => each.row.title)).toEqual(['b', 'another title'])
  })

  test('appends an older page', () => {
    expect(shown(settle(first, [row('b', 2), row('a', 1), row('z', 0)], 'open'))).toEqual(['b', 'a', 'z'])
  })

  test('treats cached rows as current once the server has answered', () => {
    const opened = settle(unread('open'), [row('b', 2), row('a', 1)], 'open', { checking: true })
    expect(shown(opened)).toEqual(['b', 'a'])
    const answered = settle(opened, [row('c', 3), row('a', 1)], 'open')
    expect(shown(answered)).toEqual(['c', 'a'])
    expect(shown(settle(answered, [row('c', 3)], 'open'))).toEqual(['c', 'a gone'])
  })

  test('in another order appends only further pages, and counts rows that belong between', () => {
    const byDue = settle(unread('due'), [row('a', 1), row('b', 2)], 'due', { byAge: false })
    const next = settle(byDue, [row('a', 1), row('x', 4), row('b', 2), row('y', 5)], 'due', { byAge: false })
    expect(shown(next)).toEqual(['a', 'b', 'y'])
    expect(next.fresh).toBe(1)
  })

  test('restores a handled row in its place, once that was undone', () => {
    const three = [row('c', 3), row('b', 2), row('a', 1)]
    for (const byAge of [true, false]) {
      const before = settle(unread('open'), three, 'open', { byAge })
      const dealt = { ...before, rows: before.rows.filter((each) => each.row.id !== 'b'), removed: new Set(['b']) }
      // A request sent before the decision still contains the task.
      const late = settle(dealt, [...three], 'open', { byAge })
      expect(shown(late)).toEqual(['c', 'a'])
      const gone = settle(late, [row('c', 3), row('a', 1)], 'open', { byAge })
      expect(shown(gone)).toEqual(['c', 'a'])
      const back = settle(gone, [...three], 'open', { byAge })
      expect([shown(back), back.fresh]).toEqual([['c', 'b', 'a'], 0])
    }
  })

  test('starts again for another queue', () => {
    expect(shown(settle(first, [row('x', 9)], 'mine'))).toEqual(['x'])
  })
})
