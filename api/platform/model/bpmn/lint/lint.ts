import { type Element, type Model, type Problem } from '../read.ts'
import { rules } from './rules.ts'
import { type XmlElement, descendants, parseXml } from '../xml.ts'

/**
 * Problems of a model as a drawing that people read; empty if there are none. The rules are bpmnlint's recommended ones
 * and ours (`rules.ts`). Each reason begins with the name of its rule.
 */
export async function lint({ definitions }: Model): Promise<Problem[]> {
  // Loaded on first use: it is large, and the gate does not need it.
  const { Linter, recommended } = await import('./bpmnlint.ts')
  const names = [...Object.keys(recommended), ...Object.keys(rules).map((name) => `prakriya/${name}`)]
  const theirs = new Map(Object.entries(recommended))
  const linter = new Linter({
    resolver: {
      resolveRule: (pkg, name) => (pkg === 'bpmnlint-plugin-prakriya' ? plugged(name) : theirs.get(name)),
      resolveConfig: (_pkg, name) => {
        throw new Error(`there is no configuration ${name}`)
      },
    },
  })
  const reports = await linter.lint(definitions, { rules: Object.fromEntries(names.map((name) => [name, 'error'])) })
  return Object.entries(reports).flatMap(([rule, found]) =>
    found.map(({ id, message, category }) => {
      if (category === 'rule-error') throw new Error(`the rule ${rule} failed: ${message}`)
      return { element: id ?? 'definitions', reason: `${rule}: ${message}` }
    }),
  )
}

/** One of our rules as a bpmnlint rule: bpmnlint calls it for every element, but it runs once for the document. */
function plugged(name: string) {
  const rule = rules[name]
  return (
    rule &&
    (() => ({
      check(node: Element, reporter: { report(id: string, message: string): void }) {
        if (node.$type !== 'bpmn:Definitions') return
        for (const { element, reason } of rule(node)) reporter.report(element, reason)
      },
    }))
  )
}

/** Problems of a DMN document for its readers: missing names, labels and descriptions. */
export function lintDecisions(xml: string): Problem[] {
  const elements = descendants(parseXml(xml))
  const missing = (name: string, attribute: string) =>
    elements
      .filter((element) => element.name === name && !element.attributes.get(attribute)?.trim())
      .map((element) => ({ element: idOf(element), reason: `${attribute} is missing` }))
  return [
    ...missing('dmn:decision', 'name'),
    ...missing('dmn:input', 'label'),
    ...missing('dmn:output', 'label'),
    ...missing('dmn:output', 'name'),
    ...elements
      .filter(
        ({ name, children }) => name === 'dmn:decisionTable' && !children.some((child) => child.name === 'dmn:rule'),
      )
      .map((table) => ({ element: idOf(table), reason: 'the table has no rule' })),
  ]
}

function idOf(element: XmlElement): string {
  return element.attributes.get('id') ?? 'definitions'
}
