import type { GateContext } from '../context.ts'
import { readIdentifier } from '../expressions.ts'
import type { Node } from '../graph.ts'
import { offeredTo, seenByNobody, toRequester, whyNobody } from './hazards.ts'
import { panelWords } from '../panel-words.ts'
import type { Element } from '../read.ts'
import { type Check, attribute, unset } from './check.ts'

/** Checks a user task: its roles and its form must exist. */
export function desk(node: Node, check: Check): string[] {
  const { context } = check
  const { element } = node
  const written = (name: string) => attribute(element, name)
  const form = element.formKey
  return [
    ...candidates(element, context),
    ...seenByNobody(node, context),
    ...(form === undefined ? [`${panelWords['camunda:formKey']}: a desk needs one`] : []),
    ...(form !== undefined && !context.forms.has(form) ? [`there is no form ${form}`] : []),
    ...(form === context.manifest.start && !offeredTo(element).includes(toRequester)
      ? [`${panelWords['camunda:candidateGroups']}: what was asked for is corrected by the requester`]
      : []),
    ...(['camunda:dueDate', 'camunda:followUpDate', 'camunda:priority'] as const).flatMap((name) => {
      const value = written(name)
      const reasons = value?.includes('${') ? unset(readIdentifier(value.trim()), node, check) : []
      return reasons.map((reason) => `${panelWords[name]}: ${reason}`)
    }),
  ]
}

function candidates(element: Element, context: GateContext): string[] {
  return offeredTo(element)
    .filter((group) => group !== toRequester)
    .flatMap((group) => whyNobody(group, context))
    .map((reason) => `${panelWords['camunda:candidateGroups']}: ${reason}`)
}
