import type { Kysely } from 'kysely'
import type { CaseRow } from '../../work/rows/cases.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { titleAt } from './fields.ts'
import type { EntryRow } from './search-repository.ts'

/** Who did something, as an auditor reads it. */
export interface Doer {
  /** Null for what the product did by itself. */
  id: string | null
  name: string
  /** An entry of a register answers for the name; of the product itself nobody asks. */
  registered: boolean
  post: string | null
}

/** An audit entry in words. */
export interface ToldEntry {
  id: string
  at: string
  sequence: string | null
  action: string
  /** One sentence. */
  text: string
  by: Doer
  /** On whose authority, in words; null for somebody's own matter. */
  authority: string | null
  /** In whose stead. */
  for: string | null
  reason: string | null
  caseId: string | null
  reference: string | null
  flow: { key: string; text: string } | null
  desk: { key: string; text: string } | null
  /** Its details were erased by an act. */
  erased: boolean
  /** Its details are gone, and no act erased them. */
  missing: boolean
}

/** What a case says of its end. */
type Ended = Pick<CaseRow, 'flow' | 'ended_at' | 'withdrawn_at' | 'end_reason'>

/** The name of a field without the signs of its pointer. */
export function plainField(pointer: string): string {
  return pointer.replaceAll(/[/_]+/g, ' ').trim()
}

/** Whether the product gave the reason of an act by itself: people write theirs in their own words. */
function reasonIsOurs({ actor, action }: { actor: string; action: string }): boolean {
  return actor.startsWith('system:') || action === 'session.ended'
}

/** Acts that the history of a case has words for. */
const inHistory = new Set([
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

/** The texts of acts that are told otherwise than their names say. */
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

/** What audit entries are told with, in the language of `words`. */
export interface WordsContext {
  db: Kysely<DB>
  library: Library
  definitions: Pick<Definitions, 'find' | 'form'>
  words: ReturnType<typeof wordsOf>
}

/** The same in a language. */
export function wordsContext(given: Omit<WordsContext, 'words'>, language?: Language): WordsContext {
  return { ...given, words: wordsOf(given.library, language) }
}

function actKey(action: string) {
  return `platform.audit-act.${action.replace('.', '-')}`
}

/** What a flow is called; its key where it is not here. */
export function titleOfFlow({ library, words }: WordsContext, key: string | null): string | null {
  const flow = key === null ? undefined : library.flows.get(key)
  return flow ? words.flowTitle(flow.manifest) : key
}

/** Who did it: a person, or a part of the product. */
function doerOf(
  { library, words }: WordsContext,
  entry: Pick<EntryRow, 'actor' | 'actorName' | 'actorRegistered' | 'actorPost'>,
): Doer {
  const { actor, actorName, actorRegistered, actorPost } = entry
  if (actorName !== null) return { id: actor, name: actorName, registered: actorRegistered!, post: actorPost }
  const part = actor.startsWith('system:') ? actor.slice('system:'.length) : null
  if (part === null) return { id: null, name: actor, registered: true, post: null }
  const key = `platform.audit-system-part.${part}`
  const named = library.texts.en[key] === undefined ? part.replaceAll('-', ' ') : words.text(key)
  return { id: null, name: words.text('platform.audit-system', { part: named }), registered: true, post: null }
}

/** A reason that the product gives by itself, in the reader's words. */
export function reasonOf({ library, words }: WordsContext, given: string): string {
  const key = `platform.audit-reason.${given.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
  return library.texts.en[key] === undefined ? given : words.text(key)
}

/** The flow whose diagram an act was about. */
function modelIn({ library, words }: WordsContext, object: string | null): string | null {
  if (!object?.startsWith('model:')) return null
  const process = object.slice('model:'.length)
  const flow = [...library.flows.values()].find(({ manifest }) => manifest.process === process)
  return flow ? words.flowTitle(flow.manifest) : process.replaceAll('-', ' ')
}

/** What the requester may ask for in cases of a flow, by its name. */
function actIn({ library }: WordsContext, flow: string | null, name: unknown): string | undefined {
  const acts = flow === null ? undefined : library.flows.get(flow)?.manifest.acts
  return acts?.find((one) => one.name === name)?.title
}

/** What an act is called where one chooses among acts: its sentence, with gaps for who and what. */
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

/** What the system did, as the diagram calls it that the case goes by; what stands in none is called as its topic. */
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

/** The fields that an entry names, as the forms of the case call them. */
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

/** The titles of what these principals hold in. */
export function titlesOf({ db }: WordsContext, principals: readonly (string | null)[]): Promise<Map<string, string>> {
  return itemRepository(db).itemTitles(principals.flatMap((one) => one?.split(':').slice(1) ?? []))
}

/** By what right, in words. */
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

/** How a case ended, in words; null while it runs, and where nothing says so. */
export function endOf(
  { words }: WordsContext,
  { flow, ended_at: ended, withdrawn_at: withdrawn, end_reason: reason }: Ended,
  { diagram }: Pick<Definition, 'diagram'>,
): string | null {
  if (ended === null) return null
  if (withdrawn !== null) return words.text('platform.end.withdrawn')
  if (reason === 'expired') return words.text('platform.end.expired')
  const name = diagram.names.get(reason ?? '')
  return name === undefined ? null : words.element(flow, reason!, name)
}

/** Tells audit entries in plain words. */
export async function tellEntries(context: WordsContext, rows: readonly EntryRow[]): Promise<ToldEntry[]> {
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
