import { answerVariable } from '../definitions/mailed-question.ts'
import { scopesOf, serverVariables } from '../definitions/manifest.ts'
import type { FieldSchema } from '../definitions/register.ts'
import type { GateContext } from './context.ts'
import type { Graph, Node } from './graph.ts'
import { extensionsOf, topicOf } from './read.ts'

/** Set by the server with every command, in every flow. */
export const commandVariables = [
  'caseId',
  'requesterId',
  'facultyId',
  'departmentId',
  'divisionId',
  'workday1',
  'workday3',
]

/** Whether only the server may set a variable. */
export function isServerSet(name: string): boolean {
  return serverVariables.test(name)
}

/** The process variables that a form sets. */
export function variablesOfForm(context: Pick<GateContext, 'forms'>, key: string | undefined): string[] {
  const properties = context.forms.get(key ?? '')?.schema.properties ?? {}
  return Object.entries(properties).flatMap(([name, schema]) => (schema['x-variable'] === true ? [name] : []))
}

/** The values of a variable `<name>_outcome`: of a desk's form, or of a mailed question's. */
export function outcomesOf(
  name: string,
  node: Node | undefined,
  { forms, manifest }: Pick<GateContext, 'forms' | 'manifest'>,
): string[] | undefined {
  const form = node?.element.formKey ?? manifest.asks?.[name]?.form
  return outcomesOfForm(forms.get(form ?? '')?.schema)
}

/** The outcomes of a form; undefined if it has none. */
export function outcomesOfForm(schema: FieldSchema | undefined): string[] | undefined {
  const outcome = schema?.properties?.['outcome']
  const values = outcome?.enum ?? outcome?.oneOf?.map((one) => one.const)
  return values?.map(String)
}

/** The variables that leaving a node adds to its process. */
function variablesSetAt({ id, type, element }: Node, context: GateContext): string[] {
  if (type === 'UserTask') return [`${id}_outcome`, ...variablesOfForm(context, element.formKey)]
  if (type === 'BusinessRuleTask') return element.resultVariable ? [element.resultVariable] : []
  if (type === 'CallActivity') return extensionsOf(element, 'camunda:Out').flatMap(({ target }) => target ?? [])
  const messages = (element.eventDefinitions ?? []).map(({ messageRef }) => messageRef?.name)
  const acts = (context.manifest.acts ?? []).filter(({ message }) => messages.includes(message))
  const asked = Object.entries(context.manifest.asks ?? {}).filter(([, { message }]) => messages.includes(message))
  return [
    ...(context.topics.get(topicOf(element) ?? '')?.gives ?? []),
    ...asked.flatMap(([name, { form }]) => [answerVariable(name), ...variablesOfForm(context, form)]),
    ...acts.flatMap(({ form }) => variablesOfForm(context, form)),
  ]
}

/**
 * Per node, the variables that may have a value when a token arrives: from the server, the start form and all nodes
 * before.
 */
export function variablesKnownAt(graph: Graph, context: GateContext): (node: Node) => ReadonlySet<string> {
  const first = [
    ...(context.schedule ? [] : commandVariables),
    ...scopesOf(context.manifest).map(({ name }) => `${name}Id`),
    ...(context.manifest.derives ?? []),
    ...Object.keys(context.manifest.variables ?? {}),
    ...Object.keys(context.manifest.listed ?? {}),
    ...(context.manifest.batch ? ['byBatch'] : []),
    ...(context.manifest.open ? ['closesAt'] : []),
    ...(context.manifest.agreement ? ['agreed', 'corrected'] : []),
    ...(context.manifest.run ? ['runTotal', 'runChanged'] : []),
    ...variablesOfForm(context, context.manifest.start),
  ]
  const known = new Map<Node, ReadonlySet<string>>()
  // Cached, because every later node reads it.
  const set = new Map<Node, readonly string[]>()
  const setAt = (node: Node) => {
    const found = set.get(node) ?? variablesSetAt(node, context)
    set.set(node, found)
    return found
  }
  return (node) => {
    const found =
      known.get(node) ?? new Set([...first, ...[...graph.before(node)].flatMap(setAt), ...elementVariables(node)])
    known.set(node, found)
    return found
  }
}

/** The element variables of the multi-instance activities around a node, including its own. */
function elementVariables(node: Node): string[] {
  const own = node.element.loopCharacteristics?.elementVariable
  return [...(own ? [own] : []), ...(node.host ? elementVariables(node.host) : [])]
}
