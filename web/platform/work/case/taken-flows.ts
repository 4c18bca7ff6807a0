import type { CasePath } from '../../kernel/client/types.ts'

interface Flow {
  id: string
  source?: { id: string }
  target?: { id: string; type: string }
}

/**
 * The sequence flows that a case took. The engine reports elements only, so each visit is traced back to the flow whose
 * source was left last before it; a parallel gateway was reached by all of its flows.
 */
export function takenFlows(flows: readonly Flow[], visited: CasePath['visited']): Set<string> {
  const taken = new Set<string>()
  for (const visit of visited) {
    const incoming = flows
      .filter(({ target }) => target?.id === visit.element)
      .flatMap((flow) => {
        const left = lastLeft(visited, flow.source?.id, visit.startedAt)
        return left === undefined ? [] : [{ flow, left }]
      })
    const latest = incoming.reduce((last, { left }) => (left > last ? left : last), '')
    for (const { flow, left } of incoming)
      if (left === latest || flow.target?.type === 'bpmn:ParallelGateway') taken.add(flow.id)
  }
  return taken
}

/** When an element was last left before a moment, if ever. */
function lastLeft(visited: CasePath['visited'], element: string | undefined, before: string): string | undefined {
  return visited
    .filter((visit) => visit.element === element && !visit.canceled)
    .flatMap(({ endedAt }) => (endedAt !== null && endedAt <= before ? [endedAt] : []))
    .toSorted()
    .at(-1)
}
