import { randomUUID } from 'node:crypto'
import { engine } from '../../tests/platform/kit/clock.ts'
import { hints } from '../../tests/platform/kit/hints.ts'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { as, type Case, type Person } from '../../tests/platform/kit/people.ts'
import { BOOKING, CHAIN, aBooking, aRoom } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { bareDiagram } from './bare-engine.ts'
import { type Round, approve, measured, someHeads, tasksOf } from './deciding.ts'
import { many, percentile, rounded, sized } from './results.ts'

const USERS = sized(16, 2)
const WARM_UP = sized(160, 2)
const MEASURED = sized(480, 2)
const ROUNDS = sized(3, 1)

const [[HEAD], [NEXT, NEXT_DESK]] = CHAIN

/**
 * Ours: sixteen heads of one department approve bookings through the API as fast as it answers; somebody at the next
 * desk has the inbox open and reads it again at each hint. A round ends when every next task has appeared there.
 * Baseline: the same diagram under a tenant of its own, which the product ignores, completed through the engine's REST
 * API by as many clients with the same variables.
 */
const bench: Bench = {
  title: `complete-tput: ${USERS} users who decide through the API, against completions at the bare engine`,
  async run(say) {
    const room = await aRoom()
    const heads = await someHeads(room.data.department!, USERS)
    const student = await as('student.nuwan')
    const inbox = await watchInbox(await as(NEXT_DESK))
    const times = { answer: [] as number[], visible: [] as number[] }

    async function ours(count: number): Promise<Round> {
      const cases = await many(USERS, count, () => student.submit(BOOKING, aBooking(room)))
      const tasks = await tasksOf(cases)
      const seen: Promise<void>[] = []
      const decide = async (n: number) => {
        const [task, { id }] = [tasks[n]!, cases[n]!]
        const began = performance.now()
        const shown = inbox.shows(id).then((at) => void times.visible.push(at - began))
        seen.push(shown)
        await approve(heads[n % USERS]!, task)
        times.answer.push(performance.now() - began)
      }
      return measured(USERS, count, decide, () => Promise.all(seen))
    }

    const example = await student.submit(BOOKING, aBooking(room))
    await (await as(room.head)).task(example)
    const bare = await bareEngine(example)
    async function raw(count: number): Promise<Round> {
      const tasks = await many(USERS, count, bare.start)
      return measured(USERS, count, (n) => bare.complete(tasks[n]!))
    }

    await ours(WARM_UP)
    await raw(WARM_UP)
    const rounds = { ours: [] as Round[], raw: [] as Round[] }
    times.answer.length = times.visible.length = 0
    const began = new Date()
    for (let round = 1; round <= ROUNDS; round += 1) {
      rounds.raw.push(await raw(MEASURED))
      rounds.ours.push(await ours(MEASURED))
      const [a, b] = [rounds.raw.at(-1)!, rounds.ours.at(-1)!]
      say(`round ${round}: raw ${Math.round(a.perSecond)}/s, ours ${Math.round(b.perSecond)}/s`)
    }
    inbox.close()
    const commands = await commandTimes(began)
    const fastest = (all: Round[]) => all.toSorted((a, b) => b.perSecond - a.perSecond)[0]!
    const [best, base] = [fastest(rounds.ours), fastest(rounds.raw)]
    const cpu = (who: string, { processor }: Round) =>
      Object.entries(processor).map(([part, ms]) => [`${who}: ${part} processor ms each`, rounded(ms)])
    return {
      figures: {
        'ours per second': rounded(best.perSecond),
        'raw per second': rounded(base.perSecond),
        'ours to raw': rounded(best.perSecond / base.perSecond),
        'click to answer p50 ms': rounded(percentile(times.answer, 0.5)),
        'click to answer p95 ms': rounded(percentile(times.answer, 0.95)),
        'of which until the engine has moved on p50 ms': rounded(percentile(commands, 0.5)),
        'click to next task visible p50 ms': rounded(percentile(times.visible, 0.5)),
        'click to next task visible p95 ms': rounded(percentile(times.visible, 0.95)),
        ...Object.fromEntries([...cpu('ours', best), ...cpu('raw', base)]),
      },
      promises: [{ figure: 'ours to raw', atLeast: 0.6 }],
    }
  },
}
export default bench

/** Milliseconds from each decision's transaction until the engine had moved on. */
async function commandTimes(since: Date): Promise<number[]> {
  const rows = await asOwner<{ ms: number }>(
    `select extract(epoch from done_at - created_at)::float8 * 1000 as ms from app.command
     where kind = 'complete' and done_at is not null and created_at >= $1`,
    [since],
  )
  return rows.map(({ ms }) => ms)
}

/** Reads the inbox again after each hint, as a browser does, and reports when a case's next task is in it. */
async function watchInbox(person: Person): Promise<{ shows(caseId: string): Promise<number>; close(): void }> {
  const waiting = new Map<string, (at: number) => void>()
  const events = await hints(person)
  const reading = events.each(async () => {
    const { items } = await person.get(`/api/tasks?queue=open&desk=${NEXT}&limit=100`)
    for (const { caseId } of items as { caseId: string }[]) {
      waiting.get(caseId)?.(performance.now())
      waiting.delete(caseId)
    }
  })
  return {
    shows: (caseId) =>
      Promise.race([new Promise<number>((seen) => waiting.set(caseId, seen)), reading.then(() => Number.NaN)]),
    close: () => events.close(),
  }
}

/**
 * The diagram of a case, deployed under a tenant: starts instances that wait for the head, and completes their tasks.
 */
async function bareEngine(example: Case) {
  const { definition, variables, days } = await bareDiagram(example, await as('student.nuwan'))
  return {
    async start(): Promise<string> {
      const { id } = await engine<{ id: string }>('POST', `/process-definition/${definition}/start`, {
        businessKey: randomUUID(),
        variables,
      })
      const [task] = await engine<{ id: string }[]>('GET', `/task?processInstanceId=${id}`)
      return task!.id
    },
    async complete(task: string): Promise<void> {
      await engine('POST', `/task/${task}/complete`, {
        variables: { ...days, [`${HEAD}_outcome`]: { type: 'String', value: 'approve' } },
      })
    },
  }
}
