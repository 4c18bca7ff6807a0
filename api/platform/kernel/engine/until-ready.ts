import { pause } from '../pause.ts'
import type { Engine } from './port.ts'

const LOOK_EVERY_MS = 100

/** Waits for an engine that is still starting, or until the signal aborts. */
export async function untilReady(engine: Pick<Engine, 'ready'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await engine.ready())) await pause(LOOK_EVERY_MS, signal)
}
