import dayjs from 'dayjs'
import duration from 'dayjs/plugin/duration.js'
import { type Case } from './people.ts'
import { stack } from './stack.ts'
import { until } from './poll.ts'

dayjs.extend(duration)

interface Job {
  id: string
  dueDate: string | null
  processInstanceId: string
}

/** Calls the engine itself, past the product: for what only time would do. */
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

/** Lets time pass for one case: fires, in order, each timer of its diagram that falls due within that time. */
export const clock = {
  async passes(iso: string, of: Case): Promise<void> {
    const then = dayjs().add(dayjs.duration(iso))
    const fired = new Set<string>()
    const failed = new Map<string, number>()
    await until(`a timer of ${of.reference}`, async () => (await timers(of)).length > 0)
    for (;;) {
      const due = (await timers(of))
        .filter((job) => !fired.has(job.id) && job.dueDate && dayjs(job.dueDate).isBefore(then))
        .sort((a, b) => dayjs(a.dueDate).diff(b.dueDate))
      const next = due[0]
      if (!next) break
      try {
        await engine('POST', `/job/${next.id}/execute`)
        fired.add(next.id)
      } catch (error) {
        // A worker reported at that very moment, or the timer is gone with its desk: as the engine would, this tries again.
        const times = (failed.get(next.id) ?? 0) + 1
        if (times === 5) throw error
        failed.set(next.id, times)
      }
    }
    if (fired.size === 0) throw new Error(`no timer of ${of.reference} falls due within ${iso}`)
  },

  /** Begins a schedule as if its time had come; gives the time for which it is set next. */
  async strikes(process: string): Promise<string> {
    const next = () => engine<Job[]>('GET', `/job?processDefinitionKey=${process}&timers=true`)
    const [job] = await next()
    await engine('POST', `/job/${job!.id}/execute`)
    return (await next())[0]!.dueDate!
  },
}

/** Waits until no run of a schedule is under way. */
export const idle = (process: string): Promise<unknown> =>
  until(
    `${process} is through`,
    async () => {
      const at = `/process-instance/count?processDefinitionKey=${process}`
      return (await engine<{ count: number }>('GET', at)).count === 0
    },
    { seconds: 90 },
  )
