import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { connect } from '../../api/platform/kernel/db/database.ts'
import { aHarness, engineOf, fixture } from '../../tests/platform/fixtures/harnesses.ts'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import { worker } from '../../workers/platform/worker.ts'
import type { Bench } from '../main.ts'
import { many, rounded, sized } from './results.ts'

const TASKS = sized(400, 4)
const ROUNDS = sized(3, 1)
const LOCK_MS = 60_000

/**
 * Ours: the worker harness runs a worker that does nothing, once per task, with what it stores for that. Baseline: a
 * loop that fetches as many tasks as run at once and completes them, and stores nothing. Both complete tasks of the
 * same diagram, one at a time and eight at a time.
 */
const bench: Bench = {
  title: 'worker-tput: tasks of a worker that does nothing, against a bare loop that fetches and completes',
  async run(say) {
    const { databaseUrl } = stack()
    const database = connect(databaseUrl, { name: 'worker-tput', max: 10 })
    const engine = engineOf(stack())
    const nothing = worker({ input: Type.Object({}), output: Type.Object({}), run: async () => ({}) })
    try {
      const { start } = await fixture(database.db, engine)
      const waiting = async () => {
        const topic = `fixture.${randomUUID()}`
        await many(8, TASKS, () => start(topic))
        return topic
      }
      const ours = async (parallel: number): Promise<number> => {
        const topic = await waiting()
        const { harness } = aHarness(database.db, engine, { [topic]: nothing }, { parallel, lockDuration: LOCK_MS })
        const began = performance.now()
        harness.start()
        await until('every task is reported', () => reported(topic), { seconds: 120, everyMilliseconds: 20 })
        const seconds = (performance.now() - began) / 1000
        await harness.drain()
        return TASKS / seconds
      }
      const raw = async (parallel: number): Promise<number> => {
        const topic = await waiting()
        const began = performance.now()
        await fetchAndComplete(topic, parallel)
        return TASKS / ((performance.now() - began) / 1000)
      }
      const figures: Record<string, number> = {}
      for (const parallel of [1, 8]) {
        const rates = { ours: [] as number[], raw: [] as number[] }
        await raw(parallel)
        await ours(parallel)
        for (let round = 1; round <= ROUNDS; round += 1) {
          rates.raw.push(await raw(parallel))
          rates.ours.push(await ours(parallel))
          say(
            `${parallel} at a time, round ${round}: raw ${rounded(rates.raw.at(-1)!)}/s, ours ${rounded(rates.ours.at(-1)!)}/s`,
          )
        }
        const [best, base] = [Math.max(...rates.ours), Math.max(...rates.raw)]
        figures[`${parallel} at a time: ours per second`] = rounded(best)
        figures[`${parallel} at a time: raw per second`] = rounded(base)
        figures[`${parallel} at a time: ours to raw`] = rounded(best / base)
      }
      return {
        figures,
        promises: [1, 8].map((parallel) => ({ figure: `${parallel} at a time: ours to raw`, atLeast: 0.3 })),
      }
    } finally {
      await database.close()
    }
  },
}
export default bench

async function reported(topic: string): Promise<boolean> {
  const [row] = await asOwner<{ count: number }>(
    'select count(*)::int as count from app.worker_run where topic = $1 and reported_at is not null',
    [topic],
  )
  return row!.count === TASKS
}

/** Calls the engine over connections that stay open, as ours do. */
async function bare<T>(path: string, body: object): Promise<T | undefined> {
  const { engineUrl, engineSecret } = stack()
  const answer = await fetch(`${engineUrl}/engine-rest${path}`, {
    method: 'POST',
    headers: { 'x-gateway-secret': engineSecret, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : (JSON.parse(text) as T)
}

async function fetchAndComplete(topic: string, parallel: number): Promise<void> {
  const workerId = 'worker-tput'
  for (let done = 0; done < TASKS;) {
    const tasks = await bare<{ id: string }[]>('/external-task/fetchAndLock', {
      workerId,
      maxTasks: parallel,
      topics: [{ topicName: topic, lockDuration: LOCK_MS, variables: [] }],
    })
    if (!tasks) throw new Error('the engine gave no tasks')
    await Promise.all(tasks.map(({ id }) => bare(`/external-task/${id}/complete`, { workerId, variables: {} })))
    done += tasks.length
  }
}
