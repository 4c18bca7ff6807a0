import { performance } from 'node:perf_hooks'

/** How often an idle process is looked for. */
const PERIOD_MS = 30_000
/** The share of a period in which an idle process may still do something. */
const IDLE_SHARE = 0.05

/**
 * Collects garbage once when the process has nothing to do: left alone it collects little, and keeps what it once
 * needed.
 */
export function collectWhenIdle(): void {
  let before = performance.eventLoopUtilization()
  let collected = false
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const idle = utilization < IDLE_SHARE
    if (idle && !collected) globalThis.gc?.({ execution: 'sync', type: 'major', flavor: 'last-resort' })
    collected = idle
  }, PERIOD_MS).unref()
}
