/** Stops what global-setup started. */
export { stopProducts as default } from './product.ts'
