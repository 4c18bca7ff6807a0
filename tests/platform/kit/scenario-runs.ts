import { engine } from './clock.ts'
import type { Person } from './people.ts'
import { until } from './poll.ts'

/** The repository's scenarios of a flow, by id: owners may have added others. */
export async function ofRepository(owner: Person, model: string): Promise<string[]> {
  const { items } = await owner.get(`${model}/scenarios`)
  const found = items.filter(({ source }: { source: string }) => source === 'repository')
  return found.map(({ id }: { id: string }) => id)
}

/** Waits until a run has ended, and returns its result. */
export function over(owner: Person, runId: string, model: string) {
  return until(
    'the run is over',
    async () => {
      const run = await owner.get(`${model}/runs/${runId}`)
      return run.state !== 'running' && run
    },
    // Each answer has all results so far.
    { seconds: 120, everyMilliseconds: 250 },
  )
}

/** What the engine still has of a trial. */
export async function left(runId: string): Promise<unknown[]> {
  const of = `tenantIdIn=trial-${runId}`
  const asked = ['/deployment', '/process-instance', '/history/process-instance', '/history/decision-instance', '/task']
  return (await Promise.all(asked.map((path) => engine<unknown[]>('GET', `${path}?${of}`)))).flat()
}
