import type { Variables } from '../../../kernel/engine/port.ts'
import { type TellingTimer, elementOf, promiseAt, withPromises } from '../../../model/bpmn/promises.ts'
import { withKept } from './player.ts'
import type { Wanted } from './repository.ts'
import type { Result, Scenario, Step } from '../../../model/definitions/scenario.ts'
import type { RecordedCase } from './recorded-cases.ts'
import type { Stage } from './stage.ts'

/** An event of a case, and when it happened. */
interface Happened {
  at: Date
  step: Step
}

/** A date with its time; dates alone are kept unchanged. */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/**
 * A real case as a scenario: its start form, then answers, timers and messages in order, and the answers of its
 * workers. Times become durations after the event that set them. `telling` are timers of its version that only send a
 * mail; they become promises of the desk.
 */
export function scenarioOf(
  { reference, startedAt, end, commands, path, promises, runs }: RecordedCase,
  telling: readonly TellingTimer[],
): Wanted {
  const start = commands.find(({ kind }) => kind === 'start')
  const desks = new Map(path.flatMap(({ task, ...one }) => (task === null ? [] : [[task, one] as const])))
  const happened: Happened[] = [
    ...commands.flatMap(({ kind, payload: { taskId, message, variables = {} }, at }): Happened[] => {
      if (kind === 'correlate' && message !== undefined)
        return [{ at, step: { message, variables: later(variables, at) } }]
      const desk = kind === 'complete' ? desks.get(taskId ?? '') : undefined
      return desk ? [{ at: desk.endedAt ?? at, step: { desk: desk.element, variables: later(variables, at) } }] : []
    }),
    ...path.flatMap(({ element, type, startedAt: began, endedAt, canceled }): Happened[] => {
      if (!/timer/i.test(type) || canceled) return []
      // A boundary event is recorded when it fires, so its start counts; an intermediate event ends when it fires.
      const at = /boundary|start/i.test(type) ? began : endedAt
      const [fires] = withPromises([element], telling)
      return at && fires ? [{ at, step: { fires } }] : []
    }),
    ...promises.map(({ desk, kind, at }): Happened => ({ at, step: { fires: promiseAt(desk, kind) } })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  const answers = Map.groupBy(runs, ({ topic }) => topic)
  const scenario: Scenario = {
    name: reference,
    start: later(start?.payload.variables ?? {}, start?.at ?? startedAt),
    steps: happened.map(({ step }) => step),
    topics: Object.fromEntries(
      [...answers].map(([topic, given]) => [
        topic,
        given.map(({ error, output, at }) => (error === null ? { gives: later(output, at) } : { raises: error })),
      ]),
    ),
    expect: end === null || end === 'canceled' ? {} : { end },
  }
  const passed = path.map(({ element }) => element)
  const kept = promises.map(({ desk, kind }) => promiseAt(desk, kind))
  return { scenario, path: withKept(withPromises(passed, telling), kept) }
}

/** Converts times to `+PT…S` after the event that set them. */
function later(variables: Variables, at: Date): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value !== 'string' || !moment.test(value)) return [name, value]
      const seconds = Math.round((Date.parse(value) - at.getTime()) / 1000)
      return [name, seconds > 0 ? `+PT${seconds}S` : value]
    }),
  )
}

/**
 * The first difference between a replay and the real case, in words. Branches have no fixed order, so it compares how
 * often each element was passed.
 */
export function compared(
  result: Result,
  path: readonly string[],
  { names, telling }: Pick<Stage, 'names' | 'telling'>,
): Result {
  const name = (id: string) => names.get(id) ?? id
  const came = withPromises(result.path, telling)
  const missing = firstBeyond(path, came)
  const added = firstBeyond(came, path)
  const at = added ?? missing
  if (at === undefined) return result
  // Joining gateways have no name, so use the element before.
  const before = at.list.slice(0, at.index).findLast((id) => names.has(id)) ?? at.list[0] ?? at.id
  const reason =
    added && missing
      ? `Behind ${name(before)} it would come to ${name(added.id)}; the case came to ${name(missing.id)}`
      : added
        ? `Behind ${name(before)} it would also come to ${name(added.id)}, where the case never was`
        : `Behind ${name(before)} it would not come to ${name(at.id)}, where the case was`
  return { ...result, passed: false, reasons: [{ element: elementOf(at.id), reason }, ...result.reasons] }
}

/** The first element that occurs more often in the list than in the other. */
function firstBeyond(list: readonly string[], other: readonly string[]) {
  const left = new Map<string, number>()
  for (const id of other) left.set(id, (left.get(id) ?? 0) + 1)
  for (const [index, id] of list.entries()) {
    const count = left.get(id) ?? 0
    if (count === 0) return { id, index, list }
    left.set(id, count - 1)
  }
  return undefined
}
