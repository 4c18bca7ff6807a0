import { notAllowedInDecisions } from './allowed.ts'
import { readFeel } from './expressions.ts'
import type { Problem } from './read.ts'
import { UnreadableModel, type XmlElement, descendants, parseXml } from './xml.ts'

const mostCells = 4000
const mostProblems = 100

/** A decision of a DMN document. */
export interface Decision {
  id: string
  name: string
  /** The variables that it, and whatever it requires, reads. */
  reads: string[]
  /** Names of what it answers. */
  gives: string[]
}

/** Reads the decisions of a DMN document. Throws `UnreadableModel` if it is none. */
export function decisionsOf(xml: string): Decision[] {
  const document = parseXml(xml)
  if (document.name !== 'dmn:definitions') throw new UnreadableModel('the file is not a decision table')
  const decisions = document.children.filter(({ name }) => name === 'dmn:decision')
  const byId = new Map(decisions.map((decision) => [idOf(decision), decision]))
  const reads = (decision: XmlElement, above: readonly XmlElement[]): string[] => {
    const required = descendants(decision)
      .filter(({ name }) => name === 'dmn:requiredDecision')
      .flatMap(({ attributes }) => byId.get(attributes.get('href')?.replace(/^#/, '') ?? '') ?? [])
      .filter((one) => one !== decision && !above.includes(one))
    const given = new Set(required.flatMap((one) => [idOf(one), ...outputsOf(one)]))
    const own = inputsOf(decision).filter((variable) => !given.has(variable))
    return [...own, ...required.flatMap((one) => reads(one, [...above, decision]))]
  }
  return decisions.map((decision) => ({
    id: idOf(decision),
    name: decision.attributes.get('name') ?? '',
    reads: [...new Set(reads(decision, []))],
    gives: outputsOf(decision),
  }))
}

/**
 * What keeps a DMN document out: elements and attributes that are not on the list, an expression that does not say
 * that it is FEEL or is not of the small part of FEEL that models may use.
 */
export function gateDecisions(xml: string): Problem[] {
  let document: XmlElement
  try {
    document = parseXml(xml)
  } catch (error) {
    if (error instanceof UnreadableModel) return [{ element: 'definitions', reason: error.message }]
    throw error
  }
  if (document.name !== 'dmn:definitions')
    return [{ element: 'definitions', reason: 'the file is not a decision table' }]
  const elements = descendants(document)
  const cells = elements.filter(({ name }) => name === 'dmn:inputEntry' || name === 'dmn:outputEntry').length
  if (cells > mostCells) return [{ element: 'definitions', reason: `decision tables have at most ${mostCells} cells` }]
  const refused = notAllowedInDecisions(document)
  if (refused.length > 0) return refused.slice(0, mostProblems)
  return elements.flatMap((element) => {
    if (element.name === 'dmn:decision' && !element.attributes.has('camunda:historyTimeToLive'))
      return [
        { element: idOf(element), reason: 'it does not say how long it is remembered (camunda:historyTimeToLive)' },
      ]
    const expressions = ['dmn:inputExpression', 'dmn:inputEntry', 'dmn:outputEntry']
    if (!expressions.includes(element.name)) return []
    if (!element.attributes.has('expressionLanguage'))
      return [
        { element: idOf(element), reason: 'the expression does not say that it is FEEL (expressionLanguage="feel")' },
      ]
    const text = textOf(element)
    if (text === '' && element.name === 'dmn:inputEntry') return []
    const read = readFeel(text, element.name === 'dmn:inputEntry' ? 'tests' : 'expression')
    return 'refused' in read ? [{ element: idOf(element), reason: read.refused }] : []
  })
}

function inputsOf(decision: XmlElement): string[] {
  return descendants(decision)
    .filter(({ name }) => name === 'dmn:inputExpression')
    .flatMap((element) => {
      const read = readFeel(textOf(element), 'expression')
      return 'refused' in read ? [] : read.variables
    })
}

function outputsOf(decision: XmlElement): string[] {
  return descendants(decision)
    .filter(({ name }) => name === 'dmn:output')
    .flatMap(({ attributes }) => attributes.get('name') ?? [])
}

function textOf(element: XmlElement): string {
  return (element.children.find(({ name }) => name === 'dmn:text')?.text ?? '').trim()
}

function idOf(element: XmlElement): string {
  return element.attributes.get('id') ?? 'definitions'
}
