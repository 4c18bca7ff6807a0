import { randomUUID } from 'node:crypto'
import { engine } from '../../tests/platform/kit/clock.ts'
import { hints } from '../../tests/platform/kit/hints.ts'
import { as } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { aBooking, BOOKING, halls } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded } from './results.ts'

const WARM_UP = 20
const MEASURED = 100
const ROUNDS = 3
const CLIENTS = 8

/**
 * Ours: from sending the form to seeing the task in the head's inbox, woken by the hint over SSE.
 * Baseline: the same diagram started at the engine itself, until its task query shows the task.
 */
const bench: Bench = {
  title: 'start-to-visible: submit to visible in the inbox over SSE, against the engine’s own start plus task query',
  async run(say) {
    const hall = (await halls({ cost: true }))[0]!
    const student = await as('student.nuwan')
    const head = await as(hall.head)
    const inbox = await hints(head)

    const ours = async (): Promise<number> => {
      const began = performance.now()
      let reference: string | undefined
      const sending = student.submit(BOOKING, aBooking(hall)).then((made) => (reference = made.reference))
      await inbox.until(async () => {
        if (reference === undefined) return false
        const { items } = await head.get(`/api/tasks?queue=open&limit=50`)
        return (items as { reference: string }[]).some((task) => task.reference === reference)
      }, sending)
      return performance.now() - began
    }

    const example = await student.submit(BOOKING, aBooking(hall))
    const { processDefinitionId } = await student.get(`/api/cases/${example.id}`)
    const variables = Object.fromEntries(
      (await student.get(`/api/cases/${example.id}/variable-instances`)).map(({ name, type, value }: any) => [name, { type, value }]),
    )
    const group = `HOD@department:${variables.departmentId.value}`
    const raw = async (): Promise<number> => {
      const began = performance.now()
      // No case stands behind it, so it runs under a key of its own and its events are set aside.
      const { id } = await engine<{ id: string }>('POST', `/process-definition/${encodeURIComponent(processDefinitionId)}/start`, {
        businessKey: `raw-${randomUUID()}`,
        variables,
      })
      await until('the task', async () => {
        const found = await engine<{ processInstanceId: string }[]>('POST', '/task?maxResults=50', {
          candidateGroup: group,
          sorting: [{ sortBy: 'created', sortOrder: 'desc' }],
        })
        return found.some(({ processInstanceId }) => processInstanceId === id)
      }, { everyMilliseconds: 1 })
      return performance.now() - began
    }

    const times = { ours: [] as number[], raw: [] as number[] }
    await many(ours, WARM_UP)
    await many(raw, WARM_UP)
    for (let round = 1; round <= ROUNDS; round += 1) {
      times.raw.push(...(await many(raw, MEASURED)))
      times.ours.push(...(await many(ours, MEASURED)))
      say(`round ${round}: raw p50 ${Math.round(percentile(times.raw, 0.5))} ms, ours p50 ${Math.round(percentile(times.ours, 0.5))} ms`)
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

/** The times of so many runs, a few at a time. */
async function many(run: () => Promise<number>, count: number): Promise<number[]> {
  const times: number[] = []
  let left = count
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) times.push(await run())
    }),
  )
  return times
}
