import sparticuz from '@sparticuz/chromium'
import { asOwner } from './owner.ts'
import { until } from './poll.ts'
import { startProduct, stopProducts } from './product.ts'

/**
 * Starts one product per worker, so that tests of one worker do not disturb those of another. If PRAKRIYA_TEST_DATA
 * names the data folder of a running product, all workers use that one.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  // Test engines live for minutes: Java's full optimisation would not pay off.
  process.env['JAVA_TOOL_OPTIONS'] ??= '-XX:TieredStopAtLevel=1'
  if (process.env['PRAKRIYA_TEST_DATA']) return
  // Unpacks the browser: two workers doing so at the same time could start an incomplete one.
  await sparticuz.executablePath()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void stopProducts().finally(() => process.exit(130)))
  const starts = Array.from({ length: maxWorkers }, async (_, worker) => {
    const [began, name] = [Date.now(), `product ${worker + 1} of ${maxWorkers}`]
    const say = (what: string) =>
      process.stderr.write(`${name}: ${what} (${Math.round((Date.now() - began) / 1000)} s)\n`)
    process.stderr.write(`${name}: starting, which takes a minute or two\n`)
    const product = await startProduct()
    process.env[`PRAKRIYA_TEST_DATA_${worker + 1}`] = product.dataDir
    say('started; waiting for the demo cases')
    await demonstrated(product.dataDir)
    say('ready')
  })
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
  if (!failed) return
  await stopProducts()
  throw (failed as PromiseRejectedResult).reason
}

/** Waits until the demo cases have reached their states: a test that kills a part would stop their simulation. */
export async function demonstrated(dataDir?: string): Promise<void> {
  const told = `select id from app.audit_entry where action = 'demo.played'`
  await until('the demo cases are played', async () => (await asOwner(told, [], dataDir)).length === 1, {
    seconds: 300,
    everyMilliseconds: 250,
  })
}
