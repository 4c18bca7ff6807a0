/** Stops what global-setup started. */
export { globalTeardown as default } from './global-setup.ts'
