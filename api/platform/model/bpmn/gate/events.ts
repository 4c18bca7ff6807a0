import { countsWorkingDays } from '../context.ts'
import { readIdentifier } from '../expressions.ts'
import type { Graph, Node } from '../graph.ts'
import { called } from '../panel-words.ts'
import { type Check, isSending, unset } from './check.ts'

/**
 * Checks events: timers wait for something known and lead to desks only through a new count of working days; errors are
 * caught.
 */
export function event(node: Node, check: Check): string[] {
  const { graph } = check
  return (node.element.eventDefinitions ?? []).flatMap((definition) => {
    switch (definition.$type) {
      case 'bpmn:TimerEventDefinition': {
        const times = [definition.timeDate, definition.timeDuration, definition.timeCycle].filter((time) => time)
        const text = times[0]?.body?.trim() ?? ''
        return [
          ...(times.length === 1 ? [] : ['a timer has one date, duration or cycle']),
          ...(node.host !== undefined && definition.timeCycle && !text.startsWith('R')
            ? ['only a schedule as a whole begins at times of day']
            : []),
          ...(text.includes('${') ? unset(readIdentifier(text), node, check) : []),
          ...desksReachedLate(node, graph).map(
            ({ element }) =>
              `time passes before ${called(element)}: the path there must first pass the topic ${countsWorkingDays}`,
          ),
        ]
      }
      case 'bpmn:MessageEventDefinition':
        if (isSending(node)) return []
        return [
          ...(definition.messageRef?.name ? [] : ['a message event needs a message with a name']),
          ...(definition.topic ? ['an event that waits has no topic'] : []),
        ]
      case 'bpmn:EscalationEventDefinition':
        return definition.escalationRef?.escalationCode ? [] : ['an escalation event needs an escalation with a code']
      case 'bpmn:ErrorEventDefinition': {
        const code = definition.errorRef?.errorCode
        if (definition.errorRef && !code) return ['an error needs a code']
        if (node.type !== 'EndEvent') return []
        if (code === undefined) return ['an error end event needs an error']
        return graph.catcher(node, code) ? [] : [`nothing catches ${code}, so it would end the case in silence`]
      }
      default:
        return [`${definition.$type} is not allowed`]
    }
  })
}

/** The desks that a token can reach from a timer without a new count of working days. */
function desksReachedLate(timer: Node, graph: Graph): Node[] {
  // A non-interrupting event leads nowhere after its own end: the scope continues with the desk's decision.
  const accompanies = timer.element.cancelActivity === false || timer.element.isInterrupting === false
  const around = new Set<Node>()
  for (let host = timer.host; host; host = host.host) around.add(host)
  const stops = ({ type, element, host }: Node) =>
    type === 'UserTask' ||
    (type === 'ServiceTask' && element.topic === countsWorkingDays) ||
    (accompanies &&
      type === 'EndEvent' &&
      (element.eventDefinitions ?? []).every(({ $type }) => $type === 'bpmn:MessageEventDefinition') &&
      host !== undefined &&
      around.has(host))
  return [...graph.from(graph.next(timer), stops)].filter(({ type }) => type === 'UserTask')
}
