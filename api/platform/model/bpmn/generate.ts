import { resolve } from 'node:path'
import { formatted } from '../../kernel/formatted.ts'
import { known } from '../../kernel/known.ts'
import { type Flow, type Library, loadLibrary } from '../library/library.ts'
import { type Node, graphOf } from './graph.ts'
import { type Element, processesOf, readModel, topicOf } from './read.ts'

const root = resolve(import.meta.dirname, '../../../..')

/** A module of constants with the names in each flow's diagram, so that nobody has to retype them. */
export async function constants(): Promise<Record<string, string>> {
  const library = loadLibrary(root)
  const made = [...library.flows.values()].map(
    async (flow) => [fileOf(flow), await constantsOf(flow, library)] as const,
  )
  return Object.fromEntries(await Promise.all(made))
}

async function constantsOf(flow: Flow, library: Library): Promise<string> {
  const { definitions } = await readModel(flow.bpmn.content)
  const nodes = processesOf(definitions).flatMap((process) => [...graphOf(process).nodes.values()])
  const roots = definitions.rootElements ?? []
  const names = {
    flow: flow.key,
    process: flow.manifest.process,
    desks: byMeaning(nodes.filter(({ type }) => type === 'UserTask').map(idOf)),
    events: byMeaning(nodes.filter(({ type }) => type.endsWith('Event')).map(idOf)),
    messages: named(roots, 'bpmn:Message', ({ name }) => name),
    errors: named(roots, 'bpmn:Error', ({ errorCode }) => errorCode),
    topics: Object.fromEntries(
      [...new Set(nodes.flatMap(({ element }) => topicOf(element) ?? []))]
        .sort()
        .map((topic) => [camelCase(topic), topic]),
    ),
    statuses: Object.fromEntries(
      Object.entries(flow.manifest.statusLists).map(([list, key]) => [
        list,
        Object.fromEntries((library.statusLists.get(key) ?? []).map((state) => [camelCase(state), state])),
      ]),
    ),
  }
  const [, name] = flow.key.split('/')
  const constant = camelCase(known(name, 'the name in the key of a flow'))
  const source = `// Made by \`npm run generate\` out of ${flow.bpmn.key} and its manifest. Not to be edited.

/** The names in the diagram of ${flow.key}: element ids, messages, error codes, topics, states. */
export const ${constant} = ${JSON.stringify(names)} as const
`
  return formatted(fileOf(flow), source)
}

function fileOf(flow: Flow): string {
  return `processes/${flow.key}.generated.ts`
}

function byMeaning(ids: string[]): Record<string, string> {
  const shortened = ids.map((id) => [id.slice(id.indexOf('_') + 1), id] as const)
  const ambiguous = new Set(shortened.map(([name]) => name).filter((name, index, all) => all.indexOf(name) !== index))
  return Object.fromEntries(shortened.map(([name, id]) => [ambiguous.has(name) ? id : name, id]))
}

function named(
  roots: Element[],
  type: string,
  valueOf: (element: Element) => string | undefined,
): Record<string, string> {
  const found = roots.filter(({ $type }) => $type === type)
  return Object.fromEntries(
    found.map((element) => [element.id.slice(element.id.indexOf('_') + 1), valueOf(element) ?? '']),
  )
}

function idOf({ id }: Node): string {
  return id
}

function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('')
}
