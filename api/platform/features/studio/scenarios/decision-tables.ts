import { v4 } from 'uuid'
import { type Variables, EngineRefusal } from '../../../kernel/engine/port.ts'
import { BusinessError } from '../../../kernel/errors.ts'
import type { Flow } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import { checks } from '../../../model/bpmn/checking/checking.ts'
import type { TableAnalysis } from '../../../model/bpmn/decisions/analysis.ts'
import { ownedFlow, refusedElements, withContent } from '../content/flow.ts'
import { type ScenarioDependencies, draftOf, runningOf, REFUSED } from './context.ts'

/** The effect of a table on the cases of the present diagram. Problems of the diagram itself are reported elsewhere. */
async function drawnWith(context: ScenarioDependencies, flow: Flow, dmn: string): Promise<Flow> {
  const drawn = (await draftOf(context, flow)) ?? (await runningOf(context, flow))
  const { bpmn } = drawn ?? { bpmn: flow.bpmn.content }
  return withContent(flow, { bpmn, dmn: [{ key: `${flow.area}/table.dmn`, content: dmn }] })
}

/** Problems of decision tables: errors, inputs that no row matches, and inputs that several rows match. */
export async function checkTables(
  context: ScenarioDependencies,
  person: Person,
  process: string,
  dmn: string,
): Promise<TableAnalysis> {
  const { library } = context
  const { flow } = ownedFlow(library, person, process)
  return checks.tables(dmn, { model: await drawnWith(context, flow, dmn), library })
}

/** Evaluates a decision table on the engine, which stores nothing. */
export async function tryTable(
  { engine, library }: ScenarioDependencies,
  person: Person,
  process: string,
  { dmn, decision, inputs }: { dmn: string; decision: string; inputs: Variables },
): Promise<{ rules: string[]; outputs: Variables[] }> {
  ownedFlow(library, person, process)
  const { problems } = await checks.tables(dmn)
  if (problems.length > 0) throw refusedElements(REFUSED, problems)
  const resources = [{ name: 'table.dmn', content: dmn }]
  try {
    const trial = await engine.deployTrial({ name: process, tenantId: `trial-${v4()}`, resources })
    try {
      const asked = trial.decisions.find(({ key }) => key === decision)
      if (!asked) throw new BusinessError('platform.not-found')
      return await trial.decide(asked.id, inputs)
    } finally {
      await engine.forgetTrial(trial.deploymentId)
    }
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    throw refusedElements(REFUSED, [{ element: decision, reason: error.message }])
  }
}
