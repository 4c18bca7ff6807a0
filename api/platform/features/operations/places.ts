import { type Element, processesOf, readModel } from '../../model/bpmn/read.ts'

/** An element of a diagram, for an operator who moves a token. */
export interface Place {
  element: string
  name: string
  /** Its BPMN type without prefix: `UserTask`. */
  type: string
  /** The subprocesses around it, the innermost first. */
  within: string[]
  /** Whether a token can be moved there. */
  target: boolean
}

/**
 * Types that a token can be moved to. Events that need a trigger and gateways are excluded: the variables that a
 * gateway reads may not be set, and then the engine cannot continue.
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

/** The elements of a diagram, in document order. */
export async function placesOf(xml: string): Promise<Map<string, Place>> {
  const { definitions } = await readModel(xml)
  const places = new Map<string, Place>()
  const visit = (scope: Element, within: string[], single: boolean): void => {
    for (const element of scope.flowElements ?? []) {
      const type = element.$type.replace('bpmn:', '')
      if (type === 'SequenceFlow') continue
      const target = single && targets.includes(type) && !element.triggeredByEvent
      places.set(element.id, { element: element.id, name: element.name ?? element.id, type, within, target })
      // Elements that run several times or in parallel are excluded: it would not be clear which run is meant.
      visit(element, [element.id, ...within], single && !element.loopCharacteristics && !element.triggeredByEvent)
    }
  }
  for (const process of processesOf(definitions)) visit(process, [], true)
  return places
}
