import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { numbers } from '../../api/platform/records/numbers/numbers.ts'
import { nameCase } from '../../api/platform/work/rows/cases.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

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

test('the database refuses a case without a number, and another number for a case', async () => {
  const { db } = database
  const requester = await anAccount(db)
  const named = await aCase(db, requester)
  const again = sql`update flow_case set reference = 'CASE-0' where id = ${named}`.execute(db)
  await expect(again).rejects.toMatchObject({ constraint: 'flow_case_keeps_number' })
  const late = (reference?: string) =>
    db.transaction().execute(async (trx) => {
      const id = randomUUID()
      await sql`insert into flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, status)
        select ${id}::uuid, ${id}, flow, flow_hash, process_definition_id, requester_id, status
        from flow_case where id = ${named}`.execute(trx)
      if (reference) await nameCase(trx, id, reference)
    })
  await expect(late()).rejects.toMatchObject({ constraint: 'flow_case_numbered' })
  await late('CASE-1')
})
