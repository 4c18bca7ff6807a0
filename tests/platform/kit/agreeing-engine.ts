import { randomUUID } from 'node:crypto'
import { type Engine, EngineFault, type VariableInstance } from '../../../api/platform/kernel/engine/port.ts'

/** An engine that accepts everything and does nothing, with the flow over two desks; or that is down. */
export function agreeingEngine(variables: VariableInstance[] = []) {
  let away = false
  const yes = async <T>(answer: T): Promise<T> => {
    if (away) throw new EngineFault('away', { maybe: false })
    return answer
  }
  const engine = {
    ready: async () => !away,
    deploy: async () => [
      { id: 'two-desks:1', key: 'two-desks', version: 1, deploymentId: 'd', resource: 'two-desks.bpmn' },
    ],
    start: () => yes({ instanceId: randomUUID() }),
    complete: () => yes(undefined),
    correlate: () => yes(undefined),
    variables: () => yes(variables),
    decisions: () => yes([]),
  } as unknown as Engine
  return { engine, isAway: (now: boolean) => void (away = now) }
}
