import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Report } from '../../api/platform/model/definitions/report.ts'
import report from '../../api/medical/statistics.report.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

/** Check-ups of as many patients in a month, each as often. */
async function visits(month: string, { patients, each = 1 }: { patients: number; each?: number }): Promise<void> {
  const { db } = database.owner
  for (let at = 0; at < patients; at += 1) {
    const patient = await anItem(db, 'medical/patient', { data: { kind: 'family' } })
    for (let visit = 0; visit < each; visit += 1)
      await anItem(db, 'medical/checkup', { data: { patient, visited_on: `${month}-1${visit}` } })
  }
}

test('a patient counts once in a month, fewer than five have no number, and five have one', async () => {
  await visits('2026-01', { patients: 1, each: 5 })
  await visits('2026-02', { patients: 4 })
  await visits('2026-03', { patients: 5, each: 2 })
  const group = await anItem(database.owner.db, 'medical/diagnosis-group')
  const rows = await report.rows({
    db: database.db,
    filter: { from: '2026-01', until: '2026-03' },
    limit: 100,
    unsealed: async (_: string, ids: readonly string[]) => new Map(ids.map((id) => [id, { diagnosis_group: group }])),
  } as unknown as Parameters<Report['rows']>[0])
  expect(rows.map(({ month, patients }) => [month, patients])).toEqual([
    ['2026-03', '5'],
    ['2026-02', '< 5'],
    ['2026-01', '< 5'],
  ])
})
