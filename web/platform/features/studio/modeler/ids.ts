import BpmnFactory from 'bpmn-js/lib/features/modeling/BpmnFactory.js'
import type { CommandStack, Drawn, EventBus, Factory, Modeling, Registry } from '../canvas/parts.ts'
import { inputsOf, kindOf, partOf, propertiesOf, textOf, type Element } from '../model/element.ts'
import { camelCase } from '../model/meaning.ts'
import { withInput, withProperty } from './edit.ts'

/** Id prefix by kind: an id carries its kind and its meaning. */
const prefixes: Readonly<Record<string, string>> = {
  StartEvent: 'startEvent',
  EndEvent: 'endEvent',
  IntermediateCatchEvent: 'event',
  IntermediateThrowEvent: 'event',
  BoundaryEvent: 'boundary',
  UserTask: 'userTask',
  ServiceTask: 'serviceTask',
  BusinessRuleTask: 'businessRuleTask',
  CallActivity: 'callActivity',
  SubProcess: 'subProcess',
  ExclusiveGateway: 'gateway',
  ParallelGateway: 'gateway',
  EventBasedGateway: 'gateway',
  SequenceFlow: 'flow',
  Message: 'message',
  Error: 'error',
  Escalation: 'escalation',
}

/** An id that was generated and still waits for a label. */
const unthought = /_n[0-9a-z]{7}$/

/** Creates elements whose ids begin with their kind. */
export class MeaningfulFactory extends BpmnFactory {
  override _ensureId(element: Element): void {
    const prefix = prefixes[kindOf(element)]
    if (element.id || !prefix || !this._needsId(element)) return super._ensureId(element)
    element.id = this._model.ids.nextPrefixed(`${prefix}_n`, element)
  }
}

interface Renamed {
  element: Drawn
  from: string
}

/**
 * Derives the id of a new element from its first label, `userTask_approveAsHead`, and renames every reference in the
 * model: four eyes, recipients, conditions. Existing ids stay: running cases depend on them.
 */
export class MeaningfulIds {
  static $inject = ['eventBus', 'modeling', 'elementRegistry', 'bpmnFactory', 'commandStack', 'moddle']

  constructor(
    eventBus: EventBus,
    modeling: Modeling,
    registry: Registry,
    factory: Factory,
    commandStack: CommandStack,
    moddle: { ids: { assigned(id: string): unknown } },
  ) {
    commandStack.register('studio.give-meaning', {
      preExecute({ element, from }: Renamed): void {
        const [prefix] = from.split('_')
        const meaning = camelCase(element.businessObject.name ?? '')
        if (!meaning) return
        let id = `${prefix}_${meaning}`
        for (let count = 2; moddle.ids.assigned(id); count++) id = `${prefix}_${meaning}${count}`
        modeling.updateProperties(element, { id })
        if (kindOf(element.businessObject) === 'UserTask') follow(from, id)
      },
    })

    const follow = (from: string, to: string) => {
      for (const one of registry.getAll()) {
        if (one.labelTarget) continue
        const { businessObject } = one
        const eyes = propertiesOf(businessObject)['fourEyes']
        if (eyes?.split(',').some((each) => each.trim() === from)) {
          const renamed = eyes.split(',').map((each) => (each.trim() === from ? to : each.trim()))
          withProperty({ modeling, factory }, one, 'fourEyes', renamed.join(','))
        }
        const { to: recipient } = inputsOf(businessObject)
        const [, how, desk] = /^(desk|above):(.+)$/.exec(recipient ?? '') ?? []
        if (how && desk === from) withInput({ modeling, factory }, one, 'to', `${how}:${to}`)
        const condition = partOf(businessObject, 'conditionExpression')
        const feel = condition && textOf(condition, 'body')
        if (condition && feel?.includes(`${from}_outcome`))
          modeling.updateModdleProperties(one, condition, { body: feel.replaceAll(`${from}_outcome`, `${to}_outcome`) })
      }
    }

    eventBus.on(
      ['commandStack.element.updateLabel.postExecuted', 'commandStack.element.updateProperties.postExecuted'],
      ({ context: { element, properties } }) => {
        const drawn = element.labelTarget ?? element
        if (properties && !('name' in properties)) return
        if (unthought.test(drawn.businessObject.id) && drawn.businessObject.name)
          commandStack.execute('studio.give-meaning', { element: drawn, from: drawn.businessObject.id })
      },
    )
  }
}
