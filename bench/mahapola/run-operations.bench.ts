import { operatesAtRandom } from '../../tests/mahapola/random-runs.ts'
import { runWorld } from '../../tests/mahapola/run-world.ts'
import type { Bench } from '../main.ts'
import { rounded, sized } from '../platform/results.ts'

const OPERATIONS = sized(100_000, 300)
const SEED = 20_261_127

/** Random operations of four clients on runs; after each hundred, every sum is compared. The first wrong one ends it. */
const bench: Bench = {
  title: `run-operations: ${OPERATIONS} random operations on runs, with all sums compared after each hundred`,
  async run(say) {
    const world = await runWorld()
    try {
      const began = performance.now()
      const { operations, rounds, outcomes } = await operatesAtRandom(world, OPERATIONS, SEED)
      const seconds = (performance.now() - began) / 1000
      for (const [outcome, count] of [...outcomes].toSorted()) say(`${outcome} ${count}`)
      const of = (result: string) =>
        [...outcomes].reduce((sum, [outcome, count]) => (outcome.endsWith(`: ${result}`) ? sum + count : sum), 0)
      return {
        figures: {
          operations,
          done: of('done'),
          refused: of('refused'),
          'of it paid runs': outcomes.get('pay: done') ?? 0,
          'payments that came back': outcomes.get('return: done') ?? 0,
          'times all sums were right': rounds,
          'operations a second': rounded(operations / seconds),
        },
        // A part of each kind does nothing or is refused; with fewer that are done the sums would show little.
        promises: [
          { figure: 'done', atLeast: OPERATIONS / 5 },
          { figure: 'of it paid runs', atLeast: OPERATIONS / 500 },
          { figure: 'payments that came back', atLeast: OPERATIONS / 1000 },
        ],
      }
    } finally {
      await world.database.drop()
    }
  },
}

export default bench
