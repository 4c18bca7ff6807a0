import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { sql } from 'kysely'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import bankFile from '../../api/vouchers/bank-file.report.ts'
import { type MoneyWorld, TODAY, cheque, moneyWorld } from './money.ts'

/** Some seconds of operations; `OPERATIONS=100000` for a long run. */
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 1000)
const CLIENTS = 8
const EACH = 25
const VOTES = 4

const kinds = [
  'request',
  'commit',
  'commit',
  'commit',
  'release',
  'pay',
  'pay',
  'transfer',
  'transfer',
  'send',
  'void',
  'return_payment',
  'settle',
  'budget',
  'close',
] as const
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  votes: fc.uniqueArray(fc.nat({ max: VOTES - 1 }), { minLength: 1, maxLength: 3 }),
  amount: fc.integer({ min: 1, max: 400 }),
  one: fc.nat({ max: 1000 }),
})
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

let world: MoneyWorld
let account: string
/** The votes of each year, and the year up to which they are closed. */
const years: string[][] = []
let year = 2030
let cases: string[] = []
const outcomes = new Map<string, number>()
/** The bank file of each batch, by its id. */
const sent = new Map<string, string>()

beforeAll(async () => {
  world = await moneyWorld()
  account = await world.account(1)
  await nextYear()
  await nextYear()
})
afterAll(() => world.database.drop())

async function nextYear(): Promise<void> {
  const of = 2030 + years.length
  years.push(
    await Promise.all(Array.from({ length: VOTES }, (_, n) => world.vote(2000, { year: of, number: `R-${n}` }))),
  )
}

/** One operation of a worker or a person; a refusal is a valid result. */
async function act({ kind, votes, amount, one }: Operation): Promise<void> {
  const present = years[year - 2030]!
  const caseId = cases[one % Math.max(1, cases.length)]
  try {
    if (kind === 'request' || caseId === undefined)
      cases.push(
        await world.voucher(world.payee, Object.fromEntries(votes.map((vote) => [present[vote]!, amount + vote]))),
      )
    else if (kind === 'budget') await world.budget(present[votes[0]!]!, amount * 20)
    else if (kind === 'close') await world.work('close-year', caseId, { year: year - 1 })
    else if (kind === 'send') await send()
    else {
      if (kind === 'pay') await world.answered(caseId, 'vouchers/pay', cheque(account))
      if (kind === 'transfer') await world.answered(caseId, 'vouchers/pay', { ...cheque(account), method: 'transfer' })
      if (kind === 'void' || kind === 'return_payment')
        await world.answered(caseId, 'vouchers/settle', { outcome: kind, reason: 'Torn', bank_reference: 'R-1' })
      if (kind === 'settle')
        await world.answered(caseId, 'vouchers/settle', { outcome: 'settle', settled_on: '2027-03-01' })
      const outcome = await world.work(TOPICS[kind] ?? kind, caseId)
      note(`${kind}: ${outcome.kind}`)
      return
    }
    note(`${kind}: done`)
  } catch (error) {
    const expected =
      error instanceof BusinessError ||
      /holds \d+$|cannot end so|is in a batch that is|is paid already|could be taken back|payment that is under way|no desk has (decided|settled|cancelled)|is at version/.test(
        String(error),
      )
    if (!expected) throw error
    note(`${kind}: refused`)
  }
}

const TOPICS: Partial<Record<Operation['kind'], string>> = {
  transfer: 'pay',
  void: 'void-payment',
  return_payment: 'void-payment',
}

/** Sends the open transfers, and keeps the bank file. */
async function send(): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from register_item where register = 'vouchers/payment-batch' and status = 'Open'
      and data ->> 'method' = 'transfer' limit 1`.execute(world.database.db)
  const [batch] = rows
  if (!batch) return
  await world.send(batch.id)
  sent.set(batch.id, await fileOf(batch.id))
}

async function fileOf(batch: string): Promise<string> {
  return JSON.stringify(
    await bankFile.rows({
      db: world.database.db,
      flows: world.library.flows,
      titleOf: String,
      filter: { batch },
      today: TODAY,
      limit: 1_000_000,
    }),
  )
}

function note(outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

/** The balances from the ledger, and as computed from the audit trail. */
async function balances() {
  const { rows: kept } = await sql<{ id: string; kind: string; balance: string; overdraft: boolean }>`
    select id, kind, balance, overdraft from ledger_account where balance <> 0 order by id`.execute(world.database.db)
  const { rows: told } = await sql<{ id: string; balance: string }>`
    select a.id, sum((line ->> 'amount')::bigint) * case when a.kind in ('asset', 'expense') then 1 else -1 end as balance
    from audit_entry e join audit_payload p on p.entry_id = e.id
      cross join lateral jsonb_array_elements(p.payload -> 'lines') line
      join ledger_account a on a.id = line ->> 'account'
    where e.action = 'ledger.posted' group by a.id having sum((line ->> 'amount')::bigint) <> 0 order by a.id`.execute(
    world.database.db,
  )
  return { kept, told }
}

async function holds(): Promise<void> {
  const { kept, told } = await balances()
  expect(told).toEqual(kept.map(({ id, balance }) => ({ id, balance })))
  expect(kept.filter(({ overdraft, balance }) => !overdraft && Number(balance) < 0)).toEqual([])
  const { rows } = await sql<{ wrong: string; count: number }>`
    select 'unbalanced' as wrong, count(*)::integer as count from (
      select 1 from ledger_line group by entry_id having sum(amount) <> 0) entry
    union all select 'paid twice', count(*)::integer from (
      select 1 from voucher_payment where state in ('issued', 'settled') group by case_id having count(*) > 1) twice
    union all select 'cheque twice', count(*)::integer from (
      select 1 from voucher_payment where cheque_number is not null group by bank_account_id, cheque_number having count(*) > 1) cheques
    -- What is granted is somewhere: available, committed, spent or lapsed, in whatever year.
    union all select 'lost', abs(sum(case when id like '%:budget' then -balance else balance end))::integer
      from ledger_account where id like 'vote:%'
    -- What is spent is what the payments that count say, and what has left the bank.
    union all select 'spent', abs((select sum(balance) from ledger_account where id like 'vote:%:spent')
      - (select coalesce(sum(amount), 0) from voucher_payment where state in ('issued', 'settled')))::integer
    union all select 'bank', abs((select sum(balance) from ledger_account where id like 'bank:%')
      + (select coalesce(sum(amount), 0) from voucher_payment where state in ('issued', 'settled')))::integer
    union all select 'budget', count(*)::integer from register_item i join ledger_account a on a.id = 'vote:' || i.id || ':budget'
      where (i.data ->> 'budget')::bigint <> a.balance`.execute(world.database.db)
  expect(rows.filter(({ count }) => count !== 0)).toEqual([])
  for (const [batch, then] of [...sent].slice(-20)) expect(await fileOf(batch)).toBe(then)
}

/** Outcomes that have not happened yet. */
function missing(): string[] {
  return [
    ...['commit: completed', 'commit: business-error', 'release: completed', 'pay: completed', 'pay: refused'],
    ...['transfer: completed', 'send: done', 'void: business-error', 'return_payment: completed'],
    ...['void: completed', 'settle: completed', 'budget: done', 'budget: refused', 'close: done'],
  ].filter((outcome) => !outcomes.has(outcome))
}

test('under concurrent operations the books balance, nothing falls below zero, and they match the audit trail', async () => {
  const rounds = Math.max(1, Math.round(OPERATIONS / (CLIENTS * EACH)))
  const plan = fc.array(fc.array(operation, { minLength: EACH, maxLength: EACH }), {
    minLength: CLIENTS,
    maxLength: CLIENTS,
  })
  let round = 0
  // Votes end with 2099: in a long run a year takes more rounds.
  const yearsLength = Math.max(3, Math.ceil(rounds / 60))
  async function run(clients: Operation[][]): Promise<void> {
    await Promise.all(
      clients.map(async (operations) => {
        for (const one of operations) await act(one)
      }),
    )
    // A year ends while its vouchers are in progress: their votes are closed during the next rounds.
    if (++round % yearsLength === 0) {
      year += 1
      await nextYear()
    }
    cases = cases.slice(-40)
    if (round % 5 === 0 || round === rounds) await holds()
  }
  // Operations cannot be undone, so a failing round is reported without shrinking.
  await fc.assert(fc.asyncProperty(plan, run), { numRuns: rounds, endOnFailure: true })
  // Chance decides which outcomes a short run has: it goes on until it has had each.
  for (const more of fc.sample(plan, 10 * rounds)) if (missing().length > 0) await run(more)
  await holds()
  expect(missing()).toEqual([])
  expect(outcomes.get('pay: completed')).toBeGreaterThan(OPERATIONS / 100)
}, 3_600_000)
