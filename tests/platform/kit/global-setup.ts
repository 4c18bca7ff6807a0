import sparticuz from '@sparticuz/chromium'
import { asOwner } from './owner.ts'
import { until } from './poll.ts'
import { startProduct, stopProducts } from './product.ts'

/**
 * Starts one product per worker, so that tests of one worker do not disturb those of another, each with a copy of the
 * data of one that has played its demo cases (a single worker uses that one itself). If PRAKRIYA_TEST_DATA names the data folder of a running product, all
 * workers use that one.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  // Test engines live for minutes: Java's full optimisation would not pay off.
  process.env['JAVA_TOOL_OPTIONS'] ??= '-XX:TieredStopAtLevel=1'
  if (process.env['PRAKRIYA_TEST_DATA']) return
  // Unpacks the browser: two workers doing so at the same time could start an incomplete one.
  await sparticuz.executablePath()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void stopProducts().finally(() => process.exit(130)))
  try {
    const first = await told('the first product', startProduct)
    await told('its demo cases', () => demonstrated(first.dataDir))
    if (maxWorkers === 1) {
      process.env['PRAKRIYA_TEST_DATA_1'] = first.dataDir
      return
    }
    await first.rest()
    process.env['PRAKRIYA_TEST_SEED'] = first.dataDir
    const starts = Array.from({ length: maxWorkers }, async (_, worker) => {
      const { dataDir } = await told(`product ${worker + 1} of ${maxWorkers}`, startProduct)
      process.env[`PRAKRIYA_TEST_DATA_${worker + 1}`] = dataDir
    })
    const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
  } catch (error) {
    await stopProducts()
    throw error
  }
}

async function told<T>(what: string, does: () => Promise<T>): Promise<T> {
  const began = Date.now()
  process.stderr.write(`waiting for ${what}\n`)
  const done = await does()
  process.stderr.write(`${what}: ready after ${Math.round((Date.now() - began) / 1000)} s\n`)
  return done
}

/** Waits until the demo cases have reached their states: a test that kills a part would stop their simulation. */
export async function demonstrated(dataDir?: string): Promise<void> {
  const played = `select id from app.audit_entry where action = 'demo.played'`
  await until('the demo cases are played', async () => (await asOwner(played, [], dataDir)).length === 1, {
    seconds: 300,
    everyMilliseconds: 250,
  })
}
