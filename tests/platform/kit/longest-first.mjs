import Sequencer from '@jest/test-sequencer'
import { readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
/** How many seconds files took in a whole run; `slowest.mjs` writes it anew when asked to. */
const seconds = JSON.parse(readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'))
/** How much of a file that was never measured is taken for a second. */
const BYTES_PER_SECOND = 2500

const expected = ({ path }) => seconds[relative(root, path)] ?? statSync(path).size / BYTES_PER_SECOND

/**
 * Gives out the files that take longest first, so that no worker ends the run alone with a long one. The order follows
 * from the clone: what breaks in it breaks elsewhere too.
 */
export default class extends Sequencer {
  sort(tests) {
    return [...tests].toSorted((a, b) => expected(b) - expected(a))
  }

  /** Each file goes to the shard that has least to do so far. */
  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ load: 0, tests: [] }))
    for (const test of this.sort(tests)) {
      const least = shards.reduce((a, b) => (b.load < a.load ? b : a))
      least.load += expected(test)
      least.tests.push(test)
    }
    return shards[shardIndex - 1].tests
  }
}
