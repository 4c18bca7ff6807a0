import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { textAt } from '../../model/definitions/register.ts'
import type { Manifest } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import type { CaseRow } from '../rows/cases.ts'
import { confidentialDesks } from './confidential.ts'
import { incidentRepository } from '../rows/incidents.ts'
import type { wordsOf } from '../../model/library/words.ts'
import { listActivities, listCaseAudit, listCaseMails } from '../rows/case-record.ts'
import { listSubmissions } from '../rows/submissions.ts'
import { listTasksOfCase } from '../rows/task-reads.ts'

/** One event of a case, in words. */
export interface HistoryEntry {
  at: string
  kind:
    | 'submitted'
    | 'acted'
    | 'task-created'
    | 'claimed'
    | 'asked'
    | 'decided'
    | 'status'
    | 'mail'
    | 'worker'
    | 'incident'
    | 'withdrawn'
    | 'ended'
  text: string
  actor?: string
  element?: string
  reason?: string
  /** Label of the status that the case reached. */
  status?: string
  /** The account and the right it acted by; for readers who investigate a case. */
  by?: { id: string; actedAs: string | null; for: string | null }
}

/** The case of a history, and what is needed to write it. */
interface Telling {
  row: CaseRow
  manifest: Manifest
  words: ReturnType<typeof wordsOf>
  person: Pick<Person, 'id' | 'seesAll'>
  /** Texts of the history. */
  say: (key: string, values?: Record<string, unknown>) => string
  /** The name of an element, if it is known. */
  nameOf: (element: string) => string | undefined
}

type Entries = HistoryEntry[]
type Rows<List extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<List>>

/** Writes the history of a case from its submissions, the engine's activities and the audit trail, oldest first. */
export async function historyOf(
  db: Kysely<DB>,
  row: CaseRow,
  definitions: Definitions,
  words: ReturnType<typeof wordsOf>,
  person: Pick<Person, 'id' | 'seesAll'>,
): Promise<HistoryEntry[]> {
  const [submissions, tasks, activities, audit, mails, incidents] = await Promise.all([
    listSubmissions(db, row.id),
    listTasksOfCase(db, row.id),
    listActivities(db, row.id),
    listCaseAudit(db, row.id),
    listCaseMails(db, row.id),
    incidentRepository(db).listIncidents(row.id),
  ])
  const { manifest, diagram } = await definitions.get(row.process_definition_id)
  const nameOf = (element: string) =>
    diagram.names.get(element) ?? activities.find((one) => one.element === element)?.name ?? undefined
  const say = (key: string, values: Record<string, unknown> = {}) => words.text(`platform.history.${key}`, values)
  const hidden = confidentialDesks({ manifest, row, person })
  const told = submissions.filter(({ desk }) => !hidden.has(desk ?? ''))
  const telling: Telling = { row, manifest, words, person, say, nameOf }
  const entries = [
    ...(await Promise.all(told.map((one) => submissionEntry(telling, definitions, one)))),
    ...tasks.map((task): HistoryEntry => {
      const text = say('task-created', { task: words.element(row.flow, task.desk, task.name) })
      return { at: task.created_at.toISOString(), kind: 'task-created', text, element: task.desk }
    }),
    ...(await activityEntries(telling, definitions, activities)),
    ...audit.flatMap((one) => auditEntry(telling, one)),
    ...operatorEntries(telling, mails, incidents),
  ]
  if (row.ended_at)
    entries.push({
      at: row.ended_at.toISOString(),
      kind: 'ended',
      text: say(row.state === 'failed' ? 'failed' : 'ended'),
    })
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** A submission: the request, an act of the requester, or a decision. */
async function submissionEntry(
  telling: Telling,
  definitions: Definitions,
  one: Rows<typeof listSubmissions>[number],
): Promise<HistoryEntry> {
  const { row, manifest, words, say, nameOf } = telling
  const actor = one.submitter_name
  const element = one.desk ?? undefined
  const [chosen, reason] = [textAt(one.data, '/outcome'), textAt(one.data, '/reason')]
  const task = element === undefined ? undefined : words.element(row.flow, element, nameOf(element))
  const outcome = chosen && words.outcome((await definitions.form(one.form_hash)).schema, chosen)
  const act = task === undefined ? manifest.acts?.find(({ form }) => form === one.form_key) : undefined
  const decided = { actor, task, outcome: outcome ?? say('done') }
  const text = act
    ? say('acted', { actor, act: words.text(act.title) })
    : task === undefined
      ? say(begun(row, one.submitted_by), { actor, requester: row.requester_name })
      : one.stood_in_for_name === null
        ? say('decided', decided)
        : say('decided-for', { ...decided, absent: one.stood_in_for_name })
  return {
    at: one.at.toISOString(),
    kind: act ? 'acted' : task === undefined ? 'submitted' : 'decided',
    text: one.effect === 'void' ? say('void', { text }) : text,
    actor,
    ...(element && { element }),
    ...(reason && { reason }),
    by: { id: one.submitted_by, actedAs: one.acted_as, for: one.stood_in_for_name },
  }
}

/** Engine activities that changed a status or that a worker performed. */
async function activityEntries(
  { row, manifest, words, say }: Telling,
  definitions: Definitions,
  activities: Rows<typeof listActivities>,
): Promise<Entries> {
  const { diagram } = await definitions.get(row.process_definition_id)
  // A case that moved to another version went through its first steps in the earlier one.
  const ids = new Set(activities.map(({ process_definition_id }) => process_definition_id))
  const versions = await Promise.all([...ids].map((id) => definitions.find(id)))
  const diagramOf = (id: string) => versions.find((one) => one?.id === id)?.diagram ?? diagram
  const entries: Entries = []
  const current: Record<string, string> = { ...manifest.firstStatus }
  for (const { process_definition_id, started_at, ended_at, element, type, name } of activities) {
    for (const [list, state] of Object.entries(diagramOf(process_definition_id).statuses.get(element) ?? {})) {
      // Desks that share a status set it repeatedly; show only changes.
      if (current[list] === state) continue
      current[list] = state
      const status = words.status(manifest, list, state).text
      const text = say('status', { status })
      entries.push({ at: started_at.toISOString(), kind: 'status', text, status, element })
    }
    if (type === 'serviceTask' && ended_at) {
      const text = words.element(row.flow, element, name)
      entries.push({ at: ended_at.toISOString(), kind: 'worker', text, element })
    }
  }
  return entries
}

/** An audit entry, if it is for people who see the case. */
function auditEntry({ row, words, person, say }: Telling, one: Rows<typeof listCaseAudit>[number]): Entries {
  const kind = told[one.action]
  if (!kind || (among.has(one.action) && row.requester_id === person.id && !person.seesAll)) return []
  const actor = one.actor_name ?? one.actor
  const [reason, desk] = [textAt(one.payload, '/reason'), textAt(one.payload, '/desk')]
  const task = textAt(one.payload, '/task') ?? ''
  const name = desk === undefined ? task : words.element(row.flow, desk, task)
  const stead = one.action === 'task.claimed' && one.for_name !== null
  const key = one.action.replace('.', '-') + (stead ? '-for' : '')
  const text = say(key, { actor, task: name, absent: one.for_name, to: one.to_name })
  const by = { id: one.actor, actedAs: one.acted_as, for: one.for_name }
  return [{ at: one.at.toISOString(), kind, text, actor, ...(reason && { reason }), by }]
}

/** Only operators see who received mails, and what they have to resolve. */
function operatorEntries(
  { person, say }: Telling,
  mails: Rows<typeof listCaseMails>,
  incidents: Rows<ReturnType<typeof incidentRepository>['listIncidents']>,
): Entries {
  const own = mails.filter((mail) => person.seesAll || mail.recipient_id === person.id)
  return [
    ...own.map((mail): HistoryEntry => {
      const text = say('mail', { recipient: mail.recipient, subject: mail.subject })
      return { at: mail.created_at.toISOString(), kind: 'mail', text }
    }),
    ...(person.seesAll ? incidents : []).map((one): HistoryEntry => {
      const text = say('incident', { message: one.message })
      return { at: one.at.toISOString(), kind: 'incident', text, ...(one.element && { element: one.element }) }
    }),
  ]
}

/** How a case began: sent by its requester, sent for them, or opened for them to complete. */
function begun({ sent_by, requester_id }: CaseRow, by: string): string {
  if (sent_by !== null) return 'submitted-for'
  return by === requester_id ? 'submitted' : 'opened'
}

/** Audit entries that people who see the case can read. */
export const told: Record<string, HistoryEntry['kind']> = {
  'task.claimed': 'claimed',
  'task.released': 'claimed',
  'task.assigned': 'claimed',
  'task.reassigned': 'claimed',
  'task.delegated': 'claimed',
  'task.resolved': 'claimed',
  'question.asked': 'asked',
  'question.answered': 'asked',
  'question.withdrawn': 'asked',
  'case.answered': 'acted',
  'case.moved': 'incident',
  'case.withdrawn': 'withdrawn',
  'case.migrated': 'incident',
  'case.migration-stopped': 'incident',
  'command.refused': 'incident',
}

/** Entries among colleagues; the requester does not read them. */
const among = new Set(['task.assigned', 'task.reassigned', 'task.delegated', 'task.resolved'])
