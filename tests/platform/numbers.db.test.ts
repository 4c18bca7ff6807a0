import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { numbers } from '../../api/platform/records/numbers/numbers.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

function next(series: string, period: string, fails = false): Promise<number> {
  return database.db.transaction().execute(async (trx) => {
    const number = await numbers(trx).next(series, period)
    if (fails) throw new Error('rolled back')
    return number
  })
}

test('numbers have no gaps, despite rollbacks and concurrency', async () => {
  const asked = Array.from({ length: 60 }, (_, n) => next('area/flow', '2026', n % 3 === 0))
  const given = (await Promise.allSettled(asked)).flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  )
  expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
})

test('each period and each series begins with 1', async () => {
  await next('area/other', '2026')
  expect(await next('area/other', '2027')).toBe(1)
  expect(await next('area/third', '2026')).toBe(1)
  expect(await next('area/other', '2026')).toBe(2)
})
