import { readList, readTemplate } from '../expressions.ts'
import type { Node } from '../graph.ts'
import { promiseProperties } from './hazards.ts'
import { called, panelWords } from '../panel-words.ts'
import { inputsOf, propertiesOf } from '../read.ts'
import { statusList } from '../statuses.ts'
import { isServerSet } from '../variables.ts'
import { type Check, isSending, passing, unset } from './check.ts'

/** Checks properties and input parameters. */
export function extensions(node: Node, check: Check): string[] {
  const { graph, context } = check
  const { element, type } = node
  const inputs = inputsOf(element)
  const properties = Object.entries(propertiesOf(element)).flatMap(([name, value]) => {
    const list = statusList(name)
    if (list !== undefined) {
      const key = context.manifest.statusLists[list]
      if (!['UserTask', 'IntermediateThrowEvent', 'IntermediateCatchEvent', 'EndEvent'].includes(type))
        return [`only user tasks, intermediate and end events give a status, not a ${type}`]
      if (key === undefined) return [`the flow has no status list ${list}`]
      return context.statusLists.get(key)?.includes(value) ? [] : [`${value} is no state of the list ${key}`]
    }
    if (promiseProperties.includes(name)) return []
    if (name !== 'fourEyes') return [`there is no property ${name}`]
    if (type !== 'UserTask') return [`${panelWords.fourEyes}: only desks say it`]
    const before = graph.before(node)
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== 'requester')
      .filter((one) => {
        const other = graph.nodes.get(one)
        if (other?.type !== 'UserTask') return true
        return !before.has(other) && (other === node || graph.before(other).has(node))
      })
      .map(
        (one) =>
          `${panelWords.fourEyes}: ${called(graph.nodes.get(one)?.element ?? { id: one })} is no desk before or beside this one`,
      )
  })
  return [
    ...properties,
    ...(Object.keys(inputs).length > 0 && type !== 'ServiceTask' && !isSending(node)
      ? ['only service tasks and events that send have input parameters']
      : []),
    ...Object.values(inputs).flatMap((text) => unset(readTemplate(text), node, check)),
    ...(type === 'CallActivity' ? [] : passing(element).map(() => 'only call activities pass variables')),
  ]
}

/** Checks the collection of a multi-instance activity. */
export function multiInstance(node: Node, { known }: Check): string[] {
  const loop = node.element.loopCharacteristics
  if (!loop) return []
  if (!loop.collection) return ['a multi-instance activity needs a collection ${csv.list(identifier)}']
  const read = readList(loop.collection)
  if ('refused' in read) return [read.refused]
  return read.variables.filter((name) => !known(node).has(name)).map((name) => `nothing sets ${name} before`)
}

/** A model may not set variables of the server: their values become candidate groups. */
export function namesSet({ element }: Node): string[] {
  const names = [
    element.resultVariable,
    element.loopCharacteristics?.elementVariable,
    ...Object.keys(inputsOf(element)),
    ...passing(element).map(({ source, target }) => (source === target ? undefined : target)),
  ]
  return names.flatMap((name) => (name !== undefined && isServerSet(name) ? [`only the server sets ${name}`] : []))
}
