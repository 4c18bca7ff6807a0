import type { Variables } from '../../../kernel/engine/port.ts'
import { type TellingTimer, elementOf, promiseAt, withPromises } from '../../../model/bpmn/promises.ts'
import { withKept } from './player.ts'
import type { Wanted } from './repository.ts'
import type { Result, Scenario, Step } from '../../../model/definitions/scenario.ts'
import type { RecordedCase } from './recorded-cases.ts'
import type { Stage } from './stage.ts'

/** Something that happened to a case, and when. */
interface Happened {
  at: Date
  step: Step
}

/** A moment with its time of day; days alone stay as they are. */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/**
 * A real case as a scenario: what it began with, what its desks answered, which timers fired and which messages came, in
 * the order in which it happened, and what its workers answered. Moments are told as so long after what set them.
 * `telling` are the timers of its version that only send a mail: they are told as what a desk promises.
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
      // On the border it begins when it fires; on the way it ends then.
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

/** Moments as `+PT…S` after the one at which they were set. */
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
 * What of a rehearsal differs from the way that the real case went: the first element, in words. Order across branches
 * is nobody's, so elements are compared by how often they were passed.
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
  if (missing === undefined && added === undefined) return result
  const at = added ?? missing!
  // Where several ways meet there is no name; what was passed before has one.
  const before = at.list.slice(0, at.index).findLast((id) => names.has(id)) ?? at.list[0] ?? at.id
  const reason =
    added && missing
      ? `Behind ${name(before)} it would come to ${name(added.id)}; the case came to ${name(missing.id)}`
      : added
        ? `Behind ${name(before)} it would also come to ${name(added.id)}, where the case never was`
        : `Behind ${name(before)} it would not come to ${name(missing!.id)}, where the case was`
  return { ...result, passed: false, reasons: [{ element: elementOf(at.id), reason }, ...result.reasons] }
}

/** The first element of a list that it has more often than the other. */
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
