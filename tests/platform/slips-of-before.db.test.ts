import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { up as keepSlips } from '../../api/platform/kernel/db/migrations/0126-slips-of-all-fees.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aReference } from './kit/payments.ts'
import { aCase, anAccount } from './kit/rows.ts'

const FORM = 'courses-public/payment-slip'

let database: TestDatabase
let requester: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
})
afterAll(() => database.drop())

/** A case in a state, with slips that were sent one after the other; returns it with the references of their files. */
async function aCaseWith(slips: number, state: 'running' | 'ended', verified = false) {
  const { db, owner } = database
  const id = await aCase(db, requester)
  await db.updateTable('flow_case').set({ state }).where('id', '=', id).execute()
  const references: string[] = []
  for (let n = 0; n < slips; n += 1) {
    const file = randomUUID()
    const sha256 = createHash('sha256').update(file).digest('hex')
    await db
      .insertInto('file')
      .values({
        id: file,
        owner_id: requester,
        name: 'slip.pdf',
        content_type: 'application/pdf',
        size: 1,
        sha256,
        storage_key: file,
      })
      .execute()
    await owner.db
      .insertInto('submission')
      .values({
        ...{ id: randomUUID(), case_id: id, form_key: FORM, form_hash: await hashOf(id), submitted_by: requester },
        ...{ data: JSON.stringify({ slip: file }), effect: 'done', at: new Date(Date.UTC(2026, 0, 1 + n)) },
      })
      .execute()
    references.push(`SLIP${sha256.toUpperCase()}`)
  }
  if (verified)
    await db
      .insertInto('case_payment')
      .values({ case_id: id, reference: aReference().replaceAll(/\W/g, '').toUpperCase() })
      .execute()
  return { id, references }
}

/** Any artifact serves as the form. */
async function hashOf(id: string): Promise<string> {
  const row = await database.db
    .selectFrom('flow_case')
    .select('flow_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.flow_hash
}

async function slipsOf({ id }: { id: string }): Promise<string[]> {
  const rows = await database.db
    .selectFrom('case_payment')
    .select('reference')
    .where('case_id', '=', id)
    .where('reference', 'like', 'SLIP%')
    .execute()
  return rows.map(({ reference }) => reference)
}

test('of cases from before the last slip counts while they run, and all slips of one that was paid', async () => {
  const running = await aCaseWith(2, 'running')
  const verified = await aCaseWith(2, 'ended', true)
  const refused = await aCaseWith(1, 'ended')
  await database.owner.db.transaction().execute((trx) => keepSlips(trx as unknown as Kysely<unknown>))
  expect(await slipsOf(running)).toEqual(running.references.slice(1))
  expect((await slipsOf(verified)).toSorted()).toEqual(verified.references.toSorted())
  expect(await slipsOf(refused)).toEqual([])
})
