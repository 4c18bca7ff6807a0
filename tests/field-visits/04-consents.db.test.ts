import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import moveVisit from '../../workers/field-visits/move-visit.ts'
import noteConsents from '../../workers/field-visits/note-consents.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import type { AnyWorker } from '../../workers/platform/worker.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount } from '../platform/kit/rows.ts'

let database: TestDatabase
let person: string
beforeAll(async () => {
  database = await freshDatabase()
  person = await anAccount(database.db)
})
afterAll(() => database.drop())

test('consents that were given for the days before a move are not noted', async () => {
  const [given, none] = ['given', 'none'].map((consent) => [{ reg_no: 'AS/1', name: 'A. Silva', consent }])
  const visit = await aCase(database.db, person, { flow: 'field-visits/field-visit' })
  const data = { overnight: 'yes', from: '2027-04-01', until: '2027-04-02', participants: none, consents: randomUUID() }
  await database.db
    .updateTable('flow_case')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', visit)
    .execute()
  const { flow_hash: hash } = await database.db
    .selectFrom('flow_case')
    .select('flow_hash')
    .where('id', '=', visit)
    .executeTakeFirstOrThrow()
  const answered = (form: string, sent: object) =>
    database.db
      .insertInto('submission')
      .values({
        ...{ id: randomUUID(), case_id: visit, form_key: `field-visits/${form}`, form_hash: hash },
        ...{ data: JSON.stringify(sent), submitted_by: person, effect: 'done' },
      })
      .execute()
  const run = runOnce({ db: database.db, library: loadLibrary(join(import.meta.dirname, '../..')), publicUrl: '' })
  const works = (worker: AnyWorker) =>
    run({
      worker,
      task: { id: randomUUID(), topic: 'x', element: 'serviceTask_x', caseId: visit, variables: {} },
      lock: { held: () => true, confirm: () => Promise.resolve(true) },
      log: pino({ enabled: false }),
    })
  await answered('move', { from: '2027-05-01', until: '2027-05-02', reason: 'Rain' })
  await answered('consents', { participants: given, noted: 0 })
  await answered('move-decision', { outcome: 'approve' })
  await works(moveVisit)
  await works(noteConsents)
  const now = async () =>
    database.db.selectFrom('flow_case').select(['data', 'facts']).where('id', '=', visit).executeTakeFirstOrThrow()
  expect((await now()).data).toEqual({
    overnight: 'yes',
    from: '2027-05-01',
    until: '2027-05-02',
    participants: none,
  })
  await answered('consents', { participants: given, noted: 1 })
  await works(noteConsents)
  expect(await now()).toMatchObject({ data: { participants: given }, facts: { noted: 2 } })
})
