import { asOwner } from './owner.ts'
import { until } from './poll.ts'
import { startProduct } from './product.ts'

/** One product for the whole run; a running one is used where PRAKRIYA_TEST_DATA names its data folder. */
export default async function globalSetup(): Promise<void> {
  if (process.env['PRAKRIYA_TEST_DATA']) return
  const product = await startProduct()
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
  ;(globalThis as { product?: unknown }).product = product
  await demonstrated().catch(async (error: unknown) => {
    await product.stop()
    throw error
  })
}

/** Waits until the demo cases stand where they are meant to: a test that kills a part would end their playing. */
export async function demonstrated(): Promise<void> {
  const told = `select id from app.audit_entry where action = 'demo.played'`
  await until('the demo cases are played', async () => (await asOwner(told)).length === 1, {
    seconds: 300,
    everyMilliseconds: 250,
  })
}
