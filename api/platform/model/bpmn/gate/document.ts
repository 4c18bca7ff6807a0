import type { Model, Problem } from '../read.ts'
import { descendants } from '../xml.ts'

/** Ids must be unique: a second element with the same id could be hidden from one of the parsers. */
export function duplicates({ document }: Model): Problem[] {
  const seen = new Set<string>()
  return descendants(document).flatMap(({ attributes }) => {
    const id = attributes.get('id')
    if (id === undefined || !seen.has(id)) return id === undefined ? [] : (seen.add(id), [])
    return [{ element: id, reason: 'the id is used twice' }]
  })
}

/** Incoming and outgoing flows must be written at both ends, because another engine requires it. */
export function unwrittenFlows({ document }: Model): Problem[] {
  return [document, ...descendants(document)].flatMap((scope) => {
    const flows = scope.children.filter(({ name }) => name === 'bpmn:sequenceFlow')
    const ends = (end: string) => Map.groupBy(flows, ({ attributes }) => attributes.get(end))
    const drawnAt = { sourceRef: ends('sourceRef'), targetRef: ends('targetRef') }
    return scope.children.flatMap((node) => {
      const id = node.attributes.get('id')
      if (id === undefined || node.name === 'bpmn:sequenceFlow') return []
      const differs = (end: keyof typeof drawnAt, list: string) => {
        const drawn = (drawnAt[end].get(id) ?? []).map((flow) => flow.attributes.get('id'))
        const written = node.children.filter(({ name }) => name === list).map(({ text }) => text.trim())
        return [...drawn].sort().join() !== [...written].sort().join()
      }
      return [
        ...(differs('targetRef', 'bpmn:incoming')
          ? [{ element: id, reason: 'its incoming flows are not written on it' }]
          : []),
        ...(differs('sourceRef', 'bpmn:outgoing')
          ? [{ element: id, reason: 'its outgoing flows are not written on it' }]
          : []),
      ]
    })
  })
}
