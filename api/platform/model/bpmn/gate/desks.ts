import type { GateContext } from '../context.ts'
import { readIdentifier } from '../expressions.ts'
import type { Node } from '../graph.ts'
import { personAt, seenByNobody, titleOfPerson, whyNobody } from './hazards.ts'
import { panelWords } from '../panel-words.ts'
import { isOfRequester, offeredTo, toRequester } from '../promises.ts'
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
    ...unnamed(node, check),
    ...byNameAlone(element, context),
    ...seenByNobody(node, context),
    ...(form === undefined ? [`${panelWords['camunda:formKey']}: a desk needs one`] : []),
    ...(form !== undefined && !context.forms.has(form) ? [`there is no form ${form}`] : []),
    ...(form === context.manifest.start && !isOfRequester(element)
      ? [`${panelWords['camunda:candidateGroups']}: what was asked for is corrected by the requester`]
      : []),
    ...(['camunda:dueDate', 'camunda:followUpDate', 'camunda:priority'] as const).flatMap((name) => {
      const value = written(name)
      const reasons = value?.includes('${') ? unset(readIdentifier(value.trim()), node, check) : []
      return reasons.map((reason) => `${panelWords[name]}: ${reason}`)
    }),
  ]
}

/** The people that a desk is offered to by name, although no step before it names them. */
function unnamed(node: Node, check: Check): string[] {
  return offeredTo(node.element)
    .flatMap((group) => personAt(group) ?? [])
    .flatMap((name) => unset({ variables: [name], comparisons: [] }, node, check))
    .map((reason) => `${panelWords['camunda:candidateGroups']}: ${reason}`)
}

/** The person that a step names may have no account, or may have asked for the case: then a role has the desk. */
function byNameAlone(element: Element, { manifest }: GateContext): string[] {
  const offered = offeredTo(element)
  const isByName = (group: string) => titleOfPerson(group, manifest) !== undefined
  return offered.some(isByName) && offered.every((group) => group === toRequester || isByName(group))
    ? [`${panelWords['camunda:candidateGroups']}: a step may name nobody, so name a role too`]
    : []
}

function candidates(element: Element, context: GateContext): string[] {
  return offeredTo(element)
    .filter((group) => group !== toRequester)
    .flatMap((group) => whyNobody(group, context))
    .map((reason) => `${panelWords['camunda:candidateGroups']}: ${reason}`)
}
