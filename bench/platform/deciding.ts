import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { as, type Case, PASSWORD, send } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { PARTS, type Part, stack } from '../../tests/platform/kit/stack.ts'
import { BOOKING, CHAIN, aBooking, aRoom } from '../../tests/resource-reservation/booking.ts'
import { many } from './results.ts'

const [[HEAD]] = CHAIN
/** Milliseconds per tick of the kernel's CPU clock. */
const TICK_MS = 10

/** The rate, and the CPU time of each part per decision. */
export interface Round {
  perSecond: number
  processor: Record<string, number>
}

/** Runs a number of acts, sequentially per user, and waits until all are processed. */
export async function measured(
  users: number,
  count: number,
  act: (n: number) => Promise<void>,
  through: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Round> {
  const before = processorTimes()
  const began = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: users }, async () => {
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
export async function someHeads(department: string, users: number): Promise<string[]> {
  const run = randomBytes(3).toString('hex')
  const names = Array.from({ length: users }, (_, n) => `head${run}${n}`)
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

/** Approves at a desk; throws if the API refuses. */
export async function approve(token: string, task: string): Promise<void> {
  const answer = await send('POST', `/api/tasks/${task}/complete`, { token, body: { data: { outcome: 'approve' } } })
  if (answer.status !== 200) throw new Error(`not decided: ${JSON.stringify(answer.body)}`)
}

/**
 * A department whose heads decide bookings as fast as the API answers; `around` runs while they do, without the
 * submissions before it.
 */
export async function decisions(users: number) {
  const room = await aRoom()
  const heads = await someHeads(room.data.department!, users)
  const student = await as('student.nuwan')
  return async (count: number, around = (act: () => Promise<Round>) => act()): Promise<Round> => {
    const tasks = await tasksOf(await many(users, count, () => student.submit(BOOKING, aBooking(room))))
    return around(() => measured(users, count, (n) => approve(heads[n % users]!, tasks[n]!)))
  }
}

/** The head's tasks of these cases, once all exist. */
export function tasksOf(cases: readonly Case[]): Promise<string[]> {
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
