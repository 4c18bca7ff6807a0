import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { pino } from 'pino'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { isRenewed } from '../../api/vehicles/trips.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { endsBy } from '../../api/platform/work/registers/expiring.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import beginTrip from '../../workers/vehicles/begin-trip.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const LICENCES = 'vehicles/licence'
const library = loadLibrary(process.cwd())
const { expires } = library.registers.get(LICENCES)!

test.each([
  ['from the next day', '2027-02-01', true],
  ['after a gap', '2027-02-02', false],
])('a licence %s replaces one that ends: %s, %s', async (_, from, replaces) => {
  const vehicle = await anItem(database.db, 'vehicles/vehicle')
  const ending = { vehicle, kind: 'insurance', from: '2026-02-01', until: '2027-01-31' }
  const id = await anItem(database.db, LICENCES, { data: ending })
  expect(await isRenewed(database.db, ending)).toBe(false)
  await anItem(database.db, LICENCES, { data: { ...ending, from, until: '2028-01-31' } })
  expect(await isRenewed(database.db, ending)).toBe(replaces)
  const found = await database.db
    .selectFrom('register_item')
    .select('id')
    .where(sql`data ->> 'vehicle'`, '=', vehicle)
    .where(endsBy(expires!, new Date('2027-01-20T06:00:00Z'), 30))
    .execute()
  expect(found).toEqual(replaces ? [] : [{ id }])
})

test('licences of a vehicle and kind stay apart, and insurances from each other', async () => {
  const vehicle = await anItem(database.db, 'vehicles/vehicle')
  const year = { vehicle, kind: 'insurance', number: 'I-1', from: '2026-02-01', until: '2027-01-31' }
  const on = <T>(act: (all: ReturnType<typeof registers>) => Promise<T>) =>
    database.db.transaction().execute((trx) => act(registers(trx, library)))
  const enters = (more: object) => on((all) => all.create(LICENCES, { ...year, ...more }, null, { status: 'Active' }))
  const { id } = await enters({})
  const overlaps = { fields: [{ field: '/until', code: 'vehicles.licences-apart', values: { item: 'insurance I-1' } }] }
  const next = { number: 'I-2', from: '2027-01-31', until: '2028-01-30' }
  await expect(enters(next)).rejects.toMatchObject(overlaps)
  await enters({ kind: 'revenue-licence', number: 'R-1' })
  await enters({ ...next, from: '2027-02-01' })
  const longer = on(async (all) => all.change(await all.lock(LICENCES, id), { ...year, until: '2027-02-01' }, null))
  await expect(longer).rejects.toMatchObject({ fields: [{ code: 'vehicles.licences-apart' }] })
  // One that is not in force leaves its days to another.
  await on(async (all) => all.setStatus(await all.lock(LICENCES, id), 'cancel', null))
  await enters({ number: 'I-3', until: '2027-01-30' })
})

test('a trip whose vehicle is being changed begins once that is settled, however long it takes', async () => {
  const { db } = database
  const holder = await anAccount(db)
  const caseId = await aCase(db, holder, { flow: 'vehicles/vehicle-reservation' })
  const [item, booked] = [
    await anItem(db, 'vehicles/vehicle'),
    { from: '2031-03-04T09:00Z', until: '2031-03-04T10:00Z' },
  ]
  await db.transaction().execute(async (trx) => {
    await allocations(trx).claim({ item, booked, holder, caseId, path: '/vehicle', purpose: 'move' })
  })
  const run = runOnce({ db, library: loadLibrary(process.cwd()), publicUrl: '' })
  const begins = () =>
    run({
      worker: beginTrip,
      task: { id: 'task', topic: 'vehicles.begin-trip', element: 'serviceTask_x', caseId, variables: {} },
      lock: { held: () => true, confirm: () => Promise.resolve(true) },
      log: pino({ enabled: false }),
    })
  // Refused: it is offered again, and no attempt is counted.
  for (let n = 0; n < 8; n += 1) expect(await begins()).toMatchObject({ kind: 'refused' })
  await db.transaction().execute((trx) => allocations(trx).dropMove(caseId))
  expect(await begins()).toMatchObject({ kind: 'completed', output: { tripGone: true } })
})
