import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const ROUNDS = sized(5, 1)
const root = join(import.meta.dirname, '../..')

/**
 * Ours: `npm start` on a data folder that has started before, until it is ready. Baseline: only PostgreSQL and the
 * engine, by the same supervisor on the same folder. What each part took is printed.
 */
const bench: Bench = {
  title: 'cold-start: the second start of everything, against PostgreSQL and the engine alone',
  alone: true,
  async run(say) {
    const folder = mkdtempSync(join(tmpdir(), 'prakriya-start-'))
    try {
      // The first start builds the database, and its stop the class archive of the engine.
      await start(folder, [], () => undefined)
      const times = { ours: [] as number[], alone: [] as number[] }
      for (let round = 1; round <= ROUNDS; round += 1) {
        times.alone.push(await start(folder, ['--parts', 'postgres,engine'], () => undefined))
        times.ours.push(await start(folder, [], (line) => say(`round ${round}: ${line}`)))
      }
      const [ours, alone] = [percentile(times.ours, 0.5), percentile(times.alone, 0.5)]
      return {
        figures: {
          'ours p50 s': rounded(ours),
          'engine alone p50 s': rounded(alone),
          'ours to the engine alone': rounded(ours / alone),
        },
        promises: [{ figure: 'ours to the engine alone', atMost: 1.6 }],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
export default bench

/** Seconds from starting the supervisor until it is ready; it is stopped then. */
async function start(folder: string, more: string[], say: (line: string) => void): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['api/platform/edge/supervisor/main.ts', '--port', '0', ...more], {
    cwd: root,
    env: { ...process.env, PRAKRIYA_DATA: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let seconds: number | undefined
  let printed = ''
  for await (const text of child.stdout) {
    printed += String(text)
    for (let end = printed.indexOf('\n'); end >= 0; end = printed.indexOf('\n')) {
      const line = printed.slice(0, end)
      printed = printed.slice(end + 1)
      if (/: ready \(/.test(line)) say(line)
      if (line.startsWith('Prakriya is ready')) {
        seconds = (performance.now() - began) / 1000
        child.kill('SIGINT')
      }
    }
  }
  if (child.exitCode === null) await once(child, 'exit')
  if (seconds === undefined) throw new Error('the product did not start')
  return seconds
}
