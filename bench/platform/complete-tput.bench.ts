import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { engine } from '../../tests/platform/kit/clock.ts'
import { hints } from '../../tests/platform/kit/hints.ts'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { as, type Case, PASSWORD, type Person, send } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { PARTS, type Part, stack } from '../../tests/platform/kit/stack.ts'
import { BOOKING, CHAIN, aBooking, aRoom } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { bareDiagram } from './bare-engine.ts'
import { many, percentile, rounded, sized } from './results.ts'

const USERS = sized(16, 2)
const WARM_UP = sized(160, 2)
const MEASURED = sized(480, 2)
const ROUNDS = sized(3, 1)
/** Milliseconds per tick of the kernel's CPU clock. */
const TICK_MS = 10

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
    const heads = await someHeads(room.data.department!)
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
        const body = { data: { outcome: 'approve' } }
        const answer = await send('POST', `/api/tasks/${task}/complete`, { token: heads[n % USERS]!, body })
        if (answer.status !== 200) throw new Error(`not decided: ${JSON.stringify(answer.body)}`)
        times.answer.push(performance.now() - began)
      }
      return measured(count, decide, () => Promise.all(seen))
    }

    const example = await student.submit(BOOKING, aBooking(room))
    await (await as(room.head)).task(example)
    const bare = await bareEngine(example)
    async function raw(count: number): Promise<Round> {
      const tasks = await many(USERS, count, bare.start)
      return measured(count, (n) => bare.complete(tasks[n]!))
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

/** The rate, and the CPU time of each part per decision. */
interface Round {
  perSecond: number
  processor: Record<string, number>
}

/** Runs a number of acts, sequentially per user, and waits until all are processed. */
async function measured(
  count: number,
  act: (n: number) => Promise<void>,
  through: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Round> {
  const before = processorTimes()
  const began = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: USERS }, async () => {
      for (let n = next++; n < count; n = next++) await act(n)
    }),
  )
  await through()
  const seconds = (performance.now() - began) / 1000
  const after = processorTimes()
  const processor = Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, (ms - before[part]!) / count]))
  return { perSecond: count / seconds, processor }
}

/** CPU milliseconds used by each part, and by this process as the users. */
function processorTimes(): Record<string, number> {
  const { parts } = stack()
  const pids = new Map(PARTS.map((part): [number, Part] => [parts[part].pid!, part]))
  const spent: Record<string, number> = { users: ticksOf(process.pid)!.ticks * TICK_MS }
  for (const part of PARTS) spent[part] = 0
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const found = ticksOf(pid)
    // PostgreSQL's connections are children of its first process.
    const part = found && (pids.get(pid) ?? pids.get(found.parent))
    if (part) spent[part]! += found.ticks * TICK_MS
  }
  return spent
}

function ticksOf(pid: number): { parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch (error) {
    // The process has ended since the folder was read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Creates heads of a department; returns their access tokens. */
async function someHeads(department: string): Promise<string[]> {
  const run = randomBytes(3).toString('hex')
  const names = Array.from({ length: USERS }, (_, n) => `head${run}${n}`)
  await asOwner(
    `with made as (
       insert into app.account (id, username, email, name, password_hash)
       select gen_random_uuid(), n, n || '@example.org', n, (select password_hash from app.account where username = 'admin')
       from unnest($1::text[]) n returning id
     )
     insert into app.role_grant (id, account_id, role, scope_kind, scope_id, origin, reason)
     select gen_random_uuid(), id, 'HOD', 'department', $2, 'import', 'made for a measurement' from made`,
    [names, department],
  )
  return Promise.all(
    names.map(async (username) => {
      const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD })
      const answer = await send('POST', '/api/auth/token', { body })
      if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${JSON.stringify(answer.body)}`)
      return answer.body.access_token as string
    }),
  )
}

/** The head's tasks of these cases, once all exist. */
function tasksOf(cases: readonly Case[]): Promise<string[]> {
  const ids = cases.map(({ id }) => id)
  return until('every case waits for the head', async () => {
    const rows = await asOwner<{ id: string; case_id: string }>(
      `select id, case_id from app.task where case_id = any($1::uuid[]) and desk = $2 and state = 'open'`,
      [ids, HEAD],
    )
    const byCase = new Map(rows.map((row) => [row.case_id, row.id]))
    return byCase.size === ids.length && ids.map((id) => byCase.get(id)!)
  })
}

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
