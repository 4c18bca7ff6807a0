import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import bankFile from '../../api/vouchers/bank-file.report.ts'
import cashBook from '../../api/vouchers/cash-book.report.ts'
import { payments } from '../../api/vouchers/payments.ts'
import voteLedger from '../../api/vouchers/vote-ledger.report.ts'
import { numbers } from '../../api/platform/numbers/numbers.ts'
import { type MoneyWorld, TODAY, cheque, moneyWorld } from './money.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await moneyWorld()
})
afterAll(() => world.database.drop())

/** A voucher over so many cents of a vote that has them, already committed. */
async function committed(cents: number, vote?: string): Promise<{ caseId: string; vote: string }> {
  const of = vote ?? (await world.vote(cents))
  const caseId = await world.voucher(world.payee, { [of]: cents })
  expect(await world.work('commit', caseId)).toMatchObject({ kind: 'completed' })
  return { caseId, vote: of }
}

/** A voucher that is paid out of an account. */
async function paid(cents: number, account: string, more: object = {}) {
  const made = await committed(cents)
  await world.answered(made.caseId, 'vouchers/pay', cheque(account, more))
  expect(await world.work('pay', made.caseId)).toMatchObject({ kind: 'completed' })
  return made
}

const refused = (statement: string, values: unknown[]) => expect(world.database.pool.query(statement, values)).rejects

test('approval commits, payment spends, hand-over settles; a correction commits the difference, and again nothing happens', async () => {
  const { voucher, work, on, answered } = world
  const [paper, ink] = [await world.vote(1000), await world.vote(500)]
  const account = await world.account(100)
  const caseId = await voucher(world.payee, { [paper]: 700, [ink]: 100 })
  const id = randomUUID()
  for (const task of [id, id, randomUUID()]) await work('commit', caseId, { id: task })
  expect(await on(paper)).toEqual({ available: 300, committed: 700, spent: 0 })

  await world.database.db
    .updateTable('flow_case')
    .set({ data: sql`jsonb_set(data, '{lines,0,amount}', '650')` })
    .where('id', '=', caseId)
    .execute()
  await work('commit', caseId)
  expect(await on(paper)).toEqual({ available: 350, committed: 650, spent: 0 })
  await work('release', caseId)
  await work('release', caseId)
  expect(await on(ink)).toEqual({ available: 500, committed: 0, spent: 0 })
  await work('commit', caseId)

  await answered(caseId, 'vouchers/pay', cheque(account))
  await work('pay', caseId)
  expect([await on(paper), await on(ink)]).toEqual([
    { available: 350, committed: 0, spent: 650 },
    { available: 400, committed: 0, spent: 100 },
  ])
  await answered(caseId, 'vouchers/settle', { outcome: 'settle', settled_on: TODAY, received_by: 'The payee' })
  await work('settle', caseId)
  expect(await world.payments(caseId)).toMatchObject([{ state: 'settled', cheque_number: '000100' }])
})

test('on the last rupees of a vote one of two approvals gets them, and the other is told what is left', async () => {
  const vote = await world.vote(100_000)
  const cases = await Promise.all([1, 2, 3].map(() => world.voucher(world.payee, { [vote]: 60_000 })))
  const outcomes = await Promise.all(cases.map((one) => world.work('commit', one)))
  const stopped = outcomes.filter(({ kind }) => kind === 'business-error')
  expect(outcomes.filter(({ kind }) => kind === 'completed')).toHaveLength(1)
  expect(stopped).toHaveLength(2)
  expect(stopped[0]).toMatchObject({
    code: 'vouchers.vote-exceeded',
    message: expect.stringMatching(
      /^The vote V-\d+ 2027 Vote has Rs\. 400\.00 left; the voucher needs Rs\. 600\.00 of it\.$/,
    ),
  })
  expect(await world.on(vote)).toEqual({ available: 40_000, committed: 60_000, spent: 0 })
})

test('a voucher is paid once: by many at a time, by a repeat, after a crash, and past the code', async () => {
  const account = await world.account(200)
  const { caseId, vote } = await committed(5000)
  await world.answered(caseId, 'vouchers/pay', cheque(account))
  // Dead between the payment and the commit: nothing of it remains, not even the number of the cheque.
  await expect(
    world.own(async (registers, trx) => {
      const own = payments({ trx, registers, numbers: numbers(trx), now: new Date() })
      await own.pay(
        { id: caseId, reference: 'PV-1' },
        { payee: world.payee, lines: [], total: 5000 },
        { method: 'cheque', bank_account: account },
        world.person,
      )
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await world.on(vote)).toEqual({ available: 0, committed: 5000, spent: 0 })

  const id = randomUUID()
  const tries = await Promise.allSettled(
    [id, id, ...Array.from({ length: 6 }, () => randomUUID())].map((task) => world.work('pay', caseId, { id: task })),
  )
  const done = tries.filter((one) => one.status === 'fulfilled' && one.value.kind === 'completed')
  expect([1, 2]).toContain(done.length)
  await world.work('pay', caseId, { id }).catch(() => undefined)
  expect(await world.payments(caseId)).toMatchObject([{ state: 'issued', cheque_number: '000200' }])
  expect(await world.on(vote)).toEqual({ available: 0, committed: 0, spent: 5000 })

  const another = `insert into app.voucher_payment (id, case_id, number, payee_id, payee_version, bank_account_id, batch_id,
      method, cheque_number, amount, entry_key, issued_by)
    select gen_random_uuid(), case_id, number || $2, payee_id, payee_version, bank_account_id, batch_id, method,
      $3, amount, $4, issued_by from app.voucher_payment where case_id = $1`
  const { rows } = await world.database.pool.query(
    `select key from app.ledger_entry where case_id = $1 and kind = 'committed'`,
    [caseId],
  )
  await refused('is not what its entry moved', another, caseId, 'b', '000299', 'no such entry')
  await refused('is not what its entry moved', another, caseId, 'b', '000299', rows[0].key)
  const copied = another.replace('$4', 'entry_key || left($4, 0)')
  await refused(/voucher_payment_(once|entry_key_key)/, copied, caseId, 'b', '000299', '')
  const ended = `ended_by = issued_by, ended_on = now(), ended_at = now()`
  await refused(
    'money_goes_back',
    `update app.voucher_payment set state = 'voided', ${ended} where case_id = $1`,
    caseId,
  )
  await refused('permission denied', `update app.voucher_payment set amount = 1 where case_id = $1`, caseId)
  await refused('permission denied', `delete from app.voucher_payment where case_id = $1`, caseId)
  await expect(
    world.database.owner.pool.query(`update app.voucher_payment set amount = 1 where case_id = $1`, [caseId]),
  ).rejects.toThrow('nothing else about it changes')
})

test('a void cheque gives the money back to the voucher, which is paid anew; its number stays used', async () => {
  const account = await world.account(300)
  const { caseId, vote } = await paid(900, account)
  await world.answered(caseId, 'vouchers/settle', { outcome: 'void', reason: 'Torn' })
  await world.work('void-payment', caseId)
  expect(await world.on(vote)).toEqual({ available: 0, committed: 900, spent: 0 })
  await expect(world.work('void-payment', caseId)).rejects.toThrow('no payment that could be taken back')

  await world.answered(caseId, 'vouchers/pay', cheque(account, { cheque_no: '000300' }))
  expect(await world.work('pay', caseId)).toMatchObject({ kind: 'business-error', code: 'vouchers.cheque-used' })
  await world.answered(caseId, 'vouchers/pay', cheque(account))
  await world.work('pay', caseId)
  expect(await world.payments(caseId)).toMatchObject([
    { state: 'voided', cheque_number: '000300' },
    { state: 'issued', cheque_number: '000301' },
  ])
  const book = await cashBook.rows({
    db: world.database.db,
    filter: { bank_account: account, from: '2000-01-01', until: '2099-12-31' },
    today: TODAY,
    limit: 100,
  })
  expect(book.map(({ cheque: number, out, back, running }) => [number, out, back, running])).toEqual([
    ['000300', 900, null, 900],
    ['000300', null, 900, 0],
    ['000301', 900, null, 900],
  ])
})

test('cheques and transfers lie in batches of their own; one that is sent takes nothing further and stays as it is', async () => {
  const account = await world.account(400)
  const transfer = { method: 'transfer' }
  const first = await paid(100, account, transfer)
  const second = await paid(250, account, transfer)
  const byCheque = await paid(300, account)
  const batchOf = async ({ caseId }: { caseId: string }) => (await world.payments(caseId))[0]!.batch_id
  const batch = await batchOf(first)
  expect(await batchOf(second)).toBe(batch)
  expect(await batchOf(byCheque)).not.toBe(batch)

  const file = await bankFile.rows({ db: world.database.db, filter: { batch }, today: TODAY, limit: 100 })
  expect(file).toMatchObject([
    { line: 1, bank: '9001', branch: '007', accountNumber: '001233457781', payee: 'Paper Traders', amount: 100 },
    { line: 2, amount: 250 },
  ])
  const own = world.own
  const sent = await own(async (items) =>
    items.setStatus(await items.lock('vouchers/payment-batch', batch), 'Sent', world.person),
  )
  await expect(own((items) => items.setStatus(sent, 'Open', world.person))).rejects.toMatchObject({
    code: 'platform.item-final',
  })
  await refused('closed for good', `update app.register_item set status = 'Open', final = false where id = $1`, batch)
  expect(await batchOf(await paid(70, account, transfer))).not.toBe(batch)
})

test('a budget follows its register, but never below what is committed and spent', async () => {
  const { vote } = await committed(600, await world.vote(1000))
  await world.budget(vote, 800)
  expect(await world.on(vote)).toEqual({ available: 200, committed: 600, spent: 0 })
  await expect(world.budget(vote, 599)).rejects.toMatchObject({
    fields: [{ field: '/budget', code: 'platform.amount-in-use', values: { least: 'Rs. 6.00' } }],
  })
  await world.budget(vote, 600)
  await expect(
    world.own(async (items) => items.setStatus(await items.lock('vouchers/vote', vote), 'Closed', world.person)),
  ).rejects.toMatchObject({ fields: [{ field: '/status', code: 'platform.books-not-clear' }] })
  await expect(world.vote(5, { number: 'V-1' })).rejects.toMatchObject({
    fields: [{ field: '/number', code: 'platform.value-taken' }],
  })
})

test('the end of a year carries what vouchers hold to the next, lets the rest lapse and closes the votes; nothing is lost', async () => {
  const account = await world.account(500)
  const [old, alone] = [
    await world.vote(1000, { year: 2025, number: 'Y-1' }),
    await world.vote(50, { year: 2025, number: 'Y-2' }),
  ]
  const open = await committed(300, old)
  const spent = await committed(200, old)
  await world.answered(spent.caseId, 'vouchers/pay', cheque(account))
  await world.work('pay', spent.caseId)
  const close = async (caseId: string) => {
    for (;;) {
      const outcome = await world.work('close-year', caseId, { year: 2025 })
      if (outcome.kind !== 'completed' || outcome.output['votesLeft'] === 0) return outcome
    }
  }
  const ending = await world.voucher(world.payee, {})
  expect(await close(ending)).toMatchObject({ kind: 'business-error', code: 'vouchers.no-successor' })
  const next = await world.vote(400, { year: 2026, number: 'Y-1' })
  expect(await close(ending)).toMatchObject({ kind: 'completed' })

  expect(await world.on(old)).toEqual({ available: 0, committed: 0, spent: 200 })
  expect(await world.on(next)).toEqual({ available: 400, committed: 300, spent: 0 })
  expect(await world.on(alone)).toEqual({ available: 0, committed: 0, spent: 0 })
  const rowsOf = async (year: number) =>
    (await voteLedger.rows({ db: world.database.db, filter: { year }, today: TODAY, limit: 100 })).filter(
      ({ number }) => number === 'Y-1',
    )
  expect([...(await rowsOf(2025)), ...(await rowsOf(2026))]).toMatchObject([
    { budget: 1000, carried: -300, committed: 0, spent: 200, lapsed: 500, available: 0 },
    { budget: 400, carried: 300, committed: 300, spent: 0, lapsed: 0, available: 400 },
  ])

  // A cheque of the closed year that comes back, and a voucher that names the closed vote, go on with the next one.
  await world.answered(spent.caseId, 'vouchers/settle', { outcome: 'return_payment', reason: 'Account closed' })
  await world.work('void-payment', spent.caseId)
  await committed(400, old)
  expect(await world.on(next)).toEqual({ available: 0, committed: 900, spent: 0 })
  await world.work('release', open.caseId)
  expect(await world.on(next)).toEqual({ available: 300, committed: 600, spent: 0 })
  await expect(world.budget(old, 2000)).rejects.toMatchObject({ code: 'platform.item-final' })
})
