import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { CaseRow } from '../../work/rows/cases.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { titleAt } from './fields.ts'
import type { EntryRow } from './search-repository.ts'

/** The person or system that acted, as an auditor reads it. */
export interface Doer {
  /** Null for acts of the system. */
  id: string | null
  name: string
  /** A register entry supplies the name; always true for the system. */
  registered: boolean
  post: string | null
}

/** An audit entry in words. */
export interface DescribedEntry {
  id: string
  at: string
  sequence: string | null
  action: string
  /** One sentence. */
  text: string
  by: Doer
  /** The authority, in words; null for acts in one's own matter. */
  authority: string | null
  /** The absent person it was done for. */
  for: string | null
  reason: string | null
  caseId: string | null
  reference: string | null
  flow: { key: string; text: string } | null
  desk: { key: string; text: string } | null
  /** An act erased its details. */
  erased: boolean
  /** Its details are gone, and no act erased them. */
  missing: boolean
}

/** The columns that tell how a case ended. */
type Ended = Pick<CaseRow, 'flow' | 'ended_at' | 'withdrawn_at' | 'end_reason'>

/** The name of a field without its pointer syntax. */
export function plainField(pointer: string): string {
  return pointer.replaceAll(/[/_]+/g, ' ').trim()
}

/** Whether the reason comes from the system; people write their own reasons. */
function reasonIsOurs({ actor, action }: { actor: string; action: string }): boolean {
  return actor.startsWith('system:') || action === 'session.ended'
}

/** Actions that the history of a case has texts for. */
const inHistory = new Set([
  'case.answered',
  'case.migrated',
  'case.migration-stopped',
  'case.moved',
  'case.withdrawn',
  'command.refused',
  'question.answered',
  'question.asked',
  'question.withdrawn',
  'task.assigned',
  'task.claimed',
  'task.delegated',
  'task.reassigned',
  'task.released',
  'task.resolved',
])

/** Text keys of actions that do not follow from their names. */
const sentences: Readonly<Record<string, string>> = {
  'task.completed': 'platform.history.decided',
  'case.submitted': 'platform.history.submitted',
  ...Object.fromEntries([...inHistory].map((action) => [action, `platform.history.${action.replace('.', '-')}`])),
}
const gaps = Object.fromEntries(
  ['actor', 'task', 'absent', 'to', 'outcome', 'about', 'role', 'post', 'number', 'topic', 'fields', 'act'].map(
    (name) => [name, '…'],
  ),
)

/** What audit entries are described with, in the language of `words`. */
export interface WordsContext {
  db: Kysely<DB>
  library: Library
  definitions: Pick<Definitions, 'find' | 'form'>
  words: ReturnType<typeof wordsOf>
}

export function wordsContext(given: Omit<WordsContext, 'words'>, language?: Language): WordsContext {
  return { ...given, words: wordsOf(given.library, language) }
}

function actKey(action: string) {
  return `platform.audit-act.${action.replace('.', '-')}`
}

/** The title of a flow, or its key if it is not installed. */
export function titleOfFlow({ library, words }: WordsContext, key: string | null): string | null {
  const flow = key === null ? undefined : library.flows.get(key)
  return flow ? words.flowTitle(flow.manifest) : key
}

/** The person or system that acted. */
function doerOf(
  { library, words }: WordsContext,
  entry: Pick<EntryRow, 'actor' | 'actorName' | 'actorRegistered' | 'actorPost'>,
): Doer {
  const { actor, actorName, actorRegistered, actorPost } = entry
  if (actorName !== null)
    return {
      id: actor,
      name: actorName,
      registered: known(actorRegistered, 'whether the person is registered'),
      post: actorPost,
    }
  const part = actor.startsWith('system:') ? actor.slice('system:'.length) : null
  if (part === null) return { id: null, name: actor, registered: true, post: null }
  const key = `platform.audit-system-part.${part}`
  const named = library.texts.en[key] === undefined ? part.replaceAll('-', ' ') : words.text(key)
  return { id: null, name: words.text('platform.audit-system', { part: named }), registered: true, post: null }
}

/** A reason given by the system, in the reader's language. */
export function reasonOf({ library, words }: WordsContext, given: string): string {
  const key = `platform.audit-reason.${given.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
  return library.texts.en[key] === undefined ? given : words.text(key)
}

/** The flow of the diagram that an action concerned. */
function modelIn({ library, words }: WordsContext, object: string | null): string | null {
  if (!object?.startsWith('model:')) return null
  const process = object.slice('model:'.length)
  const flow = [...library.flows.values()].find(({ manifest }) => manifest.process === process)
  return flow ? words.flowTitle(flow.manifest) : process.replaceAll('-', ' ')
}

/** The label of a requester's act in a flow. */
function actIn({ library }: WordsContext, flow: string | null, name: unknown): string | undefined {
  const acts = flow === null ? undefined : library.flows.get(flow)?.manifest.acts
  return acts?.find((one) => one.name === name)?.title
}

/** The label of an action in a list of actions: its sentence, with gaps for names. */
export function actName({ library, words }: WordsContext, action: string): string {
  const key = sentences[action] ?? actKey(action)
  if (library.texts.en[key] === undefined) return action.replace('.', ': ').replaceAll('-', ' ')
  const name = words
    .text(key, gaps)
    .replace(/[\s:,]*…[\s:,…]*$/, '')
    .replace(/^…\s*/, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

async function outcomeOf({ definitions, words }: WordsContext, { payload }: EntryRow): Promise<string> {
  const { outcome, formHash } = (payload ?? {}) as { outcome?: string | null; formHash?: string }
  if (payload === null) return words.text('platform.audit-not-known')
  if (typeof outcome !== 'string' || formHash === undefined) return words.text('platform.history.done')
  return words.outcome((await definitions.form(formHash)).schema, outcome)
}

/** What a worker did, as the diagram of the case calls it, or else by its topic. */
async function workOf(
  { definitions, words }: WordsContext,
  { flow, definitionId, payload }: EntryRow,
): Promise<string> {
  if (payload === null) return words.text('platform.audit-not-known')
  const { topic = '', element = '' } = payload as { topic?: string; element?: string }
  const definition = definitionId === null ? undefined : await definitions.find(definitionId)
  const name = definition?.diagram.names.get(element)
  if (flow !== null && name !== undefined) return words.element(flow, element, name)
  const said = topic.slice(topic.indexOf('.') + 1).replaceAll('-', ' ')
  return said.charAt(0).toUpperCase() + said.slice(1)
}

/** The fields in an entry, as the forms of the case call them. */
async function fieldsIn({ definitions, words }: WordsContext, { definitionId, payload }: EntryRow): Promise<string> {
  const fields = (payload as { fields?: unknown } | null)?.fields
  if (!Array.isArray(fields)) return ''
  const definition = definitionId === null ? undefined : await definitions.find(definitionId)
  const forms = await Promise.all(Object.values(definition?.forms ?? {}).map((hash) => definitions.form(hash)))
  return fields
    .map((field) => {
      const title = forms.map(({ schema }) => titleAt(schema, String(field))).find((one) => one !== undefined)
      return title === undefined ? plainField(String(field)) : words.text(title)
    })
    .join(', ')
}

async function sentenceOf(context: WordsContext, entry: EntryRow): Promise<string> {
  const { library, words } = context
  const { action, payload, flow, desk, forName: absent, toName: to } = entry
  const actor = doerOf(context, entry).name
  const said = (payload ?? {}) as Record<string, unknown>
  const named = entry.taskName ?? (typeof said['task'] === 'string' ? said['task'] : null)
  const task = desk === null ? (named ?? '') : words.element(flow ?? '', desk, named)
  const history = (key: string, more = {}) =>
    words.text(`platform.history.${key}`, { actor, task, absent, to, ...more })
  if (action === 'task.completed')
    return history(absent === null ? 'decided' : 'decided-for', { outcome: await outcomeOf(context, entry) })
  if (action === 'case.submitted')
    return history(said['for'] === undefined ? 'submitted' : 'submitted-for', { requester: entry.requesterName })
  const asked = action === 'case.acted' ? actIn(context, flow, said['act']) : undefined
  if (asked !== undefined) return history('acted', { act: words.text(asked) })
  if (action === 'task.claimed' && absent !== null) return history('task-claimed-for')
  if (inHistory.has(action)) return history(action.replace('.', '-'))
  const plain = (name: string) => (typeof said[name] === 'string' || typeof said[name] === 'number' ? said[name] : '')
  const values = {
    actor,
    task,
    absent,
    to,
    about: entry.objectName ?? modelIn(context, entry.object) ?? plain('name'),
    role: plain('role'),
    post: plain('post'),
    number: plain('number'),
    topic: action.startsWith('worker.') ? await workOf(context, entry) : plain('topic'),
    fields: await fieldsIn(context, entry),
  }
  const key = library.texts.en[actKey(action)] === undefined ? 'platform.audit-act.other' : actKey(action)
  return words.text(key, { ...values, act: actName(context, action) })
}

/** The titles of the units in these principals. */
export function titlesOf({ db }: WordsContext, principals: readonly (string | null)[]): Promise<Map<string, string>> {
  return itemRepository(db).itemTitles(principals.flatMap((one) => one?.split(':').slice(1) ?? []))
}

/** The right, in words. */
export function authorityOf(
  { words }: WordsContext,
  principal: string | null,
  titles: ReadonlyMap<string, string>,
): string | null {
  if (principal === null || principal.startsWith('user:')) return null
  if (principal.startsWith('group:')) return words.text('platform.audit-group', { group: principal.slice(6) })
  if (principal === 'mail' || principal === 'tracking') return words.text(`platform.audit-through-${principal}`)
  return words.principal(principal, titles)
}

/** How a case ended, in words; null while it runs, or if nothing says so. */
export function endOf(
  { words }: WordsContext,
  { flow, ended_at: ended, withdrawn_at: withdrawn, end_reason: reason }: Ended,
  { diagram }: Pick<Definition, 'diagram'>,
): string | null {
  if (ended === null) return null
  if (withdrawn !== null) return words.text('platform.end.withdrawn')
  if (reason === 'expired') return words.text('platform.end.expired')
  const name = reason === null ? undefined : diagram.names.get(reason)
  return reason === null || name === undefined ? null : words.element(flow, reason, name)
}

/** Audit entries in plain words. */
export async function describeEntries(context: WordsContext, rows: readonly EntryRow[]): Promise<DescribedEntry[]> {
  const { words } = context
  const held = await titlesOf(
    context,
    rows.map(({ actedAs }) => actedAs),
  )
  return Promise.all(
    rows.map(async (entry) => {
      const { flow, desk } = entry
      const given = (entry.payload as { reason?: unknown } | null)?.reason
      return {
        id: entry.id,
        at: entry.moment.toISOString(),
        sequence: entry.sequence,
        action: entry.action,
        text: await sentenceOf(context, entry),
        by: doerOf(context, entry),
        authority: authorityOf(context, entry.actedAs, held),
        for: entry.action.startsWith('task.') ? entry.forName : null,
        reason:
          typeof given === 'string' && given !== '' ? (reasonIsOurs(entry) ? reasonOf(context, given) : given) : null,
        caseId: entry.caseId,
        reference: entry.reference,
        flow: flow === null ? null : { key: flow, text: titleOfFlow(context, flow) ?? flow },
        desk: desk === null ? null : { key: desk, text: words.element(flow ?? '', desk, entry.taskName) },
        erased: entry.payload === null && entry.erased,
        missing: entry.payload === null && !entry.erased,
      }
    }),
  )
}
