import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { operatesAtRandom } from './random-runs.ts'
import { type RunWorld, runWorld } from './run-world.ts'

/** At least; more follow until each outcome has happened. The bench `run-operations` has 100,000. */
const OPERATIONS = 300
/** A failure prints the seed of its round, with which `SEED` repeats the plan. */
const SEED = Number(process.env['SEED'] ?? 20_261_127)

let world: RunWorld

beforeAll(async () => {
  world = await runWorld()
})
afterAll(() => world.database.drop())

test('under concurrent operations lines, run and ledger agree, and nothing is paid twice', async () => {
  const { operations, outcomes } = await operatesAtRandom(world, OPERATIONS, SEED)
  const times = (outcome: string) => outcomes.get(outcome) ?? 0
  // Each operation came to something, and what came back is what the bank returned and nobody settled.
  expect([...outcomes.values()].reduce((sum, one) => sum + one, 0)).toBe(operations)
  const { rows } = await sql<{ back: number; owed: string; paid: string }>`
    select (select count(*)::integer from run_line where state = 'returned') as back,
      (select sum(total - returned) from run where state = 'paid') as owed,
      (select -sum(l.amount) from ledger_line l join ledger_entry e on e.id = l.entry_id
        join run r on r.case_id = e.case_id and l.account_id = 'bank:' || r.paid_from) as paid`.execute(
    world.database.db,
  )
  const [{ back, owed, paid }] = rows as [(typeof rows)[number]]
  expect(back).toBe(times('return: done') - times('settle: done'))
  expect(Number(paid)).toBeGreaterThan(0)
  expect(paid).toBe(owed)
}, 600_000)
