import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { createCase, nameCase } from '../../api/platform/work/rows/cases.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

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
      await createCase(trx, { ...given, ...more, closing: { at, finishUntil } })
      await nameCase(trx, id, `CASE-${id}`)
    })
    return 'written'
  } catch (error) {
    expect(error).toMatchObject({ constraint: 'flow_case_in_time' })
    return 'refused'
  }
}

/** A draft about an item, begun some minutes ago. */
async function begins(item: string, minutes: number): Promise<void> {
  const { hash } = await database.db.selectFrom('artifact').select('hash').executeTakeFirstOrThrow()
  await database.db
    .insertInto('start_draft')
    .values({
      account_id: requester,
      flow: FLOW,
      form_hash: hash,
      data: JSON.stringify({ item }),
      begun_at: ago(minutes),
    })
    .onConflict((draft) =>
      draft.columns(['account_id', 'flow']).doUpdateSet({ data: JSON.stringify({ item }), begun_at: ago(minutes) }),
    )
    .execute()
}

test('a request is written until the closing time and refused after', async () => {
  expect([await sends('on-time', -1), await sends('late', 1)]).toEqual(['written', 'refused'])
})

test('who began before closing may finish within ten minutes, and only there and then', async () => {
  await begins('violin', 3)
  expect(await sends('viola', 1)).toBe('refused')
  expect(await sends('violin', 1, { finish: false })).toBe('refused')
  expect(await sends('violin', 1)).toBe('written')
  await begins('cello', 30)
  expect(await sends('cello', 11)).toBe('refused')
  await begins('cello', 1)
  expect(await sends('cello', 2)).toBe('refused')
})
