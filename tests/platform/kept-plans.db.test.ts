import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { connect, type Database, ONE_PLAN } from '../../api/platform/kernel/db/database.ts'
import { findCaseRow } from '../../api/platform/work/rows/cases.ts'
import { freshDatabase, type TestDatabase } from './kit/database.ts'
import { anAccount } from './kit/rows.ts'

let database: TestDatabase
/** One connection, so that its prepared statements can be checked. */
let one: Database

beforeAll(async () => {
  database = await freshDatabase()
  one = connect(database.appUrl, { name: 'test-kept-plans', max: 1 })
})
afterAll(async () => {
  await one.close()
  await database.drop()
})

async function kept(part: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_prepared_statements where strpos(statement, ${part}) > 0`.execute(one.db)
  return rows[0]!.count
}

test('frequent statements keep their plan; lists and whole rows are planned each time', async () => {
  const id = await anAccount(database.db)
  for (let n = 0; n < 20; n += 1) {
    const { name } = await one.db.selectFrom('account').select('name').where('id', '=', id).executeTakeFirstOrThrow()
    expect(name).toEqual(expect.any(String))
    await one.db.selectFrom('account').select('email').where('id', '=', id).limit(1).execute()
    await one.db.selectFrom('account').selectAll().where('id', '=', id).execute()
  }
  expect(await kept('select "name" from "account"')).toBe(1)
  expect(await kept('select "email" from "account"')).toBe(0)
  expect(await kept('select * from "account"')).toBe(0)
})

test('a list that says that one plan serves it, and the rows of cases, keep theirs', async () => {
  const id = await anAccount(database.db)
  for (let n = 0; n < 20; n += 1) {
    const named = one.db.selectFrom('account').select('username').where('id', '=', id).limit(1)
    expect(await named.modifyEnd(ONE_PLAN).execute()).toHaveLength(1)
    expect(await findCaseRow(one.db, id)).toBeUndefined()
  }
  expect(await kept('select "username" from "account"')).toBe(1)
  expect(await kept('from "flow_case" as "c"')).toBe(1)
})

test('statements that differ each time are not kept forever', async () => {
  for (let n = 0; n < 500; n += 1)
    await sql`select name from account where id = ${randomUUID()} and ${sql.raw(`${n} = ${n}`)}`.execute(one.db)
  expect(await kept('select name from account')).toBe(0)
})
