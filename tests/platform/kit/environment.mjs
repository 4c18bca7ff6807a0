import { TestEnvironment } from 'jest-environment-node'

// Each worker uses its own product. Set before the environment is created, so that child processes inherit it.
process.env.PRAKRIYA_TEST_DATA ??= process.env[`PRAKRIYA_TEST_DATA_${process.env.JEST_WORKER_ID}`]

// A worker ends with the run that started it, also in the middle of a test.
if (process.connected && process.listenerCount('disconnect') === 0) process.once('disconnect', () => process.exit(1))

/**
 * Adds the visitors' page texts to the error of a failed test: a page that breaks on another machine cannot be viewed.
 * Visitors of a test close with its end.
 */
export default class extends TestEnvironment {
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
