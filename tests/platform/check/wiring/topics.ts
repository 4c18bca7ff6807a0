import { topicOf } from '../../../../api/platform/model/bpmn/read.ts'
import { type Product, type Rule, inArea, nodesOfFlows } from './product.ts'

const workerOf = (topic: string) => `workers/${topic.replace('.', '/')}.ts`
const topicsIn = (nodes: ReturnType<typeof nodesOfFlows>) => new Set(nodes.map(({ element }) => topicOf(element)))

/** A worker without a topic in any diagram is unused, or a name is misspelt. */
const topicsAreAskedFor: Rule = (product) => {
  const byCases = topicsIn(nodesOfFlows(product))
  const bySchedules = topicsIn([...product.library.schedules.keys()].flatMap((key) => product.nodes.get(key) ?? []))
  return [...product.library.topics].flatMap(([topic, { schedule }]) => {
    if ((schedule ? bySchedules : byCases).has(topic)) return []
    const place = schedule ? 'a diagram that a timer starts' : 'a service task of a diagram'
    return [`${workerOf(topic)}: no diagram asks for ${topic}: name it at ${place}, or delete the worker`]
  })
}

/** Every error that a worker raises, a slot refuses with, or code throws, is declared with its status. */
const errorsAreDeclared: Rule = (product) => {
  const { library } = product
  const raised = [...library.topics].flatMap(([topic, { raises }]) =>
    raises.map((code) => [workerOf(topic), code] as const),
  )
  const slots = [...library.flows.values()].flatMap(
    ({ key, manifest: { allocations = [], assigns = [], acts = [] } }) =>
      [...allocations, ...assigns, ...acts.flatMap((act) => act.allocations ?? [])].map(
        ({ code }) => [`forms/${key}.flow.json`, code] as const,
      ),
  )
  return [...raised, ...slots, ...thrown(product)]
    .filter(([, code]) => !library.errors.has(code))
    .map(([file, code]) => `${file}: the error ${code} is not declared: add it to ${inArea(code, 'errors.json')}`)
}

/** Every `new BusinessError('…')` of api and workers: its file and its code. */
function thrown({ files, text }: Product): (readonly [file: string, code: string])[] {
  return files('{api,workers}/**/*.ts').flatMap((file) =>
    [...text(file).matchAll(/new BusinessError\(\s*'([^']+)'/g)].map((match) => [file, match[1]!] as const),
  )
}

export const topicRules: readonly Rule[] = [topicsAreAskedFor, errorsAreDeclared]
