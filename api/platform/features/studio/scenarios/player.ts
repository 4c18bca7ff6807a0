import type { InstanceState } from '../../../kernel/engine/port.ts'
import { elementOf } from '../../../model/bpmn/promises.ts'
import type { Result, Scenario } from '../../../model/definitions/scenario.ts'
import type { Stage } from './stage.ts'
import { Telling, Stuck } from './telling.ts'

/**
 * Runs one scenario on the engine: desks answer, time passes, and workers answer from the recording. It compares the
 * result with the expectation. Throws only if the engine cannot be reached.
 */
export async function play(stage: Stage, scenario: Scenario): Promise<Result> {
  const { trial, engine } = stage
  const told = new Telling(stage, scenario)
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
  const { instanceId, kept } = told
  const state = instanceId === undefined ? undefined : await engine.state(instanceId)
  const came = cameTo(
    stage,
    state,
    kept.map(({ id }) => id),
  )
  if (reasons.length === 0 && state) reasons.push(...otherwise(scenario, came, state, stage))
  if (instanceId !== undefined && state?.end === null) await trial.cancel(instanceId)
  return { name: scenario.name, passed: reasons.length === 0, reasons, ...came }
}

/** Statuses, path and end that a case reached. */
function cameTo(
  { statuses, first }: Stage,
  state: InstanceState | undefined,
  kept: readonly string[],
): Pick<Result, 'statuses' | 'end' | 'path'> {
  const path = withKept(
    (state?.activities ?? []).map(({ element }) => element),
    kept,
  )
  return { statuses: statusesAlong(statuses, first, path), end: state?.end?.reason ?? null, path }
}

/** A path that lists after each desk which promises it kept. */
export function withKept(path: readonly string[], kept: readonly string[]): string[] {
  return path.flatMap((element, at) =>
    path.lastIndexOf(element) === at ? [element, ...kept.filter((id) => elementOf(id) === element)] : [element],
  )
}

/** The statuses of each list that a case passes, in order. */
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

/** How the result differs from the expectation. */
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
