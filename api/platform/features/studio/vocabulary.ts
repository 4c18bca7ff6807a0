import { statusText } from '../../../../forms/platform/status-text.ts'
import type { Flow, Language, Library } from '../../model/library/library.ts'
import { scopesOf } from '../../model/definitions/manifest.ts'
import { bookerConfirmed, ofArea, placeFreed } from '../../model/bpmn/context.ts'
import { decisionsOf } from '../../model/bpmn/decisions/decisions.ts'
import { topicsOf } from '../../model/bpmn/checking/repository-models.ts'
import { UnreadableModel } from '../../model/bpmn/xml.ts'
import { commandVariables, variablesOfForm } from '../../model/bpmn/variables.ts'
import type { FieldSchema } from '../../model/definitions/register.ts'
import type { Table } from './content/flow.ts'

/** A variable that a condition, a deadline or a table may read. */
export interface Variable {
  name: string
  /** From its schema; `any` if there is none. */
  type: string
  /** What sets it: `server`, `manifest`, `rules`, the key of a form, or the name of a topic. */
  from: string
}

/** Everything that a model of one flow may name, with labels. */
export interface Vocabulary {
  forms: { key: string; title: string; outcomes: { value: string; title: string }[] }[]
  /** `scopes`: the units of a case at which a desk can ask for the role, by the variable with their id. */
  roles: { role: string; scopes: { kind: string; variable: string }[] }[]
  /** People that steps name; a desk can be offered to them. */
  people: { candidate: string; title: string }[]
  topics: { topic: string; title: string; needs: string[]; gives: string[]; raises: string[] }[]
  /** Templates of `platform.send-mail`. */
  mails: { key: string; title: string }[]
  statusLists: { property: string; states: { state: string; title: string }[] }[]
  decisions: { id: string; name: string; reads: string[]; gives: string[] }[]
  messages: string[]
  variables: Variable[]
  /** Processes that can be called. */
  calls: string[]
  /** Codes of errors. */
  errors: string[]
}

/**
 * What the gate lets a model of this flow name. Forms, topics, mails and errors are limited to those of its own area
 * and of the platform.
 */
export function vocabularyOf(flow: Flow, tables: readonly Table[], library: Library, language: Language): Vocabulary {
  const { area, manifest } = flow
  const called = (key: string | undefined, name: string) =>
    key !== undefined && library.texts.en[key] !== undefined ? library.text(key, {}, language) : inWords(name)
  const forms = [...library.forms.values()].filter(({ key }) => ofArea(area, key))
  const scopes = scopesOf(manifest).map(({ name, kind }) => ({ kind, variable: `${name}Id` }))
  const topics = [...topicsOf(flow, library)].filter(([, { schedule }]) => !schedule)
  const texts = Object.keys(library.texts.en)
  // Only platform mails about cases: those that some diagram sends already.
  const drawn = [...library.flows.values()].flatMap(({ bpmn }) => [
    ...bpmn.content.matchAll(/<camunda:inputParameter name="template">([^<]+)</g),
  ])
  const sent = new Set(drawn.map(([, template]) => template))
  const own = [...library.errors.keys()].filter((code) => code.startsWith(`${area}.`))
  const messages = [manifest.withdraw, ...(manifest.acts ?? []).map(({ message }) => message)]
  return {
    forms: forms.map(({ key, schema }) => ({
      key,
      title: called(schema.title, key),
      outcomes: outcomesOf(schema).map(({ value, title }) => ({ value, title: called(title, value) })),
    })),
    roles: [...library.roles].sort().map((role) => ({ role, scopes })),
    people: Object.entries(manifest.people ?? {}).map(([name, title]) => ({
      candidate: `user:\${${name}Id}`,
      title: called(title, name),
    })),
    topics: topics.map(([topic, { needs, gives, raises }]) => ({
      topic,
      title: inWords(topic),
      needs: [...needs],
      gives: [...gives],
      raises: [...raises],
    })),
    mails: texts
      .filter((key) => key.endsWith(SUBJECT) && key.includes('.mail.'))
      .map((key) => key.slice(0, -SUBJECT.length))
      .filter((key) => library.texts.en[`${key}-body`] !== undefined)
      .filter((key) => key.startsWith(`${area}.`) || (key.startsWith('platform.') && sent.has(key)))
      .map((key) => ({ key, title: inWords(key) })),
    statusLists: Object.entries(manifest.statusLists).map(([name, list]) => ({
      property: name === 'status' ? 'status' : `status.${name}`,
      states: (library.statusLists.get(list) ?? []).map((state) => ({
        state,
        title: called(statusText(list, state), state),
      })),
    })),
    decisions: tables.flatMap(decisionsIn),
    messages: [
      ...messages,
      (manifest.public || manifest.account) && bookerConfirmed,
      manifest.places && placeFreed,
    ].filter((one) => typeof one === 'string'),
    variables: variablesOf(flow, library),
    calls: [...library.flows.values()].map((one) => one.manifest.process).filter((one) => one !== manifest.process),
    errors: [...new Set([...own, ...topics.flatMap(([, { raises }]) => raises)])].sort(),
  }
}

const SUBJECT = '-subject'

/** A key's last part as words: `platform.send-mail` is *Send mail*. */
function inWords(key: string): string {
  const name = (key.split(/[./]/).at(-1) ?? key).replaceAll(/[-_]/g, ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function outcomesOf(schema: FieldSchema): { value: string; title: string | undefined }[] {
  const choices = schema.properties?.['outcome']?.oneOf ?? []
  return choices.flatMap((choice) =>
    typeof choice.const === 'string' ? [{ value: choice.const, title: choice.title }] : [],
  )
}

/** A table that cannot be parsed yet contributes nothing. */
function decisionsIn({ content }: Table): Vocabulary['decisions'] {
  try {
    return decisionsOf(content)
  } catch (error) {
    if (error instanceof UnreadableModel) return []
    throw error
  }
}

function variablesOf(flow: Flow, library: Library): Variable[] {
  const { manifest, area } = flow
  const fixed = (names: readonly string[], from: string, type: string) => names.map((name) => ({ name, type, from }))
  const inForm = (key: string): Variable[] =>
    variablesOfForm({ forms: library.forms }, key).map((name) => ({
      name,
      type: library.forms.get(key)?.schema.properties?.[name]?.type ?? 'any',
      from: key,
    }))
  const desks = [...library.forms.keys()].filter((key) => key.startsWith(`${area}/`) && key !== manifest.start)
  const topics = [...topicsOf(flow, library)]
  const all = [
    ...fixed([...commandVariables, ...scopesOf(manifest).map(({ name }) => `${name}Id`)], 'server', 'string'),
    ...fixed(manifest.batch ? ['byBatch'] : [], 'server', 'boolean'),
    ...fixed(manifest.open ? ['closesAt'] : [], 'server', 'string'),
    ...fixed(manifest.agreement ? ['agreed', 'corrected'] : [], 'server', 'any'),
    ...fixed(manifest.derives ?? [], 'rules', 'any'),
    ...fixed(Object.keys(manifest.listed ?? {}), 'manifest', 'boolean'),
    ...Object.entries(manifest.variables ?? {}).map(([name, { as }]) => ({
      name,
      type: as === undefined ? 'any' : 'string',
      from: 'manifest',
    })),
    ...inForm(manifest.start),
    ...desks.flatMap(inForm),
    ...topics.flatMap(([topic, { gives, schedule }]) => (schedule ? [] : fixed(gives, topic, 'any'))),
  ]
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at)
}
