import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { bookingsForFaults } from '../../resource-reservation/booking.ts'
import { vouchersForFaults } from '../../vouchers/faults.ts'
import { givenProduct } from '../kit/product.ts'
import { killRandom } from './kill-random.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    requests: { type: 'string', default: '200' },
    every: { type: 'string', default: '8' },
    kills: { type: 'string', default: 'Infinity' },
  },
})
if (positionals[0] !== 'kill-random') {
  console.error('npm run faults -- kill-random [--seed N] [--requests 200] [--every SECONDS] [--kills AT_MOST]')
  process.exit(2)
}
const seed = values.seed ? Number(values.seed) : randomBytes(4).readUInt32BE()
console.log(`kill-random: ${values.requests} bookings and vouchers, a kill every ${values.every} s, seed ${seed}`)

const product = await givenProduct({ LOG_LEVEL: 'warn' })
const [stopped, interrupted] = [new AbortController(), new AbortController()]
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    if (stopped.signal.aborted) return interrupted.abort()
    console.log('  stopping: what was begun comes to its end and is looked at; once more ends it at once')
    stopped.abort()
  })
let failed = true
try {
  const verdict = await killRandom([await bookingsForFaults(), await vouchersForFaults()], {
    requests: Number(values.requests),
    seed,
    everySeconds: Number(values.every),
    most: Number(values.kills),
    stop: stopped.signal,
    signal: interrupted.signal,
    say: (line) => console.log(`  ${line}`),
  })
  for (const problem of verdict.problems) console.error(`  PROBLEM: ${problem}`)
  const { lost, doubled, stuck, seconds, kills, asked, requests, problems } = verdict
  failed = problems.length > 0
  console.log(
    `${failed ? `FAILED, ${problems.length} problems` : 'PASSED'}: ${asked} of ${requests} requests in ${seconds} s, killed ${JSON.stringify(kills)}: ${lost} lost, ${doubled} doubled, ${stuck} stuck; seed ${seed}`,
  )
} catch (error) {
  console.error(error)
  console.log(`FAILED before the first request; seed ${seed}`)
} finally {
  await product.stop()
}
// Clients of an interrupted run still wait for answers.
process.exit(failed ? 1 : 0)
