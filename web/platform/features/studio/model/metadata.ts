import { listOf, partOf, type Element, type Property } from './element.ts'

/** Vocabularies that our documents may use. */
const known = [
  ...['http://www.omg.org/spec/BPMN/20100524/MODEL', 'http://www.omg.org/spec/BPMN/20100524/DI'],
  ...['http://www.omg.org/spec/DD/20100524/DC', 'http://www.omg.org/spec/DD/20100524/DI'],
  ...['http://camunda.org/schema/1.0/bpmn', 'http://www.w3.org/2001/XMLSchema-instance'],
  ...['http://bpmn.io/schema/bpmn/biocolor/1.0', 'http://www.omg.org/spec/BPMN/non-normative/color/1.0'],
]

export const isKnown = (uri: string): boolean => known.includes(uri)

/**
 * Elements that neither canvas nor panel shows and our flows do not support: data of tools, monitoring and services.
 * They are removed and reported, because nobody could remove them later. Never anything drawn.
 */
const metadata = new Set([
  ...[
    ...['expressionLanguage', 'typeLanguage', 'imports', 'extensions', 'relationships', 'extensionDefinitions'],
    ...['auditing', 'monitoring', 'resources', 'renderings', 'implementation', 'operationRef', 'properties'],
    ...['supportedInterfaceRef', 'ioBinding', 'ioSpecification', 'correlationSubscriptions', 'supports'],
    ...['definitionalCollaborationRef', 'partitionElementRef', 'partitionElement', 'boundaryEventRefs'],
    ...['itemSubjectRef', 'structureRef', 'itemRef', 'evaluatesToTypeRef', 'dataStoreRef', 'dataObjectRef'],
    ...['isImmediate', 'startQuantity', 'completionQuantity', 'parallelMultiple', 'inputSet', 'outputSet'],
    ...['dataInputs', 'dataOutputs', 'participantMultiplicity', 'interfaceRef', 'endPointRefs', 'choreographyRef'],
    ...['conversations', 'conversationAssociations', 'conversationLinks', 'participantAssociations'],
    ...['messageFlowAssociations', 'correlationKeys'],
  ].map((name) => `bpmn:${name}`),
  ...['resolution', 'documentation', 'extension', 'style'].map((name) => `di:${name}`),
  ...[
    ...['labelStyle', 'isMessageVisible', 'participantBandKind', 'choreographyActivityShape'],
    ...['sourceElement', 'targetElement', 'messageVisibleKind'],
  ].map((name) => `bpmndi:${name}`),
])

/** The same, only on some elements or with some values. */
function isMetadata(element: Element, { ns: { name }, default: usual }: Property, value: unknown): boolean {
  const is = (...types: string[]) => types.some((type) => element.$instanceOf?.(type))
  switch (name) {
    case 'bpmn:categoryValueRef':
      return !is('bpmn:Group')
    case 'bpmn:textFormat':
      return is('bpmn:Documentation')
    case 'bpmn:isClosed':
      return is('bpmn:Collaboration')
    case 'bpmn:name':
      return is('bpmn:Category')
    case 'bpmn:documentation':
    case 'bpmn:extensionElements':
      return !is(
        'bpmn:FlowNode',
        'bpmn:SequenceFlow',
        'bpmn:Process',
        'bpmn:Collaboration',
        'bpmn:Participant',
        'bpmn:Lane',
      )
    case 'bpmn:isForCompensation':
    case 'bpmn:instantiate':
    case 'bpmn:behavior':
      return value === usual
    default:
      return metadata.has(name)
  }
}

/**
 * Declarations beside processes that nothing in our flows refers to, and data objects, which are drawn through their
 * references.
 */
const declarations =
  /^bpmn:(ItemDefinition|DataStore|DataObject|Interface|Resource|EndPoint|PartnerEntity|PartnerRole|CorrelationProperty|Global\w*Task)$/

/** Removes what our flows do not support from a document, and returns the names of what it removed. */
export function withoutMetadata(root: Element): Set<string> {
  const leftOut = new Set<string>()
  const drawn = new Set(
    listOf(root, 'diagrams').flatMap((diagram) =>
      listOf(partOf(diagram, 'plane'), 'planeElement').map((one) => one.get('bpmnElement')),
    ),
  )
  clean(root, { leftOut, drawn })
  return leftOut
}

interface Cleaning {
  leftOut: Set<string>
  /** Everything that a diagram shows. */
  drawn: ReadonlySet<unknown>
}

function clean(element: Element, cleaning: Cleaning): void {
  const { leftOut, drawn } = cleaning
  cleanAttributes(element, leftOut)
  for (const property of element.$descriptor.properties) {
    const { ns, isVirtual } = property
    const { name } = ns
    const value: unknown = isVirtual ? undefined : element.get(name)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    if (Object.hasOwn(element, ns.localName) && isMetadata(element, property, value)) {
      if (value !== property.default && !isEmpty(value)) leftOut.add(name)
      element.set(name, undefined)
    } else if (!property.isReference) {
      const members = membersOf(value)
      // Names of other vocabularies are reported as the file writes them.
      const taken = members.filter((one) => isTaken(one, drawn))
      for (const one of taken) if (!one.$descriptor.isGeneric) leftOut.add(nameOf(one))
      if (taken.length > 0 && Array.isArray(value))
        value.splice(0, value.length, ...members.filter((one) => !taken.includes(one)))
      for (const one of members) if (!taken.includes(one)) clean(one, cleaning)
    }
  }
}

function isTaken(one: Element, drawn: ReadonlySet<unknown>): boolean {
  const association = /^bpmn:Data(Input|Output)Association$/.test(one.$type) && !drawn.has(one)
  return one.$descriptor.isGeneric === true || declarations.test(one.$type) || association
}

/** Extension elements that held only foreign data are now empty. */
function isEmpty(value: unknown): boolean {
  const [only] = membersOf(value)
  return only?.$type === 'bpmn:ExtensionElements' && listOf(only, 'values').every((one) => one.$descriptor.isGeneric)
}

function cleanAttributes(element: Element, leftOut: Set<string>): void {
  const top = element.$parent === undefined
  for (const [name, value] of Object.entries(element.$attrs)) {
    const prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : ''
    const language = name === 'xml:lang' && element.$type.startsWith('bpmn:') && element.$type !== 'bpmn:Documentation'
    if (name === 'xmlns' || prefix === 'xmlns') {
      if (!top || !isKnown(String(value))) delete element.$attrs[name]
    } else if (!language && !['camunda', 'bioc', 'color'].includes(prefix)) {
      // The type is written only if it says more than its place.
      if (['', 'xml', 'xsi'].includes(prefix) && name !== 'xsi:type') leftOut.add(name)
      delete element.$attrs[name]
    }
  }
}

/** The objects of a member. */
export function membersOf(value: unknown): Element[] {
  return (Array.isArray(value) ? value : [value]).filter(isElement)
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && '$descriptor' in value
}

/** An element's type as documents write it: `bpmn:itemDefinition`. */
function nameOf({ $type }: Element): string {
  return $type.replace(/:(.)/, (_all, first: string) => `:${first.toLowerCase()}`)
}
