import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { operatesAtRandom } from './random-runs.ts'
import { type RunWorld, runWorld } from './run-world.ts'

/** Some seconds of operations; the bench `run-operations` has 100,000. */
const OPERATIONS = 300
/** A failure prints the seed of its round, with which `SEED` repeats the plan. */
const SEED = Number(process.env['SEED'] ?? 20_261_127)

let world: RunWorld

beforeAll(async () => {
  world = await runWorld()
})
afterAll(() => world.database.drop())

test('under concurrent operations lines, run and ledger agree, and nothing is paid twice', async () => {
  const { operations } = await operatesAtRandom(world, OPERATIONS, SEED)
  expect(operations).toBeGreaterThanOrEqual(OPERATIONS)
}, 600_000)
