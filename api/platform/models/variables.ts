import { serverVariables } from '../flows/manifest.ts'
import type { GateContext } from './context.ts'
import type { Graph, Node } from './graph.ts'
import { extensionsOf } from './read.ts'

/** Set by the server with every command, whatever the flow. */
const always = ['caseId', 'requesterId', 'facultyId', 'departmentId', 'divisionId', 'workday1', 'workday3']

/** Whether only the server may set a variable. */
export function isServers(name: string): boolean {
  return serverVariables.test(name)
}

/** The variables that a form puts into the process. */
function variablesOfForm(context: GateContext, key: string | undefined): string[] {
  const properties = context.forms.get(key ?? '')?.schema.properties ?? {}
  return Object.entries(properties).flatMap(([name, schema]) => (schema['x-variable'] === true ? [name] : []))
}

/** What leaving a node adds to the variables of its process. */
function variablesSetAt({ id, type, element }: Node, context: GateContext): string[] {
  if (type === 'UserTask') return [`${id}_outcome`, ...variablesOfForm(context, element.formKey)]
  if (type === 'ServiceTask') return [...(context.topics.get(element.topic ?? '')?.gives ?? [])]
  if (type === 'BusinessRuleTask') return element.resultVariable ? [element.resultVariable] : []
  if (type === 'CallActivity') return extensionsOf(element, 'camunda:Out').flatMap(({ target }) => target ?? [])
  return []
}

/** Per node, the variables that may have a value when a token arrives there: of the server, the start form and whatever comes before. */
export function variablesKnownAt(graph: Graph, context: GateContext): (node: Node) => ReadonlySet<string> {
  const scopes = Object.keys(context.manifest.scope ?? {}).map((kind) => `${kind}Id`)
  const first = [
    ...always,
    ...scopes,
    ...(context.manifest.derives ?? []),
    ...variablesOfForm(context, context.manifest.start),
  ]
  const known = new Map<Node, ReadonlySet<string>>()
  return (node) => {
    const found =
      known.get(node) ??
      new Set([
        ...first,
        ...[...graph.before(node)].flatMap((earlier) => variablesSetAt(earlier, context)),
        ...elementVariables(node),
      ])
    known.set(node, found)
    return found
  }
}

/** The variables of the multi-instance activities that a node is or lies in. */
function elementVariables(node: Node): string[] {
  const own = node.element.loopCharacteristics?.elementVariable
  return [...(own ? [own] : []), ...(node.host ? elementVariables(node.host) : [])]
}
