import sparticuz from '@sparticuz/chromium'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cheapHash } from './cheap-hash.ts'
import { asOwner } from './owner.ts'
import { PASSWORD } from './people.ts'
import { until } from './poll.ts'
import { startProduct, stopProducts } from './product.ts'

/** What the products' start hands to the workers, in the file that PRAKRIYA_TEST_PRODUCTS names. */
interface Started {
  env: Record<string, string>
  error?: string
}

let started: Promise<void> = Promise.resolve()

/**
 * Starts the products and does not wait: tests that need none run meanwhile, and the environment of the others waits.
 * If PRAKRIYA_TEST_DATA names the data folder of a running product, all workers use that one.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  // Test engines live for minutes: Java's full optimisation would not pay off.
  process.env['JAVA_TOOL_OPTIONS'] ??= '-XX:TieredStopAtLevel=1'
  if (process.env['PRAKRIYA_TEST_DATA']) return
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void stopProducts().finally(() => process.exit(130)))
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-products-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'products.json')
  process.env['PRAKRIYA_TEST_PRODUCTS'] = file
  const tell = (what: Started) => {
    writeFileSync(`${file}.new`, JSON.stringify(what))
    renameSync(`${file}.new`, file)
  }
  started = startProducts(maxWorkers).then(
    (env) => tell({ env }),
    async (error: Error) => {
      tell({ env: {}, error: error.message })
      await stopProducts()
    },
  )
}

/** Stops what was started, also what is still starting. */
export async function globalTeardown(): Promise<void> {
  await stopProducts()
  await started
}

/**
 * Starts one product per worker, so that tests of one worker do not disturb those of another, each with a copy of the
 * data of one that has played its demo cases (a single worker uses that one itself).
 */
async function startProducts(workers: number): Promise<Record<string, string>> {
  // Unpacks the browser: two workers doing so at the same time could start an incomplete one.
  await sparticuz.executablePath()
  const first = await told('the first product', startProduct)
  await told('its demo cases', () => demonstrated(first.dataDir))
  await hashCheaply(first.dataDir)
  if (workers === 1) return { PRAKRIYA_TEST_DATA_1: first.dataDir }
  await first.rest()
  process.env['PRAKRIYA_TEST_SEED'] = first.dataDir
  const starts = Array.from({ length: workers }, async (_, worker) => {
    const { dataDir } = await told(`product ${worker + 1} of ${workers}`, startProduct)
    return [`PRAKRIYA_TEST_DATA_${worker + 1}`, dataDir] as const
  })
  return { PRAKRIYA_TEST_SEED: first.dataDir, ...Object.fromEntries(await Promise.all(starts)) }
}

/** Demo people sign in well over a thousand times. What a new password costs stays as it is. */
async function hashCheaply(dataDir: string): Promise<void> {
  const hash = cheapHash(PASSWORD)
  await asOwner('update app.account set password_hash = $1 where password_hash is not null', [hash], dataDir)
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
