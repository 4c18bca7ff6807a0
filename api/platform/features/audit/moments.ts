import { caseRepository } from '../../work/rows/cases.ts'
import { caseRecordRepository } from '../../work/rows/case-record.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { submissionRepository } from '../../work/rows/submissions.ts'
import { historyOf, told as toldInHistory } from '../../work/cases/history.ts'
import { noteSensitiveRead } from '../../work/cases/sensitive-reads.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { documentsOf } from '../../records/documents/documents.ts'
import { subjectOf } from '../../work/cases/routing.ts'
import { type Decision, type Engine, EngineFault } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definition } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { REQUESTER } from '../../model/definitions/manifest.ts'
import type { Person } from '../../people/persons/person.ts'
import { readable } from '../../model/library/readable.ts'
import { leaves } from '../../model/definitions/register.ts'
import { titleOf } from '../../records/registers/registers.ts'
import { type ToldDecision, decisionWords } from '../../work/tasks/decision-words.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import { type Unlike, compareCase } from './comparison.ts'
import { type ToldChange, type ToldField, changesOf, fieldsOf, idsIn } from './fields.ts'
import { listDoers, listEntries } from './search-repository.ts'
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
  /** How it ended, in words. */
  end: string | null
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
  /** Null while the engine, which keeps them, is away. */
  decisions: (ToldDecision & { at: string; element: string | null })[] | null
  versions: {
    model: { definitionId: string; version: number; deployedAt: string; hash: string }
    forms: { key: string; title: string; hash: string }[]
  }
  mails: { at: string; recipient: string; subject: string; sentAt: string | null }[]
  documents: { number: string; kind: string; issuedAt: string; ended: boolean }[]
  readers: { at: string; by: Doer; authority: string | null; fields: string[] }[]
  /** What of the case as it is now is not what was sealed, or was never sealed. */
  unlike: ToldUnlike[]
}

/** The same in words. */
export interface ToldUnlike extends Unlike {
  text: string
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

  /** The people of these accounts, with the posts that they had at these moments. */
  async function doers(asked: readonly { id: string; at: Date }[]): Promise<(id: string, at: Date) => Doer> {
    const keyOf = (id: string, at: Date) => `${id} ${at.toISOString()}`
    const once = [...new Map(asked.map((one) => [keyOf(one.id, one.at), one])).values()]
    const people = await listDoers(db, once)
    const found = new Map(
      people.map(({ place, ...one }): [string, Doer] => [keyOf(once[place]!.id, once[place]!.at), one]),
    )
    return (id, at) => found.get(keyOf(id, at)) ?? { id: null, name: id, registered: true, post: null }
  }

  /** What the tables decided for an instance; null while the engine is away. */
  async function decisionsOf(instance: string | null): Promise<Decision[] | null> {
    return instance === null ? [] : orAway(() => engine.decisions(instance))
  }

  async function moments(person: Person, id: string, language?: Language): Promise<Moment[]> {
    const row = await find(id)
    const words = auditWords({ db, library, definitions }, language)
    const [history, entries] = await Promise.all([
      historyOf(db, row, definitions, wordsOf(library, language), { id: person.id, seesAll: true }),
      caseRecordRepository(db).listAudit(id),
    ])
    const others = entries.filter(({ action }) => !toldInHistory[action] && !toldOtherwise.has(action))
    const rest = await words.tell(
      await listEntries(
        db,
        others.map((one) => String(one.id)),
      ),
    )
    const doerOf = await doers(history.flatMap(({ by, at }) => (by ? [{ id: by.id, at: new Date(at) }] : [])))
    const titles = await words.titles(history.map(({ by }) => by?.actedAs ?? null))
    return [
      ...history.map(({ at, kind, text, reason, element, by }) => ({
        at,
        kind,
        text,
        by: by ? doerOf(by.id, new Date(at)) : null,
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
    const record = caseRecordRepository(db)
    const words = auditWords({ db, library, definitions }, language)
    const [allSent, allTasks, allActivities, allEntries, allMails, documents, files, voided, moves, made] =
      await Promise.all([
        submissionRepository(db).listSubmissions(id),
        taskRepository(db).listOfCase(id),
        record.listActivities(id),
        record.listAudit(id),
        record.listMails(id),
        documentsOf(db, id),
        submissionRepository(db).listFiles(id),
        submissionRepository(db).listVoided(id),
        record.listMoves(id),
        decisionsOf(row.process_instance_id),
      ])
    // What was found to have no effect only later had one as far as anybody knew.
    const sent = allSent.filter(by((one) => one.at)).map((one) => {
      const known = one.effect !== 'void' || (voided.get(one.id) ?? one.at) <= at
      return known ? one : { ...one, effect: 'pending', void_reason: null }
    })
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
    const definition = await definitions.get(modelAt(at, inForce ?? row.process_definition_id))
    const { manifest, diagram } = definition
    const name = (element: string) => words.element(row.flow, element, diagram.names.get(element))
    const titled = [...new Set(sent.flatMap(({ data }) => idsIn(data)))]
    const items = new Map(
      (await itemRepository(db).itemsThen(titled, at)).flatMap((item) => {
        const register = library.registers.get(item.register)
        return register ? [[item.id, { ...item, title: titleOf(register, item.data) }] as const] : []
      }),
    )
    const titles = new Map([
      ...(await itemRepository(db).itemTitles(titled)),
      ...[...items].map(([item, { title }]) => [item, title] as const),
      ...files.map((file) => [file.id, file.name] as const),
      // A field may name a desk, too.
      ...[...diagram.desks.keys()].map((desk) => [desk, name(desk)] as const),
    ])
    const principals = await words.titles([...sent.map((one) => one.acted_as), ...entries.map((one) => one.acted_as)])
    const doerOf = await doers([
      { id: row.requester_id, at },
      ...sent.map((one) => ({ id: one.submitted_by, at: one.at })),
      ...entries.flatMap((one) => [one.at, at].map((moment) => ({ id: one.actor, at: moment }))),
      ...entries.flatMap(({ payload }) => idsIn((payload as JsonObject | null)?.['to']).map((to) => ({ id: to, at }))),
    ])

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
        by: doerOf(one.submitted_by, one.at),
        authority: words.authorityOf(one.acted_as, principals),
        for: one.stood_in_for_name,
        void: one.void_reason === null ? null : words.reason(one.void_reason),
        fields,
        changes: before === undefined ? null : changesOf(before, fields),
      })
      if (one.effect !== 'void') lastBy.set(one.form_key, fields)
    }

    const labels = new Map(submissions.flatMap(({ fields }) => fields.map((one) => [one.field, one.label] as const)))

    const unlike = await compareCase(db, {
      ...{ row, tasks: allTasks, activities: allActivities, documents, mails: allMails },
      decided: made === null || made.length > 0,
      people: [
        row.requester_id,
        ...allSent.map((one) => one.submitted_by),
        ...allTasks.flatMap((one) => one.decided_by ?? []),
        ...idsIn(allEntries.map((one) => one.actor)),
      ],
      artifacts: [definition.bpmnHash, ...Object.values(definition.forms), ...allSent.map((one) => one.form_hash)],
    })

    return {
      id,
      reference: row.reference,
      flow: { key: row.flow, text: words.text(manifest.title) },
      title: words.caseTitle(manifest, await subjectThen()),
      requester: doerOf(row.requester_id, at),
      at: at.toISOString(),
      createdAt: row.created_at.toISOString(),
      endedAt: row.ended_at !== null && row.ended_at <= at ? row.ended_at.toISOString() : null,
      end: row.ended_at !== null && row.ended_at <= at ? words.endOf(row, definition) : null,
      state: row.ended_at !== null && row.ended_at <= at ? 'ended' : 'running',
      statuses: await statusesThen(definition),
      data: lastBy.get(manifest.start) ?? [],
      tasks: await Promise.all(tasks.map(taskThen)),
      path: pathThen(),
      elements: elementsThen(),
      submissions,
      decisions: made === null ? null : await orAway(() => decisionsThen(made)),
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
          by: doerOf(one.actor, one.at),
          authority: words.authorityOf(one.acted_as, principals),
          fields: ((one.payload as { fields?: string[] } | null)?.fields ?? []).map(
            (field) => labels.get(field) ?? plainField(field),
          ),
        })),
      unlike: unlike.map((one) => ({ ...one, text: unlikeInWords(one) })),
    }

    /** What is not what was sealed, as one reads it without the rest of the page. */
    function unlikeInWords({ part, id: of, how, sealed }: Unlike): string {
      const submission = submissions.find((each) => each.id === of)
      const task = allTasks.find((each) => each.id === of)
      const named: Partial<Record<Unlike['part'], string | undefined>> = {
        sent: submission && `${submission.title}, ${submission.by.name}`,
        tasks: task && words.element(row.flow, task.desk, task.name),
        times: of === null ? undefined : name(of),
        names: of === null ? undefined : doerOf(of, at).name,
        documents: documents.find((each) => each.id === of)?.number,
        steps: of ?? undefined,
        versions: of?.slice(0, 16),
        case: of === null ? undefined : words.text(`platform.audit-unlike.case.${of}`),
      }
      const which = named[part]
      const what = words.text(`platform.audit-unlike.${part}`) + (which === undefined ? '' : `: ${which}`)
      const text = words.text(`platform.audit-unlike.${how}`, { what })
      const value = readable({ sealed }, language)['sealed']
      return sealed === null ? text : `${text}. ${words.text('platform.audit-unlike.sealed', { value })}`
    }

    /** By which version the case went at a moment. The engine calls what was open at a move by the later version. */
    function modelAt(moment: Date, otherwise: string): string {
      const later = moves.find((one) => one.at > moment)
      return later?.from ?? moves.findLast((one) => one.at <= moment)?.to ?? otherwise
    }

    /** What the case was called: by what its start form said then, with the items as they were. */
    async function subjectThen(): Promise<JsonObject> {
      const present = row.subject as JsonObject
      const last = sent.findLast((one) => one.form_key === manifest.start && one.effect !== 'void')
      if (last === undefined) return present
      const { schema } = await definitions.form(last.form_hash)
      const pointed = leaves(schema, last.data).flatMap(({ path, value }) => {
        const item = items.get(String(value))
        return item ? [[path, item] as const] : []
      })
      // Of what hangs on the requester's own entry, and on items of which no version was kept, the present is all there is.
      const then = subjectOf(manifest, last.data, new Map(pointed))
      const found = Object.entries(then).filter(
        ([part, value]) => value !== undefined && !manifest.subject?.[part]?.startsWith(REQUESTER),
      )
      return { ...present, ...Object.fromEntries(found) }
    }

    async function decisionsThen(of: readonly Decision[]) {
      const then = of.filter(by((one) => new Date(one.at))).toReversed()
      const told = await Promise.all(
        then.map(async (one) => ({
          ...(await decisionsInWords.tell(one, { flow: row.flow, amount: manifest.amount }, language)),
          at: new Date(one.at).toISOString(),
          element: one.element,
        })),
      )
      // Tables are asked about items by their ids.
      const named = await itemRepository(db).itemTitles(told.flatMap(({ rows }) => idsIn(rows)))
      const inWords = <T extends { value: string }>(some: T[]) =>
        some.map((one) => ({ ...one, value: named.get(one.value) ?? one.value }))
      return told.map((one) => ({
        ...one,
        rows: one.rows.map((decided) => ({
          ...decided,
          inputs: inWords(decided.inputs),
          outputs: inWords(decided.outputs),
        })),
      }))
    }

    function formTitle(schema: { [keyword: string]: unknown }, key: string): string {
      return typeof schema['title'] === 'string' ? words.text(schema['title']) : key
    }

    async function statusesThen({ manifest: first }: Definition): Promise<CaseThen['statuses']> {
      const current: Record<string, string> = { ...first.firstStatus }
      for (const { element, process_definition_id, started_at } of activities) {
        const { diagram: drawn } = await definitions.get(modelAt(started_at, process_definition_id))
        Object.assign(current, drawn.statuses.get(element))
      }
      const there = activities.filter(({ ended_at }) => ended_at === null || ended_at > at)
      const said = words.statuses(
        first,
        current,
        there.map(({ element }) => element),
      )
      return Object.entries(said)
        .filter(([, { untold }]) => !untold)
        .map(([list, status]) => ({ list, status }))
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
      const moved = allEntries.find(
        (one) => one.at > at && one.action === 'task.due-set' && one.object === `task:${task.id}`,
      )
      // Erased details do not say what it was before.
      const due = moved?.payload ? dueBefore(moved.payload) : (task.due_at?.toISOString() ?? null)
      const outcome =
        task.outcome === null || task.form_hash === null
          ? null
          : words.outcome((await definitions.form(task.form_hash)).schema, task.outcome)
      return {
        id: task.id,
        desk: task.desk,
        name: words.element(row.flow, task.desk, task.name),
        state: decided ? 'decided' : over ? 'gone' : holder === null ? 'open' : 'held',
        roles: rolesOf(task.desk),
        since: task.created_at.toISOString(),
        dueAt: due,
        holder: decided || over || holder === null ? null : doerOf(holder, at).name,
        decidedBy: decided ? task.decider_name : null,
        decidedAt: decided ? task.decided_at!.toISOString() : null,
        outcome: decided ? outcome : null,
      }
    }

    /** The roles that a desk is drawn for, each once, in however many units it may be held. */
    function rolesOf(desk: string): string[] {
      const roles = (diagram.desks.get(desk)?.roles ?? []).map((role) =>
        role === 'user' ? words.text('platform.requester') : role.split('@')[0]!,
      )
      return [...new Set(roles)]
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

/** When a task was due before somebody set it otherwise, as the entry of that says. */
function dueBefore(payload: unknown): string | null {
  const { before } = payload as { before?: string | null }
  return before ?? null
}

/** What the engine answers; null while it is away. */
async function orAway<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EngineFault) return null
    throw error
  }
}
