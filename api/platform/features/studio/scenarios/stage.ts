import type { Engine, Trial } from '../../../kernel/engine/port.ts'
import type { Topic } from '../../../model/definitions/topic.ts'
import { type Element, readModel, processesOf, topicOf } from '../../../model/bpmn/read.ts'
import { graphOf } from '../../../model/bpmn/graph.ts'
import {
  type DeskPromise,
  type TellingTimer,
  promiseAt,
  promisesOf,
  tellingTimers,
} from '../../../model/bpmn/promises.ts'
import { statusesOf } from '../../../model/bpmn/statuses.ts'
import type { Values } from '../../../model/definitions/scenario.ts'

/** The deployed models of one trial. */
export interface Stage {
  engine: Pick<Engine, 'state'>
  trial: Trial
  /** The definition to start. */
  definitionId: string
  /** Element → the statuses that a case gets there. */
  statuses: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** The statuses of a new case. */
  first: Readonly<Record<string, string>>
  /** The topics of the diagram, as their workers declare them. */
  topics: ReadonlyMap<string, Topic>
  /** Timers that wait for a date, not for a duration. */
  dated: ReadonlySet<string>
  /** Desk → its promises. */
  promises: ReadonlyMap<string, readonly DeskPromise[]>
  /** Timers that only send a mail. */
  telling: readonly TellingTimer[]
  names: ReadonlyMap<string, string>
  /** Call activity → the called process, which is not part of the trial. */
  calls: ReadonlyMap<string, string>
  /** Variables that the server sets for every case of the flow. */
  given: Values
}

/** Prepares the stage for a diagram that is deployed for a trial. */
export async function stageOf(
  engine: Pick<Engine, 'state'>,
  trial: Trial,
  {
    bpmn,
    process,
    topics,
    first,
    scopes,
  }: {
    bpmn: string
    process: string
    topics: ReadonlyMap<string, Topic>
    first: Readonly<Record<string, string>>
    scopes: readonly string[]
  },
): Promise<Stage> {
  const definition = trial.processes.find(({ key }) => key === process)
  if (!definition) throw new Error(`the trial has no process ${process}`)
  const graphs = processesOf((await readModel(bpmn)).definitions).map(graphOf)
  const nodes = graphs.flatMap((graph) => [...graph.nodes.values()])
  const drawn = nodes.flatMap(({ id, element: { name } }): [string, string][] => (name?.trim() ? [[id, name]] : []))
  const desks = nodes.filter(({ type }) => type === 'UserTask')
  const promises = new Map(desks.map(({ id, element }) => [id, promisesOf(element)]))
  const named = new Set(nodes.flatMap(({ element }) => topicOf(element) ?? []))
  return {
    engine,
    trial,
    definitionId: definition.id,
    statuses: statusesOf(bpmn),
    first,
    topics: new Map([...topics].filter(([topic]) => named.has(topic))),
    dated: new Set(nodes.filter(({ element }) => waitsForMoment(element)).map(({ id }) => id)),
    promises,
    telling: graphs.flatMap(tellingTimers),
    names: new Map([
      ...drawn,
      ...drawn.flatMap(([id, name]) =>
        (promises.get(id) ?? []).map(({ kind }): [string, string] => [
          promiseAt(id, kind),
          `${name}: ${kind === 'remind' ? 'reminded' : 'those above told'}`,
        ]),
      ),
    ]),
    calls: new Map(
      nodes.flatMap(({ id, element: { calledElement } }): [string, string][] =>
        calledElement ? [[id, calledElement]] : [],
      ),
    ),
    given: {
      ...Object.fromEntries(['faculty', 'department', 'division', ...scopes].map((scope) => [`${scope}Id`, 'none'])),
      workday1: '+P1D',
      workday3: '+P3D',
    },
  }
}

function waitsForMoment(element: Element): boolean {
  return (element.eventDefinitions ?? []).some(({ timeDate }) => timeDate !== undefined)
}
