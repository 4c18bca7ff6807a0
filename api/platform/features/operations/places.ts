import { type Element, processesOf, readModel } from '../../model/bpmn/read.ts'

/** An element of a diagram as somebody who moves a token sees it. */
export interface Place {
  element: string
  name: string
  /** Its BPMN type without prefix: `UserTask`. */
  type: string
  /** The sub-processes around it, the innermost first. */
  within: string[]
  /** Whether a token can be put there. */
  target: boolean
}

/**
 * Where a token can be put: steps, but no event that only something else sets off, and no gateway: what it asks about may
 * never have been answered in this case, and then the engine has no way on.
 */
const targets = [
  'UserTask',
  'ServiceTask',
  'BusinessRuleTask',
  'CallActivity',
  'SubProcess',
  'IntermediateThrowEvent',
  'IntermediateCatchEvent',
]

/** The elements of a diagram in the order in which they are written. */
export async function placesOf(xml: string): Promise<Map<string, Place>> {
  const { definitions } = await readModel(xml)
  const places = new Map<string, Place>()
  const visit = (scope: Element, within: string[], single: boolean): void => {
    for (const element of scope.flowElements ?? []) {
      const type = element.$type.replace('bpmn:', '')
      if (type === 'SequenceFlow') continue
      const target = single && targets.includes(type) && !element.triggeredByEvent
      places.set(element.id, { element: element.id, name: element.name ?? element.id, type, within, target })
      // Of what runs several times, or beside the rest, nobody could say which of its runs is meant.
      visit(element, [element.id, ...within], single && !element.loopCharacteristics && !element.triggeredByEvent)
    }
  }
  for (const process of processesOf(definitions)) visit(process, [], true)
  return places
}
