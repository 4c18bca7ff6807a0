import { startProduct } from './product.ts'

/** One product for the whole run; a running one is used where PRAKRIYA_TEST_DATA names its data folder. */
export default async function globalSetup(): Promise<void> {
  if (process.env['PRAKRIYA_TEST_DATA']) return
  const product = await startProduct()
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
  ;(globalThis as { product?: unknown }).product = product
}
