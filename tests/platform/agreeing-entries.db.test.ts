import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import type { RegisterDefinition } from '../../api/platform/model/definitions/register.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount } from './kit/rows.ts'

const common = { changedBy: ['ADMIN'], seenBy: ['*'], titleField: '/name' } satisfies Partial<RegisterDefinition>
const text = { type: 'string' }
const number = { type: 'integer' }
const library = {
  registers: new Map<string, RegisterDefinition>([
    [
      't/boat',
      {
        ...common,
        title: 't.boats',
        statuses: ['Active', 'Inactive'],
        item: { type: 'object', properties: { name: text, colour: text, seats: number } },
        selections: { red: { at: '/colour', is: ['red'], code: 't.not-red' } },
      },
    ],
    [
      't/rower',
      {
        ...common,
        title: 't.rowers',
        statuses: ['Aboard', 'Ashore'],
        item: {
          type: 'object',
          properties: {
            name: text,
            colour: text,
            seat: number,
            boat: {
              ...{ type: 'string', format: 'uuid', 'x-register': 't/boat' },
              'x-agrees': { colour: { is: 'colour' }, seat: { atMost: 'seats' } },
            },
            spare: { type: 'string', format: 'uuid', 'x-register': 't/boat', 'x-selection': 'red' },
          },
        },
      },
    ],
    [
      't/repair',
      {
        ...common,
        title: 't.repairs',
        statuses: ['Active', 'Inactive'],
        item: {
          type: 'object',
          properties: {
            name: text,
            offers: { type: 'array', items: { type: 'object', properties: { by: text, price: number } } },
            chosen: {
              ...text,
              'x-row': { list: 'offers', names: 'by' },
              'x-least': { list: 'offers', names: 'by', by: 'price', unless: 'why' },
            },
            why: text,
          },
        },
      },
    ],
  ]),
}

let database: TestDatabase
let by: string
beforeAll(async () => {
  database = await freshDatabase()
  by = await anAccount(database.db)
})
afterAll(() => database.drop())

const within = <T>(act: (own: ReturnType<typeof registers>) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((trx) => act(registers(trx, library)))
const create = (register: string, data: JsonObject) => within((own) => own.create(register, data, by))
const refusal = (field: string, code: string) => ({ fields: [expect.objectContaining({ field, code })] })

test('an item in use agrees with the item that it names, also when that one changes', async () => {
  const boat = await create('t/boat', { name: 'Red boat', colour: 'red', seats: 2 })
  const aRower = (more: JsonObject) => create('t/rower', { name: 'Rower', boat: boat.id, colour: 'red', ...more })
  await expect(aRower({ colour: 'blue' })).rejects.toMatchObject(refusal('/colour', 'platform.item-does-not-fit'))
  await expect(aRower({ seat: 3 })).rejects.toMatchObject(refusal('/seat', 'platform.item-does-not-fit'))
  const rower = await aRower({ seat: 2 })
  const change = (patch: JsonObject) => within(async (own) => own.change(await own.lock('t/boat', boat.id), patch, by))
  await expect(change({ seats: 1 })).rejects.toMatchObject(refusal('/seats', 'platform.item-needed-so'))
  await expect(change({ colour: 'blue' })).rejects.toMatchObject(refusal('/colour', 'platform.item-needed-so'))
  await expect(change({ seats: 4 })).resolves.toMatchObject({ data: { seats: 4 } })

  await within((own) => own.setStatus(rower, 'Ashore', by))
  await expect(change({ seats: 1, colour: 'blue' })).resolves.toMatchObject({ data: { seats: 1 } })
  const again = within(async (own) => own.setStatus(await own.lock('t/rower', rower.id), 'Aboard', by))
  await expect(again).rejects.toMatchObject({ code: 'platform.form-invalid' })
})

test('the database refuses what does not agree, also past the services', async () => {
  const boat = await create('t/boat', { name: 'Small boat', colour: 'red', seats: 1 })
  const rower = await create('t/rower', { name: 'Rower', boat: boat.id, colour: 'red', seat: 1 })
  const { db } = database
  const shrink = sql`update register_item set data = data || '{"seats": 0}' where id = ${boat.id}`.execute(db)
  await expect(shrink).rejects.toMatchObject({ constraint: 'entry_agreed', detail: 'Rower' })
  const paint = db.transaction().execute(async (trx) => {
    await sql`update register_item set data = data || '{"colour": "blue"}' where id = ${rower.id}`.execute(trx)
    await sql`update register_reference set path = path where item_id = ${rower.id}`.execute(trx)
  })
  await expect(paint).rejects.toMatchObject({ constraint: 'reference_agrees' })
})

test('an item that is older than a rule stays as it is until what the rule is about changes', async () => {
  const red = await create('t/boat', { name: 'Red boat', colour: 'red', seats: 2 })
  const blue = await create('t/boat', { name: 'Blue boat', colour: 'blue', seats: 2 })
  const rower = await create('t/rower', { name: 'Rower', boat: red.id, spare: red.id, colour: 'red' })
  // As if the rules were not there yet.
  const { db, owner } = database
  await db.transaction().execute(async (trx) => {
    await sql`update register_reference set agrees = null, selection = null where item_id = ${rower.id}`.execute(trx)
    const old = JSON.stringify({ colour: 'green', spare: blue.id })
    await sql`update register_item set data = data || ${old}::jsonb where id = ${rower.id}`.execute(trx)
  })
  const change = (patch: JsonObject) =>
    within(async (own) => own.change(await own.lock('t/rower', rower.id), patch, by))
  await expect(change({ seat: 1 })).resolves.toMatchObject({ data: { seat: 1, colour: 'green' } })
  await expect(change({ name: 'Oarsman' })).resolves.toMatchObject({ data: { name: 'Oarsman' } })
  // Another boat that does not fit either, and another colour, are refused.
  await expect(change({ boat: blue.id })).rejects.toMatchObject(refusal('/colour', 'platform.item-does-not-fit'))
  await expect(change({ colour: 'yellow' })).rejects.toMatchObject(refusal('/colour', 'platform.item-does-not-fit'))
  await change({ colour: 'red' })
  const { rows } = await owner.pool.query(
    `select path, agrees is not null as agrees, selection is not null as selection from app.register_reference
     where item_id = $1 order by path`,
    [rower.id],
  )
  expect(rows).toEqual([
    { path: '/boat', agrees: true, selection: false },
    { path: '/spare', agrees: false, selection: false },
  ])
  await change({ spare: red.id })
  await expect(change({ spare: blue.id })).rejects.toMatchObject(refusal('/spare', 't.not-red'))
})

test('what is chosen is a row of the list, and the least unless something says why not', async () => {
  const offers = [
    { by: 'Yard', price: 300 },
    { by: 'Dock', price: 200 },
  ]
  const aRepair = (more: JsonObject) => create('t/repair', { name: 'Repair', offers, ...more })
  await expect(aRepair({ chosen: 'Nobody' })).rejects.toMatchObject(refusal('/chosen', 'platform.check-x-row'))
  await expect(aRepair({ chosen: 'Yard' })).rejects.toMatchObject(refusal('/chosen', 'platform.check-x-least'))
  const repair = await aRepair({ chosen: 'Yard', why: 'The dock is full' })
  await aRepair({ chosen: 'Dock' })
  await aRepair({ chosen: 'Anybody', offers: [] })
  // A list that is none is told as such.
  await expect(aRepair({ chosen: 'Yard', offers: 'Yard' })).rejects.toMatchObject({
    fields: [expect.objectContaining({ field: '/offers' })],
  })
  await aRepair({})
  const becomes = (data: string) =>
    sql`update register_item set data = (data - 'why') || ${data}::jsonb where id = ${repair.id}`.execute(database.db)
  const refused = { constraint: 'item_within_bounds' }
  await expect(becomes('{}')).rejects.toMatchObject(refused)
  await expect(becomes('{"chosen": "Nobody", "why": "So"}')).rejects.toMatchObject(refused)
  await expect(becomes('{"chosen": "Dock"}')).resolves.toBeDefined()
})
