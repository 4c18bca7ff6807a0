import { wordsOf } from '../../../model/library/words.ts'
import type { Flow, Language, Library } from '../../../model/library/library.ts'
import { scopesOf } from '../../../model/definitions/manifest.ts'
import { countsWorkingDays } from '../../../model/bpmn/context.ts'
import { decisionsOf } from '../../../model/bpmn/decisions/decisions.ts'
import { readFeel } from '../../../model/bpmn/expressions.ts'
import { type Node, nodesOf } from '../../../model/bpmn/graph.ts'
import { type PromiseKind, promiseAt, promisesOf } from '../../../model/bpmn/promises.ts'
import { type Element, extensionsOf, readModel, topicOf } from '../../../model/bpmn/read.ts'
import { topicsOf } from '../../../model/bpmn/checking/repository-models.ts'
import { variablesOfForm } from '../../../model/bpmn/variables.ts'
import { type XmlElement, descendants, parseXml } from '../../../model/bpmn/xml.ts'
import type { FieldSchema } from '../../../model/definitions/register.ts'
import type { Scenario, Values } from '../../../model/definitions/scenario.ts'

/** An element by its id, with its label. */
export interface Named {
  id: string
  name: string
}

/** The parts that a scenario of one model can be made of. */
export interface Parts {
  /** The variables that decide the path from the start, as form fields; `moments` are those that hold times. */
  start: FieldSchema
  moments: Named[]
  /** Each with the fields of its form that decide the path. */
  desks: (Named & { form: FieldSchema })[]
  timers: Named[]
  messages: (Named & { form: FieldSchema })[]
  /** The answers of workers that something depends on: their fields, and those that hold times. */
  topics: (Named & { form: FieldSchema; moments: Named[]; raises: string[] })[]
  /** `first` is the state of a new case. */
  statusLists: (Named & { first: string | null; states: Named[] })[]
  /** The end events of the process itself. */
  ends: Named[]
}

/** Units of cases in scenarios; the value matters only to a model that compares it. */
const NO_UNIT = 'none'
const SOME_UNIT = '1'

/** The parts of a flow's scenarios, from its diagram and tables. Throws `UnreadableModel`. */
export async function partsOf(flow: Flow, library: Library, language: Language): Promise<Parts> {
  const { manifest } = flow
  const words = wordsOf(library, language)
  const nodes = nodesOf((await readModel(flow.bpmn.content)).definitions)
  const nameOf = ({ id, name }: Element) => words.element(flow.key, id, name)
  /** The label of a deadline is its length and its desk. */
  const called = ({ id, element }: Node): Named => ({
    id,
    name: element.attachedToRef ? `${nameOf(element.attachedToRef)}: ${nameOf(element)}` : nameOf(element),
  })
  const desks = nodes.filter(({ type }) => type === 'UserTask')
  const formAt = (key: string | undefined) => steering(library, key, desks.map(called))
  const fields = startFields(flow, nodes, library)
  const declared = topicsOf(flow, library)
  const moments = momentsIn(nodes)
  const keys = [manifest.start, ...desks.map(({ element }) => element.formKey)]
  /** The title from a form of the flow; else the name in words. */
  const titleOf = (name: string) => {
    const titles = keys.map((key) => library.forms.get(key ?? '')?.schema.properties?.[name]?.['title'])
    return titles.find((title) => typeof title === 'string') ?? inWords(name)
  }
  const asked = Map.groupBy(nodes, ({ element }) => topicOf(element))
  return {
    start: formOf(fields.flatMap(([name, schema]) => (schema === 'moment' ? [] : [[name, schema] as const]))),
    moments: fields.flatMap(([name, schema]) => (schema === 'moment' ? [momentOf(name)] : [])),
    desks: desks.map((node) => ({ ...called(node), form: formAt(node.element.formKey) })),
    timers: [
      ...desks.flatMap((desk) =>
        promisesOf(desk.element).map(({ kind }) => ({
          id: promiseAt(desk.id, kind),
          name: `${called(desk).name}: ${words.text(PROMISED[kind])}`,
        })),
      ),
      ...nodes.filter((node) => timesOf(node.element).length > 0 && waits(node)).map(called),
    ],
    messages: nodes.flatMap((node) => {
      const message = node.element.eventDefinitions?.[0]?.messageRef?.name
      if (message === undefined || !waits(node)) return []
      const act = manifest.acts?.find((one) => one.message === message)
      return [{ id: message, name: called(node).name, form: formAt(act?.form) }]
    }),
    topics: [...declared].flatMap(([topic, { gives, outputs = {}, raises }]) => {
      const by = asked.get(topic) ?? []
      if (by.length === 0 || topic === countsWorkingDays || gives.length + raises.length === 0) return []
      const field = (name: string) => [name, { ...shown(outputs[name] ?? {}), title: titleOf(name) }] as const
      return [
        {
          id: topic,
          name: by.map((node) => called(node).name).join(', '),
          form: formOf(gives.filter((name) => !moments.has(name)).map(field)),
          moments: gives.filter((name) => moments.has(name)).map(momentOf),
          raises: [...raises],
        },
      ]
    }),
    statusLists: Object.entries(manifest.statusLists).map(([list, key]) => ({
      ...{ id: list, name: inWords(list), first: manifest.firstStatus[list] ?? null },
      states: (library.statusLists.get(key) ?? []).map((id) => ({ id, name: words.status(manifest, list, id).text })),
    })),
    ends: nodes.filter(({ type, host }) => type === 'EndEvent' && host === undefined).map(called),
  }
}

const PROMISED: Readonly<Record<PromiseKind, string>> = {
  remind: 'platform.studio-scenarios.reminded',
  escalate: 'platform.studio-scenarios.told-above',
}

function waits({ type }: Node): boolean {
  return type === 'IntermediateCatchEvent' || type === 'BoundaryEvent' || type === 'StartEvent'
}

/** Variables that decide the path and are set before the case begins, each with its field; sorted by name. */
function startFields(flow: Flow, nodes: readonly Node[], library: Library): [string, FieldSchema | 'moment'][] {
  const { manifest } = flow
  const tables = flow.dmn.map(({ content }) => content)
  const columns = tables.flatMap(columnsOf)
  const moments = momentsIn(nodes)
  const compared = conditionsOf(nodes)
  const listed = new Set(
    [...flow.bpmn.content.matchAll(/(?:contains\s*\(\s*|csv\.list\()(\w+)/g)].flatMap(([, name]) => name ?? []),
  )
  const read = new Set([
    ...moments,
    ...compared.flatMap(({ variables }) => variables),
    ...tables.flatMap(decisionsOf).flatMap(({ reads }) => reads),
    ...nodes.flatMap(({ element }) => [
      ...namesIn({ body: element.loopCharacteristics?.collection }),
      ...extensionsOf(element, 'camunda:In').flatMap(({ source }) => source ?? []),
    ]),
  ])
  const form = library.forms.get(manifest.start)?.schema
  const inForm = new Set(variablesOfForm(library, manifest.start))
  const units = new Set(scopesOf(manifest).map(({ name }) => `${name}Id`))
  const known = settable(flow, [...units, ...inForm])
  const literals = (name: string) => [
    ...compared.flatMap(({ comparisons }) =>
      comparisons.flatMap(({ variable, literal }) => (variable === name ? [literal] : [])),
    ),
    ...columns.flatMap((column) => (column.variable === name ? column.literals : [])),
  ]
  const fieldOf = (name: string): FieldSchema | 'moment' => {
    if (moments.has(name) || manifest.variables?.[name]?.as !== undefined) return 'moment'
    if (units.has(name) || /^(faculty|department|division)Id$/.test(name))
      return {
        type: 'string',
        title: inWords(name.slice(0, -'Id'.length)),
        oneOf: [
          { const: NO_UNIT, title: 'platform.studio-scenarios.no-unit' },
          { const: SOME_UNIT, title: 'platform.studio-scenarios.some-unit' },
        ],
      }
    const declared = inForm.has(name) ? form?.properties?.[name] : at(manifest.variables?.[name]?.at, flow, library)
    const choices = [...new Set(literals(name))].sort()
    const typed = declared?.type ?? columns.find(({ variable }) => variable === name)?.type
    const type = typed ?? (choices.length > 0 || listed.has(name) ? 'string' : 'boolean')
    const title = declared?.title ?? inWords(name)
    const own = { ...shown(declared ?? {}), type, title }
    if (type !== 'string' || declared?.['oneOf'] || declared?.['enum']) return own
    if (choices.length === 0) return { ...own, maxLength: 200 }
    const others = { const: 'other', title: 'platform.studio-scenarios.other-value' }
    return { type, title, oneOf: [...choices.map((one) => ({ const: one, title: one })), others] }
  }
  return [...read]
    .filter((name) => known.has(name))
    .sort()
    .map((name) => [name, fieldOf(name)])
}

/** Variables that a case can have from the beginning: its units, form fields, and what the server adds. */
function settable({ manifest }: Flow, asked: readonly string[]): Set<string> {
  return new Set([
    ...['facultyId', 'departmentId', 'divisionId', ...asked, ...(manifest.derives ?? [])],
    ...Object.keys(manifest.variables ?? {}),
    ...Object.keys(manifest.listed ?? {}),
    ...(manifest.batch ? ['byBatch'] : []),
    ...(manifest.open ? ['closesAt'] : []),
    ...(manifest.agreement ? ['agreed', 'corrected'] : []),
  ])
}

/** The field behind a variable of the manifest: of the form, or of a register entry that the form names. */
function at(pointer: string | undefined, { manifest }: Flow, { forms, registers }: Library): FieldSchema | undefined {
  if (pointer === undefined) return undefined
  const [item = pointer, field] = pointer.split('#/data/')
  const own = forms.get(manifest.start)?.schema.properties?.[item.slice(1)]
  if (field === undefined) return own
  const register = item === 'requester' ? manifest.requester?.register : own?.['x-register']
  return registers.get(register ?? '')?.item.properties?.[field]
}

/**
 * The fields of a form that decide the path: the answer, and every field that becomes a variable, including a named
 * desk.
 */
function steering(library: Library, key: string | undefined, desks: readonly Named[]): FieldSchema {
  const properties = library.forms.get(key ?? '')?.schema.properties ?? {}
  const variables = new Set(variablesOfForm(library, key))
  return formOf(
    Object.entries(properties).flatMap(([name, schema]) => {
      if (name !== 'outcome' && !variables.has(name)) return []
      if (schema['x-desk'] === undefined) return [[name, shown(schema)] as const]
      const places = [
        { const: 'requester', title: 'platform.requester' },
        ...desks.map(({ id, name: title }) => ({ const: id, title })),
      ]
      return [[name, { ...shown(schema), oneOf: places }] as const]
    }),
  )
}

/** A field without references to other schemas. */
function shown(schema: FieldSchema): FieldSchema {
  const kept = ['type', 'title', 'format', 'oneOf', 'enum', 'maxLength', 'x-unit', 'x-widget']
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => kept.includes(keyword)))
}

function formOf(fields: readonly (readonly [string, FieldSchema])[]): FieldSchema {
  return { type: 'object', 'x-order': fields.map(([name]) => name), properties: Object.fromEntries(fields) }
}

function timesOf(element: Element): Element[] {
  return (element.eventDefinitions ?? []).filter(({ $type }) => $type === 'bpmn:TimerEventDefinition')
}

/** The variables that timers wait for. */
function momentsIn(nodes: readonly Node[]): Set<string> {
  return new Set(nodes.flatMap(({ element }) => timesOf(element)).flatMap(({ timeDate }) => namesIn(timeDate)))
}

const momentOf = (name: string): Named => ({ id: name, name: inWords(name) })

function namesIn(expression: { body?: string | undefined } | undefined): string[] {
  return [...(expression?.body ?? '').matchAll(/[{(]([A-Za-z_]\w*)[})]/g)].flatMap(([, name]) => name ?? [])
}

function conditionsOf(nodes: readonly Node[]) {
  return nodes
    .flatMap(({ element }) => element.outgoing ?? [])
    .flatMap(({ conditionExpression }) => {
      const read = conditionExpression?.body ? readFeel(conditionExpression.body, 'expression') : undefined
      return read && !('refused' in read) ? [read] : []
    })
}

/** The columns of a document's tables that read one variable: their type, and the texts they compare with. */
function columnsOf(dmn: string): { variable: string; type: string | undefined; literals: string[] }[] {
  const tables = descendants(parseXml(dmn)).filter(({ name }) => name === 'dmn:decisionTable')
  return tables.flatMap(({ children }) => {
    const rules = children.filter(({ name }) => name === 'dmn:rule')
    const entries = rules.map((rule) => rule.children.filter(({ name }) => name === 'dmn:inputEntry').map(textOf))
    return children
      .filter(({ name }) => name === 'dmn:input')
      .map((input, place) => {
        const expression = input.children.find(({ name }) => name === 'dmn:inputExpression')
        const type = expression?.attributes.get('typeRef')?.toLowerCase()
        return {
          variable: expression ? textOf(expression) : '',
          type: type === undefined ? undefined : (types[type] ?? 'string'),
          literals: entries.flatMap((entry) => textsIn(entry[place] ?? '')),
        }
      })
  })
}

const types: Readonly<Record<string, string>> = {
  ...{ integer: 'integer', long: 'integer', number: 'number', double: 'number', boolean: 'boolean' },
}

function textOf(element: XmlElement): string {
  return (element.children.find(({ name }) => name === 'dmn:text')?.text ?? '').trim()
}

const textsIn = (text: string) => [...text.matchAll(/"([^"\\]*)"/g)].flatMap(([, inner]) => inner ?? [])

/** A name as words: `approvalNeeded` is *Approval needed*. */
function inWords(name: string): string {
  const words = name.replaceAll(/[-_]/g, ' ').replaceAll(/([a-z])([A-Z])/g, (_all, a, b) => `${a} ${b.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * A scenario from a real case without personal data. Texts stay only if the models or forms contain them, and a case
 * needs them to take the same path. Times and days stay; ids of people are removed.
 */
export function withoutPersons(scenario: Scenario, flow: Flow, parts: Parts): Scenario {
  const forms = [parts.start, ...parts.desks.map(({ form }) => form), ...parts.messages.map(({ form }) => form)]
  const fields = forms.flatMap(({ properties }) => Object.values(properties ?? {}))
  const named = new Set([
    ...[NO_UNIT, SOME_UNIT],
    ...fields.flatMap(({ oneOf }) => (oneOf ?? []).map((one) => one.const)),
    ...fields.flatMap((field) => field.enum ?? []),
    ...[flow.bpmn, ...flow.dmn].flatMap(({ content }) => textsIn(content.replaceAll('&quot;', '"'))),
  ])
  const kept = (values: Values = {}): Values =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => name !== 'caseId' && name !== 'requesterId')
        .map(([name, value]) => {
          if (typeof value !== 'string' || named.has(value) || isMoment.test(value)) return [name, value]
          if (name.endsWith('Id')) return [name, SOME_UNIT]
          // Lists keep their known parts.
          const parted = value.split(/,\s*/).filter((part) => named.has(part))
          return [name, parted.length > 0 ? parted.join(', ') : REPLACED]
        }),
    )
  const answers = Object.entries(scenario.topics ?? {}).map(([topic, given]) => [
    topic,
    [given].flat().map((answer) => (answer.gives ? { ...answer, gives: kept(answer.gives) } : answer)),
  ])
  return {
    ...scenario,
    start: kept(scenario.start),
    steps: scenario.steps.map((step) => {
      if (!('variables' in step) || !step.variables) return step
      const { [`${'desk' in step ? step.desk : ''}_outcome`]: outcome, ...variables } = kept(step.variables)
      return { ...step, ...(typeof outcome === 'string' && { outcome }), variables }
    }),
    topics: Object.fromEntries(answers),
  }
}

const isMoment = /^(\+P[0-9TDHMWSY]+|\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}[\d:.]*(Z|[+-]\d{2}:?\d{2})?)?)$/
const REPLACED = 'replaced'
