import { expect, test } from '@jest/globals'
import { cursorOf, readCursor } from '../../api/platform/kernel/paging.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

test.each([
  ['no cursor at all', 'nonsense'],
  ['one of another list', cursorOf(['Hall', id])],
  ['one of another length', cursorOf(['2026-05-14 18:00:00.123456+00'])],
  ['one with what the database cannot read', cursorOf(['yesterday', id])],
  ['one with a day that there is not', cursorOf(['2026-02-31 18:00:00+00', id])],
  ['one with what is no id', cursorOf(['2026-05-14 18:00:00.123456+00', "1' or '1"])],
])('%s is refused', (_, cursor) => {
  expect(() => readCursor(cursor, ['moment', 'id'])).toThrow(
    expect.objectContaining({ code: 'platform.cursor-invalid' }),
  )
})

test('a cursor can be read back, text included', () => {
  expect(readCursor(cursorOf(['2026-05-14 18:00:00.123456+00', id]), ['moment', 'id'])[1]).toBe(id)
  expect(readCursor(cursorOf(['A \'hall\', "ශාලාව"', id]), ['text', 'id'])[0]).toBe('A \'hall\', "ශාලාව"')
  expect(() => readCursor(cursorOf(['\0', id]), ['text', 'id'])).toThrow('platform.cursor-invalid')
})
