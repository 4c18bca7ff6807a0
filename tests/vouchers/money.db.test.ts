import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import bankFile from '../../api/vouchers/bank-file.report.ts'
import cashBook from '../../api/vouchers/cash-book.report.ts'
import { payVoucher } from '../../api/vouchers/payments/pay.ts'
import { emptyVote } from '../../api/vouchers/votes/year-end.ts'
import voteLedger from '../../api/vouchers/vote-ledger.report.ts'
import { documentsOf } from '../../api/platform/records/documents/documents.ts'
import { personOf } from '../../api/platform/people/persons/person.ts'
import { numbers } from '../../api/platform/records/numbers/numbers.ts'
import { reportsService } from '../../api/platform/features/reports/service.ts'
import { type MoneyWorld, TODAY, cheque, moneyWorld } from './money.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await moneyWorld()
})
/** What every report reads from. */
const reading = () => ({ db: world.database.db, flows: world.library.flows, titleOf: String })
afterAll(() => world.database.drop())

/** A voucher over this many cents of a vote with enough budget, already committed. */
async function committed(cents: number, vote?: string, payee = world.payee): Promise<{ caseId: string; vote: string }> {
  const of = vote ?? (await world.vote(cents))
  const caseId = await world.voucher(payee, { [of]: cents })
  expect(await world.work('commit', caseId)).toMatchObject({ kind: 'completed' })
  return { caseId, vote: of }
}

/** A voucher paid from an account. */
async function paid(cents: number, account: string, more: object = {}, payee?: string) {
  const made = await committed(cents, undefined, payee)
  await world.answered(made.caseId, 'vouchers/pay', cheque(account, more))
  expect(await world.work('pay', made.caseId)).toMatchObject({ kind: 'completed' })
  return made
}

async function refused(message: string | RegExp, statement: string, ...values: unknown[]): Promise<void> {
  await expect(world.database.pool.query(statement, values)).rejects.toThrow(message)
}

test('approval commits, payment spends, hand-over settles; a correction commits the difference, and a repetition nothing', async () => {
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

test('of two approvals of the last rupees of a vote one gets them, and the other is told what is left', async () => {
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

test('a voucher is paid once: concurrently, repeatedly, after a crash, and bypassing the code', async () => {
  const account = await world.account(200)
  const { caseId, vote } = await committed(5000)
  await world.answered(caseId, 'vouchers/pay', cheque(account))
  // Killed between the payment and the commit: nothing remains, not even the cheque number.
  await expect(
    world.own(async (registers, trx) => {
      await payVoucher(
        { trx, registers, numbers: numbers(trx), now: new Date() },
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
  const isDone = (one: (typeof tries)[number]) => one.status === 'fulfilled' && one.value.kind === 'completed'
  expect([1, 2]).toContain(tries.filter(isDone).length)
  // A repetition returns the same result for the same payment, and refuses another one.
  const [again] = await Promise.allSettled([world.work('pay', caseId, { id })])
  expect(isDone(again!)).toBe(tries.slice(0, 2).some(isDone))
  expect(await world.payments(caseId)).toMatchObject([{ state: 'issued', cheque_number: '000200' }])
  expect(await world.on(vote)).toEqual({ available: 0, committed: 0, spent: 5000 })

  const another = `insert into app.voucher_payment (id, case_id, number, payee_id, payee_version, bank_account_id, batch_id,
      method, cheque_number, amount, paid_to, paid_from, entry_key, issued_by)
    select gen_random_uuid(), case_id, number || $2, payee_id, payee_version, bank_account_id, batch_id, method,
      $3, amount, paid_to, paid_from, $4, issued_by from app.voucher_payment where case_id = $1`
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

test('a void cheque returns the money to the voucher, which is paid again; its number stays used', async () => {
  const account = await world.account(300)
  const { caseId, vote } = await paid(900, account)
  await world.answered(caseId, 'vouchers/settle', { outcome: 'void', reason: 'Torn' })
  await world.work('void-payment', caseId)
  expect(await world.on(vote)).toEqual({ available: 0, committed: 900, spent: 0 })
  await expect(world.work('void-payment', caseId)).rejects.toThrow('no payment that could be taken back')
  const papers = await world.inTransaction((trx) => documentsOf(trx, caseId))
  expect(papers).toMatchObject([{ kind: 'vouchers/cheque', endedAt: expect.any(Date) }])

  await world.answered(caseId, 'vouchers/pay', cheque(account, { cheque_no: '000300' }))
  expect(await world.work('pay', caseId)).toMatchObject({ kind: 'business-error', code: 'vouchers.cheque-used' })
  await world.answered(caseId, 'vouchers/pay', cheque(account))
  await world.work('pay', caseId)
  expect(await world.payments(caseId)).toMatchObject([
    { state: 'voided', cheque_number: '000300' },
    { state: 'issued', cheque_number: '000301' },
  ])
  const book = await cashBook.rows({
    ...reading(),
    filter: { bank_account: account, from: '2000-01-01', until: '2099-12-31' },
    today: TODAY,
    limit: 100,
  })
  expect(book.map(({ cheque: number, out, back, running }) => [number, out, back, running])).toEqual([
    ['000301', 900, null, 900],
    ['000300', null, 900, 0],
    ['000300', 900, null, 900],
  ])
})

test('cheques and transfers have separate batches; a bank file permanently contains its batch as sent', async () => {
  const account = await world.account(400)
  const transfer = { method: 'transfer' }
  const payee = await world.aPayee('S-400')
  const [first, torn, second] = [
    await paid(100, account, transfer),
    await paid(30, account, transfer),
    await paid(250, account, transfer, payee),
  ]
  const byCheque = await paid(300, account)
  const paymentOf = async ({ caseId }: { caseId: string }) => (await world.payments(caseId)).at(-1)!
  const { batch_id: batch } = await paymentOf(first)
  expect((await paymentOf(second)).batch_id).toBe(batch)
  expect((await paymentOf(byCheque)).batch_id).not.toBe(batch)
  const file = () => bankFile.rows({ ...reading(), filter: { batch }, today: TODAY, limit: 100 })
  const end = async ({ caseId }: { caseId: string }, outcome: string) => {
    await world.answered(caseId, 'vouchers/settle', { outcome, reason: 'Account closed', bank_reference: 'R-1' })
    return world.work('void-payment', caseId)
  }

  // An open batch has no file, and nothing can be returned.
  expect(await file()).toEqual([])
  await expect(end(first, 'return_payment')).rejects.toThrow('cannot end so')
  const by = 'ended_by = issued_by, ended_on = now(), ended_at = now()'
  const settled = `update app.voucher_payment set state = 'settled', ${by} where case_id = $1`
  await refused('is in a batch that is Open', settled, first.caseId)
  expect(await end(torn, 'void')).toMatchObject({ kind: 'completed' })

  await world.send(batch)
  const sent = await file()
  expect(sent).toMatchObject([
    { line: 1, bank: '9001', branch: '007', accountNumber: '001233457781', payee: 'Paper Traders', amount: 100 },
    { line: 2, payee: 'Payee S-400', amount: 250, fromBank: '9001', fromBranch: '007', fromAccount: '00010000400' },
  ])
  expect(await end(second, 'void')).toMatchObject({
    kind: 'business-error',
    code: 'vouchers.transfer-at-bank',
    message: expect.stringContaining('is at the bank'),
  })
  const { rows } = await world.database.pool.query(
    `select entry_key from app.voucher_payment where case_id = $1 and state = 'voided'`,
    [torn.caseId],
  )
  expect(rows).toHaveLength(1)
  const past = `update app.voucher_payment set state = 'voided', reversal_key = entry_key, ${by} where case_id = $1`
  await refused('is in a batch that is Sent', past, second.caseId)
  expect(await world.on(second.vote)).toEqual({ available: 0, committed: 0, spent: 250 })

  // Returned, moved and renamed payments were in the file all the same.
  expect(await end(second, 'return_payment')).toMatchObject({ kind: 'completed' })
  expect(await world.on(second.vote)).toEqual({ available: 0, committed: 250, spent: 0 })
  await world.change('branch', world.branch, { code: '9001-008' })
  await world.change('bank-account', account, { account_number: '0009 400' })
  await world.change('payee', payee, { name: 'Another' })
  expect(await file()).toEqual(sent)
  await world.change('branch', world.branch, { code: '9001-007' })
  await expect(
    world.own(async (items) =>
      items.setStatus(await items.lock('vouchers/payment-batch', batch), 'Open', world.person),
    ),
  ).rejects.toMatchObject({ code: 'platform.item-final' })
  await refused('closed for good', `update app.register_item set status = 'Open', final = false where id = $1`, batch)
  expect((await paymentOf(await paid(70, account, transfer))).batch_id).not.toBe(batch)
})

test('a payee with a new name or account since the certificate is not paid, until that is certified too', async () => {
  const account = await world.account(450)
  const payee = await world.aPayee('S-450')
  const { caseId } = await committed(80, undefined, payee)
  const pay = async () => {
    await world.answered(caseId, 'vouchers/pay', { ...cheque(account), method: 'transfer' })
    return world.work('pay', caseId)
  }
  await world.change('payee', payee, { account_number: '6666 6666' })
  expect(await pay()).toMatchObject({
    kind: 'business-error',
    code: 'vouchers.payee-changed',
    message: expect.stringMatching(/^Payee S-450 has another name or bank account than when/),
  })
  await world.answered(caseId, 'vouchers/certify-payee', { outcome: 'refuse', reason: 'Whose is it?' })
  expect(await pay()).toMatchObject({ kind: 'business-error' })
  await world.answered(caseId, 'vouchers/certify-payee', { outcome: 'certify' })
  // Other contact details do not change who is paid.
  await world.change('payee', payee, { phone: '011 234 5678' })
  // The same number at another branch is another account.
  await world.change('branch', world.branch, { code: '9001-008' })
  expect(await pay()).toMatchObject({ code: 'vouchers.payee-changed' })
  await world.change('branch', world.branch, { code: '9001-007' })
  expect(await pay()).toMatchObject({ kind: 'completed' })
  expect(await world.payments(caseId)).toMatchObject([{ paid_to: { account: '66666666', name: 'Payee S-450' } }])

  await world.change('payee', payee, { account_number: '7777 7777' })
  const again = `insert into app.voucher_payment (id, case_id, number, payee_id, payee_version, bank_account_id, batch_id,
      method, amount, paid_to, paid_from, entry_key, issued_by)
    select gen_random_uuid(), case_id, number || 'b', payee_id, $2, bank_account_id, batch_id, method, amount, paid_to,
      paid_from, entry_key, issued_by from app.voucher_payment where case_id = $1`
  for (const version of [1, 2, 3, 4]) await refused('that nobody has certified', again, caseId, version)
})

test('cheques are numbered consecutively: no mistake skips one for good, and a used-up book says so', async () => {
  const account = await world.account(600)
  const numbersOf = async (...typed: (string | undefined)[]) => {
    const numbered: (string | null)[] = []
    for (const cheque_no of typed) {
      const { caseId } = await paid(10, account, cheque_no === undefined ? {} : { cheque_no })
      numbered.push((await world.payments(caseId))[0]!.cheque_number)
    }
    return numbered
  }
  expect(await numbersOf('000602', undefined, undefined, undefined)).toEqual(['000602', '000600', '000601', '000603'])
  const { caseId } = await committed(10)
  const attempt = async (cheque_no?: string) => {
    await world.answered(caseId, 'vouchers/pay', cheque(account, cheque_no === undefined ? {} : { cheque_no }))
    return world.work('pay', caseId)
  }
  for (const typed of ['000599', '000705', '999999'])
    expect(await attempt(typed)).toMatchObject({
      code: 'vouchers.cheque-outside-book',
      message: expect.stringMatching(/from 000600, and today up to 000704/),
    })
  await world.change('bank-account', account, { first_cheque: 999_999 })
  expect(await numbersOf(undefined)).toEqual(['999999'])
  expect(await attempt()).toMatchObject({ kind: 'business-error', code: 'vouchers.cheque-book-out' })
})

test('a voucher taken back for editing commits nothing any more, though its worker had begun', async () => {
  const vote = await world.vote(100)
  const caseId = await world.voucher(world.payee, { [vote]: 60 })
  const command = randomUUID()
  await world.database.owner.pool.query(
    `insert into app.command (id, case_id, kind, payload, acting_user, state)
     values ($1, $2, 'correlate', '{"message": "message_requestEdit"}', $3, 'done')`,
    [command, caseId, world.person],
  )
  await world.database.owner.pool.query(`insert into app.engine_command (id) values ($1)`, [command])
  const gone = () => Promise.resolve(false)
  expect(await world.work('commit', caseId, {}, gone)).toMatchObject({
    kind: 'refused',
    reason: 'the case has moved on',
  })
  expect(await world.on(vote)).toEqual({ available: 100, committed: 0, spent: 0 })
  expect(await world.work('commit', caseId)).toMatchObject({ kind: 'completed' })
})

test('a budget follows its register, but never falls below what is committed and spent', async () => {
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

test('a year-end carries over what vouchers hold, lets the rest lapse and closes the votes; nothing is lost', async () => {
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
    (await voteLedger.rows({ ...reading(), filter: { year }, today: TODAY, limit: 100 })).filter(
      ({ number }) => number === 'Y-1',
    )
  expect([...(await rowsOf(2025)), ...(await rowsOf(2026))]).toMatchObject([
    { budget: 1000, carried: -300, committed: 0, spent: 200, lapsed: 500, available: 0 },
    { budget: 400, carried: 300, committed: 300, spent: 0, lapsed: 0, available: 400 },
  ])

  // A void cheque of the closed year, and a voucher that names the closed vote, continue with the next one.
  await world.answered(spent.caseId, 'vouchers/settle', { outcome: 'void', reason: 'Torn' })
  await world.work('void-payment', spent.caseId)
  await committed(400, old)
  expect(await world.on(next)).toEqual({ available: 0, committed: 900, spent: 0 })
  await world.work('release', open.caseId)
  expect(await world.on(next)).toEqual({ available: 300, committed: 600, spent: 0 })
  await expect(world.budget(old, 2000)).rejects.toMatchObject({ code: 'platform.item-final' })
})

test('two concurrent year-ends carry over the same voucher, each what it holds of its own vote', async () => {
  const [early, late] = [
    await world.vote(100, { year: 2022, number: 'B-1' }),
    await world.vote(100, { year: 2023, number: 'B-2' }),
  ]
  const next = [await world.vote(1, { number: 'B-1' }), await world.vote(1, { number: 'B-2' })]
  const caseId = await world.voucher(world.payee, { [early]: 40, [late]: 50 })
  await world.work('commit', caseId)
  await world.inTransaction(async (one) => {
    await emptyVote(one, early)
    await world.inTransaction(async (other) => {
      await sql`set local lock_timeout = '3s'`.execute(other)
      await emptyVote(other, late)
    })
  })
  expect([await world.on(next[0]!), await world.on(next[1]!)]).toMatchObject([{ committed: 40 }, { committed: 50 }])
})

test('a report shows the first rows of many, newest first, with totals over all and a head for its reader', async () => {
  const service = reportsService({
    db: world.database.db,
    library: world.library,
    reports: new Map([
      [
        'vouchers/bank-file',
        { rows: ({ limit }) => Promise.resolve(Array.from({ length: Math.min(limit, 700) }, (_, n) => ({ line: n }))) },
      ],
      ['vouchers/cash-book', { rows: ({ limit }) => Promise.resolve(Array(Math.min(limit, 700)).fill({ out: 2 })) }],
    ]),
  })
  const named = { username: 'bursar', name: 'Bursar', email: 'bursar@example.lk', post: null }
  const reader = personOf({ id: world.person, ...named }, [{ role: 'ADMIN', scopeKind: null, scopeId: null }], {})
  const dates = { from: '2027-01-01', until: '2027-12-31' }
  expect(await service.read(reader, 'vouchers/cash-book', dates)).toMatchObject({ more: true, totals: { out: 1400 } })
  const sheet = await service.sheet(reader, 'vouchers/bank-file', {}, 'csv', 'si')
  expect(String(sheet.content)).toMatch(/^line,bank,branch,accountNumber,payee,amount,reference,fromBank/)
})
