import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { bookingsForFaults } from '../../resource-reservation/booking.ts'
import { vouchersForFaults } from '../../vouchers/faults.ts'
import { startProduct } from '../kit/product.ts'
import { killRandom } from './kill-random.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    requests: { type: 'string', default: '200' },
    every: { type: 'string', default: '8' },
  },
})
if (positionals[0] !== 'kill-random') {
  console.error('npm run faults -- kill-random [--seed N] [--requests 200] [--every SECONDS]')
  process.exit(2)
}
const seed = values.seed ? Number(values.seed) : randomBytes(4).readUInt32BE()
console.log(`kill-random: ${values.requests} bookings and vouchers, a kill every ${values.every} s, seed ${seed}`)

const product = await startProduct({ LOG_LEVEL: 'warn' })
process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
try {
  const verdict = await killRandom([await bookingsForFaults(), await vouchersForFaults()], {
    requests: Number(values.requests),
    seed,
    everySeconds: Number(values.every),
    say: (line) => console.log(`  ${line}`),
  })
  for (const problem of verdict.problems) console.error(`  PROBLEM: ${problem}`)
  const { lost, doubled, stuck, seconds, kills, requests } = verdict
  console.log(
    `${requests} requests in ${seconds} s, killed ${JSON.stringify(kills)}: ${lost} lost, ${doubled} doubled, ${stuck} stuck; seed ${seed}`,
  )
  process.exitCode = verdict.problems.length === 0 ? 0 : 1
} finally {
  await product.stop()
}
