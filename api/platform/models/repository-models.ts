import type { Flow, Library, Schedule } from '../flows/library.ts'
import type { GateContext } from './context.ts'
import { gate } from './gate.ts'
import { type Problem, readModel } from './read.ts'
import { UnreadableModel } from './xml.ts'

/** A model that is kept out, with every reason. */
class ModelRefused extends Error {
  readonly problems: Problem[]
  constructor(model: string, problems: Problem[]) {
    super([`${model} is refused`, ...problems.map(({ element, reason }) => `  ${element}: ${reason}`)].join('\n'))
    this.name = 'ModelRefused'
    this.problems = problems
  }
}

/** What a model is checked against, out of what the areas declare. A schedule has a diagram and nothing else. */
function contextOf(model: Pick<Flow, 'bpmn' | 'dmn' | 'manifest'> | Schedule, library: Library): GateContext {
  const { forms, roles, topics, statusLists } = library
  const processes = new Set([...library.flows.values()].map(({ manifest }) => manifest.process))
  const common = { forms, roles, topics, statusLists, processes, mails: mailsOf(library) }
  if ('manifest' in model)
    return { ...common, manifest: model.manifest, decisions: model.dmn.map(({ content }) => content) }
  return { ...common, manifest: { process: model.process, start: '', statusLists: {} }, decisions: [], schedule: true }
}

/** Prefixes of the mails that there are: those with a subject and a body. */
function mailsOf({ texts }: Pick<Library, 'texts'>): ReadonlySet<string> {
  const subjects = Object.keys(texts.en).filter((key) => key.endsWith('-subject'))
  const mails = subjects.map((key) => key.slice(0, -'-subject'.length))
  return new Set(mails.filter((mail) => texts.en[`${mail}-body`] !== undefined))
}

/**
 * What keeps the model of a flow or a schedule from being deployed; empty when nothing does. With the roles that
 * somebody holds now, desks that nobody would see are problems too.
 */
export async function problemsOf(
  model: Pick<Flow, 'bpmn' | 'dmn' | 'manifest'> | Schedule,
  library: Library,
  held?: ReadonlySet<string>,
): Promise<Problem[]> {
  try {
    return gate(await readModel(model.bpmn.content), { ...contextOf(model, library), ...(held && { held }) })
  } catch (error) {
    if (error instanceof UnreadableModel) return [{ element: 'definitions', reason: error.message }]
    throw error
  }
}

/** Lets a model of the repository through to the engine, or throws `ModelRefused`. */
export async function gateModel(model: Flow | Schedule, library: Library): Promise<void> {
  const problems = await problemsOf(model, library)
  if (problems.length > 0) throw new ModelRefused(model.bpmn.key, problems)
}
