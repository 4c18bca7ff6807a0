import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { TestEnvironment } from 'jest-environment-node'

// A worker ends with the run that started it, also in the middle of a test.
if (process.connected && process.listenerCount('disconnect') === 0) process.once('disconnect', () => process.exit(1))

/** Waits for the products that global-setup starts. Each worker uses its own, and so do its child processes. */
async function findProduct() {
  const { PRAKRIYA_TEST_DATA: given, PRAKRIYA_TEST_PRODUCTS: file, JEST_WORKER_ID: worker } = process.env
  if (given) return
  while (!existsSync(file)) await pause(100)
  const { env, error } = JSON.parse(readFileSync(file, 'utf8'))
  if (error) throw new Error(`the products of the tests did not start: ${error}`)
  Object.assign(process.env, env, { PRAKRIYA_TEST_DATA: env[`PRAKRIYA_TEST_DATA_${worker}`] })
}

/**
 * Adds the visitors' page texts to the error of a failed test: a page that breaks on another machine cannot be viewed.
 * Visitors of a test close with its end.
 */
export default class extends TestEnvironment {
  async setup() {
    await findProduct()
    // Its own copy was made when it was created.
    Object.assign(this.global.process.env, process.env)
    this.global.chromiumOfWorker = () => import('./chromium.ts')
    await super.setup()
  }

  async handleTestEvent({ name, error }) {
    if (name === 'test_start') this.global.testRuns = true
    if (name === 'test_done') {
      delete this.global.testRuns
      await this.global.testIsOver?.()
    }
    if (name !== 'test_fn_failure' || !error?.stack || !this.global.whatIsSeen) return
    const seen = await this.global.whatIsSeen()
    error.stack = `${error.stack}\n\n${seen}`
  }
}
