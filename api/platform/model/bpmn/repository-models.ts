import type { Flow, Library, Schedule } from '../library/library.ts'
import { type GateContext, forEveryFlow, ofArea } from './context.ts'
import { type Topic } from '../definitions/topic.ts'
import { gate } from './gate.ts'
import { graphOf } from './graph.ts'
import { type Problem, processesOf, readModel } from './read.ts'
import { type Separation, separationOf } from './separation.ts'
import { type Steered, steeredBy, steeringProblems } from './steering.ts'
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

/** By which a row is known after which nobody decides: no mistake if two owners want it. */
export const UNDECIDED = 'nobody-decides'

/** The model of a flow, with its tables. */
export type FlowModel = Pick<Flow, 'key' | 'area' | 'bpmn' | 'dmn' | 'manifest'>

/** A model as it is checked. */
export type CheckedModel = FlowModel | Schedule

/** What it is checked against: data alone, for the check runs on a thread of its own (`checking.ts`). */
export type CheckLibrary = Pick<Library, 'flows' | 'forms' | 'roles' | 'statusLists' | 'topics' | 'texts'>

/**
 * What a model is checked against, out of what the areas declare: of forms, topics and mails those of its own area and
 * of the platform. A schedule has a diagram and nothing else.
 */
async function contextOf(model: CheckedModel, library: CheckLibrary): Promise<GateContext> {
  const { roles, statusLists } = library
  const area = 'manifest' in model ? model.area : 'platform'
  const forms = new Map([...library.forms].filter(([key]) => ofArea(area, key)))
  const repository = library.flows.get(model.key)
  const shipped = repository?.bpmn.content
  const processes = calledBy(shipped)
  const common = { area, forms, roles, statusLists, processes, mails: mailsOf(area, library) }
  if ('manifest' in model) {
    const decisions = model.dmn.map(({ content }) => content)
    const floor = !repository || shipped === model.bpmn.content ? {} : { floor: await floorOf(repository) }
    return { ...common, ...floor, topics: topicsOf(model, library), manifest: model.manifest, decisions }
  }
  const manifest = { process: model.process, start: '', statusLists: {} }
  return { ...common, topics: library.topics, manifest, decisions: [], schedule: true }
}

/**
 * The topics that a flow may use: of its own area, and of the platform's those that are for every flow and those that
 * its diagram in the repository uses. What ends an account or changes a register is nothing that an owner may draw into
 * a flow that never did so.
 */
export function topicsOf(
  { key, area }: Pick<Flow, 'key' | 'area'>,
  { flows, topics }: Pick<Library, 'flows' | 'topics'>,
): ReadonlyMap<string, Topic> {
  const drawn = flows.get(key)?.bpmn.content ?? ''
  return new Map(
    [...topics].filter(([topic, { schedule }]) =>
      topic.startsWith('platform.')
        ? schedule || forEveryFlow.includes(topic) || drawn.includes(`camunda:topic="${topic}"`)
        : ofArea(area, topic),
    ),
  )
}

/**
 * The processes that a flow may call: those that its diagram in the repository calls. Whatever an owner drew beside
 * would run desks of other owners under cases of this one, and two that call each other would never end.
 */
function calledBy(shipped = ''): ReadonlySet<string> {
  return new Set([...shipped.matchAll(/\bcalledElement="([^"]*)"/g)].map((match) => match[1]!))
}

/** Read once for each flow of the repository: a draft is checked with every pause of whoever draws it. */
const floors = new WeakMap<Flow, Promise<Separation>>()

function floorOf(flow: Flow): Promise<Separation> {
  const known = floors.get(flow)
  if (known) return known
  const floor = readModel(flow.bpmn.content).then(({ definitions }) =>
    separationOf(graphOf(processesOf(definitions)[0]!)),
  )
  floors.set(flow, floor)
  return floor
}

/** Prefixes of the mails that there are: those with a subject and a body. */
function mailsOf(area: string, { texts }: Pick<Library, 'texts'>): ReadonlySet<string> {
  const subjects = Object.keys(texts.en).filter((key) => key.endsWith('-subject') && ofArea(area, key))
  const mails = subjects.map((key) => key.slice(0, -'-subject'.length))
  return new Set(mails.filter((mail) => texts.en[`${mail}-body`] !== undefined))
}

/**
 * What keeps the model of a flow or a schedule from being deployed; empty when nothing does. With the roles that
 * somebody holds now, desks that nobody would see are problems too.
 */
export async function problemsOf(
  model: CheckedModel,
  library: CheckLibrary,
  held?: ReadonlySet<string>,
): Promise<Problem[]> {
  try {
    return gate(await readModel(model.bpmn.content), { ...(await contextOf(model, library)), ...(held && { held }) })
  } catch (error) {
    if (error instanceof UnreadableModel) return [{ element: 'definitions', reason: error.message }]
    throw error
  }
}

/** What decision tables do to the cases of a diagram; the diagram is one that the gate lets through but for them. */
export async function steeredIn(model: FlowModel, library: CheckLibrary): Promise<Steered[]> {
  const [graph, context] = await Promise.all([drawnIn(model), contextOf(model, library)])
  return graph ? steeredBy(graph, context) : []
}

/** The rows after which nobody decides: two owners have to want them. The gate has let the model through. */
export async function undecidedIn(model: FlowModel, library: CheckLibrary): Promise<Problem[]> {
  if (model.dmn.length === 0) return []
  const [graph, context] = await Promise.all([drawnIn(model), contextOf(model, library)])
  return graph ? steeringProblems(graph, context).undecided : []
}

async function drawnIn(model: FlowModel) {
  const [process] = processesOf((await readModel(model.bpmn.content)).definitions)
  return process && graphOf(process)
}

/** Lets a model of the repository through to the engine, or throws `ModelRefused`. */
export async function gateModel(
  model: CheckedModel,
  library: CheckLibrary,
  check: typeof problemsOf = problemsOf,
): Promise<void> {
  const problems = await check(model, library)
  if (problems.length > 0) throw new ModelRefused(model.bpmn.key, problems)
}
