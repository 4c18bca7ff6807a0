import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Transaction, sql } from 'kysely'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import {
  chargeDeposit,
  holdDeposit,
  returnDeposit,
  takeDepositBack,
} from '../../api/platform/records/ledger/deposits.ts'
import { type LedgerEntry, ledger } from '../../api/platform/records/ledger/ledger.ts'
import { linkCase } from '../../api/platform/work/rows/case-links.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount } from './kit/rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await books(async (own) => {
    await own.open('bank', 'asset')
    await own.open('income:halls', 'income', { overdraft: true })
    await own.open('deposit:one', 'liability')
  })
})
afterAll(() => database.drop())

/** An operation on the ledger in a transaction of its own. */
function books<T>(act: (own: ReturnType<typeof ledger>) => Promise<T>): Promise<T> {
  return database.db.transaction().execute((trx) => act(ledger(trx)))
}

const balances = () =>
  books(async (own) => [await own.balance('bank'), await own.balance('income:halls'), await own.balance('deposit:one')])

const paid = (key: string, cents: number, deposit = 0): LedgerEntry => ({
  key,
  kind: 'payment',
  lines: [
    { account: 'bank', amount: cents },
    { account: 'income:halls', amount: -(cents - deposit) },
    { account: 'deposit:one', amount: -deposit },
  ],
})

test('an entry moves the amounts of its lines, each account in its own direction', async () => {
  await books((own) => own.post(paid('sense', 1_250_000, 500_000)))
  expect(await balances()).toEqual([1_250_000, 750_000, 500_000])
})

test('an entry with the same key is posted once, also concurrently; other lines under that key are a fault', async () => {
  const before = await balances()
  const tries = await Promise.all(Array.from({ length: 12 }, () => books((own) => own.post(paid('once', 700)))))
  expect(tries.filter(({ repeated }) => !repeated)).toHaveLength(1)
  expect(await balances()).toEqual([before[0]! + 700, before[1]! + 700, before[2]])
  await expect(books((own) => own.post(paid('once', 800)))).rejects.toThrow('once is already posted with other lines')
})

test('an entry that does not balance, is not in cents, or moves nothing is refused before it reaches the database', async () => {
  const of = (...amounts: number[]) =>
    books((own) =>
      own.post({ key: randomUUID(), kind: 'x', lines: amounts.map((amount) => ({ account: 'bank', amount })) }),
    )
  await expect(of(10, -9)).rejects.toThrow('does not balance: its lines add up to 1 cents')
  await expect(of(0.5, -0.5)).rejects.toThrow('not cents')
  await expect(of(5, -5)).rejects.toThrow('moves nothing')
})

test('no account falls below zero, unless it may', async () => {
  const before = await balances()
  const all = before[0]! + 1
  const tooMuch = {
    key: 'too-much',
    kind: 'refund',
    lines: [
      { account: 'bank', amount: -all },
      { account: 'income:halls', amount: all },
    ],
  }
  await expect(books((own) => own.post(tooMuch))).rejects.toMatchObject({ code: 'platform.ledger-below-zero' })
  expect(await balances()).toEqual(before)
  const most = {
    ...tooMuch,
    lines: tooMuch.lines.map((line) => ({ ...line, amount: line.amount - Math.sign(line.amount) })),
  }
  await books((own) => own.post(most))
  expect((await balances())[0]).toBe(0)
  expect((await balances())[1]).toBeLessThan(0)
})

test('one case follows by a link with once, another one only after it ended as the link permits', async () => {
  const { db } = database
  const by = await anAccount(db)
  const origin = await aCase(db, by)
  const follows = async (name: string, again: string[] = []) => {
    const id = await aCase(db, by)
    await db.transaction().execute((trx) => linkCase(trx, id, { caseId: origin, name, once: true, again }))
    return id
  }
  const ends = (id: string, status: string) =>
    db.updateTable('flow_case').set({ state: 'ended', status, ended_at: new Date() }).where('id', '=', id).execute()
  const taken = { code: 'platform.followed-already' }
  const refunded = await Promise.allSettled([follows('refund'), follows('refund')])
  expect(refunded.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = await follows('advance', ['Rejected'])
  await expect(follows('advance', ['Rejected'])).rejects.toMatchObject(taken)
  await ends(refused, 'Rejected')
  const tries = await Promise.allSettled([follows('advance', ['Rejected']), follows('advance', ['Rejected'])])
  const second = tries.find((one) => one.status === 'fulfilled')
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await ends(second!.value, 'Paid')
  await expect(follows('advance', ['Rejected'])).rejects.toMatchObject(taken)
})

test('a case that only a step begins follows from another', async () => {
  const { db } = database
  const by = await anAccount(db)
  const alone = { flow: 'area/step', manifest: { startedBy: [] } }
  await expect(aCase(db, by, alone)).rejects.toThrow('follows from another')
  const origin = await aCase(db, by)
  await db.transaction().execute(async (trx) => {
    const id = await aCase(trx, by, alone)
    await linkCase(trx, id, { caseId: origin, name: 'refund', once: true, again: [] })
  })
})

test('an account keeps its kind', async () => {
  await books((own) => own.open('bank', 'asset'))
  await expect(books((own) => own.open('bank', 'liability'))).rejects.toThrow('bank already exists')
})

test('concurrent entries that touch the same accounts in any order all succeed', async () => {
  const before = await balances()
  const both = (n: number): LedgerEntry => {
    const lines = paid(`many-${n}`, 2, 1).lines
    return { key: `many-${n}`, kind: 'payment', lines: n % 2 ? lines : lines.toReversed() }
  }
  await Promise.all(Array.from({ length: 60 }, (_, n) => books((own) => own.post(both(n)))))
  expect(await balances()).toEqual([before[0]! + 120, before[1]! + 60, before[2]! + 60])
})

test('the application’s role cannot change, delete, add to or unbalance anything in the database', async () => {
  await books((own) => own.post(paid('kept', 300)))
  const before = await balances()
  const statements: [statement: string, refusal: RegExp][] = [
    [`update ledger_account set balance = balance + 1 where id = 'bank'`, /permission denied/],
    [`update ledger_account set overdraft = true where id = 'bank'`, /permission denied/],
    [`insert into ledger_account (id, kind, balance) values ('rich', 'asset', 5)`, /permission denied/],
    [`delete from ledger_account where id = 'bank'`, /permission denied/],
    [`update ledger_line set amount = amount * 2`, /permission denied/],
    [`delete from ledger_line`, /permission denied/],
    [`update ledger_entry set memo = 'x'`, /permission denied/],
    [`delete from ledger_entry`, /permission denied/],
    [`truncate ledger_line`, /permission denied/],
    [`alter table ledger_line disable trigger all`, /must be owner/],
    [
      `insert into ledger_line select id, 7, 'bank', 10 from ledger_entry where key = 'kept'
         union all select id, 8, 'income:halls', -10 from ledger_entry where key = 'kept'`,
      /does not balance/,
    ],
    [`insert into ledger_entry (id, key, kind, lines) values (gen_random_uuid(), 'empty', 'x', 2)`, /does not balance/],
    [
      `with e as (insert into ledger_entry (id, key, kind, lines) values (gen_random_uuid(), 'askew', 'x', 2) returning id)
         insert into ledger_line select id, 0, 'bank', 10 from e union all select id, 1, 'income:halls', -9 from e`,
      /does not balance|violates foreign key/,
    ],
    [
      `with e as (insert into ledger_entry (id, key, kind, lines) values (gen_random_uuid(), 'void', 'x', 2) returning id)
         insert into ledger_line select id, 0, 'bank', 0 from e`,
      /ledger_line_amount_check/,
    ],
  ]
  for (const [statement, refusal] of statements)
    await expect(database.db.transaction().execute((trx) => sql.raw(statement).execute(trx))).rejects.toThrow(refusal)
  expect(await balances()).toEqual(before)
  const { rows } = await sql<{ id: string }>`
    select a.id from ledger_account a left join ledger_line l on l.account_id = a.id group by a.id
    having a.balance <> coalesce(sum(l.amount), 0) * case when a.kind in ('asset', 'expense') then 1 else -1 end`.execute(
    database.db,
  )
  expect(rows).toEqual([])
})

test('a deposit is kept, charged and paid back once, and no more of it than is left, by one case only', async () => {
  const by = await anAccount(database.db)
  const [loan, refund, another] = [
    await aCase(database.db, by),
    await aCase(database.db, by),
    await aCase(database.db, by),
  ]
  const act = <T>(run: (trx: Transaction<DB>) => Promise<T>) => database.db.transaction().execute(run)
  const left = () => books((own) => own.balance(`deposit:${loan}`))
  const kept = { caseId: loan, amount: 500, by }
  await Promise.all(Array.from({ length: 5 }, () => act((trx) => holdDeposit(trx, kept))))
  await act((trx) => chargeDeposit(trx, { ...kept, amount: 200, area: 'halls' }))
  expect(await left()).toBe(300)
  const pays = (caseId: string, amount: number) =>
    act((trx) => returnDeposit(trx, { origin: loan, caseId, amount, by }))
  await expect(pays(refund, 301)).rejects.toMatchObject({ code: 'platform.ledger-below-zero' })
  await Promise.all(Array.from({ length: 5 }, () => pays(refund, 300)))
  await pays(another, 300)
  expect(await left()).toBe(0)
  const comesBack = (amount: number) => act((trx) => takeDepositBack(trx, { origin: loan, caseId: refund, amount, by }))
  await expect(comesBack(299)).rejects.toThrow('takes back no payment')
  await Promise.all([comesBack(300), comesBack(300)]).catch(() => undefined)
  expect(await left()).toBe(300)
  await expect(comesBack(300)).rejects.toThrow('takes back no payment')
  await pays(refund, 300)
  expect(await left()).toBe(0)
  const link = { caseId: loan, name: 'refund', once: true, again: [] }
  const follows = (caseId: string) => act((trx) => linkCase(trx, caseId, link))
  await follows(refund)
  await expect(follows(another)).rejects.toMatchObject({ code: 'platform.followed-already' })
})

test('the owner of the tables cannot change a line either', async () => {
  for (const statement of [`update app.ledger_line set amount = 1`, `delete from app.ledger_entry`])
    await expect(sql.raw(statement).execute(database.owner.db)).rejects.toThrow('are never changed or deleted')
})
