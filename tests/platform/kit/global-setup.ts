import sparticuz from '@sparticuz/chromium'
import { asOwner } from './owner.ts'
import { until } from './poll.ts'
import { type Product, startProduct } from './product.ts'

/**
 * One product for each worker of the run, so that what one does to its product disturbs no other; a running one is
 * used for all where PRAKRIYA_TEST_DATA names its data folder.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  if (process.env['PRAKRIYA_TEST_DATA']) return
  // Unpacked here once: two workers that did it at the same time would run each other's half of it.
  await sparticuz.executablePath()
  const products: Product[] = []
  ;(globalThis as { products?: Product[] }).products = products
  const starts = Array.from({ length: maxWorkers }, async (_, worker) => {
    const product = await startProduct()
    products.push(product)
    process.env[`PRAKRIYA_TEST_DATA_${worker + 1}`] = product.dataDir
    await demonstrated(product.dataDir)
  })
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
  if (!failed) return
  await Promise.all(products.map((product) => product.stop()))
  throw (failed as PromiseRejectedResult).reason
}

/** Waits until the demo cases stand where they are meant to: a test that kills a part would end their playing. */
export async function demonstrated(dataDir?: string): Promise<void> {
  const told = `select id from app.audit_entry where action = 'demo.played'`
  await until('the demo cases are played', async () => (await asOwner(told, [], dataDir)).length === 1, {
    seconds: 300,
    everyMilliseconds: 250,
  })
}
