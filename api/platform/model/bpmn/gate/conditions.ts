import { readCondition } from '../expressions.ts'
import { called } from '../panel-words.ts'
import type { Element, Problem } from '../read.ts'
import { outcomesOf } from '../variables.ts'
import type { Check } from './check.ts'

/**
 * Checks a condition: it must leave an exclusive gateway and compare variables that are set before it with values they
 * can have.
 */
export function condition(flow: Element, { graph, context, known }: Check): Problem[] {
  const text = flow.conditionExpression?.body?.trim()
  const source = graph.nodes.get(flow.sourceRef?.id ?? '')
  if (text === undefined || !source) return []
  if (source.type !== 'ExclusiveGateway')
    return [{ element: flow.id, reason: 'only an exclusive gateway has conditions' }]
  const read = readCondition(text)
  if ('refused' in read) return [{ element: flow.id, reason: read.refused }]
  const reasons = [
    ...read.variables
      .filter((name) => !known(source).has(name))
      .map((name) => {
        const other = name.endsWith('_outcome') ? graph.nodes.get(name.slice(0, -'_outcome'.length)) : undefined
        return other
          ? `the condition reads the outcome of ${called(other.element)}, which is not before it`
          : `the condition reads ${name}, which nothing sets before it`
      }),
    ...read.comparisons.flatMap(({ variable, literal }) => {
      const decided = variable.replace(/_outcome$/, '')
      const outcomes = outcomesOf(decided, graph.nodes.get(decided), context)
      return variable.endsWith('_outcome') && outcomes && !outcomes.includes(literal)
        ? [`${variable} is never “${literal}”, only ${outcomes.join(', ')}`]
        : []
    }),
  ]
  return reasons.map((reason) => ({ element: flow.id, reason }))
}
