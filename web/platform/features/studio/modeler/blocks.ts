import type { Vocabulary } from '../../../kernel/api/studio.ts'
import type { Translate } from '../../../kernel/texts/texts.ts'
import { middleOf, type Drawn, type Parts } from '../canvas/parts.ts'
import { kindOf } from '../model/element.ts'
import { asMail, withInputs, withProperties, withProperty, type Editing } from './edit.ts'

/** A ready-made part of a flow: its name, its menu icon, and how it is built on the canvas. */
export interface Block {
  id: string
  label: string
  /** Icon class in the BPMN font. */
  sign: string
  /** Search words beside its label. */
  search: string
  /** Attributes of the initial shape. */
  shape: Record<string, unknown>
  /** Its name until somebody labels it; its id waits for that label. */
  name?: string
  /** Fills in what it is for. */
  complete(drawn: Drawn, at: Completing): void
}

/** What `complete` gets. */
interface Completing extends Editing {
  parts: Pick<Parts, 'modeling' | 'elementFactory'>
  t: Translate
  vocabulary: Vocabulary
}

/** Events send emails, service tasks do not. */
const sendsMail = 'platform.send-mail'
const due = '${workday3}'
const remindedAfter = 'workday1'
const escalatedAfter = 'workday3'

/** The blocks for building a flow, filled from what its models may name. */
export function blocksOf(vocabulary: Vocabulary, t: Translate): Block[] {
  const block = (
    id: string,
    sign: string,
    type: string,
    complete: Block['complete'] = () => undefined,
    more: Record<string, unknown> = {},
  ): Block => ({
    id,
    label: t(`platform.studio-block.${id}`),
    sign: `bpmn-icon-${sign}`,
    search: `${id} ${type.slice('bpmn:'.length)}`,
    shape: { type, ...more },
    complete,
  })
  const sending = { eventDefinitionType: 'bpmn:MessageEventDefinition' }
  return [
    { ...block('desk', 'user-task', 'bpmn:UserTask', desk), name: t('platform.studio-block.desk-name') },
    {
      ...block('requester-desk', 'user-task', 'bpmn:UserTask', deskOfRequester),
      name: t('platform.studio-block.requester-desk-name'),
    },
    ...vocabulary.topics
      .filter(({ topic }) => topic !== sendsMail)
      .map((topic) => ({
        ...block('step', 'service-task', 'bpmn:ServiceTask', (drawn, at) => step(drawn, at, topic)),
        id: `step-${topic.topic}`,
        label: t('platform.studio-block.step', { topic: topic.title }),
        search: `step topic ${topic.topic}`,
      })),
    block('mail', 'intermediate-event-throw-message', 'bpmn:IntermediateThrowEvent', mail, sending),
    block('mail-at-end', 'end-event-message', 'bpmn:EndEvent', mail, sending),
    block('status', 'intermediate-event-none', 'bpmn:IntermediateThrowEvent', status),
    ...vocabulary.decisions.map((decision) => ({
      ...block('decision', 'business-rule-task', 'bpmn:BusinessRuleTask', (drawn: Drawn, { modeling }: Completing) =>
        modeling.updateProperties(drawn, {
          name: decision.name,
          'camunda:decisionRef': decision.id,
          'camunda:decisionRefBinding': 'deployment',
          'camunda:mapDecisionResult': 'singleEntry',
          'camunda:resultVariable': decision.gives[0] ?? 'result',
        }),
      ),
      id: `decision-${decision.id}`,
      label: t('platform.studio-block.decision', { decision: decision.name }),
      search: `decision table dmn ${decision.id}`,
    })),
    block('either', 'gateway-xor', 'bpmn:ExclusiveGateway'),
    block('together', 'gateway-parallel', 'bpmn:ParallelGateway'),
    block('part', 'subprocess-expanded', 'bpmn:SubProcess', undefined, { isExpanded: true }),
    block('end', 'end-event-none', 'bpmn:EndEvent'),
  ]
}

function desk(drawn: Drawn, at: Completing): void {
  at.modeling.updateProperties(drawn, { 'camunda:dueDate': due })
  withProperties(at, drawn, { fourEyes: 'requester', remind: remindedAfter, escalate: escalatedAfter })
}

function deskOfRequester(drawn: Drawn, at: Completing): void {
  at.modeling.updateProperties(drawn, {
    'camunda:candidateGroups': 'user:${requesterId}',
    'camunda:dueDate': due,
  })
  withProperty(at, drawn, 'remind', remindedAfter)
}

function step(drawn: Drawn, at: Completing, { topic, title, needs }: Vocabulary['topics'][number]): void {
  const known = new Set(at.vocabulary.variables.map(({ name }) => name))
  at.modeling.updateProperties(drawn, { name: title, 'camunda:type': 'external', 'camunda:topic': topic })
  // Inputs that no variable provides are created here and filled in the panel.
  const inputs = needs.filter((name) => !known.has(name))
  if (inputs.length > 0) withInputs(at, drawn, Object.fromEntries(inputs.map((name) => [name, ''])))
}

function mail(drawn: Drawn, at: Completing): void {
  asMail(at, drawn)
  withInputs(at, drawn, { to: 'requester', template: at.vocabulary.mails[0]?.key ?? '' })
}

function status(drawn: Drawn, at: Completing): void {
  const [first] = at.vocabulary.statusLists
  const begins = first?.states[0]
  if (!first || !begins) return
  at.modeling.updateProperties(drawn, { name: begins.title })
  withProperty(at, drawn, first.property, begins.state)
}

type Needed = Pick<Parts, 'modeling' | 'bpmnFactory' | 'elementFactory' | 'elementRegistry' | 'autoPlace' | 'spaceTool'>

/** How far the rest of a flow moves right when an element is inserted, in diagram units. */
const room = 280

/** Inserts a block into a path, or after an element. One undo step. */
export class PutBlock {
  readonly #parts: Needed
  readonly #completing: Completing
  constructor(parts: Needed, t: Translate, vocabulary: Vocabulary) {
    this.#parts = parts
    this.#completing = { modeling: parts.modeling, factory: parts.bpmnFactory, parts, t, vocabulary }
  }

  preExecute(context: { block: Block; at: Drawn; put?: Drawn }): void {
    const { block, at } = context
    const { elementFactory, autoPlace } = this.#parts
    const shape = elementFactory.createShape({ ...block.shape })
    if (block.name) shape.businessObject.name = block.name
    const [only, ...others] = at.waypoints ? [at] : at.outgoing
    const into =
      only && others.length === 0 && shape.outgoing && kindOf(shape.businessObject) !== 'EndEvent' ? only : undefined
    context.put = into ? this.#insert(shape, into) : autoPlace.append(at, shape)
    block.complete(context.put, this.#completing)
  }

  /** Makes room after the source of a path, and inserts the shape into the path. */
  #insert(shape: Drawn, way: Drawn): Drawn {
    const { modeling, spaceTool, elementRegistry } = this.#parts
    const { source, target } = way
    if (!source || !target) throw new Error(`${way.id} leads from nowhere to nowhere`)
    if (target.x >= source.x + source.width) {
      const start = source.x + source.width + 10
      const all = elementRegistry.getAll()
      const { movingShapes, resizingShapes } = spaceTool.calculateAdjustments(all, 'x', room, start)
      modeling.createSpace(movingShapes, resizingShapes, { x: room, y: 0 }, 'e', start)
    }
    const y = middleOf(source).y
    const x = (source.x + source.width + Math.max(target.x, source.x + source.width + room)) / 2
    return modeling.createShape(shape, { x, y }, way)
  }
}
