import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import { deployRepositoryModels } from '../../api/platform/model/deployed/deployment.ts'
import { FLOW, library } from './fixtures/two-desks.ts'
import { caseServices } from './kit/case-services.ts'
import { agreeingEngine } from './kit/agreeing-engine.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anItem } from './kit/rows.ts'

const log = pino({ level: 'silent' })
const path = `/api/flows/${FLOW}/draft`
let database: TestDatabase
let own: TestApp
let music: string
let [nuwan, selvi]: Caller[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  const { engine } = agreeingEngine([])
  const { definitions, cases } = caseServices({ db, library, engine })
  await deployRepositoryModels({ db, engine, library, log, gate: async () => undefined })
  own = await testApp(database, { library, definitions, cases })
  music = await anItem(db, 'platform/department')
  nuwan = await own.person('nuwan')
  selvi = await own.person('selvi')
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

test('a draft of a start form is visible to its author only, the latest wins, and it is deleted when sent or discarded', async () => {
  const read = async (who: Caller) => (await who.send('GET', path)).json().draft
  expect((await own.send('GET', path)).statusCode).toBe(401)
  expect(await read(nuwan!)).toBeNull()
  await nuwan!.send('PUT', path, { data: { purpose: 'Rec' } })
  expect((await nuwan!.send('PUT', path, { data: { purpose: 'Recital' } })).statusCode).toBe(200)
  expect(await read(nuwan!)).toEqual({ data: { purpose: 'Recital' }, savedAt: expect.any(String) })
  expect(await read(selvi!)).toBeNull()

  const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour)).toISOString()
  const data = { department: music, purpose: 'Recital', from: at(9), until: at(11) }
  expect((await selvi!.send('POST', '/api/cases', { flow: FLOW, data })).statusCode).toBe(201)
  expect(await read(nuwan!)).not.toBeNull()
  expect(
    (await nuwan!.send('POST', '/api/cases', { flow: FLOW, data: { ...data, from: at(13), until: at(15) } }))
      .statusCode,
  ).toBe(201)
  expect(await read(nuwan!)).toBeNull()

  await nuwan!.send('PUT', path, { data: {} })
  expect((await nuwan!.send('DELETE', path)).statusCode).toBe(204)
  expect(await read(nuwan!)).toBeNull()
  expect((await nuwan!.send('PUT', '/api/flows/tests/nothing/draft', { data: {} })).statusCode).toBe(404)
})
