import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { known } from '../../api/platform/kernel/known.ts'
import { type Engine, EngineRefusal } from '../../api/platform/kernel/engine/port.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { addCommand } from '../../api/platform/work/rows/commands.ts'
import { answerQuestion, askQuestion } from '../../api/platform/work/rows/mailed-questions.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { caseServices } from './kit/case-services.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount, anItem } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
let database: TestDatabase
let requester: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
})
afterAll(() => database.drop())

/** A case that asks, is answered, and sends the answer to an engine in which nothing waits. */
async function answered(): Promise<{ of: string; sends(): Promise<string>; voided(): Promise<boolean> }> {
  const { db } = database
  const of = await aCase(db, requester, { flow: 'area/asking', manifest: { asks: { offer: { message: 'answered' } } } })
  await db.updateTable('flow_case').set({ process_instance_id: of }).where('id', '=', of).execute()
  const { id } = await askQuestion(db, { caseId: of, name: 'offer', closesAt: new Date(Date.now() + 3_600_000) })
  await answerQuestion(db, id, { outcome: 'accept', data: { outcome: 'accept' } })
  const command = { kind: 'correlate', payload: { message: 'answered', variables: {} }, caseId: of } as const
  await db.transaction().execute((trx) => addCommand(trx, { ...command, actingUser: requester }))
  const correlate = async () => {
    throw new EngineRefusal('nothing-waits', 'nothing waits for it')
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sender asks it for nothing else
  const { sender } = caseServices({ db, library, engine: { correlate } as unknown as Engine })
  const { id: sent } = await db.selectFrom('command').select('id').where('case_id', '=', of).executeTakeFirstOrThrow()
  const voided = async () =>
    (await db.selectFrom('mailed_question').select('void_at').where('id', '=', id).executeTakeFirstOrThrow())
      .void_at !== null
  return { of, sends: () => sender.deliver({ id: sent }), voided }
}

test('an answer that comes while a reminder goes out is told again; after a withdrawal it is void', async () => {
  const { of, sends, voided } = await answered()
  expect([await sends(), await voided()]).toEqual(['pending', false])
  await database.db.updateTable('flow_case').set({ withdrawn_at: new Date() }).where('id', '=', of).execute()
  expect([await sends(), await voided()]).toEqual(['refused', true])
})

test('a reminder that is due while the answer comes in asks nobody again', async () => {
  const { db } = database
  const place = { email: 'anne@example.lk', answer_by: '2999-12-31', programme: 'BPA', number: 'A/1' }
  const admission = await anItem(db, 'admissions/admission', { data: place })
  const of = await aCase(db, requester, { flow: 'admissions/admission-offer' })
  const data = JSON.stringify({ admission })
  await db.updateTable('flow_case').set({ data }).where('id', '=', of).execute()
  const worker = known((await discoverWorkers()).get('platform.send-mail'), 'the worker')
  const reminds = async () => {
    const variables = { to: 'asked:offer', template: 'admissions.mail.offer-reminder' }
    const task = { id: randomUUID(), topic: 'platform.send-mail', element: 'event_reminded', caseId: of, variables }
    const lock = { held: () => true, confirm: () => Promise.resolve(true) }
    const run = runOnce({ db, library, publicUrl: 'http://localhost' })
    await run({ worker, task, lock, log: pino({ enabled: false }) })
    return (await db.selectFrom('mail').select('recipient').where('case_id', '=', of).execute()).length
  }
  expect(await reminds()).toBe(1)
  const { id } = await db.selectFrom('mailed_question').select('id').where('case_id', '=', of).executeTakeFirstOrThrow()
  await answerQuestion(db, id, { outcome: 'accept', data: { outcome: 'accept' } })
  expect(await reminds()).toBe(1)
})

test('a case that leads an entry begins only from the status that it has read', async () => {
  const { db } = database
  const entry = await anItem(db, 'area/entry', { status: 'Withdrawn' })
  const of = await aCase(db, requester)
  const { rows } = await database.pool.query('select * from app.flow_case where id = $1', [of])
  const again = { ...rows[0], id: randomUUID(), reference: randomUUID(), leads: entry, led_from: 'Selected' }
  const columns = Object.keys(again)
  const insert = `insert into app.flow_case (${columns.join(', ')})
    select ${columns.map((name) => `r.${name}`).join(', ')} from jsonb_populate_record(null::app.flow_case, $1) r`
  await expect(database.pool.query(insert, [JSON.stringify(again)])).rejects.toMatchObject({
    constraint: 'entry_led_from',
  })
  await database.pool.query(insert, [JSON.stringify({ ...again, led_from: 'Withdrawn' })])
})
