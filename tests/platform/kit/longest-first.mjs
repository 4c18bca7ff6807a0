import Sequencer from '@jest/test-sequencer'
import { readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
/** Seconds of each file in a whole run; `slowest.mjs` rewrites it on request. */
const seconds = JSON.parse(readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'))
/** Bytes of an unmeasured file that count as a second. */
const BYTES_PER_SECOND = 2500

const expected = ({ path }) => seconds[relative(root, path)] ?? statSync(path).size / BYTES_PER_SECOND

/** These run while the products start. */
const needsNone = ({ path }) => path.endsWith('.unit.test.ts')

/**
 * Starts the slowest files first, so that no worker ends the run alone with a long one. The order depends only on the
 * clone, so a failure can be reproduced elsewhere.
 */
export default class extends Sequencer {
  sort(tests) {
    return [...tests].toSorted((a, b) => needsNone(b) - needsNone(a) || expected(b) - expected(a))
  }

  /** Each file goes to the shard with the least work so far. */
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
