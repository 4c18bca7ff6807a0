import type { Drawn, Factory, Modeling } from '../canvas/parts.ts'
import { definitionOf, extensionsOf, listOf, partOf, textOf, type Element, type Timer } from '../model/element.ts'

/** Services that change a model: each change is one undo step. */
export interface Editing {
  modeling: Modeling
  factory: Factory
}

/** Sets an extension property, such as a status; without a value it is removed. */
export function withProperty(editing: Editing, drawn: Drawn, name: string, value: string | undefined): void {
  withProperties(editing, drawn, { [name]: value })
}

/** Sets several extension properties in one undo step. */
export function withProperties(
  editing: Editing,
  drawn: Drawn,
  values: Readonly<Record<string, string | undefined>>,
): void {
  const all = extensionsOf(drawn.businessObject, 'camunda:Properties').flatMap((list) => listOf(list, 'values'))
  const pairs = Object.entries(values).reduce((found, [name, value]) => replaced(found, name, value), pairsOf(all))
  withExtension(editing, drawn, 'camunda:Properties', 'values', 'camunda:Property', pairs)
}

/** Sets an input parameter of a step or an email; without a value it is removed. */
export function withInput(editing: Editing, drawn: Drawn, name: string, value: string | undefined): void {
  const all = extensionsOf(drawn.businessObject, 'camunda:InputOutput').flatMap((one) => listOf(one, 'inputParameters'))
  const pairs = replaced(pairsOf(all), name, value)
  withExtension(editing, drawn, 'camunda:InputOutput', 'inputParameters', 'camunda:InputParameter', pairs)
}

/** Replaces all input parameters. */
export function withInputs(editing: Editing, drawn: Drawn, inputs: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(inputs).map(([name, value]) => ({ name, value }))
  withExtension(editing, drawn, 'camunda:InputOutput', 'inputParameters', 'camunda:InputParameter', pairs)
}

interface Pair {
  name: string
  value: string
}

const pairsOf = (elements: readonly Element[]): Pair[] =>
  elements.map((one) => ({ name: textOf(one, 'name') ?? '', value: textOf(one, 'value') ?? '' }))

function replaced(pairs: readonly Pair[], name: string, value: string | undefined): Pair[] {
  if (value === undefined || value === '') return pairs.filter((one) => one.name !== name)
  return pairs.some((one) => one.name === name)
    ? pairs.map((one) => (one.name === name ? { name, value } : one))
    : [...pairs, { name, value }]
}

/** Replaces the extension elements as a whole, so that one undo step restores them. */
function withExtension(
  { modeling, factory }: Editing,
  drawn: Drawn,
  type: string,
  member: string,
  each: string,
  pairs: readonly Pair[],
): void {
  const { businessObject } = drawn
  const others = listOf(partOf(businessObject, 'extensionElements'), 'values')
  const place = others.findIndex(({ $type }) => $type === type)
  const kept = others.filter(({ $type }) => $type !== type)
  if (pairs.length > 0) {
    const entries = pairs.map(({ name, value }) => factory.create(each, { name, value }))
    const holder = factory.create(type, { [member]: entries })
    for (const entry of entries) owned(entry, holder)
    kept.splice(place < 0 ? kept.length : place, 0, holder)
  }
  if (kept.length === 0) return modeling.updateProperties(drawn, { extensionElements: undefined })
  const extensions = factory.create('bpmn:ExtensionElements', { values: kept })
  for (const one of kept) owned(one, extensions)
  modeling.updateProperties(drawn, { extensionElements: owned(extensions, businessObject) })
}

function owned(element: Element, parent: Element): Element {
  element.$parent = parent
  return element
}

/** Sets when a timer fires. */
export function withTimer({ modeling, factory }: Editing, drawn: Drawn, { kind, value }: Timer): void {
  const definition = definitionOf(drawn.businessObject, 'Timer')
  if (!definition) return
  const expression = owned(factory.create('bpmn:FormalExpression', { body: value }), definition)
  modeling.updateModdleProperties(drawn, definition, {
    ...{ timeDate: undefined, timeDuration: undefined, timeCycle: undefined },
    [kind]: expression,
  })
}

/** Sets the FEEL condition of a path; without one it is always taken. */
export function withCondition({ modeling, factory }: Editing, drawn: Drawn, feel: string | undefined): void {
  const expression = feel
    ? owned(factory.create('bpmn:FormalExpression', { body: feel, language: 'feel' }), drawn.businessObject)
    : undefined
  modeling.updateProperties(drawn, { conditionExpression: expression })
}

/** Makes an event send emails. */
export function asMail({ modeling }: Editing, drawn: Drawn): void {
  const definition = definitionOf(drawn.businessObject, 'Message')
  if (definition)
    modeling.updateModdleProperties(drawn, definition, {
      'camunda:type': 'external',
      'camunda:topic': 'platform.send-mail',
    })
}

/** Sets the message or error of an event, and declares it in the document if needed. */
export function withReference(
  { modeling, factory }: Editing,
  drawn: Drawn,
  kind: 'Message' | 'Error',
  value: string,
  label: string,
): void {
  const definition = definitionOf(drawn.businessObject, kind)
  const definitions = documentOf(drawn.businessObject)
  if (!definition || !definitions) return
  const named = kind === 'Message' ? 'name' : 'errorCode'
  const roots = listOf(definitions, 'rootElements')
  let root = roots.find((one) => one.$type === `bpmn:${kind}` && textOf(one, named) === value)
  if (!root) {
    root = owned(
      factory.create(`bpmn:${kind}`, {
        id: kind === 'Message' ? value : `error_${label}`,
        name: value,
        ...(kind === 'Error' ? { errorCode: value } : {}),
      }),
      definitions,
    )
    modeling.updateModdleProperties(drawn, definitions, { rootElements: [...roots, root] })
  }
  modeling.updateModdleProperties(drawn, definition, { [kind === 'Message' ? 'messageRef' : 'errorRef']: root })
}

function documentOf(element: Element): Element | undefined {
  let at: Element | undefined = element
  while (at && at.$type !== 'bpmn:Definitions') at = at.$parent
  return at
}
