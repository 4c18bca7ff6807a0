import { type XmlElement, descendants, parseXml } from './xml.ts'

/**
 * The statuses that a case gets at each element of a BPMN document: list name → state. The property `status` sets the
 * list `status`, and `status.payment` sets `payment`.
 */
export function statusesOf(xml: string): Map<string, Record<string, string>> {
  const found = new Map<string, Record<string, string>>()
  for (const element of descendants(parseXml(xml))) {
    const id = element.attributes.get('id')
    const given = Object.fromEntries(
      propertiesOf(element).flatMap(([name, value]) => {
        const list = statusList(name)
        return list ? [[list, value]] : []
      }),
    )
    if (id && Object.keys(given).length > 0) found.set(id, given)
  }
  return found
}

/** The status list that an extension property sets; undefined if it is another property. */
export function statusList(property: string): string | undefined {
  if (property === 'status') return 'status'
  return property.startsWith('status.') ? property.slice('status.'.length) : undefined
}

function propertiesOf(element: XmlElement): [name: string, value: string][] {
  return inside(inside([element], 'bpmn:extensionElements'), 'camunda:properties')
    .flatMap((list) => list.children)
    .map(({ attributes }) => [attributes.get('name') ?? '', attributes.get('value') ?? ''])
}

function inside(elements: readonly XmlElement[], name: string): XmlElement[] {
  return elements.flatMap((element) => element.children.filter((child) => child.name === name))
}
