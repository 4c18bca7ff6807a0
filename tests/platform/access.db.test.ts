import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { firstAdministrator } from '../../api/platform/features/access/first-administrator.ts'
import { endGrant, giveGrant } from '../../api/platform/features/access/grants.ts'
import { changePerson } from '../../api/platform/features/access/person-changes.ts'
import { translateViolations } from '../../api/platform/people/access/refusals.ts'
import { addGrants, isAdministratorLeft, listGrants } from '../../api/platform/people/access/grant-rows.ts'
import { addHolder } from '../../api/platform/people/access/holder-rows.ts'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { getPerson } from '../../api/platform/people/identity/accounts.ts'
import { findToken } from '../../api/platform/people/identity/one-time-tokens.ts'
import { loseStanding, regainStanding } from '../../api/platform/people/identity/standing.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount, anItem } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
let database: TestDatabase
let deps: Parameters<typeof giveGrant>[0]
let [ruwan, nirmala]: string[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  deps = { db, library, definitions: definitionStore(db), publicUrl: 'http://localhost:4400' }
})
afterAll(() => database.drop())

const seeded = { scope: null, startsAt: null, endsAt: null, origin: 'seed', by: null, reason: 'for a test' } as const
const person = (id: string) => getPerson(database.db, id)

/** Two administrators, and nobody else with that role. */
beforeEach(async () => {
  await database.owner.pool.query(
    'set session_replication_role = replica; delete from app.role_grant; set session_replication_role = default',
  )
  ruwan = await anAccount(database.db)
  nirmala = await anAccount(database.db)
  for (const account of [ruwan, nirmala]) await addGrants(database.db, [{ ...seeded, account, role: 'ADMIN' }])
})

const grantOf = async (account: string) => (await listGrants(database.db, account))[0]!.id

test('of two administrators who end each other’s role at the same time, exactly one keeps it', async () => {
  for (let round = 0; round < 3; round++) {
    const [his, hers] = [await grantOf(ruwan!), await grantOf(nirmala!)]
    const [him, her] = [await person(ruwan!), await person(nirmala!)]
    const both = await Promise.allSettled([
      endGrant(deps, him, hers, { reason: 'at once' }),
      endGrant(deps, her, his, { reason: 'at once' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'platform.last-administrator' },
    })
    const lost = both[0].status === 'fulfilled' ? nirmala! : ruwan!
    await addGrants(database.db, [{ ...seeded, account: lost, role: 'ADMIN' }])
  }
})

test('the database keeps the last administrator, also against concurrent transactions', async () => {
  const { db } = database
  const end = (account: string) =>
    translateViolations(() =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('role_grant')
          .set({ ends_at: sql`now()` })
          .where('account_id', '=', account)
          .execute()
        // Both have changed their row before either commits.
        await meeting()
      }),
    )
  const meeting = rendezvous(2)
  const both = await Promise.allSettled([end(ruwan!), end(nirmala!)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'platform.last-administrator' },
  })
  const left = both[0].status === 'fulfilled' ? nirmala! : ruwan!
  const close = () =>
    translateViolations(() => db.updateTable('account').set({ active: false }).where('id', '=', left).execute())
  await expect(close()).rejects.toMatchObject({ code: 'platform.last-administrator' })
})

test('an administrator counts from the start of the grant, also in transactions that began earlier', async () => {
  const { db } = database
  const [his, hers] = [await grantOf(ruwan!), await grantOf(nirmala!)]
  await db.transaction().execute(async (trx) => {
    const isLeft = () => isAdministratorLeft(trx, { grants: [his, hers] })
    expect(await isLeft()).toBe(false)
    await addGrants(db, [{ ...seeded, account: await anAccount(db), role: 'ADMIN' }])
    expect(await isLeft()).toBe(true)
  })
})

test('the last administrator can be neither deactivated nor given an end date', async () => {
  await endGrant(deps, await person(ruwan!), await grantOf(nirmala!), { reason: 'leaves' })
  const sa = await anAccount(database.db)
  await addGrants(database.db, [{ ...seeded, account: sa, role: 'ADMIN', endsAt: new Date(Date.now() + 1e6) }])
  const other = await person(sa)
  await expect(endGrant(deps, other, await grantOf(ruwan!), { reason: 'x' })).rejects.toMatchObject({
    code: 'platform.last-administrator',
  })
  const { name, email } = await person(ruwan!)
  const closing = changePerson(deps, other, ruwan!, 1, { name, email, post: null, active: false, reason: 'x' })
  await expect(closing).rejects.toMatchObject({ code: 'platform.last-administrator' })
})

test.each([
  ['one’s own role', { by: 'self' }, 'platform.own-grant'],
  ['MA without a unit', { role: 'MA' }, 'platform.form-invalid'],
  ['ADMIN at a unit', { role: 'ADMIN', scope: { kind: 'department', id: 'painting' } }, 'platform.form-invalid'],
  ['SA at a unit', { role: 'SA', scope: { kind: 'department', id: 'painting' } }, 'platform.form-invalid'],
  [
    'to be the holder of a post that one does not hold',
    { role: 'Post Holder', scope: { kind: 'post', id: 'p' } },
    'platform.form-invalid',
  ],
  ['the same role twice at a time', { twice: true }, 'platform.grant-overlaps'],
] as const)('past all checks of ours, the database refuses %s', async (_what, given, code) => {
  const account = await anAccount(database.db)
  const row = { ...seeded, account, role: 'HOD', ...('role' in given && given), by: 'by' in given ? account : null }
  if ('twice' in given) await addGrants(database.db, [row])
  await expect(translateViolations(() => addGrants(database.db, [row]))).rejects.toMatchObject({ code })
})

test('one person holds a post at a time, and another may act for them', async () => {
  const post = await anItem(database.db, 'platform/post')
  const row = { post, acting: false, startsAt: null, endsAt: null, by: null, reason: 'for a test' }
  const add = (account: string, acting = false) => addHolder(database.db, { ...row, account, acting })
  await add(ruwan!)
  await expect(translateViolations(() => add(nirmala!))).rejects.toMatchObject({ code: 'platform.post-taken' })
  await add(nirmala!, true)
})

test('a grant that starts later is scheduled, and never starts if it is revoked before', async () => {
  const admin = await person(ruwan!)
  const to = await anAccount(database.db)
  const startsAt = new Date(Date.now() + 86_400_000).toISOString()
  const given = await giveGrant(deps, admin, to, { role: 'Registrar', scope: null, startsAt, reason: 'from tomorrow' })
  expect(given).toMatchObject({ state: 'future', startsAt })
  const job = await sql<{
    run_at: Date
  }>`select run_at from graphile_worker.jobs where key = ${`access:${startsAt}`}`.execute(database.db)
  expect(job.rows[0]!.run_at.toISOString()).toBe(startsAt)
  expect((await person(to)).grants).toEqual([])
  const overlapping = giveGrant(deps, admin, to, { role: 'Registrar', scope: null, reason: 'from now on' })
  await expect(overlapping).rejects.toMatchObject({ code: 'platform.grant-overlaps' })
  await endGrant(deps, admin, given.id, { reason: 'not after all' })
  await giveGrant(deps, admin, to, { role: 'Registrar', scope: null, reason: 'from now on' })
  expect((await person(to)).grants).toMatchObject([{ role: 'Registrar' }])
})

test('an installation without an administrator gets one and a link, until somebody has used it', async () => {
  await database.owner.pool.query(
    'set session_replication_role = replica; delete from app.role_grant; set session_replication_role = default',
  )
  const links: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void links.push(JSON.parse(line).link) })
  await Promise.all([firstAdministrator({ ...deps, log }), firstAdministrator({ ...deps, log })])
  expect(links).toHaveLength(2)
  const token = new URL(links[1]!).searchParams.get('token')!
  const found = await findToken(database.db, token)
  expect(found).toMatchObject({ purpose: 'set-password', username: 'admin' })
  expect(await person(found!.accountId)).toMatchObject({ username: 'admin', seesAll: true })
  await database.db
    .updateTable('account')
    .set({ password_hash: randomUUID() })
    .where('id', '=', found!.accountId)
    .execute()
  await firstAdministrator({ ...deps, log })
  expect(links).toHaveLength(2)
})

test('a standing that is regained opens an account that a case closed, and none that an administrator closed', async () => {
  const { db } = database
  const id = await anAccount(db)
  const why = { by: ruwan!, caseId: randomUUID(), reason: 'Decision 12' }
  const account = () => db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const loses = () => db.transaction().execute((trx) => loseStanding(trx, id, why))
  const regains = () => db.transaction().execute((trx) => regainStanding(trx, id, why))
  await loses()
  expect((await account()).active).toBe(false)
  await regains()
  const { name, email, version, active } = await account()
  expect(active).toBe(true)
  await changePerson(deps, await person(ruwan!), id, version, { name, email, post: null, active: false, reason: 'x' })
  await loses()
  await regains()
  expect((await account()).active).toBe(false)
})

/** A barrier: blocks until this many callers have arrived. */
function rendezvous(wanted: number): () => Promise<void> {
  let here = 0
  const all = Promise.withResolvers<void>()
  return async () => {
    here += 1
    if (here === wanted) all.resolve()
    await all.promise
  }
}
