import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { stock } from '../../api/platform/records/stock/stock.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anAccount, anItem } from '../platform/kit/rows.ts'
import { THINGS, movesAtRandom } from './random-stock.ts'

const DAY_MS = 86_400_000
const OPERATIONS = 10_000
const FIELDS = { of: '/item', number: '/number', expires: '/expires_on', unit: '/unit', least: '/least' }
const inDays = (days: number) => dayInColombo(Date.now() + days * DAY_MS)
const TOLD = { reason: 'Test', by: null }

let database: TestDatabase
/** Two who are in charge of stock. */
let one: string, another: string
beforeAll(async () => {
  database = await freshDatabase()
  ;[one, another] = [await anAccount(database.owner.db), await anAccount(database.owner.db)]
})
afterAll(() => database.drop())

const on = <T>(act: (own: ReturnType<typeof stock>) => Promise<T>) =>
  database.db.transaction().execute((trx) => act(stock(trx)))

/** A thing with batches: days until each expires, and its units. */
async function aShelf(...batches: [days: number, units: number][]): Promise<{ of: string; ids: string[] }> {
  const of = await anItem(database.owner.db, 'medical/item')
  const ids: string[] = []
  for (const [days, units] of batches) {
    const data = { item: of, number: `B${ids.length}`, expires_on: inDays(days) }
    const id = await anItem(database.owner.db, 'medical/batch', { data })
    await on((own) => own.open(FIELDS, { id, data }, { units, ...TOLD }))
    ids.push(id)
  }
  return { of, ids }
}

/** Counts a batch, and confirms it as somebody else if units are missing. */
async function counted(batch: string, units: number): Promise<void> {
  if (!(await on((own) => own.count(batch, units, { reason: 'Test', by: one }))).waits) return
  const [waiting] = await on((own) => own.reductions([batch]))
  await on((own) => own.decide(batch, waiting!.id, { confirmed: true, by: another }))
}

/** Posts a movement as the application could, without its checks. */
const posts = (batch: string, kind: string, units: number, entry: { key?: string; by?: string } = {}) =>
  database.db.transaction().execute((trx) =>
    ledger(trx).post({
      ...{ key: randomUUID(), kind: `stock-${kind}`, memo: 'Test', ...entry },
      lines: [
        { account: `stock:${batch}:on-hand`, amount: units },
        { account: `stock:${batch}:elsewhere`, amount: -units },
      ],
    }),
  )

const left = async (of: string) => (await on((own) => own.batches([of]))).map(({ onHand }) => onHand)

test('two take the last one at the same time: one gets it, the other reads how many are left', async () => {
  const { of } = await aShelf([30, 1])
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, () => on((own) => own.issue([{ of, units: 1 }], TOLD))),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const tried of tries)
    if (tried.status === 'rejected')
      expect(tried.reason).toMatchObject({ code: 'platform.stock-short', values: { left: 0, item: of } })
  expect(await left(of)).toEqual([0])
})

test('an issue takes what expires first from several batches, and all of it or nothing', async () => {
  const { of, ids } = await aShelf([-1, 90], [5, 4], [400, 10])
  await expect(on((own) => own.issue([{ of, units: 15 }], TOLD))).rejects.toMatchObject({
    code: 'platform.stock-short',
    values: { left: 14 },
  })
  expect(await left(of)).toEqual([90, 4, 10])
  expect(await on((own) => own.issue([{ of, units: 6 }], TOLD))).toEqual([
    { batch: ids[1], units: 4 },
    { batch: ids[2], units: 2 },
  ])
  expect(await left(of)).toEqual([90, 0, 8])
  await counted(ids[2]!, 7)
  await expect(on((own) => own.correct(ids[2]!, -8, { reason: 'Test', by: one }))).rejects.toMatchObject({
    code: 'platform.stock-below-zero',
  })
  expect((await on((own) => own.movements(ids[2]!))).map(({ kind, units }) => [kind, units])).toEqual([
    ['counted', -1],
    ['issued', -2],
    ['received', 10],
  ])
})

test('the database itself refuses what has expired, what does not expire first, and money among stock', async () => {
  const { ids } = await aShelf([-1, 5], [5, 5], [50, 5])
  const issue = (batch: number) => posts(ids[batch]!, 'issued', -1)
  await expect(issue(0)).rejects.toMatchObject({ constraint: 'stock_not_expired' })
  await expect(issue(2)).rejects.toMatchObject({ constraint: 'stock_first_expired_first' })
  await issue(1)
  await expect(
    sql`with e as (insert into app.ledger_entry (id, key, kind, lines) values (gen_random_uuid(), 'mix', 'payment', 2)
        returning id) insert into app.ledger_line (entry_id, position, account_id, amount)
        select id, 1, ${`stock:${ids[1]}:on-hand`}, 1 from e`.execute(database.db),
  ).rejects.toMatchObject({ constraint: 'ledger_stock_apart' })
  await expect(
    sql`update app.ledger_account set balance = 99 where batch_id = ${ids[1]}`.execute(database.db),
  ).rejects.toThrow('permission denied')
})

test('of what is out of use nothing is issued, and a kind moves stock its own way', async () => {
  const { ids } = await aShelf([5, 5])
  const move = (kind: 'issued' | 'received', units: number) => posts(ids[0]!, kind, units)
  await expect(move('received', -1)).rejects.toMatchObject({ constraint: 'stock_moves_its_way' })
  await expect(move('issued', 1)).rejects.toMatchObject({ constraint: 'stock_moves_its_way' })
  await sql`update app.register_item set status = 'Withdrawn' where id = ${ids[0]}`.execute(database.owner.db)
  await expect(move('issued', -1)).rejects.toMatchObject({ constraint: 'stock_batch_usable' })
})

test('what is counted or corrected down leaves when a second person confirms it, once, and never by one alone', async () => {
  const { of, ids } = await aShelf([-1, 30])
  const batch = ids[0]!
  const told = { reason: 'Expired', by: one }
  const waiting = async () => (await on((own) => own.reductions([batch])))[0]!
  const decides = (id: string, by: string) => on((own) => own.decide(batch, id, { confirmed: true, by }))
  const drops = (id: string, by: string, reason: string) =>
    on((own) => own.decide(batch, id, { confirmed: false, reason, by }))

  expect(await on((own) => own.correct(batch, -4, told))).toEqual({ waits: true })
  expect(await left(of)).toEqual([30])
  const first = await waiting()
  expect(first).toMatchObject({ kind: 'corrected', units: 4, reason: 'Expired', by: one })
  await expect(on((own) => own.count(batch, 40, told))).rejects.toMatchObject({
    code: 'platform.stock-reduction-waits',
  })
  await expect(decides(first.id, one)).rejects.toMatchObject({ code: 'platform.stock-needs-another' })
  await drops(first.id, one, 'Miscounted')
  // Nothing moved, and it can be read who wanted it and why it was dropped.
  expect((await on((own) => own.movements(batch)))[0]).toMatchObject({
    ...{ id: first.id, kind: 'corrected', units: -4, reason: 'Expired', confirmedBy: null },
    dropped: { by: expect.stringMatching(/^person-/), reason: 'Miscounted' },
  })
  const { rows: audited } = await database.owner.pool.query(
    `select e.action, e.actor, p.payload ->> 'droppedBecause' as because from app.audit_entry e
       join app.audit_payload p on p.entry_id = e.id where e.object = $1 order by e.action`,
    [`stock-reduction:${first.id}`],
  )
  expect(audited).toEqual([
    { action: 'stock-reduction.dropped', actor: one, because: 'Miscounted' },
    { action: 'stock-reduction.proposed', actor: one, because: null },
  ])
  await expect(decides(first.id, another)).rejects.toMatchObject({ code: 'platform.stock-reduction-decided' })

  // Two confirm the same at the same time.
  await on((own) => own.count(batch, 5, told))
  const { id } = await waiting()
  const tries = await Promise.allSettled([decides(id, another), decides(id, another)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await left(of)).toEqual([5])
  expect((await on((own) => own.movements(batch)))[0]).toMatchObject({
    ...{ kind: 'counted', units: -25, reason: 'Expired' },
    ...{ by: expect.stringMatching(/^person-/), confirmedBy: expect.stringMatching(/^person-/) },
  })
  expect(await on((own) => own.correct(batch, 3, told))).toEqual({ waits: false })

  // The database alone: without a reduction, with one that was dropped or waits, of other units, and by who proposed it.
  const refused = { constraint: 'stock_reduced_by_two' }
  await expect(posts(batch, 'counted', -1)).rejects.toMatchObject(refused)
  const dropped = { key: `stock-reduction:${first.id}`, by: one }
  await expect(posts(batch, 'corrected', -first.units, dropped)).rejects.toMatchObject(refused)
  await on((own) => own.correct(batch, -2, told))
  const { id: last } = await waiting()
  const entry = { key: `stock-reduction:${last}`, by: another }
  await expect(posts(batch, 'corrected', -2, entry)).rejects.toMatchObject(refused)
  const confirms = (by: string) =>
    database.db
      .updateTable('stock_reduction')
      .set({ confirmed: true, decided_by: by, decided_at: new Date() })
      .where('id', '=', last)
      .execute()
  await expect(confirms(one)).rejects.toMatchObject({ constraint: 'stock_reduction_needs_another' })
  await confirms(another)
  await expect(posts(batch, 'corrected', -3, entry)).rejects.toMatchObject(refused)
  await expect(posts(batch, 'corrected', -2, { ...entry, by: one })).rejects.toMatchObject(refused)
  await expect(confirms(another)).rejects.toThrow('decided once')
  await posts(batch, 'corrected', -2, entry)
  expect(await left(of)).toEqual([6])
})

test('units that wait to be removed are not issued and keep no other batch back, for the database too', async () => {
  const { of, ids } = await aShelf([5, 6], [50, 5])
  const free = async () => (await on((own) => own.batches([of]))).map((batch) => [batch.onHand, batch.free])
  await on((own) => own.count(ids[0]!, 0, { reason: 'Broken', by: one }))
  expect(await free()).toEqual([
    [6, 0],
    [5, 5],
  ])
  await expect(on((own) => own.issue([{ of, units: 6 }], TOLD))).rejects.toMatchObject({
    code: 'platform.stock-short',
    values: { left: 5 },
  })
  expect(await on((own) => own.issue([{ of, units: 2 }], TOLD))).toEqual([{ batch: ids[1], units: 2 }])
  await expect(posts(ids[0]!, 'issued', -1)).rejects.toMatchObject({ constraint: 'stock_waiting_not_issued' })
  await on((own) => own.receive(ids[0]!, { units: 3, ...TOLD }))
  expect(await on((own) => own.issue([{ of, units: 4 }], TOLD))).toEqual([
    { batch: ids[0], units: 3 },
    { batch: ids[1], units: 1 },
  ])
  const [waiting] = await on((own) => own.reductions(ids))
  await on((own) => own.decide(ids[0]!, waiting!.id, { confirmed: true, by: another }))
  expect(await left(of)).toEqual([0, 2])
  const dropped = database.db
    .insertInto('stock_reduction')
    .values({ id: randomUUID(), batch_id: ids[1]!, kind: 'counted', units: 1, reason: 'Test', proposed_by: one })
    .returning('id')
    .executeTakeFirstOrThrow()
    .then(({ id }) =>
      database.db
        .updateTable('stock_reduction')
        .set({ confirmed: false, decided_by: another, decided_at: new Date() })
        .where('id', '=', id)
        .execute(),
    )
  await expect(dropped).rejects.toMatchObject({ constraint: 'stock_reduction_drop_told' })
})

test('random issues, receipts, counts and confirmations at the same time leave what their movements say', async () => {
  const { of, ids } = await aShelf([10, 40], [20, 40], [30, 40])
  let [issued, short, confirmed] = [0, 0, 0]
  const refused = ['platform.stock-short', 'platform.stock-reduction-waits', 'platform.stock-reduction-decided']
  /** Confirms what waits, or counts a few units away. */
  const counts = async (own: ReturnType<typeof stock>, batch: string) => {
    const [waiting] = await own.reductions([batch])
    if (!waiting) {
      const { onHand } = (await own.batch(batch))!
      await own.count(batch, Math.max(0, onHand - 3), { reason: 'Test', by: one })
    } else await own.decide(batch, waiting.id, { confirmed: true, by: another }).then(() => (confirmed += 1))
  }
  const worker = async () => {
    for (let step = 0; step < 60; step += 1) {
      const [units, batch] = [1 + Math.floor(Math.random() * 12), ids[Math.floor(Math.random() * ids.length)]!]
      const which = Math.random()
      await on(async (own) => {
        if (which < 0.3) await own.receive(batch, { units: 3 * units, ...TOLD })
        else if (which < 0.5) await counts(own, batch)
        else await own.issue([{ of, units }], TOLD).then(() => (issued += 1))
      }).catch((error: { code?: string }) => {
        if (!error.code || !refused.includes(error.code)) throw error
        short += 1
      })
    }
  }
  await Promise.all([worker(), worker(), worker()])
  expect(issued).toBeGreaterThan(20)
  expect(confirmed).toBeGreaterThan(3)
  const batches = await on((own) => own.batches([of]))
  for (const { id, onHand } of batches) {
    const { rows } = await sql<{ sum: string }>`
      select sum(amount) as sum from app.ledger_line where account_id = ${`stock:${id}:on-hand`}`.execute(database.db)
    expect([onHand >= 0, Number(rows[0]!.sum)]).toEqual([true, onHand])
  }
})

test(`after ${OPERATIONS} random operations no batch is below zero, and each holds what the model says`, async () => {
  const { refused, ...found } = await movesAtRandom({ owner: database.owner, one, another }, OPERATIONS)
  expect(found).toMatchObject({ accepted: 0, differing: 0, batches: 3 * THINGS })
  expect(refused).toBeGreaterThan(60)
})
