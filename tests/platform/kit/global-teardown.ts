import type { Product } from './product.ts'

/** Stops what global-setup started. */
export default async function globalTeardown(): Promise<void> {
  await (globalThis as { product?: Product }).product?.stop()
}
