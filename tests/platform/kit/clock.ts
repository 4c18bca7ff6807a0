import dayjs from 'dayjs'
import duration from 'dayjs/plugin/duration.js'
import { asOwner } from './owner.ts'
import { type Case } from './people.ts'
import { stack } from './stack.ts'
import { until } from './poll.ts'

dayjs.extend(duration)

interface Job {
  id: string
  dueDate: string | null
  processInstanceId: string
}

/** Calls the engine directly, for what otherwise only time would do. */
export async function engine<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { engineUrl, engineSecret } = stack()
  const json = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${engineUrl}/engine-rest${path}`, {
    method,
    headers: {
      connection: 'close',
      'x-gateway-secret': engineSecret,
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as FormData) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text ? JSON.parse(text) : undefined) as T
}

const timers = async (of: Case): Promise<Job[]> => {
  const instances = await engine<{ id: string }[]>('GET', `/process-instance?businessKey=${of.id}`)
  const jobs = await Promise.all(
    instances.map(({ id }) => engine<Job[]>('GET', `/job?processInstanceId=${id}&timers=true`)),
  )
  return jobs.flat()
}

/** Pending reminders and escalations of a case's open tasks. */
const promises = (of: Case) =>
  asOwner<{ task: string; kind: string; due: Date }>(
    `select p.task_id as task, p.kind, p.due_at as due from app.desk_promise p join app.task t on t.id = p.task_id
     where t.case_id = $1 and p.done_at is null and t.state in ('open', 'held')`,
    [of.id],
  )

/** Whether the product knows all tasks of the engine, and so their reminders and escalations. */
async function isTold(of: Case): Promise<boolean> {
  const tasks = await engine<{ id: string }[]>('GET', `/task?processInstanceBusinessKey=${of.id}`)
  const known = await asOwner(`select from app.task where id = any($1)`, [tasks.map(({ id }) => id)])
  return known.length === tasks.length
}

/** Sends a reminder or an escalation as if it were due. */
async function keep({ task, kind }: { task: string; kind: string }): Promise<void> {
  const due = `update app.desk_promise set due_at = clock_timestamp() where task_id = $1 and kind = $2 and done_at is null`
  await asOwner(due, [task, kind])
  await until(`${kind} of ${task} is done`, async () => {
    await clock.keepsPromises()
    const left = await asOwner(`select from app.desk_promise where task_id = $1 and kind = $2 and done_at is null`, [
      task,
      kind,
    ])
    return left.length === 0
  })
}

/**
 * Lets time pass for one case: fires, in order, each timer of its diagram that falls due within that time, and sends
 * its desks' reminders and escalations.
 */
export const clock = {
  async passes(iso: string, of: Case): Promise<void> {
    const then = dayjs().add(dayjs.duration(iso))
    const fired = new Set<string>()
    const failed = new Map<string, number>()
    await until(`${of.reference} is told`, () => isTold(of))
    await until(
      `a timer or a promise of ${of.reference}`,
      async () => (await timers(of)).length + (await promises(of)).length > 0,
    )
    for (;;) {
      const jobs = (await timers(of)).flatMap(({ id, dueDate }) =>
        dueDate ? [{ id, due: dayjs(dueDate), act: () => engine('POST', `/job/${id}/execute`) }] : [],
      )
      const promised = (await promises(of)).map((one) => ({
        id: `${one.task} ${one.kind}`,
        due: dayjs(one.due),
        act: () => keep(one),
      }))
      const [next] = [...jobs, ...promised]
        .filter(({ id, due }) => !fired.has(id) && due.isBefore(then))
        .sort((a, b) => a.due.diff(b.due))
      if (!next) break
      try {
        await next.act()
        fired.add(next.id)
      } catch (error) {
        // A worker reported at that moment, or the timer is gone with its desk: retries, as the engine would.
        const times = (failed.get(next.id) ?? 0) + 1
        if (times === 5) throw error
        failed.set(next.id, times)
      }
    }
    if (fired.size === 0) throw new Error(`no timer of ${of.reference} falls due within ${iso}`)
  },

  /** Fires the next timer of a case's diagram, and no other. */
  async firesNext(of: Case): Promise<void> {
    const [next] = await until(`a timer of ${of.reference}`, async () => {
      const jobs = (await timers(of)).toSorted((a, b) => dayjs(a.dueDate).diff(b.dueDate))
      return jobs.length > 0 && jobs
    })
    await engine('POST', `/job/${next!.id}/execute`)
  },

  /** Sends everything due of all desks' reminders and escalations, once. */
  async keepsPromises(): Promise<void> {
    await engine('POST', '/process-definition/key/desk-promises/start', {})
    await idle('desk-promises')
  },

  /** Starts a schedule as if it were due; returns its next time. */
  async strikes(process: string): Promise<string> {
    const next = () => engine<Job[]>('GET', `/job?processDefinitionKey=${process}&timers=true`)
    const [job] = await next()
    await engine('POST', `/job/${job!.id}/execute`)
    return (await next())[0]!.dueDate!
  },
}

/** Waits until no run of a schedule is in progress. */
export const idle = (process: string): Promise<unknown> =>
  until(
    `${process} is through`,
    async () => {
      const at = `/process-instance/count?processDefinitionKey=${process}`
      return (await engine<{ count: number }>('GET', at)).count === 0
    },
    { seconds: 90 },
  )
