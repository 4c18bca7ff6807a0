import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import Type from 'typebox'
import { WrongInput } from '../../workers/platform/run.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { worker } from '../../workers/platform/worker.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

const floor = [{ before: ['tests.confirm'], decided: { 'tests/approval': ['approve'] }, unless: { needed: false } }]
let database: TestDatabase
let person: string

beforeAll(async () => {
  database = await freshDatabase()
  person = await anAccount(database.db)
})
afterAll(() => database.drop())

/** A case of a flow whose manifest has a floor, with the variables that its rules derived. */
async function begun(needed?: boolean): Promise<string> {
  const id = await aCase(database.db, person)
  const content = JSON.stringify({ floor })
  const hash = createHash('sha256').update(content).digest('hex')
  await database.db
    .insertInto('artifact')
    .values({ hash, kind: 'flow', key: 'tests/floor', content })
    .onConflict((oc) => oc.doNothing())
    .execute()
  await database.db.updateTable('flow_case').set({ flow_hash: hash }).where('id', '=', id).execute()
  const payload = JSON.stringify({ variables: needed === undefined ? {} : { needed } })
  await database.db
    .insertInto('command')
    .values({ id: randomUUID(), case_id: id, kind: 'start', payload, acting_user: person })
    .execute()
  return id
}

async function answered(caseId: string, form: string, outcome: string): Promise<void> {
  const of = { id: randomUUID(), case_id: caseId, process_definition_id: 'p', desk: 'userTask_x', name: 'X' }
  await database.db
    .insertInto('task')
    .values({
      ...{ ...of, form_key: form, state: 'done', outcome, decided_by: person },
      ...{ decided_at: new Date(), created_at: new Date(), ended_at: new Date() },
    })
    .execute()
}

/** A step of this topic, as a worker runs it. */
function step(caseId: string, topic = 'tests.confirm') {
  const run = runOnce({ db: database.db, library: { texts: { en: {} } } as unknown as Library, publicUrl: '' })
  return run({
    worker: worker({ input: Type.Object({}), output: Type.Object({}), run: () => Promise.resolve({}) }),
    task: { id: randomUUID(), topic, element: 'serviceTask_x', caseId, variables: {} },
    lock: { held: () => true, confirm: () => Promise.resolve(true) },
    log: pino({ enabled: false }),
  })
}

test('a step waits for the decision that its flow requires, whatever path led there', async () => {
  const id = await begun(true)
  const refused = 'nobody has decided what the flow needs decided before tests.confirm'
  await expect(step(id)).rejects.toThrow(new WrongInput(refused))
  // Another form, or another outcome, is not the required decision.
  await answered(id, 'tests/invoice', 'approve')
  await answered(id, 'tests/approval', 'reject')
  await expect(step(id)).rejects.toThrow(refused)
  expect(await step(id, 'tests.release')).toMatchObject({ kind: 'completed' })
  await answered(id, 'tests/approval', 'approve')
  expect(await step(id)).toMatchObject({ kind: 'completed' })
})

test('no decision is needed if the flow’s rules said so at submission, and nobody else can set that', async () => {
  expect(await step(await begun(false))).toMatchObject({ kind: 'completed' })
  await expect(step(await begun())).rejects.toThrow('nobody has decided')
  const id = await begun(true)
  // A variable that an operator sets in the engine does not override what the rules derived.
  const payload = JSON.stringify({ variables: { needed: false } })
  await database.db
    .insertInto('command')
    .values({ id: randomUUID(), case_id: id, kind: 'modify', payload, acting_user: person })
    .execute()
  await expect(step(id)).rejects.toThrow('nobody has decided')
})

test('a version with rows that need no decision has a second owner', async () => {
  const id = await aCase(database.db, person)
  const { process_definition_id: definition } = await database.db
    .selectFrom('flow_case')
    .select('process_definition_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const release = { definition_id: definition, process: 'p', base_id: definition, note: 'Alone', released_by: person }
  const alone = database.db.insertInto('studio_release').values({ ...release, undecided: ['row 1'] })
  await expect(alone.execute()).rejects.toThrow('undecided_needs_another')
})
