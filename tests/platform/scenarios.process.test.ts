import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { nodesOf } from '../../api/platform/model/bpmn/graph.ts'
import { readModel } from '../../api/platform/model/bpmn/read.ts'
import { statusesOf } from '../../api/platform/model/bpmn/statuses.ts'
import type { Result } from '../../api/platform/model/definitions/scenario.ts'
import { as } from './kit/people.ts'
import { left, ofRepository, over } from './kit/scenario-runs.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const flows = [...library.flows.values()]

/** The possible results of a diagram: each of its ends, and each state of its status lists. */
async function comesTo(bpmn: string): Promise<{ ends: string[]; statuses: string[] }> {
  const nodes = nodesOf((await readModel(bpmn)).definitions)
  const given = [...statusesOf(bpmn).values()].flatMap((lists) => Object.entries(lists))
  return {
    ends: nodes.flatMap(({ id, element }) => (element.$type === 'bpmn:EndEvent' ? [id] : [])),
    statuses: given.map(([list, state]) => `${list}: ${state}`),
  }
}

test.each(flows.map(({ manifest, bpmn }) => [manifest.process, bpmn.content] as const))(
  'every scenario of %s goes as expected on the engine, and together they come to each end and status',
  async (process, bpmn) => {
    const owner = await as('owner.flows')
    const of = `/api/studio/models/${process}`
    const ids = await ofRepository(owner, of)
    const { runId } = await owner.ok('POST', `${of}/scenarios/run`, { ids })
    const { results, ...run } = await over(owner, runId, of)
    const told: Result[] = results
    expect(told.filter(({ passed }) => !passed)).toEqual([])
    expect(run).toMatchObject({
      state: 'done',
      kind: 'scenarios',
      ofDraft: false,
      done: ids.length,
      passed: ids.length,
    })
    expect(await left(runId)).toEqual([])
    const shown = (await owner.get(`${of}/scenarios`)).items.filter(({ id }: { id: string }) => ids.includes(id))
    expect(shown.map(({ last }: { last: { runId: string } }) => last.runId)).toEqual(ids.map(() => runId))

    const reached = new Set(told.flatMap(({ path }) => path))
    const had = new Set(
      told.flatMap(({ statuses }) =>
        Object.entries(statuses).flatMap(([list, states]) => states.map((state) => `${list}: ${state}`)),
      ),
    )
    const { ends, statuses } = await comesTo(bpmn)
    expect({
      ends: ends.filter((id) => !reached.has(id)),
      statuses: statuses.filter((state) => !had.has(state)),
    }).toEqual({ ends: [], statuses: [] })
  },
  180_000,
)
