import type { Flow } from '../../../../api/platform/model/library/library.ts'
import { countsWorkingDays } from '../../../../api/platform/model/bpmn/context.ts'
import { elementOf } from '../../../../api/platform/model/bpmn/promises.ts'
import { topicOf } from '../../../../api/platform/model/bpmn/read.ts'
import { partsOf } from '../../../../api/platform/features/studio/scenarios/parts.ts'
import type { Scenario } from '../../../../api/platform/model/definitions/scenario.ts'
import { type Product, type Rule, diagramOf } from './product.ts'

/** Each flow with its scenarios, which a test runs on the engine, and their file. */
function told({ library }: Product): { flow: Flow; scenarios: readonly Scenario[]; file: string }[] {
  return [...library.flows.values()].map((flow) => ({
    flow,
    scenarios: library.scenarios.get(flow.manifest.process) ?? [],
    file: diagramOf(flow).replace('.bpmn', '.scenarios.json'),
  }))
}

const flowsHaveScenarios: Rule = (product) => [
  ...told(product).flatMap(({ flow: { manifest }, scenarios, file }) =>
    scenarios.length > 0
      ? []
      : [`${file}: ${manifest.process} has no scenarios: write one for each end that a case can come to`],
  ),
  ...[...product.library.scenarios.keys()]
    .filter((process) => !told(product).some(({ flow }) => flow.manifest.process === process))
    .map((process) => `${process}.scenarios.json: there is no flow of this process: name it as one, or delete it`),
]

const scenariosNameWhatIsDrawn: Rule = (product) =>
  told(product).flatMap(({ flow, scenarios, file }) => {
    const ids = new Set([...flow.bpmn.content.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!))
    return scenarios.flatMap(({ name, steps, expect: { end, at = [] } }) =>
      [
        ...steps.flatMap((step) => ('desk' in step ? step.desk : 'fires' in step ? step.fires : [])),
        ...(end ? [end] : []),
        ...at,
      ]
        .filter((id) => !ids.has(elementOf(id)))
        .map((id) => `${file} “${name}”: ${diagramOf(flow)} has no ${id}: name an element that it has`),
    )
  })

const scenariosStartWithWhatSteers: Rule = async (product) => {
  const lines = told(product).map(async ({ flow, scenarios, file }) => {
    const { start, moments } = await partsOf(flow, product.library, 'en')
    const steers = new Set([...Object.keys(start.properties ?? {}), ...moments.map(({ id }) => id)])
    return scenarios.flatMap((scenario) =>
      Object.keys(scenario.start ?? {})
        .filter((name) => !steers.has(name))
        .map((name) => `${file} “${scenario.name}”: no path depends on ${name}: take it out of its start`),
    )
  })
  return (await Promise.all(lines)).flat()
}

/** No worker runs in a scenario. */
const scenariosSayWhatWorkersAnswer: Rule = (product) =>
  told(product).flatMap(({ flow, scenarios, file }) => {
    const answered = new Set(scenarios.flatMap(({ topics = {} }) => Object.keys(topics)))
    return (product.nodes.get(flow.key) ?? []).flatMap(({ id, element }) => {
      const topic = topicOf(element) ?? ''
      const gives = product.library.topics.get(topic)?.gives ?? []
      if (gives.length === 0 || topic === countsWorkingDays || answered.has(id) || answered.has(topic)) return []
      const answer = JSON.stringify({ [topic]: { gives: Object.fromEntries(gives.map((name) => [name, '…'])) } })
      return [`${file}: no scenario says what ${topic} answers: add "topics": ${answer} to those that come to ${id}`]
    })
  })

export const scenarioRules: readonly Rule[] = [
  flowsHaveScenarios,
  scenariosNameWhatIsDrawn,
  scenariosStartWithWhatSteers,
  scenariosSayWhatWorkersAnswer,
]
