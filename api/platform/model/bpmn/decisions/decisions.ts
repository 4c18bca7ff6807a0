import { known } from '../../../kernel/known.ts'
import { notAllowedInDecisions } from '../allowed/allowed.ts'
import { readFeel } from '../expressions.ts'
import type { Problem } from '../read.ts'
import { UnreadableModel, type XmlElement, descendants, parseXml } from '../xml.ts'

const mostCells = 4000
const mostDecisions = 100
const tooManyDecisions = `a file has at most ${mostDecisions} decisions`
const mostProblems = 100

/** A decision of a DMN document. */
export interface Decision {
  id: string
  name: string
  /** The variables that it and its required decisions read. */
  reads: string[]
  /** Names of its outputs. */
  gives: string[]
}

/**
 * Reads the decisions of a DMN document, even before the gate has checked it. Each decision and requirement is visited
 * once per decision. Throws `UnreadableModel` if it is not DMN, or has more decisions than the gate accepts.
 */
export function decisionsOf(xml: string): Decision[] {
  const document = parseXml(xml)
  if (document.name !== 'dmn:definitions') throw new UnreadableModel('the file is not a decision table')
  const decisions = document.children.filter(({ name }) => name === 'dmn:decision')
  if (decisions.length > mostDecisions) throw new UnreadableModel(tooManyDecisions)
  const byId = new Map(decisions.map((decision) => [idOf(decision), decision]))
  const read = new Map(decisions.map((decision) => [decision, readDecision(decision, byId)]))
  const readOf = (decision: XmlElement) => known(read.get(decision), 'a decision of the document')
  return decisions.map((decision) => {
    // Includes indirect requirements; each decision is visited once.
    const all = new Set([decision])
    for (const one of all) for (const next of readOf(one).requires) all.add(next)
    const reads = [...all].flatMap((one) => {
      const { inputs, requires } = readOf(one)
      const given = new Set([...requires].flatMap((next) => [idOf(next), ...readOf(next).gives]))
      return inputs.filter((variable) => !given.has(variable))
    })
    const name = decision.attributes.get('name') ?? ''
    return { id: idOf(decision), name, reads: [...new Set(reads)], gives: readOf(decision).gives }
  })
}

/** The answers of a decision table, by row. */
export interface AnsweringTable {
  decision: string
  name: string
  /** Labels of its outputs. */
  outputs: string[]
  rows: { id: string; outputs: string[]; appliesAlways: boolean }[]
}

/** The decision tables of a DMN document that the gate has accepted. */
export function answersOf(xml: string): AnsweringTable[] {
  return parseXml(xml)
    .children.filter(({ name }) => name === 'dmn:decision')
    .flatMap((decision) =>
      within(decision, 'dmn:decisionTable').map((table) => ({
        decision: idOf(decision),
        name: decision.attributes.get('name') || idOf(decision),
        outputs: within(table, 'dmn:output').map(
          (output) => output.attributes.get('label') || output.attributes.get('name') || idOf(output),
        ),
        rows: within(table, 'dmn:rule').map((rule) => ({
          id: idOf(rule),
          outputs: within(rule, 'dmn:outputEntry').map(textOf),
          appliesAlways: within(rule, 'dmn:inputEntry').every((entry) => ['', '-'].includes(textOf(entry))),
        })),
      })),
    )
}

interface ReadDecision {
  inputs: string[]
  gives: string[]
  requires: ReadonlySet<XmlElement>
}

function readDecision(decision: XmlElement, byId: ReadonlyMap<string, XmlElement>): ReadDecision {
  const required = descendants(decision)
    .filter(({ name }) => name === 'dmn:requiredDecision')
    .flatMap(({ attributes }) => byId.get(attributes.get('href')?.replace(/^#/, '') ?? '') ?? [])
    .filter((one) => one !== decision)
  return { inputs: inputsOf(decision), gives: outputsOf(decision), requires: new Set(required) }
}

/**
 * Why a DMN document is rejected: elements and attributes that are not on the list, or expressions outside the
 * permitted subset of FEEL.
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
  if (document.children.filter(({ name }) => name === 'dmn:decision').length > mostDecisions)
    return [{ element: 'definitions', reason: tooManyDecisions }]
  const elements = descendants(document)
  if (cellsOf(elements) > mostCells)
    return [{ element: 'definitions', reason: `decision tables have at most ${mostCells} rows and cells` }]
  const refused = notAllowedInDecisions(document)
  if (refused.length > 0) return refused.slice(0, mostProblems)
  return [...unlistedAnswers(elements), ...elements.flatMap(refusedParts)]
}

function refusedParts(element: XmlElement): Problem[] {
  if (element.name === 'dmn:decision' && !element.attributes.has('camunda:historyTimeToLive'))
    return [{ element: idOf(element), reason: 'it does not say how long it is remembered' }]
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
}

/** Answers that are none of the values that their output lists (`outputValues`): no diagram expects them. */
function unlistedAnswers(elements: readonly XmlElement[]): Problem[] {
  return elements
    .filter(({ name }) => name === 'dmn:decisionTable')
    .flatMap((table) => {
      const outputs = within(table, 'dmn:output').map((output) => ({
        label: output.attributes.get('label') ?? idOf(output),
        listed: within(output, 'dmn:outputValues').flatMap((values) => textOf(values).match(/"[^"]*"/g) ?? []),
      }))
      return within(table, 'dmn:rule').flatMap((rule) =>
        within(rule, 'dmn:outputEntry').flatMap((entry, place) => {
          const { label, listed = [] } = outputs[place] ?? {}
          const answer = textOf(entry)
          return listed.length === 0 || listed.includes(answer)
            ? []
            : [{ element: idOf(entry), reason: `${answer} is none of the values of ${label}: ${listed.join(', ')}` }]
        }),
      )
    })
}

/** Number of rules and cells, including cells that a rule leaves out. */
function cellsOf(elements: readonly XmlElement[]): number {
  const counted = ['dmn:rule', 'dmn:inputEntry', 'dmn:outputEntry']
  const written = elements.filter(({ name }) => counted.includes(name)).length
  const meant = elements
    .filter(({ name }) => name === 'dmn:decisionTable')
    .map(({ children }) => {
      const rules = children.filter(({ name }) => name === 'dmn:rule').length
      return rules * (1 + children.filter(({ name }) => name === 'dmn:input' || name === 'dmn:output').length)
    })
    .reduce((sum, one) => sum + one, 0)
  return Math.max(written, meant)
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

function within(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name)
}

function textOf(element: XmlElement): string {
  return (element.children.find(({ name }) => name === 'dmn:text')?.text ?? '').trim()
}

function idOf(element: XmlElement): string {
  return element.attributes.get('id') ?? 'definitions'
}
