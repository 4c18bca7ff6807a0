import type { Flow, Library } from '../flows/library.ts'
import type { GateContext } from './context.ts'
import { gate } from './gate.ts'
import { type Problem, readModel } from './read.ts'
import { UnreadableModel } from './xml.ts'

/** A flow whose model is kept out, with every reason. */
class ModelRefused extends Error {
  readonly problems: Problem[]
  constructor(model: string, problems: Problem[]) {
    super([`${model} is refused`, ...problems.map(({ element, reason }) => `  ${element}: ${reason}`)].join('\n'))
    this.name = 'ModelRefused'
    this.problems = problems
  }
}

/** What a model of a flow is checked against, out of what the areas declare. */
function contextOf(flow: Pick<Flow, 'manifest' | 'dmn'>, library: Library): GateContext {
  return {
    manifest: flow.manifest,
    forms: library.forms,
    roles: library.roles,
    topics: library.topics,
    statusLists: library.statusLists,
    decisions: flow.dmn.map(({ content }) => content),
    processes: new Set([...library.flows.values()].map(({ manifest }) => manifest.process)),
  }
}

/** What keeps a flow's model from being deployed; empty when nothing does. */
export async function problemsOf(flow: Flow, library: Library): Promise<Problem[]> {
  try {
    return gate(await readModel(flow.bpmn.content), contextOf(flow, library))
  } catch (error) {
    if (error instanceof UnreadableModel) return [{ element: 'definitions', reason: error.message }]
    throw error
  }
}

/** Lets a flow of the repository through to the engine, or throws `ModelRefused`. */
export async function gateFlow(flow: Flow, library: Library): Promise<void> {
  const problems = await problemsOf(flow, library)
  if (problems.length > 0) throw new ModelRefused(flow.bpmn.key, problems)
}
