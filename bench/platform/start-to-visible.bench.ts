import { randomUUID } from 'node:crypto'
import { engine } from '../../tests/platform/kit/clock.ts'
import { hints } from '../../tests/platform/kit/hints.ts'
import { as, type Case, type Person } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { aBooking, BOOKING, halls } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { bareDiagram } from './bare-engine.ts'
import { many, percentile, rounded, sized } from './results.ts'

const WARM_UP = sized(20, 1)
const MEASURED = sized(100, 2)
const ROUNDS = sized(3, 1)
const CLIENTS = 4

/**
 * Ours: from sending the form until the task is in the head's inbox, which is read again at each hint over SSE.
 * Baseline: the same diagram under a tenant of its own, which the product ignores: started at the engine, until the
 * engine's task query returns the task.
 */
const bench: Bench = {
  title: 'start-to-visible: submit to visible in the inbox over SSE, against the engine’s own start plus task query',
  async run(say) {
    const hall = (await halls({ cost: true }))[0]!
    const student = await as('student.nuwan')
    const head = await as(hall.head)
    const inbox = await watchInbox(head)
    const ours = async (): Promise<number> => {
      const form = aBooking(hall, { event: randomUUID() })
      const began = performance.now()
      const seen = inbox.shows(String(form['event']))
      await Promise.all([seen, student.submit(BOOKING, form)])
      return (await seen) - began
    }
    const example = await student.submit(BOOKING, aBooking(hall))
    await head.task(example)
    const bare = await bareEngine(example)
    const times = { ours: [] as number[], raw: [] as number[] }
    await many(CLIENTS, WARM_UP, ours)
    await many(CLIENTS, WARM_UP, bare.run)
    for (let round = 1; round <= ROUNDS; round += 1) {
      times.raw.push(...(await many(CLIENTS, MEASURED, bare.run)))
      times.ours.push(...(await many(CLIENTS, MEASURED, ours)))
      say(
        `round ${round}: raw p50 ${Math.round(percentile(times.raw, 0.5))} ms, ours p50 ${Math.round(percentile(times.ours, 0.5))} ms`,
      )
    }
    inbox.close()
    const figures = Object.fromEntries(
      [0.5, 0.95].flatMap((share) => {
        const [a, b] = [percentile(times.ours, share), percentile(times.raw, share)]
        const name = `p${share * 100}`
        return [
          [`ours ${name} ms`, rounded(a)],
          [`raw ${name} ms`, rounded(b)],
          [`ours to raw ${name}`, rounded(a / b)],
        ]
      }),
    )
    return {
      figures,
      promises: [
        { figure: 'ours to raw p50', atMost: 1.5 },
        { figure: 'ours to raw p95', atMost: 1.5 },
      ],
    }
  },
}
export default bench

/** Reads the inbox again after each hint, as a browser does, and reports when an event's booking is in it. */
async function watchInbox(head: Person): Promise<{ shows(event: string): Promise<number>; close(): void }> {
  const waiting = new Map<string, (at: number) => void>()
  const events = await hints(head)
  const reading = events.each(async () => {
    const { items } = await head.get('/api/tasks?queue=open&limit=20')
    for (const { subject } of items as { subject: { event: string } }[]) {
      waiting.get(subject.event)?.(performance.now())
      waiting.delete(subject.event)
    }
  })
  return {
    shows: (event) =>
      Promise.race([new Promise<number>((seen) => waiting.set(event, seen)), reading.then(() => Number.NaN)]),
    close: () => events.close(),
  }
}

/** The diagram of a case, deployed under a tenant and driven through the engine's REST API only. */
async function bareEngine(example: Case): Promise<{ run(): Promise<number> }> {
  const { definition, variables } = await bareDiagram(example, await as('student.nuwan'))
  const group = `HOD@department:${String(variables['departmentId']!.value)}`

  return {
    async run() {
      const began = performance.now()
      const { id } = await engine<{ id: string }>('POST', `/process-definition/${definition}/start`, {
        businessKey: randomUUID(),
        variables,
      })
      const query = {
        candidateGroup: group,
        tenantIdIn: ['bench'],
        sorting: [{ sortBy: 'created', sortOrder: 'desc' }],
      }
      await until(
        'the task',
        async () => {
          const found = await engine<{ processInstanceId: string }[]>('POST', '/task?maxResults=50', query)
          return found.some(({ processInstanceId }) => processInstanceId === id)
        },
        { everyMilliseconds: 1 },
      )
      return performance.now() - began
    },
  }
}
