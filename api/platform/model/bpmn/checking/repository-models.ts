import { known } from '../../../kernel/known.ts'
import type { Flow, Library, Schedule } from '../../library/library.ts'
import { type GateContext, forEveryFlow, ofArea } from '../context.ts'
import { type Topic } from '../../definitions/topic.ts'
import { gate } from '../gate/gate.ts'
import { graphOf } from '../graph.ts'
import { type Problem, processesOf, readModel } from '../read.ts'
import { type Separation, separationOf } from '../separation.ts'
import { type Steered, steeredBy, steeringProblems } from '../gate/steering.ts'
import { UnreadableModel } from '../xml.ts'

/** A rejected model, with every reason. */
class ModelRefused extends Error {
  readonly problems: Problem[]
  constructor(model: string, problems: Problem[]) {
    super([`${model} is refused`, ...problems.map(({ element, reason }) => `  ${element}: ${reason}`)].join('\n'))
    this.name = 'ModelRefused'
    this.problems = problems
  }
}

/** Marks a row after which nobody decides; permitted if two owners confirm it. */
export const UNDECIDED = 'nobody-decides'

/** The model of a flow, with its tables. */
export type FlowModel = Pick<Flow, 'key' | 'area' | 'bpmn' | 'dmn' | 'manifest'>

/** A model to check. */
export type CheckedModel = FlowModel | Schedule

/** What it is checked against: plain data, because the check runs on its own thread (`checking.ts`). */
export type CheckLibrary = Pick<Library, 'flows' | 'forms' | 'roles' | 'statusLists' | 'topics' | 'texts'>

/**
 * The context of a check: forms, topics and mails of the model's own area and of the platform. A schedule has only a
 * diagram.
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
 * The topics that a flow may use: those of its own area, those for every flow, and those its repository diagram already
 * uses. An owner cannot add steps that close accounts or change registers.
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
 * The processes that a flow may call: those its repository diagram calls. Other calls would run desks of other owners
 * in its cases, and mutual calls would never end.
 */
function calledBy(shipped = ''): ReadonlySet<string> {
  return new Set([...shipped.matchAll(/\bcalledElement="([^"]*)"/g)].flatMap(([, process]) => process ?? []))
}

/** Cached per flow of the repository: editors check a draft at every pause. */
const floors = new WeakMap<Flow, Promise<Separation>>()

function floorOf(flow: Flow): Promise<Separation> {
  const kept = floors.get(flow)
  if (kept) return kept
  const floor = readModel(flow.bpmn.content).then(({ definitions }) =>
    separationOf(graphOf(known(processesOf(definitions)[0], 'the process of a flow of the repository'))),
  )
  floors.set(flow, floor)
  return floor
}

/** Prefixes of mails that have a subject and a body. */
function mailsOf(area: string, { texts }: Pick<Library, 'texts'>): ReadonlySet<string> {
  const subjects = Object.keys(texts.en).filter((key) => key.endsWith('-subject') && ofArea(area, key))
  const mails = subjects.map((key) => key.slice(0, -'-subject'.length))
  return new Set(mails.filter((mail) => texts.en[`${mail}-body`] !== undefined))
}

/**
 * What prevents the deployment of a flow or schedule; empty if nothing does. With `held`, desks without a present
 * holder are problems too.
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

/** Effects of decision tables on the cases of a diagram. Apart from them, the gate has accepted it. */
export async function steeredIn(model: FlowModel, library: CheckLibrary): Promise<Steered[]> {
  const [graph, context] = await Promise.all([drawnIn(model), contextOf(model, library)])
  return graph ? steeredBy(graph, context) : []
}

/** The rows after which nobody decides; two owners have to confirm them. The gate has accepted the model. */
export async function undecidedIn(model: FlowModel, library: CheckLibrary): Promise<Problem[]> {
  if (model.dmn.length === 0) return []
  const [graph, context] = await Promise.all([drawnIn(model), contextOf(model, library)])
  return graph ? steeringProblems(graph, context).undecided : []
}

async function drawnIn(model: FlowModel) {
  const [process] = processesOf((await readModel(model.bpmn.content)).definitions)
  return process && graphOf(process)
}

/** Passes if a model of the repository may be deployed; throws `ModelRefused` otherwise. */
export async function gateModel(
  model: CheckedModel,
  library: CheckLibrary,
  check: typeof problemsOf = problemsOf,
): Promise<void> {
  const problems = await check(model, library)
  if (problems.length > 0) throw new ModelRefused(model.bpmn.key, problems)
}
