import { randomUUID } from 'node:crypto'
import {
  type Engine,
  EngineFault,
  EngineRefusal,
  type InstanceState,
  type Trial,
  type Variables,
} from '../../../kernel/engine/port.ts'
import { secondsOf } from '../../../model/bpmn/durations.ts'
import { countsWorkingDays } from '../../../model/bpmn/context.ts'
import { type Topic } from '../../../model/definitions/topic.ts'
import { type Element, readModel, processesOf, topicOf } from '../../../model/bpmn/read.ts'
import { graphOf } from '../../../model/bpmn/graph.ts'
import {
  type DeskPromise,
  type TellingTimer,
  elementOf,
  lengthOf,
  promiseAt,
  promisesOf,
  tellingTimers,
} from '../../../model/bpmn/promises.ts'
import { statusesOf } from '../../../model/bpmn/statuses.ts'
import type { Answer, Result, Scenario, Step, Values } from '../../../model/definitions/scenario.ts'

/** The models of one trial, ready to be told scenarios. */
export interface Stage {
  engine: Pick<Engine, 'state'>
  trial: Trial
  /** The definition that is started. */
  definitionId: string
  /** Element → the statuses that entering it gives. */
  statuses: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** The statuses that a case has when it is sent. */
  first: Readonly<Record<string, string>>
  /** The topics that the diagram names, as their workers declare them. */
  topics: ReadonlyMap<string, Topic>
  /** Timers that wait for a moment and not for a while. */
  dated: ReadonlySet<string>
  /** Desk → what it promises. */
  promises: ReadonlyMap<string, readonly DeskPromise[]>
  /** Timers that only send a mail. */
  telling: readonly TellingTimer[]
  names: ReadonlyMap<string, string>
  /** Call activity → the process that it calls, which is no part of the trial. */
  calls: ReadonlyMap<string, string>
  /** Variables that the server sets for every case of the flow. */
  given: Values
}

/** Prepares the stage out of a diagram that is deployed under a trial. */
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

/** Steps of workers, timers and the engine's own that one scenario may take between two of its steps. */
const most = 500
/** So often one timer may fire at one moment: beside several desks of a kind it does, one after another. */
const mostAtOnce = 20
/** Milliseconds within which the engine goes on by itself. */
const patience = 15_000

/** A scenario that cannot be told to its end: why, and at which element. */
class Stuck extends Error {
  readonly element: string | null
  constructor(element: string | null, reason: string) {
    super(reason)
    this.element = element
  }
}

/**
 * Tells one scenario to the engine: desks answer, time passes, workers answer from the recording. What it comes to is
 * compared with what is expected. Throws only when the engine cannot be reached.
 */
export async function play(stage: Stage, scenario: Scenario): Promise<Result> {
  const { trial, engine } = stage
  const told = telling(stage, scenario)
  const reasons: Result['reasons'] = []
  let at = 0
  try {
    await told.begin()
    for (const step of scenario.steps) {
      at++
      await told.take(step)
    }
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
    reasons.push({ element: error.element, reason: error.message, ...(at > 0 && { step: at }) })
  }
  const state = told.instanceId() === undefined ? undefined : await engine.state(told.instanceId()!)
  const came = cameTo(stage, state, told.kept())
  if (reasons.length === 0 && state) reasons.push(...otherwise(scenario, came, state, stage))
  if (state && !state.ended) await trial.cancel(told.instanceId()!)
  return { name: scenario.name, passed: reasons.length === 0, reasons, ...came }
}

function telling(stage: Stage, scenario: Scenario) {
  const { engine, trial, definitionId, topics, dated, names, calls, given, promises } = stage
  /** Milliseconds by which the trial's clock is ahead of ours. */
  let ahead = 0
  let instanceId: string | undefined
  /** Timers with the moment of the trial's clock at which they are due. */
  const due = new Map<string, number>()
  const answered = new Map<string, number>()
  /** The open tasks with the moment of the trial's clock at which each has begun. */
  const waits = new Map<string, { desk: string; at: number }>()
  /** By task: what was promised of it and is done. */
  const kept: { task: string; id: string }[] = []
  const now = () => Date.now() + ahead

  const filled = (values: Values = {}): Variables =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const after = typeof value === 'string' && /^\+(P.+)$/.exec(value)?.[1]
        return [name, after ? new Date(now() + 1000 * secondsOf(after)).toISOString() : value]
      }),
    )

  function answerTo(topic: string, element: string): Answer {
    const recorded = scenario.topics?.[element] ?? scenario.topics?.[topic]
    const key = scenario.topics?.[element] ? element : topic
    if (recorded === undefined) {
      const gives = topics.get(topic)?.gives ?? []
      if (gives.length === 0) return {}
      if (topic === countsWorkingDays) return { gives: { workday1: '+P1D', workday3: '+P3D' } }
      throw new Stuck(element, `nothing says what ${topic} answers (it gives ${gives.join(', ')})`)
    }
    if (!Array.isArray(recorded)) return recorded
    const count = answered.get(key) ?? 0
    answered.set(key, count + 1)
    return recorded[Math.min(count, recorded.length - 1)] ?? {}
  }

  /** Lets workers and the engine itself go on, until a desk, a message or a timer is waited for. */
  async function settle(): Promise<void> {
    const until = Date.now() + patience
    for (let taken = 0; ;) {
      const steps = await trial.steps([...topics.keys()])
      for (const step of steps) {
        const { gives, raises } = answerTo(step.topic, step.element)
        await going(step.element, () =>
          raises === undefined ? trial.answer(step, filled(gives)) : trial.raise(step, raises),
        )
      }
      const jobs = await trial.jobs(instanceId!)
      const own = jobs.filter(({ dueAt }) => dueAt === null)
      for (const { id, element } of own) await going(element, () => trial.run(id))
      taken += steps.length + own.length
      if (taken > most) throw new Stuck(null, `it takes more than ${most} steps without anybody being asked`)
      if (Date.now() > until) throw new Stuck(own[0]?.element ?? null, 'the engine does not come to rest')
      if (steps.length > 0 || own.length > 0) continue
      for (const { id, element, dueAt } of jobs)
        if (!due.has(id)) due.set(id, Date.parse(dueAt!) + (dated.has(element) ? 0 : ahead))
      return look()
    }
  }

  /** Tasks that have begun, or are over, since the last look: what desks promise of them is due by the clock of the trial. */
  async function look(): Promise<void> {
    if (![...promises.values()].some((some) => some.length > 0)) return
    const tasks = await openDesks()
    for (const id of waits.keys()) if (!tasks.some((task) => task.id === id)) waits.delete(id)
    for (const { id, desk } of tasks) if (!waits.has(id)) waits.set(id, { desk, at: now() })
  }

  /** What waits to be done of what desks promise. */
  function promised(): { task: string; id: string; at: number }[] {
    return [...waits].flatMap(([task, { desk, at }]) =>
      (promises.get(desk) ?? [])
        .map(({ kind, after }) => ({ task, id: promiseAt(desk, kind), at: at + 1000 * lengthOf(after) }))
        .filter(({ id }) => !kept.some((one) => one.task === task && one.id === id)),
    )
  }

  /** An engine that answers but cannot go on is the model's fault, and no reason to try again. */
  async function going<T>(element: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      const model = error instanceof EngineRefusal || (error instanceof EngineFault && error.maybe && !error.cause)
      if (!model) throw error
      // Whichever step led there, it is the call that cannot be followed.
      const call = [...calls].find(([, process]) => error.message.includes(`'${process}'`))
      if (call)
        throw new Stuck(
          call[0],
          `${names.get(call[0]) ?? call[0]} calls another process (${call[1]}): scenarios are told to this process alone, so they can lead up to there and not beyond`,
        )
      throw new Stuck(
        element,
        `the engine cannot go on from ${names.get(element) ?? element}: ${error.message.split('\n')[0]!.slice(0, 300)}`,
      )
    }
  }

  async function openDesks(): Promise<InstanceState['tasks']> {
    return (await engine.state(instanceId!)).tasks
  }

  async function decide({ desk, outcome, variables }: Extract<Step, { desk: string }>): Promise<void> {
    const open = await openDesks()
    const task = open.find((one) => one.desk === desk)
    if (!task) {
      const others = open.map((one) => one.name).join(', ')
      const where = others === '' ? 'nothing waits at any desk' : `it waits at ${others}`
      throw new Stuck(desk, `${names.get(desk) ?? desk} is not asked then: ${where}`)
    }
    const answer = { ...(outcome !== undefined && { [`${desk}_outcome`]: outcome }), ...filled(variables) }
    await going(desk, () => trial.complete(task.id, answer))
  }

  async function timers() {
    return (await trial.jobs(instanceId!)).filter(({ dueAt }) => dueAt !== null)
  }

  async function pass(duration: string): Promise<void> {
    const until = now() + 1000 * secondsOf(duration)
    /** Element → how often it has fired although its moment was over: time does not pass by that. */
    const over = new Map<string, number>()
    for (let fired = 0; ; fired++) {
      const waiting = (await timers()).map((timer) => ({ ...timer, at: due.get(timer.id) ?? Date.parse(timer.dueAt!) }))
      const [next] = [...waiting, ...promised()].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      if ('task' in next) {
        keep(next)
        continue
      }
      const { element } = next
      const name = names.get(element) ?? element
      if (fired === most) throw new Stuck(element, `more than ${most} deadlines come in that time, the last ${name}`)
      over.set(element, next.at < now() ? (over.get(element) ?? 0) + 1 : 0)
      if (over.get(element)! > mostAtOnce)
        throw new Stuck(element, `${name} comes again and again: its moment is over, and the way leads back to it`)
      ahead = Math.max(ahead, next.at - Date.now())
      await fire(next)
    }
    ahead = Math.max(ahead, until - Date.now())
  }

  function keep({ task, id, at }: { task: string; id: string; at: number }): void {
    ahead = Math.max(ahead, at - Date.now())
    kept.push({ task, id })
  }

  async function fire({ id, element }: { id: string; element: string }): Promise<void> {
    await going(element, () => trial.run(id))
    due.delete(id)
    await settle()
  }

  return {
    instanceId: () => instanceId,
    kept: () => kept.map(({ id }) => id),

    async begin(): Promise<void> {
      const variables = { caseId: randomUUID(), requesterId: randomUUID(), ...given, ...scenario.start }
      instanceId = await going(definitionId, () => trial.start(definitionId, filled(variables)))
      await settle()
    },

    async take(step: Step): Promise<void> {
      if ('desk' in step) await decide(step)
      else if ('passes' in step) return pass(step.passes)
      else if ('fires' in step) {
        const promise = promised().find(({ id }) => id === step.fires)
        if (promise) return keep(promise)
        // What a case of another version kept by its promise, a timer may keep here.
        const same = stage.telling.find(({ desk, kind }) => promiseAt(desk, kind) === step.fires)?.timer
        const timer = (await timers()).find(({ element }) => element === step.fires || element === same)
        if (!timer) throw new Stuck(elementOf(step.fires), `${names.get(step.fires) ?? step.fires} does not wait then`)
        ahead = Math.max(ahead, (due.get(timer.id) ?? 0) - Date.now())
        return fire(timer)
      } else {
        const { message, variables } = step
        try {
          await trial.correlate(instanceId!, message, filled(variables))
        } catch (error) {
          if (!(error instanceof EngineRefusal)) throw error
          throw new Stuck(null, `nothing waits for the message ${message} then`)
        }
      }
      await settle()
    },
  }
}

/** Statuses, path and end that a case has come to. */
function cameTo(
  { statuses, first }: Stage,
  state: InstanceState | undefined,
  kept: readonly string[],
): Pick<Result, 'statuses' | 'end' | 'path'> {
  const path = withKept(
    (state?.activities ?? []).map(({ element }) => element),
    kept,
  )
  return { statuses: statusesAlong(statuses, first, path), end: state?.ended ? (state.endReason ?? null) : null, path }
}

/** A path with what desks have promised and done, each behind its desk. */
export function withKept(path: readonly string[], kept: readonly string[]): string[] {
  return path.flatMap((element, at) =>
    path.lastIndexOf(element) === at ? [element, ...kept.filter((id) => elementOf(id) === element)] : [element],
  )
}

/** The statuses of each list that a case has on its way, in their order. */
export function statusesAlong(
  statuses: Stage['statuses'],
  first: Stage['first'],
  path: readonly string[],
): Result['statuses'] {
  const came: Record<string, string[]> = Object.fromEntries(Object.entries(first).map(([list, one]) => [list, [one]]))
  for (const element of path)
    for (const [list, status] of Object.entries(statuses.get(element) ?? {}))
      if (came[list]?.at(-1) !== status) came[list] = [...(came[list] ?? []), status]
  return came
}

/** In what a scenario came out otherwise than expected. */
function otherwise(
  { expect }: Scenario,
  { statuses, end }: Pick<Result, 'statuses' | 'end'>,
  { tasks }: InstanceState,
  { names }: Stage,
): Result['reasons'] {
  const name = (id: string) => names.get(id) ?? id
  const waiting = tasks.map(({ desk }) => desk).sort()
  const wanted = [...(expect.at ?? [])].sort()
  return [
    ...Object.entries(expect.statuses ?? {}).flatMap(([list, states]) => {
      const came = statuses[list] ?? []
      if (came.join('\n') === states.join('\n')) return []
      const at = states.findIndex((state, index) => came[index] !== state)
      const index = at === -1 ? states.length : at
      return [
        {
          element: null,
          reason: `${list}: “${states[index] ?? 'nothing more'}” was expected as number ${index + 1}, and “${came[index] ?? 'nothing more'}” came`,
        },
      ]
    }),
    ...(expect.end !== undefined && end !== expect.end
      ? [
          {
            element: expect.end,
            reason: `it should end by ${name(expect.end)}, ${end === null ? `and waits at ${waiting.map(name).join(', ') || 'no desk'}` : `and ends by ${name(end)}`}`,
          },
        ]
      : []),
    ...(expect.at !== undefined && waiting.join() !== wanted.join()
      ? [
          {
            element: wanted.find((desk) => !waiting.includes(desk)) ?? waiting[0] ?? null,
            reason: `it should wait at ${wanted.map(name).join(', ') || 'no desk'}, and waits at ${waiting.map(name).join(', ') || 'no desk'}`,
          },
        ]
      : []),
  ]
}
