import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { caseRecordRepository } from '../../api/platform/work/rows/case-record.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'
import { findSchedules, saveActivities } from '../../api/platform/work/rows/feed.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('steps within one millisecond keep the order of the engine', async () => {
  const { db } = database
  const caseId = await aCase(db, await anAccount(db))
  const step = (element: string) => ({
    caseId,
    id: `${element}:1`,
    definitionId: 'definition',
    element,
    type: 'task',
    name: null,
    taskId: null,
    startedAt: '2026-05-14T06:00:00.000Z',
    endedAt: null,
    canceled: false,
  })
  const names = ['start', 'decide', 'approve', 'end']
  await saveActivities(db, names.slice(0, 2).map(step))
  // An end that arrives later changes nothing.
  const ended = { ...step('start'), endedAt: '2026-05-14T06:00:01.000Z' }
  await saveActivities(db, [ended, ...names.slice(2).map(step)])
  const path = await caseRecordRepository(db).listActivities(caseId)
  expect(path.map(({ element }) => element)).toEqual(names)
})

test('only manifests decide whether a process is a schedule, whatever the query plan', async () => {
  const { db } = database
  await db
    .insertInto('artifact')
    .values({ hash: 'f'.repeat(64), kind: 'bpmn', key: 'tests/diagram', content: '<bpmn:definitions />' })
    .execute()
  await db.transaction().execute(async (trx) => {
    await sql`set local enable_nestloop = off`.execute(trx)
    expect(await findSchedules(trx, ['no-such-process'])).toEqual([])
  })
})
