import { caseRepository } from '../cases/repository.ts'
import { historyOf, told as toldInHistory } from '../cases/history.ts'
import { noteSensitiveRead } from '../cases/sensitive-reads.ts'
import { type Named, wordsOf } from '../cases/words.ts'
import type { JsonObject } from '../db/database.generated.ts'
import { documentsOf } from '../documents/documents.ts'
import type { Engine } from '../engine/port.ts'
import { BusinessError } from '../errors.ts'
import type { Definition } from '../flows/definitions.ts'
import type { Language } from '../flows/library.ts'
import type { Person } from '../identity/person.ts'
import { type ToldDecision, decisionWords } from '../tasks/decision-words.ts'
import { taskRepository } from '../tasks/repository.ts'
import { type ToldChange, type ToldField, changesOf, fieldsOf, idsIn } from './fields.ts'
import { auditSearchRepository } from './search-repository.ts'
import { type AuditDependencies, auditorAs } from './search.ts'
import { type Doer, auditWords, plainField } from './words.ts'

/** One thing that happened to a case, as an auditor steps through them. */
export interface Moment {
  at: string
  kind: string
  text: string
  by: Doer | null
  /** On whose authority, in words. */
  authority: string | null
  for: string | null
  reason: string | null
  /** Element of the diagram. */
  element: string | null
}

/** A task as it stood. */
export interface TaskThen {
  id: string
  desk: string
  name: string
  state: 'open' | 'held' | 'decided' | 'gone'
  /** Roles that the desk is drawn for. */
  roles: string[]
  since: string
  dueAt: string | null
  holder: string | null
  decidedBy: string | null
  decidedAt: string | null
  outcome: string | null
}

/** What somebody had sent. */
export interface SentThen {
  id: string
  at: string
  form: string
  title: string
  by: Doer
  authority: string | null
  for: string | null
  /** Did not take effect, and why. */
  void: string | null
  fields: ToldField[]
  /** Against what was sent by the same form before; null for the first. */
  changes: ToldChange[] | null
}

/** A case as it was at a moment. */
export interface CaseThen {
  id: string
  reference: string
  flow: { key: string; text: string }
  title: string
  requester: Doer
  at: string
  createdAt: string
  endedAt: string | null
  state: 'running' | 'ended'
  statuses: { list: string; status: Named }[]
  data: ToldField[]
  tasks: TaskThen[]
  path: {
    definitionId: string
    visited: { element: string; startedAt: string; endedAt: string | null; canceled: boolean }[]
    present: string[]
  }
  /** Per element, how often it was entered and how long it took so far, in milliseconds. */
  elements: { element: string; name: string; passes: number; milliseconds: number }[]
  submissions: SentThen[]
  decisions: (ToldDecision & { at: string; element: string | null })[]
  versions: {
    model: { definitionId: string; version: number; deployedAt: string; hash: string }
    forms: { key: string; title: string; hash: string }[]
  }
  mails: { at: string; recipient: string; subject: string; sentAt: string | null }[]
  documents: { number: string; kind: string; issuedAt: string; ended: boolean }[]
  readers: { at: string; by: Doer; authority: string | null; fields: string[] }[]
}

export interface MomentsDependencies extends AuditDependencies {
  engine: Pick<Engine, 'decisions' | 'decisionXml'>
}

/** What the history of a case tells by other rows than its audit entries. */
const toldOtherwise = new Set(['case.submitted', 'task.completed', 'case.acted', 'worker.completed'])

/**
 * A case as it was at any moment, from what is never changed: what was sent, what the engine went through and what the
 * audit noted. Whoever calls has asked for the right of an auditor; what they read of sensitive fields is an entry too.
 */
export function caseMoments({ db, library, definitions, engine }: MomentsDependencies) {
  const decisionsInWords = decisionWords({ library, engine })

  async function find(id: string) {
    const row = await caseRepository(db).find(id)
    if (!row) throw new BusinessError('platform.not-found')
    return row
  }

  /** The people of these accounts, with their posts. */
  async function doers(ids: readonly string[]): Promise<(id: string) => Doer> {
    const accounts = await auditSearchRepository(db).listAccounts(ids)
    const found = new Map(accounts.map((one) => [one.id, one]))
    return (id) => found.get(id) ?? { id: null, name: id, post: null }
  }

  async function moments(person: Person, id: string, language?: Language): Promise<Moment[]> {
    const row = await find(id)
    const words = auditWords({ db, library, definitions }, language)
    const [history, entries] = await Promise.all([
      historyOf(db, row, definitions, wordsOf(library, language), { id: person.id, seesAll: true }),
      caseRepository(db).listAudit(id),
    ])
    const others = entries.filter(({ action }) => !toldInHistory[action] && !toldOtherwise.has(action))
    const rest = await words.tell(await auditSearchRepository(db).list(others.map((one) => String(one.id))))
    const doerOf = await doers(history.flatMap(({ by }) => (by ? [by.id] : [])))
    const titles = await words.titles(history.map(({ by }) => by?.actedAs ?? null))
    return [
      ...history.map(({ at, kind, text, reason, element, by }) => ({
        at,
        kind,
        text,
        by: by ? doerOf(by.id) : null,
        authority: by ? words.authorityOf(by.actedAs, titles) : null,
        for: by?.for ?? null,
        reason: reason ?? null,
        element: element ?? null,
      })),
      ...rest.map((one) => ({
        at: one.at,
        kind: one.action === 'sensitive.read' ? 'read' : 'noted',
        text: one.text,
        by: one.by,
        authority: one.authority,
        for: one.for,
        reason: one.reason,
        element: one.desk?.key ?? null,
      })),
    ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  }

  /** The case as it was at a moment; without one, as it is. */
  async function get(person: Person, id: string, wanted?: string, language?: Language): Promise<CaseThen> {
    const row = await find(id)
    const at = wanted === undefined ? new Date() : new Date(wanted)
    const by =
      <T>(moment: (one: T) => Date) =>
      (one: T) =>
        moment(one) <= at
    const cases = caseRepository(db)
    const words = auditWords({ db, library, definitions }, language)
    const [allSent, allTasks, allActivities, allEntries, allMails, documents, files, made] = await Promise.all([
      cases.listSubmissions(id),
      taskRepository(db).listOfCase(id),
      cases.listActivities(id),
      cases.listAudit(id),
      cases.listMails(id),
      documentsOf(db, id),
      cases.listFiles(id),
      row.process_instance_id === null ? [] : engine.decisions(row.process_instance_id),
    ])
    const sent = allSent.filter(by((one) => one.at))
    const tasks = allTasks.filter(by((one) => one.created_at))
    const activities = allActivities.filter(by((one) => one.started_at))
    const entries = allEntries.filter(by((one) => one.at))
    await noteSensitiveRead(
      { db, definitions },
      {
        reader: person.id,
        caseId: id,
        submissions: sent.map((one) => ({ formHash: one.form_hash, data: one.data as JsonObject })),
        actedAs: () => auditorAs(person),
      },
    )

    const inForce = activities.at(-1)?.process_definition_id ?? allActivities[0]?.process_definition_id
    const definition = await definitions.get(inForce ?? row.process_definition_id)
    const { manifest, diagram } = definition
    const titles = new Map([
      ...(await cases.itemTitles([...new Set(sent.flatMap(({ data }) => idsIn(data)))])),
      ...files.map((file) => [file.id, file.name] as const),
    ])
    const principals = await words.titles([...sent.map((one) => one.acted_as), ...entries.map((one) => one.acted_as)])
    const doerOf = await doers([
      row.requester_id,
      ...sent.map((one) => one.submitted_by),
      ...entries.map((one) => one.actor),
      ...entries.flatMap(({ payload }) => idsIn((payload as JsonObject | null)?.['to'])),
    ])
    const name = (element: string) => words.element(row.flow, element, diagram.names.get(element))

    const submissions: SentThen[] = []
    const lastBy = new Map<string, ToldField[]>()
    for (const one of sent) {
      const form = await definitions.form(one.form_hash)
      const fields = fieldsOf(form.schema, one.data, titles, words.text)
      const before = lastBy.get(one.form_key)
      submissions.push({
        id: one.id,
        at: one.at.toISOString(),
        form: one.form_key,
        title: one.desk === null ? formTitle(form.schema, one.form_key) : name(one.desk),
        by: doerOf(one.submitted_by),
        authority: words.authorityOf(one.acted_as, principals),
        for: one.stood_in_for_name,
        void: one.void_reason,
        fields,
        changes: before === undefined ? null : changesOf(before, fields),
      })
      if (one.effect !== 'void') lastBy.set(one.form_key, fields)
    }

    const labels = new Map(submissions.flatMap(({ fields }) => fields.map((one) => [one.field, one.label] as const)))

    return {
      id,
      reference: row.reference,
      flow: { key: row.flow, text: words.text(manifest.title) },
      title: words.caseTitle(manifest, row.subject),
      requester: doerOf(row.requester_id),
      at: at.toISOString(),
      createdAt: row.created_at.toISOString(),
      endedAt: row.ended_at !== null && row.ended_at <= at ? row.ended_at.toISOString() : null,
      state: row.ended_at !== null && row.ended_at <= at ? 'ended' : 'running',
      statuses: await statusesThen(definition),
      data: lastBy.get(manifest.start) ?? [],
      tasks: await Promise.all(tasks.map(taskThen)),
      path: pathThen(),
      elements: elementsThen(),
      submissions,
      decisions: await Promise.all(
        made
          .filter(by((one) => new Date(one.at)))
          .toReversed()
          .map(async (one) => ({
            ...(await decisionsInWords.tell(one, { flow: row.flow, amount: manifest.amount }, language)),
            at: new Date(one.at).toISOString(),
            element: one.element,
          })),
      ),
      versions: {
        model: {
          definitionId: definition.id,
          version: definition.version,
          deployedAt: definition.deployedAt,
          hash: definition.bpmnHash,
        },
        forms: await Promise.all(
          Object.entries(definition.forms).map(async ([key, hash]) => ({
            key,
            hash,
            title: formTitle((await definitions.form(hash)).schema, key),
          })),
        ),
      },
      mails: allMails.filter(by((one) => one.created_at)).map((one) => ({
        at: one.created_at.toISOString(),
        recipient: String(one.recipient),
        subject: one.subject,
        sentAt: one.sent_at !== null && one.sent_at <= at ? one.sent_at.toISOString() : null,
      })),
      documents: documents.filter(by((one) => one.issuedAt)).map((one) => ({
        number: one.number,
        kind: words.text(one.kind.replace('/', '.')),
        issuedAt: one.issuedAt.toISOString(),
        ended: one.endedAt !== null && one.endedAt <= at,
      })),
      readers: entries
        .filter(({ action }) => action === 'sensitive.read')
        .map((one) => ({
          at: one.at.toISOString(),
          by: doerOf(one.actor),
          authority: words.authorityOf(one.acted_as, principals),
          fields: ((one.payload as { fields?: string[] } | null)?.fields ?? []).map(
            (field) => labels.get(field) ?? plainField(field),
          ),
        })),
    }

    function formTitle(schema: { [keyword: string]: unknown }, key: string): string {
      return typeof schema['title'] === 'string' ? words.text(schema['title']) : key
    }

    async function statusesThen({ manifest: first }: Definition): Promise<CaseThen['statuses']> {
      const current: Record<string, string> = { ...first.firstStatus }
      for (const { element, process_definition_id } of activities) {
        const { diagram: drawn } = await definitions.get(process_definition_id)
        Object.assign(current, drawn.statuses.get(element))
      }
      return Object.entries(current).map(([list, state]) => ({ list, status: words.status(first, list, state) }))
    }

    async function taskThen(task: (typeof tasks)[number]): Promise<TaskThen> {
      const decided = task.decided_at !== null && task.decided_at <= at
      const over = task.ended_at !== null && task.ended_at <= at
      let holder: string | null = null
      for (const one of entries.filter(({ object }) => object === `task:${task.id}`)) {
        const to = (one.payload as { to?: string } | null)?.to
        if (one.action === 'task.claimed') holder = one.actor
        else if (/^task\.(assigned|reassigned|delegated|resolved)$/.test(one.action)) holder = to ?? null
        else if (one.action === 'task.released') holder = null
      }
      const outcome =
        task.outcome === null || task.form_hash === null
          ? null
          : words.choice((await definitions.form(task.form_hash)).schema, 'outcome', task.outcome)
      return {
        id: task.id,
        desk: task.desk,
        name: words.element(row.flow, task.desk, task.name),
        state: decided ? 'decided' : over ? 'gone' : holder === null ? 'open' : 'held',
        roles: (diagram.desks.get(task.desk)?.roles ?? []).map((role) =>
          role === 'user' ? words.text('platform.requester') : role.split('@')[0]!,
        ),
        since: task.created_at.toISOString(),
        dueAt: task.due_at?.toISOString() ?? null,
        holder: decided || over || holder === null ? null : doerOf(holder).name,
        decidedBy: decided ? task.decider_name : null,
        decidedAt: decided ? task.decided_at!.toISOString() : null,
        outcome: decided ? outcome : null,
      }
    }

    function pathThen(): CaseThen['path'] {
      const visited = activities.map(({ element, started_at, ended_at, canceled }) => {
        const over = ended_at !== null && ended_at <= at
        return {
          element,
          startedAt: started_at.toISOString(),
          endedAt: over ? ended_at.toISOString() : null,
          canceled: over && canceled,
        }
      })
      const present = visited.filter(({ endedAt }) => endedAt === null).map(({ element }) => element)
      return { definitionId: definition.id, visited, present: [...new Set(present)] }
    }

    function elementsThen(): CaseThen['elements'] {
      // What has no name in the diagram, such as a gateway that only joins, says nothing to people.
      const named = activities.filter(({ element }) => diagram.names.has(element))
      return [...Map.groupBy(named, ({ element }) => element)].map(([element, passes]) => ({
        element,
        name: name(element),
        passes: passes.length,
        milliseconds: passes.reduce((sum, { started_at, ended_at }) => {
          const until = ended_at !== null && ended_at <= at ? ended_at : at
          return sum + Math.max(0, until.getTime() - started_at.getTime())
        }, 0),
      }))
    }
  }

  return { moments, get }
}
