import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import { commitmentOf } from '../../api/platform/kernel/audit/format.ts'
import { beginSeries, nextWritten, numbers } from '../../api/platform/records/numbers/numbers.ts'
import { namingCase } from '../../api/platform/work/rows/cases.ts'
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
      if (reference) await sql`update flow_case set reference = ${reference} where id = ${id}`.execute(trx)
    })
  await expect(late()).rejects.toMatchObject({ constraint: 'flow_case_numbered' })
  await late('CASE-1')
})

test('a case and its audit entry get the number in the statement that takes it, once the series has begun', async () => {
  const { db } = database
  const requester = await anAccount(db)
  const example = await aCase(db, requester)
  const series = { series: 'area/named', pattern: 'X-{yyyy}/{mm}-{sequence:3}', now: new Date('2026-11-30T20:00:00Z') }
  const numbered = (begun: boolean) =>
    db.transaction().execute(async (trx) => {
      const id = randomUUID()
      await sql`insert into flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, status)
        select ${id}::uuid, ${id}, flow, flow_hash, process_definition_id, requester_id, status
        from flow_case where id = ${example}`.execute(trx)
      const entry = { actor: requester, action: 'case.submitted', caseId: id }
      const payload = (reference: string) => ({ reference, told: [`as ${reference}`, 'ගායනය'] })
      if (begun) await beginSeries(trx, series)
      return [id, await audit(trx).recordFound({ ...entry, payload }, namingCase(id, nextWritten(series)))]
    })
  await expect(numbered(false)).rejects.toMatchObject({ constraint: 'flow_case_numbered' })
  const given = await Promise.all([numbered(true), numbered(true), numbered(true)])
  expect(given.map(([, reference]) => reference).toSorted()).toEqual([1, 2, 3].map((n) => `X-2026/12-00${n}`))
  for (const [id, reference] of given) {
    const { rows } = await sql<{ reference: string; payload: { told: string[] }; salt: Buffer; commitment: Buffer }>`
      select c.reference, p.payload, p.salt, e.commitment from flow_case c
      join audit_entry e on e.case_id = c.id join audit_payload p on p.entry_id = e.id where c.id = ${id}`.execute(db)
    expect(rows).toMatchObject([{ reference, payload: { reference, told: [`as ${reference}`, 'ගායනය'] } }])
    expect(rows[0]!.commitment).toEqual(commitmentOf(rows[0]!.salt, rows[0]!.payload))
  }
})
