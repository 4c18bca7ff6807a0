import type { Product } from './product.ts'

/** Stops what global-setup started. */
export default async function globalTeardown(): Promise<void> {
  const { products = [] } = globalThis as { products?: Product[] }
  await Promise.all(products.map((product) => product.stop()))
}
