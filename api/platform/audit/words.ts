import type { Kysely } from 'kysely'
import { caseRepository } from '../cases/repository.ts'
import { wordsOf } from '../cases/words.ts'
import type { DB } from '../db/database.generated.ts'
import type { Definitions } from '../flows/definitions.ts'
import type { Language, Library } from '../flows/library.ts'
import type { EntryRow } from './search-repository.ts'

/** Who did something, as an auditor reads it. */
export interface Doer {
  /** Null for what the product did by itself. */
  id: string | null
  name: string
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
  /** Its details were erased. */
  erased: boolean
}

/** The name of a field without the signs of its pointer. */
export function plainField(pointer: string): string {
  return pointer.replaceAll(/[/_]+/g, ' ').trim()
}

/** Acts that the history of a case has words for. */
const inHistory = new Set([
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

/** Tells audit entries in plain words. */
export function auditWords(
  { db, library, definitions }: { db: Kysely<DB>; library: Library; definitions: Pick<Definitions, 'form'> },
  language?: Language,
) {
  const words = wordsOf(library, language)

  const actKey = (action: string) => `platform.audit-act.${action.replace('.', '-')}`

  function titleOfFlow(key: string | null): string | null {
    const flow = key === null ? undefined : library.flows.get(key)
    return flow ? words.flowTitle(flow.manifest) : key
  }

  function doer({ actor, actorName, actorPost }: Pick<EntryRow, 'actor' | 'actorName' | 'actorPost'>): Doer {
    if (actorName !== null) return { id: actor, name: actorName, post: actorPost }
    const part = actor.startsWith('system:') ? actor.slice('system:'.length) : null
    return { id: null, name: part === null ? actor : words.text('platform.audit-system', { part }), post: null }
  }

  /** What an act is called where one chooses among acts: its sentence, with gaps for who and what. */
  function actName(action: string): string {
    const key = sentences[action] ?? actKey(action)
    if (library.texts.en[key] === undefined) return action.replace('.', ': ').replaceAll('-', ' ')
    const name = words
      .text(key, gaps)
      .replace(/[\s:,]*…[\s:,…]*$/, '')
      .replace(/^…\s*/, '')
    return name.charAt(0).toUpperCase() + name.slice(1)
  }

  async function outcomeOf({ payload }: EntryRow): Promise<string> {
    const { outcome, formHash } = (payload ?? {}) as { outcome?: string | null; formHash?: string }
    if (typeof outcome !== 'string' || formHash === undefined) return words.text('platform.history.done')
    return words.choice((await definitions.form(formHash)).schema, 'outcome', outcome)
  }

  async function sentence(entry: EntryRow): Promise<string> {
    const { action, payload, flow, desk, forName: absent, toName: to } = entry
    const actor = doer(entry).name
    const said = (payload ?? {}) as Record<string, unknown>
    const named = entry.taskName ?? (typeof said['task'] === 'string' ? said['task'] : null)
    const task = desk === null ? (named ?? '') : words.element(flow ?? '', desk, named)
    const history = (key: string, more = {}) =>
      words.text(`platform.history.${key}`, { actor, task, absent, to, ...more })
    if (action === 'task.completed')
      return history(absent === null ? 'decided' : 'decided-for', { outcome: await outcomeOf(entry) })
    if (action === 'case.submitted')
      return history(said['for'] === undefined ? 'submitted' : 'submitted-for', { requester: entry.requesterName })
    if (action === 'task.claimed' && absent !== null) return history('task-claimed-for')
    if (inHistory.has(action)) return history(action.replace('.', '-'))
    const plain = (name: string) => (typeof said[name] === 'string' || typeof said[name] === 'number' ? said[name] : '')
    const values = {
      actor,
      task,
      absent,
      to,
      about: entry.objectName ?? plain('name') ?? '',
      role: plain('role'),
      post: plain('post'),
      number: plain('number'),
      topic: plain('topic'),
      fields: Array.isArray(said['fields']) ? said['fields'].map((field) => plainField(String(field))).join(', ') : '',
    }
    const key = library.texts.en[actKey(action)] === undefined ? 'platform.audit-act.other' : actKey(action)
    return words.text(key, { ...values, act: actName(action) })
  }

  /** By what right, in words. */
  function authorityOf(principal: string | null, titles: ReadonlyMap<string, string>): string | null {
    if (principal === null || principal.startsWith('user:')) return null
    if (principal.startsWith('group:')) return words.text('platform.audit-group', { group: principal.slice(6) })
    if (principal === 'mail' || principal === 'tracking') return words.text(`platform.audit-through-${principal}`)
    return words.principal(principal, titles)
  }

  return {
    ...words,
    actName,
    authorityOf,
    titleOfFlow,

    /** The titles of what these principals hold in. */
    titles: (principals: readonly (string | null)[]): Promise<Map<string, string>> =>
      caseRepository(db).itemTitles(principals.flatMap((one) => one?.split(':').slice(1) ?? [])),

    async tell(rows: readonly EntryRow[]): Promise<ToldEntry[]> {
      const titles = await this.titles(rows.map(({ actedAs }) => actedAs))
      return Promise.all(
        rows.map(async (entry) => {
          const { flow, desk } = entry
          const reason = (entry.payload as { reason?: unknown } | null)?.reason
          return {
            id: entry.id,
            at: entry.moment.toISOString(),
            sequence: entry.sequence,
            action: entry.action,
            text: await sentence(entry),
            by: doer(entry),
            authority: authorityOf(entry.actedAs, titles),
            for: entry.action.startsWith('task.') ? entry.forName : null,
            reason: typeof reason === 'string' && reason !== '' ? reason : null,
            caseId: entry.caseId,
            reference: entry.reference,
            flow: flow === null ? null : { key: flow, text: titleOfFlow(flow) ?? flow },
            desk: desk === null ? null : { key: desk, text: words.element(flow ?? '', desk, entry.taskName) },
            erased: entry.payload === null,
          }
        }),
      )
    },
  }
}
