import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { as, type Case, type Person } from '../kit/people.ts'
import { until } from '../kit/poll.ts'
import { ready } from '../kit/product.ts'
import { PARTS, stack } from '../kit/stack.ts'
import { random } from './random.ts'

/** One person's goal for a case, and its expected end. */
interface Script {
  name: 'confirmed' | 'rejected at the first desk' | 'rejected at the second desk' | 'withdrawn'
  ends: keyof Requests['ends']
}

const SCRIPTS: Script[] = [
  { name: 'confirmed', ends: 'confirmed' },
  { name: 'confirmed', ends: 'confirmed' },
  { name: 'rejected at the first desk', ends: 'rejected' },
  { name: 'rejected at the second desk', ends: 'rejected' },
  { name: 'withdrawn', ends: 'withdrawn' },
]

/** The result of a run with faults; `problems` is empty if nothing was lost, duplicated or stuck. */
export interface Verdict {
  seed: number
  requests: number
  /** How many of them were started: fewer if the run was aborted or interrupted. */
  asked: number
  kills: Record<string, number>
  seconds: number
  lost: number
  doubled: number
  stuck: number
  /** The cases that were confirmed as expected. */
  confirmed: string[]
  problems: string[]
  /** Settles once nothing of the run is under way; after an interruption, requests may still be unanswered. */
  rest: Promise<void>
}

/** What a run needs to know about a flow. */
export interface Requests {
  flow: string
  /** The form of the nth request, with its own slot or vote. */
  data(n: number): object | Promise<object>
  requesters: string[]
  /** The answers until the nth request is confirmed, in order. */
  steps(n: number): Step[]
  /** Its status at each end; a withdrawn case keeps its last status. */
  ends: { confirmed: string; rejected: string; withdrawn: string | undefined }
}

/** An answer at a desk. */
export interface Step {
  desk: string
  /** Absent: the requester. */
  by?: string
  answer(person: Person, facts: any): object | Promise<object>
}

/** After this many consecutive failures of each client no more requests start. */
const GIVE_UP_AFTER = 3
/** Usual interval of the progress reports, and the wait for the next case to end, in seconds. */
const PROGRESS_SECONDS = 15
const END_SECONDS = 120
/** How long an act without an answer is repeated, in seconds. */
const PATIENCE_SECONDS = 180

/**
 * Sends requests while it kills parts of the product at random, then checks that every case ended as its script says.
 * Clients behave as the browser does: they repeat unanswered requests with the same key. Every failure is a problem in
 * the verdict: a run always ends with a verdict.
 */
export async function killRandom(
  areas: readonly Requests[],
  {
    requests,
    seed,
    everySeconds,
    most = Infinity,
    clients = 6,
    stop = new AbortController().signal,
    signal = new AbortController().signal,
    patience = PATIENCE_SECONDS,
    progressSeconds = PROGRESS_SECONDS,
    say,
  }: {
    requests: number
    seed: number
    everySeconds: number
    /** No more kills after this many, so that a run also ends in time on a slow machine. */
    most?: number
    clients?: number
    /** Stops requests and kills; started cases are finished and checked. */
    stop?: AbortSignal
    /** Ends the run at once, with a verdict on what is known. */
    signal?: AbortSignal
    /** How long unanswered requests are repeated, in seconds. */
    patience?: number
    /** Interval of the progress reports. */
    progressSeconds?: number
    say(line: string): void
  },
): Promise<Verdict> {
  const dice = random(seed)
  const began = Date.now()
  const kills: Record<string, number> = {}
  const problems: string[] = []
  const cases: Begun[] = []
  const queue = Array.from({ length: requests }, (_, n) => n)
  let [asked, through, failedInARow, over] = [0, 0, 0, false]

  /** Runs one part; a failure becomes a problem, and the run continues with the given fallback. */
  async function attempt<T>(what: string, act: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await act()
    } catch (error) {
      problems.push(`${what}: ${(error as Error).message}`)
      return otherwise
    }
  }

  const tell = (): void => {
    const minutes = ((Date.now() - began) / 60_000).toFixed(1)
    const count = Object.values(kills).reduce((sum, n) => sum + n, 0)
    say(`${minutes} min: ${asked} of ${requests} asked, ${through} done, ${problems.length} problems, ${count} kills`)
  }

  const murderer = async (): Promise<void> => {
    let next = 0
    for (let done = 0; !over && done < most;) {
      // The first kill comes as soon as anything is running: a fast machine may be done within seconds.
      const due = async () => over || stop.aborted || (cases.length > 0 && Date.now() >= next)
      await until('the next kill', due, { seconds: Infinity, everyMilliseconds: 100 })
      // Before every other kill all parts are up: on a slow machine, constant kills would leave no time for work.
      if (done % 2 === 1 && !over) await ready()
      if (over || stop.aborted) return
      const part = dice.pick(PARTS)
      const { pid } = stack().parts[part]
      if (pid !== undefined && killed(pid)) {
        kills[part] = (kills[part] ?? 0) + 1
        done += 1
        say(`killed ${part}`)
      } else say(`${part} is down already`)
      next = Date.now() + everySeconds * 1000
    }
  }

  const one = async (n: number): Promise<void> => {
    // Each script once before random choice, so that every run has some of each.
    const script = SCRIPTS[n] ?? dice.pick(SCRIPTS)
    const key = randomUUID()
    const area = areas[n % areas.length]!
    const place = Math.floor(n / areas.length)
    const requester = await patiently(() => as(dice.pick(area.requesters)), patience)
    const data = await patiently(async () => area.data(place), patience)
    const of = await patiently(() => requester.submit(area.flow, data, key), patience)
    const ends = area.ends[script.ends]
    cases.push({ of, script, ends })
    if (script.name === 'withdrawn') return withdraw(requester, of, ends)
    const rejecting = ['rejected at the first desk', 'rejected at the second desk'].indexOf(script.name)
    for (const [step, { desk, by, answer }] of area.steps(place).entries()) {
      const person = by === undefined ? requester : await patiently(() => as(by))
      if (step === rejecting)
        return decide(person, of, desk, async () => ({ outcome: 'reject', reason: 'Not possible at that time' }))
      await decide(person, of, desk, async () => {
        const { facts } = await person.get(`/api/cases/${of.id}`)
        return answer(person, facts)
      })
    }
  }

  const client = async (): Promise<void> => {
    for (let n = queue.shift(); n !== undefined && !stop.aborted; n = queue.shift()) {
      asked += 1
      const done = await attempt(`request ${n}`, () => one(n).then(() => true), false)
      if (done) through += 1
      failedInARow = done ? 0 : failedInARow + 1
      if (failedInARow < GIVE_UP_AFTER * clients || queue.length === 0) continue
      problems.push(`given up after ${failedInARow} failures in a row, ${queue.length} of ${requests} were not asked`)
      queue.length = 0
    }
  }

  const work = async (): Promise<void> => {
    const killing = attempt('killing', murderer, undefined)
    await Promise.all(Array.from({ length: clients }, client))
    over = true
    await killing
    if (signal.aborted) return
    await attempt('afterwards', () => ready(), true)
    say(`looking at the ends of ${cases.length} cases`)
    ends = await attempt('the ends of the cases', () => lookAtEnds(cases, problems), ends)
    doubled = await attempt('what is there twice', () => doubles(cases, problems), doubled)
  }
  let ends = { lost: 0, stuck: 0 }
  let doubled = 0
  const telling = setInterval(tell, progressSeconds * 1000)
  const rest = work()
  await Promise.race([rest, aborted(signal)])
  clearInterval(telling)
  over = true
  if (signal.aborted) {
    queue.length = 0
    problems.push(`interrupted: ${asked} of ${requests} were asked, and not all was looked at`)
  } else if (cases.length < asked) problems.push(`${asked - cases.length} of ${asked} requests were never taken`)
  const { lost, stuck } = ends
  return {
    seed,
    requests,
    asked,
    kills,
    seconds: Math.round((Date.now() - began) / 1000),
    // After an interruption the result of unanswered requests is unknown.
    lost: signal.aborted ? lost : lost + asked - cases.length,
    doubled,
    stuck,
    confirmed: cases.filter(({ script }) => script.ends === 'confirmed').map(({ of }) => of.id),
    problems,
    rest,
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) settle()
    signal.addEventListener('abort', () => settle(), { once: true })
  })
}

/** Kills a process with SIGKILL; false if it was gone already. */
function killed(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}

/** Repeats an act without an answer, or with a transient one. */
async function patiently<T>(act: () => Promise<T>, seconds = PATIENCE_SECONDS): Promise<T> {
  return until('an answer', act, { seconds, everyMilliseconds: 250 })
}

async function decide(person: Person, of: Case, desk: string, answering: () => Promise<object>): Promise<void> {
  // Once found, the task stays the same, however often the decision is sent.
  const task = await patiently(() => person.task(of, desk))
  const data = await patiently(answering)
  await patiently(async () => {
    const answer = await person.send('POST', `/api/tasks/${task.id}/complete`, { data })
    // 409 after a lost answer: this same person had already decided.
    if (answer.status === 200 || (answer.status === 409 && (await decidedBy(person, task.id)))) return true
    throw new Error(`${desk} of ${of.reference}: ${answer.status} ${JSON.stringify(answer.body)}`)
  })
}

async function decidedBy(person: Person, task: string): Promise<boolean> {
  const answer = await person.send('GET', `/api/tasks/${task}`)
  return answer.status === 200 && answer.body.task.decidedBy?.id === person.id
}

async function withdraw(requester: Person, of: Case, ends: string | undefined): Promise<void> {
  await patiently(async () => {
    const answer = await requester.send('POST', `/api/cases/${of.id}/withdraw`, { reason: 'The plans have changed' })
    if (answer.status < 300) return true
    if (isOver(await requester.get(`/api/cases/${of.id}`), ends)) return true
    throw new Error(`withdrawal of ${of.reference}: ${answer.status} ${JSON.stringify(answer.body)}`)
  })
}

/** A started case, and its expected end. */
interface Begun {
  of: Case
  script: Script
  ends: string | undefined
}

function isOver(seen: { state: string; status: { key: string } }, ends: string | undefined): boolean {
  return ends === undefined ? seen.state === 'ended' : seen.status.key === ends
}

async function lookAtEnds(cases: readonly Begun[], problems: string[]): Promise<{ lost: number; stuck: number }> {
  const admin = await patiently(() => as('admin'))
  let lost = 0
  let stuck = 0
  // As long as cases end, the wait for the next one starts again.
  let patience = Date.now() + END_SECONDS * 1000
  for (const { of, script, ends: wanted } of cases) {
    let seen = 'nothing'
    try {
      await until(
        `${of.reference} ends`,
        async () => {
          const answer = await admin.send('GET', `/api/cases/${of.id}`)
          seen = answer.status === 200 ? answer.body.status.key : `answer ${answer.status}`
          return answer.status === 200 && isOver(answer.body, wanted)
        },
        { seconds: (patience - Date.now()) / 1000, everyMilliseconds: 200 },
      )
      patience = Date.now() + END_SECONDS * 1000
    } catch {
      if (seen.startsWith('answer')) lost += 1
      else stuck += 1
      problems.push(`${of.reference} (${script.name}) should be ${wanted ?? 'over'}, is ${seen}`)
    }
  }
  return { lost, stuck }
}

/** Checks in the database for duplicates, and for incidents of these cases. */
async function doubles(begun: readonly Begun[], problems: string[]): Promise<number> {
  const cases = begun.map(({ of }) => of.id)
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  try {
    const found: string[] = []
    const look = async (what: string, sql: string, values: unknown[] = []): Promise<void> => {
      const { rows } = await client.query<{ id: string; n: string }>(sql, values)
      for (const { id, n } of rows) found.push(`${what} ${id}: ${n}`)
    }
    await look(
      'instances of case',
      `select business_key_ as id, count(*) as n from engine.act_hi_procinst
      where super_process_instance_id_ is null and business_key_ is not null group by 1 having count(*) > 1`,
    )
    await look(
      'decisions on task',
      `select task_id as id, count(*) as n from app.submission where task_id is not null and effect <> 'void' group by 1 having count(*) > 1`,
    )
    await look(
      'mails',
      `select case_id || ' ' || template || ' ' || recipient as id, count(*) as n from app.mail
      where case_id::text = any($1) and template not like '%remind%' group by 1 having count(*) > 1`,
      [cases],
    )
    await look(
      'commands of case',
      `select case_id::text as id, count(*) as n from app.command where kind = 'start' group by 1 having count(*) > 1`,
    )
    await look(
      'slots of case',
      `select case_id::text as id, count(*) as n from app.allocation
      where case_id::text = any($1) and main_id is null group by 1 having count(*) > 1`,
      [cases],
    )
    await look(
      'payments of voucher',
      `select case_id::text as id, count(*) as n from app.voucher_payment
      where case_id::text = any($1) and state in ('issued', 'settled') group by 1 having count(*) > 1`,
      [cases],
    )
    await look(
      'vouchers settled without the money having moved',
      `select c.id::text as id, coalesce(sum(l.amount), 0) as n from app.flow_case c
      left join app.ledger_entry e on e.case_id = c.id
      left join app.ledger_line l on l.entry_id = e.id and l.account_id like 'vote:%:spent'
      where c.id::text = any($1) and c.status = 'Settled Payment' group by c.id
      having coalesce(sum(l.amount), 0) <> (c.data ->> 'total')::bigint`,
      [cases],
    )
    await look(
      'money that an ended voucher still holds',
      `select c.id::text as id, sum(l.amount) as n from app.flow_case c join app.ledger_entry e on e.case_id = c.id
      join app.ledger_line l on l.entry_id = e.id and l.account_id like 'vote:%:committed'
      where c.id::text = any($1) and c.ended_at is not null group by 1 having sum(l.amount) <> 0`,
      [cases],
    )
    await look(
      'orphaned effect',
      `select external_task_id as id, 1 as n from app.worker_run where orphaned and case_id::text = any($1)`,
      [cases],
    )
    await look(
      'open incident',
      `select coalesce(case_id::text, id) || ' ' || kind || ' ' || message as id, 1 as n from app.incident
      where resolved_at is null and case_id::text = any($1)`,
      [cases],
    )
    await look('parked event', `select id::text as id, 1 as n from app.parked_event where case_id::text = any($1)`, [
      cases,
    ])
    await look(
      'cases of one request',
      `select min(case_id::text) as id, count(*) as n from app.submission where task_id is null
      group by submitted_by, data having count(*) > 1 and bool_or(case_id = any($1))`,
      [cases],
    )
    problems.push(...found)
    return found.length
  } finally {
    await client.end()
  }
}
