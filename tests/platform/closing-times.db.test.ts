import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { publicFlow } from '../../api/platform/features/tracking/applications.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { claimBegun, noteBegun } from '../../api/platform/work/rows/begun-forms.ts'
import { createCase } from '../../api/platform/work/rows/cases.ts'
import { day } from './kit/days.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount, anItem } from './kit/rows.ts'

const FLOW = 'area/flow'
const MINUTE = 60_000

let database: TestDatabase
let requester: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
  // The flow and its version.
  await aCase(database.db, requester, { flow: FLOW })
})
afterAll(() => database.drop())

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

/** Writes a case about an item in a flow that closed some minutes ago; where people may finish, for ten minutes. */
async function sends(item: string, closed: number, { finish = true } = {}): Promise<'written' | 'refused'> {
  const at = ago(closed)
  const { flow_hash: flowHash } = await database.db
    .selectFrom('process_definition')
    .select('flow_hash')
    .where('flow', '=', FLOW)
    .executeTakeFirstOrThrow()
  const empty = { data: {}, scope: {}, subject: {}, facts: {}, filters: {} }
  const id = randomUUID()
  const given = { id, flow: FLOW, flowHash, definitionId: FLOW, requesterId: requester, ...empty }
  const finishUntil = finish ? new Date(at.getTime() + 10 * MINUTE) : null
  const more = { sentBy: null, statuses: { status: 'new' }, amount: null, once: item, again: [] }
  try {
    await database.db.transaction().execute(async (trx) => {
      await createCase(trx, { ...given, ...more, closing: { at, finishUntil, item } })
      await sql`update flow_case set reference = ${`CASE-${id}`} where id = ${id}`.execute(trx)
    })
    return 'written'
  } catch (error) {
    expect(error).toMatchObject({ constraint: 'flow_case_in_time' })
    return 'refused'
  }
}

/** Has the requester begun the form about an item some minutes ago; only the owner of the database can date it back. */
async function begins(item: string, minutes: number): Promise<void> {
  const id = await noteBegun(database.db, { flow: FLOW, item }, requester)
  await database.owner.db
    .updateTable('begun_form')
    .set({ begun_at: ago(minutes) })
    .where('id', '=', id)
    .execute()
}

test('a request is written until the closing time and refused after', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => anItem(database.db, 'area/item')))
  expect([await sends(first!, -1), await sends(second!, 1)]).toEqual(['written', 'refused'])
})

test('who began before closing may finish within ten minutes, for that item and only then', async () => {
  const [violin, viola, cello] = await Promise.all([1, 2, 3].map(() => anItem(database.db, 'area/item')))
  await begins(violin!, 3)
  expect(await sends(viola!, 1)).toBe('refused')
  expect(await sends(violin!, 1, { finish: false })).toBe('refused')
  expect(await sends(violin!, 1)).toBe('written')
  await begins(cello!, 30)
  expect(await sends(cello!, 11)).toBe('refused')
  // Somebody who was late for one item has begun another in time.
  await begins(viola!, 1)
  expect(await sends(viola!, 2)).toBe('refused')
})

test('the application cannot say when a form was begun, nor take what somebody has begun', async () => {
  const item = await anItem(database.db, 'area/item')
  const { db } = database
  const dated = sql`insert into begun_form (flow, item, account_id, begun_at) values (${FLOW}, ${item}, ${requester}, now())`
  await expect(dated.execute(db)).rejects.toThrow('permission denied')
  const id = await noteBegun(db, { flow: FLOW, item }, null)
  await claimBegun(db, { id, flow: FLOW, item }, requester)
  const other = await anAccount(db)
  await claimBegun(db, { id, flow: FLOW, item }, other)
  const row = db.selectFrom('begun_form').select('account_id').where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ account_id: requester })
  const taken = db.updateTable('begun_form').set({ account_id: other }).where('id', '=', id).execute()
  await expect(taken).rejects.toMatchObject({ constraint: 'begun_form_claimed_once' })
})

test('all that is open is offered, more than a page of it, too', async () => {
  const data = { name: 'First intake', opens_on: day(-1), closes_on: day(1), starts_on: day(30), places: 1 }
  for (let made = 0; made < 101; made += 1) await anItem(database.db, 'courses-public/intake', { data })
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const { items } = await publicFlow({ db: database.db, library }, 'courses-public/course-application')
  expect(new Set(items.filter(({ state }) => state === 'open').map(({ id }) => id)).size).toBe(101)
})
