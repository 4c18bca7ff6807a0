import { randomUUID } from 'node:crypto'
import { known } from '../../../kernel/known.ts'
import { type Variables, EngineFault, EngineRefusal } from '../../../kernel/engine/port.ts'
import { secondsOf } from '../../../model/bpmn/durations.ts'
import { countsWorkingDays } from '../../../model/bpmn/context.ts'
import { elementOf, lengthOf, promiseAt } from '../../../model/bpmn/promises.ts'
import type { Answer, Scenario, Step, Values } from '../../../model/definitions/scenario.ts'
import type { Stage } from './stage.ts'

/** Maximum automatic steps (workers, timers, engine jobs) between two steps of a scenario. */
const most = 500

/** Maximum firings of one timer at one moment. A timer can fire once for each of several desks of a kind. */
const mostAtOnce = 20

/** Maximum time for the engine to continue by itself, in milliseconds. */
const patience = 15_000

/** A scenario that cannot be finished: the reason and the element. */
export class Stuck extends Error {
  readonly element: string | null
  constructor(element: string | null, reason: string) {
    super(reason)
    this.element = element
  }
}

/** One running scenario: its case, and the clock of its trial. */
export class Telling {
  /** The case, once it has begun. */
  instanceId: string | undefined
  /** By task: the promises that were kept. */
  readonly kept: { task: string; id: string }[] = []
  private readonly stage: Stage
  private readonly scenario: Scenario
  /** Milliseconds by which the trial's clock is ahead of the real one. */
  private ahead = 0
  /** Timers with their due times on the trial's clock. */
  private readonly due = new Map<string, number>()
  private readonly answered = new Map<string, number>()
  /** Open tasks with their start times on the trial's clock. */
  private readonly waits = new Map<string, { desk: string; at: number }>()

  constructor(stage: Stage, scenario: Scenario) {
    this.stage = stage
    this.scenario = scenario
  }

  private get instance(): string {
    return known(this.instanceId, 'the case of a scenario that has begun')
  }

  async begin(): Promise<void> {
    const { trial, definitionId, given } = this.stage
    const variables = { caseId: randomUUID(), requesterId: randomUUID(), ...given, ...this.scenario.start }
    this.instanceId = await this.going(definitionId, () => trial.start(definitionId, this.filled(variables)))
    await this.settle()
  }

  async take(step: Step): Promise<void> {
    const { trial, names, telling } = this.stage
    if ('desk' in step) await this.decide(step)
    else if ('passes' in step) return this.pass(step.passes)
    else if ('fires' in step) {
      const promise = this.promised().find(({ id }) => id === step.fires)
      if (promise) return this.keep(promise)
      // A timer of this version can do what a promise did in the recorded one.
      const same = telling.find(({ desk, kind }) => promiseAt(desk, kind) === step.fires)?.timer
      const timer = (await this.timers()).find(({ element }) => element === step.fires || element === same)
      if (!timer) throw new Stuck(elementOf(step.fires), `${names.get(step.fires) ?? step.fires} does not wait then`)
      this.ahead = Math.max(this.ahead, (this.due.get(timer.id) ?? 0) - Date.now())
      return this.fire(timer)
    } else {
      const { message, variables } = step
      try {
        await trial.correlate(this.instance, message, this.filled(variables))
      } catch (error) {
        if (!(error instanceof EngineRefusal)) throw error
        throw new Stuck(null, `nothing waits for the message ${message} then`)
      }
    }
    await this.settle()
  }

  /** The time on the trial's clock. */
  private now(): number {
    return Date.now() + this.ahead
  }

  private filled(values: Values = {}): Variables {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const after = typeof value === 'string' && /^\+(P.+)$/.exec(value)?.[1]
        return [name, after ? new Date(this.now() + 1000 * secondsOf(after)).toISOString() : value]
      }),
    )
  }

  private answerTo(topic: string, element: string): Answer {
    const { topics } = this.stage
    const { topics: recordings = {} } = this.scenario
    const recorded = recordings[element] ?? recordings[topic]
    const key = recordings[element] ? element : topic
    if (recorded === undefined) {
      const gives = topics.get(topic)?.gives ?? []
      if (gives.length === 0) return {}
      if (topic === countsWorkingDays) return { gives: { workday1: '+P1D', workday3: '+P3D' } }
      throw new Stuck(element, `nothing says what ${topic} answers (it gives ${gives.join(', ')})`)
    }
    if (!Array.isArray(recorded)) return recorded
    const count = this.answered.get(key) ?? 0
    this.answered.set(key, count + 1)
    return recorded[Math.min(count, recorded.length - 1)] ?? {}
  }

  /** Runs workers and engine jobs until the case waits for a desk, a message or a timer. */
  private async settle(): Promise<void> {
    const { trial, topics, dated } = this.stage
    const until = Date.now() + patience
    for (let taken = 0; ;) {
      const steps = await trial.steps([...topics.keys()])
      for (const step of steps) {
        const { gives, raises } = this.answerTo(step.topic, step.element)
        await this.going(step.element, () =>
          raises === undefined ? trial.answer(step, this.filled(gives)) : trial.raise(step, raises),
        )
      }
      const jobs = steps.length > 0 ? [] : await trial.jobs(this.instance)
      const own = jobs.filter(({ dueAt }) => dueAt === null)
      for (const { id, element } of own) await this.going(element, () => trial.run(id))
      taken += steps.length + own.length
      if (taken > most) throw new Stuck(null, `it takes more than ${most} steps without anybody being asked`)
      if (Date.now() > until) throw new Stuck(own[0]?.element ?? null, 'the engine does not come to rest')
      if (steps.length > 0 || own.length > 0) continue
      for (const { id, element, dueAt } of jobs)
        if (dueAt !== null && !this.due.has(id))
          this.due.set(id, Date.parse(dueAt) + (dated.has(element) ? 0 : this.ahead))
      return this.look()
    }
  }

  /** Updates which tasks have begun or ended; their promises are due on the trial's clock. */
  private async look(): Promise<void> {
    const { promises } = this.stage
    if (![...promises.values()].some((some) => some.length > 0)) return
    const tasks = await this.stage.trial.tasks(this.instance)
    for (const id of this.waits.keys()) if (!tasks.some((task) => task.id === id)) this.waits.delete(id)
    for (const { id, desk } of tasks) if (!this.waits.has(id)) this.waits.set(id, { desk, at: this.now() })
  }

  /** The promises that are still to be kept. */
  private promised(): { task: string; id: string; at: number }[] {
    const { promises } = this.stage
    return [...this.waits].flatMap(([task, { desk, at }]) =>
      (promises.get(desk) ?? [])
        .map(({ kind, after }) => ({ task, id: promiseAt(desk, kind), at: at + 1000 * lengthOf(after) }))
        .filter(({ id }) => !this.kept.some((one) => one.task === task && one.id === id)),
    )
  }

  /** If the engine answers but cannot continue, the model is at fault, so there is no retry. */
  private async going<T>(element: string, act: () => Promise<T>): Promise<T> {
    const { names, calls } = this.stage
    try {
      return await act()
    } catch (error) {
      const model = error instanceof EngineRefusal || (error instanceof EngineFault && error.maybe && !error.cause)
      if (!model) throw error
      // Whichever step led there, the call activity is the cause.
      const call = [...calls].find(([, process]) => error.message.includes(`'${process}'`))
      if (call)
        throw new Stuck(
          call[0],
          `${names.get(call[0]) ?? call[0]} calls another process (${call[1]}): scenarios are told to this process alone, so they can lead up to there and not beyond`,
        )
      const [why = error.message] = error.message.split('\n')
      throw new Stuck(element, `the engine cannot go on from ${names.get(element) ?? element}: ${why.slice(0, 300)}`)
    }
  }

  private async decide({ desk, outcome, variables }: Extract<Step, { desk: string }>): Promise<void> {
    const { trial, names } = this.stage
    const open = await trial.tasks(this.instance)
    const task = open.find((one) => one.desk === desk)
    if (!task) {
      const others = open.map((one) => one.name).join(', ')
      const where = others === '' ? 'nothing waits at any desk' : `it waits at ${others}`
      throw new Stuck(desk, `${names.get(desk) ?? desk} is not asked then: ${where}`)
    }
    const answer = { ...(outcome !== undefined && { [`${desk}_outcome`]: outcome }), ...this.filled(variables) }
    await this.going(desk, () => trial.complete(task.id, answer))
  }

  private async timers() {
    const { trial } = this.stage
    const jobs = await trial.jobs(this.instance)
    return jobs.flatMap(({ dueAt, ...job }) => (dueAt === null ? [] : [{ ...job, dueAt }]))
  }

  private async pass(duration: string): Promise<void> {
    const { names } = this.stage
    const until = this.now() + 1000 * secondsOf(duration)
    /** Element → how often it fired after its due time, which does not advance the clock. */
    const over = new Map<string, number>()
    for (let fired = 0; ; fired++) {
      const waiting = (await this.timers()).map((timer) => ({
        ...timer,
        at: this.due.get(timer.id) ?? Date.parse(timer.dueAt),
      }))
      const [next] = [...waiting, ...this.promised()].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      if ('task' in next) {
        this.keep(next)
        continue
      }
      const { element } = next
      const name = names.get(element) ?? element
      if (fired === most) throw new Stuck(element, `more than ${most} deadlines come in that time, the last ${name}`)
      const late = next.at < this.now() ? (over.get(element) ?? 0) + 1 : 0
      over.set(element, late)
      if (late > mostAtOnce)
        throw new Stuck(element, `${name} comes again and again: its moment is over, and the way leads back to it`)
      this.ahead = Math.max(this.ahead, next.at - Date.now())
      await this.fire(next)
    }
    this.ahead = Math.max(this.ahead, until - Date.now())
  }

  private keep({ task, id, at }: { task: string; id: string; at: number }): void {
    this.ahead = Math.max(this.ahead, at - Date.now())
    this.kept.push({ task, id })
  }

  private async fire({ id, element }: { id: string; element: string }): Promise<void> {
    const { trial } = this.stage
    await this.going(element, () => trial.run(id))
    this.due.delete(id)
    await this.settle()
  }
}
