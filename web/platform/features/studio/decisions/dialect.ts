/** The DMN namespace. */
const DMN = 'https://www.omg.org/spec/DMN/20191111/MODEL/'

/** One decision table of a document: id, name and inputs. */
export interface TableInputs {
  id: string
  name: string
  inputs: { variable: string; label: string; type: string }[]
}

/**
 * Reduces a saved table to the part of DMN that the gate accepts: every expression declares FEEL, and column widths are
 * removed.
 */
export function inDialect(xml: string): string {
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  for (const name of ['inputExpression', 'inputEntry', 'outputEntry'])
    for (const element of document.getElementsByTagNameNS(DMN, name))
      if (!element.hasAttribute('expressionLanguage')) element.setAttribute('expressionLanguage', 'feel')
  for (const element of document.getElementsByTagName('*'))
    for (const { name, namespaceURI } of [...element.attributes])
      if (namespaceURI?.startsWith('http://bpmn.io/schema/dmn') || name === 'xmlns:biodi') element.removeAttribute(name)
  return new XMLSerializer().serializeToString(document)
}

/** The tables of a document, for trying them. */
export function tablesOf(xml: string): TableInputs[] {
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  return [...document.getElementsByTagNameNS(DMN, 'decision')].map((decision) => ({
    id: decision.getAttribute('id') ?? '',
    name: decision.getAttribute('name') ?? '',
    inputs: [...decision.getElementsByTagNameNS(DMN, 'input')].map((input) => {
      const expression = input.getElementsByTagNameNS(DMN, 'inputExpression')[0]
      const variable = expression?.textContent?.trim() ?? ''
      return {
        variable,
        label: input.getAttribute('label') ?? variable,
        type: expression?.getAttribute('typeRef') ?? 'string',
      }
    }),
  }))
}
