import { TestEnvironment } from 'jest-environment-node'

// Each worker uses a product of its own. Set before the environment is made, so that child processes inherit it too.
process.env.PRAKRIYA_TEST_DATA ??= process.env[`PRAKRIYA_TEST_DATA_${process.env.JEST_WORKER_ID}`]

/**
 * Where a test fails, what its visitors saw is told with the error: a page that breaks elsewhere cannot be looked at.
 * Visitors of its own leave with its end.
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
