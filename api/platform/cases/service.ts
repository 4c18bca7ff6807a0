import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { allocations } from '../allocations/allocations.ts'
import { audit } from '../audit/audit.ts'
import { announce } from '../changed.ts'
import { commandRepository } from '../commands/repository.ts'
import type { Sender } from '../commands/sender.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import type { Engine, VariableInstance } from '../engine/port.ts'
import { BusinessError, type FieldError } from '../errors.ts'
import type { Definition, Definitions, FrozenForm } from '../flows/definitions.ts'
import type { Language, Library, Manifest } from '../flows/library.ts'
import type { Rules } from '../flows/rules.ts'
import { checkForm } from '../forms/check.ts'
import { once } from '../idempotency.ts'
import { type Person, admits } from '../identity/person.ts'
import { numbers } from '../numbers/numbers.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../paging.ts'
import { at, inUse, sensitiveFields } from '../registers/definition.ts'
import { taskRepository } from '../tasks/repository.ts'
import { type HistoryEntry, historyOf } from './history.ts'
import { type CaseRow, caseRepository } from './repository.ts'
import {
  type NamedItem,
  type NamedItems,
  deadlinesOf,
  derivedVariablesOf,
  filesOf,
  filtersOf,
  periodOf,
  referenceOf,
  referencesOf,
  scopeOf,
  serverVariablesOf,
  subjectOf,
  variablesOf,
} from './routing.ts'
import { rightToSee, visibilityOf } from './visibility.ts'
import { type CaseSummary, type CaseView, type SubmissionView, type WaitingTask, caseSummary } from './view.ts'
import { wordsOf } from './words.ts'

export interface CasesDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Sender
  engine: Engine
  /** What flows check at submission beyond their forms, by `<area>/<flow>`. */
  rules: ReadonlyMap<string, Rules>
  clock?: () => Date
}

/** What somebody sends to begin a case. */
export interface NewCaseRequest {
  /** `<area>/<flow>`. */
  flow: string
  data: unknown
  /** Chosen by the sender: the same key with the same request begins one case only. */
  key?: string
}

export interface CaseListQuery {
  mine?: boolean
  flow?: string
  status?: string
  search?: string
  cursor?: string
  limit?: number
}

/** Reads of sensitive fields by the same person count as one within this time. */
const sameRead = '1 hour'

export type Cases = ReturnType<typeof casesService>

/**
 * Cases: beginning one, withdrawing it, and everything that can be read of it. A change is one transaction with its
 * command to the engine; an engine that is away refuses nobody.
 */
export function casesService(dependencies: CasesDependencies) {
  const { db, library, definitions, sender, engine, rules, clock = () => new Date() } = dependencies

  /** Begins a case. Throws what is wrong with the form field by field, and the allocation's own error if a slot is taken. */
  async function submit(
    person: Person,
    { flow, data, key }: NewCaseRequest,
    language?: Language,
  ): Promise<{ case: CaseView; repeated: boolean }> {
    const definition = await definitions.latest(flow)
    const actedAs = admits(person, definition.manifest.startedBy)
    if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
    const form = await definitions.form(definition.forms[definition.manifest.start]!)
    refuse(checkForm(form.schema, data))
    const begun = await db.transaction().execute(async (trx) => {
      const act = () => begin(trx, person, definition, form, data as JsonObject)
      if (key === undefined) return { result: await act(), repeated: false }
      return once(trx, { accountId: person.id, key, request: { flow, data } }, act)
    })
    const { caseId, commandId } = begun.result
    await sender.deliver(commandId)
    if (!begun.repeated) await announce(db, { principals: [`user:${person.id}`], cases: [caseId], tasks: [] })
    return { case: await get(person, caseId, language), repeated: begun.repeated }
  }

  /** Everything that a submission writes. The number comes late, because its row is locked until the commit. */
  async function begin(
    trx: Transaction<DB>,
    person: Person,
    definition: Definition,
    form: FrozenForm,
    data: JsonObject,
  ): Promise<{ caseId: string; commandId: string }> {
    const { manifest } = definition
    const now = clock()
    const caseId = uuid()
    const items = await itemsOf(trx, form, data)
    const own = rules.get(definition.flow)
    refuse(own?.check?.({ data, items, now }) ?? [])
    refuse(
      referencesOf(form.schema, data)
        .filter(({ path, register }) => items.get(path)!.status !== inUse(library.registers.get(register)!))
        .map(({ path }) => ({ field: path, code: 'platform.item-inactive' })),
    )
    const derived = own?.derive?.({ data, items, now }) ?? { facts: {}, variables: {} }
    const scope = scopeOf(manifest, data, items)
    await claim(trx, manifest, data, person, caseId)
    const sequence = await numbers(trx).next(definition.flow, periodOf(manifest.reference, now))
    const reference = referenceOf(manifest.reference, now, sequence)

    const cases = caseRepository(trx)
    await cases.create({
      id: caseId,
      reference,
      flow: definition.flow,
      flowHash: definition.flowHash,
      definitionId: definition.id,
      requesterId: person.id,
      statuses: manifest.firstStatus,
      scope,
      subject: subjectOf(manifest, data, items),
      facts: derived.facts,
      filters: filtersOf(form.schema, data),
    })
    await cases.addItems(
      caseId,
      [...items].map(([path, { id, version }]) => ({ path, id, version })),
    )
    const submissionId = await cases.addSubmission({
      caseId,
      formKey: manifest.start,
      formHash: form.hash,
      data,
      by: person.id,
    })
    const foreign = await cases.addFiles(caseId, submissionId, person.id, filesOf(form.schema, data))
    refuse(foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
    await audit(trx).record({
      actor: person.id,
      action: 'case.submitted',
      caseId,
      object: `case:${caseId}`,
      payload: { reference, flow: definition.flow, submissionId, formHash: form.hash },
    })
    const commandId = await commandRepository(trx).add({
      kind: 'start',
      caseId,
      submissionId,
      actingUser: person.id,
      payload: {
        definitionId: definition.id,
        variables: {
          ...variablesOf(form.schema, data),
          ...derivedVariablesOf(manifest, derived.variables),
          ...serverVariablesOf(caseId, person.id, scope),
          ...(await deadlinesOf(trx, definition.xml, now)),
        },
      },
    })
    return { caseId, commandId }
  }

  async function itemsOf(trx: Transaction<DB>, form: FrozenForm, data: JsonObject): Promise<NamedItems> {
    const cases = caseRepository(trx)
    const items = new Map<string, NamedItem>()
    for (const { path, register, id } of referencesOf(form.schema, data)) {
      const item = await cases.findItem(register, id)
      if (item) items.set(path, item)
      else refuse([{ field: path, code: 'platform.item-unknown' }])
    }
    return items
  }

  /** Takes the slots that the manifest names, in the order of their items, so that no two submissions block each other. */
  async function claim(trx: Transaction<DB>, manifest: Manifest, data: JsonObject, person: Person, caseId: string) {
    const wanted = (manifest.allocations ?? []).map((one) => ({
      item: String(at(data, one.item)),
      during: { from: String(at(data, one.from)), until: String(at(data, one.until)) },
      holder: person.id,
      caseId,
      path: one.item,
      code: one.code,
    }))
    for (const one of wanted.toSorted((a, b) => (a.item < b.item ? -1 : 1))) await allocations(trx).claim(one)
  }

  /** Ends a case at its requester's wish, as long as something in the diagram waits for that. */
  async function withdraw(person: Person, id: string, reason: string, language?: Language): Promise<CaseView> {
    const seen = await find(person, id)
    if (seen.requester_id !== person.id) throw new BusinessError('platform.not-allowed')
    const commandId = await db.transaction().execute(async (trx) => {
      const cases = caseRepository(trx)
      const row = await cases.lockForWithdrawal(id)
      if (!(await isWithdrawable(trx, row))) throw new BusinessError('platform.not-withdrawable')
      const { manifest } = await definitions.get(row.process_definition_id)
      await cases.setWithdrawn(id, true)
      await audit(trx).record({
        actor: person.id,
        action: 'case.withdrawn',
        caseId: id,
        object: `case:${id}`,
        payload: { reason },
      })
      return commandRepository(trx).add({
        kind: 'correlate',
        caseId: id,
        actingUser: person.id,
        payload: { message: manifest.withdraw!, variables: {} },
      })
    })
    if ((await sender.deliver(commandId)) === 'refused') throw new BusinessError('platform.not-withdrawable')
    await announce(db, { principals: [`user:${person.id}`], cases: [id], tasks: [] })
    return get(person, id, language)
  }

  async function isWithdrawable(
    on: Kysely<DB>,
    row: Pick<CaseRow, 'id' | 'state' | 'withdrawn_at' | 'process_definition_id'>,
  ): Promise<boolean> {
    if (row.withdrawn_at !== null || (row.state !== 'running' && row.state !== 'starting')) return false
    const { manifest, diagram, processKey } = await definitions.get(row.process_definition_id)
    const catchers = manifest.withdraw && diagram.catchers.get(manifest.withdraw)
    if (!catchers) return false
    if (catchers.has(processKey)) return true
    const open = await caseRepository(on).listOpenElements(row.id)
    // A case that has just begun has no open element yet as far as we have heard: the engine decides.
    return open.length === 0 || open.some((element) => catchers.has(element))
  }

  /** The row of a case that this person may see; for everybody else it does not exist. */
  async function find(person: Person, id: string): Promise<CaseRow> {
    const row = await caseRepository(db).find(id)
    if (!row || !(await rightToSee(db, person, row, await presentManifest(row))))
      throw new BusinessError('platform.not-found')
    return row
  }

  async function presentManifest(row: Pick<CaseRow, 'flow' | 'process_definition_id'>): Promise<Manifest> {
    return library.flows.get(row.flow)?.manifest ?? (await definitions.get(row.process_definition_id)).manifest
  }

  async function get(person: Person, id: string, language?: Language): Promise<CaseView> {
    const row = await find(person, id)
    const cases = caseRepository(db)
    const { manifest } = await definitions.get(row.process_definition_id)
    const [submissions, files, waits, withdrawable] = await Promise.all([
      cases.listSubmissions(id),
      cases.listFiles(id),
      waiting([id], language),
      row.requester_id === person.id ? isWithdrawable(db, row) : false,
    ])
    const sent = submissions.map((one): SubmissionView => ({
      id: one.id,
      formKey: one.form_key,
      formHash: one.form_hash,
      data: one.data as JsonObject,
      by: { id: one.submitted_by, name: one.submitter_name },
      actedAs: one.acted_as,
      at: one.at.toISOString(),
      effect: one.effect as SubmissionView['effect'],
      voidReason: one.void_reason,
      taskId: one.task_id,
      desk: one.desk,
      outcome: (one.data as { outcome?: string }).outcome ?? null,
    }))
    await noteSensitiveRead(person, row, sent)
    return {
      ...caseSummary(row, manifest, waits.get(id) ?? [], wordsOf(library, language)),
      processDefinitionId: row.process_definition_id,
      withdrawable,
      submissions: sent,
      files: files.map((file) => ({
        id: file.id,
        name: file.name,
        contentType: file.content_type,
        size: Number(file.size),
        path: file.path,
        submissionId: file.submission_id,
      })),
    }
  }

  /** What each of these cases waits for. */
  async function waiting(caseIds: readonly string[], language?: Language): Promise<Map<string, WaitingTask[]>> {
    const tasks = await taskRepository(db).listOpenOfCases(caseIds)
    const candidates = await taskRepository(db).listCandidates(tasks.map((task) => task.id))
    const titles = await caseRepository(db).itemTitles(
      candidates.flatMap(({ principal }) => principal.split(':').slice(1)),
    )
    const words = wordsOf(library, language)
    const view = (task: (typeof tasks)[number]): WaitingTask => ({
      taskId: task.id,
      desk: task.desk,
      name: task.name,
      principals: candidates
        .filter((one) => one.task_id === task.id)
        .map((one) => words.principal(one.principal, titles)),
      assignee: task.assignee_id ? { id: task.assignee_id, name: task.assignee_name! } : null,
      since: task.created_at.toISOString(),
      dueAt: task.due_at?.toISOString() ?? null,
    })
    const found = new Map<string, WaitingTask[]>()
    for (const task of tasks) found.set(task.case_id, [...(found.get(task.case_id) ?? []), view(task)])
    return found
  }

  /** Whoever reads somebody else's sensitive fields leaves a trace. */
  async function noteSensitiveRead(
    person: Person,
    row: CaseRow,
    submissions: readonly SubmissionView[],
  ): Promise<void> {
    const others = submissions.filter((one) => one.by.id !== person.id)
    const fields = await Promise.all(
      others.map(async ({ formHash, data }) => sensitiveFields((await definitions.form(formHash)).schema, data)),
    )
    if (fields.flat().length === 0) return
    if (await caseRepository(db).hasReadSensitive(row.id, person.id, sameRead)) return
    const actedAs = (await rightToSee(db, person, row, await presentManifest(row))) ?? null
    await db.transaction().execute((trx) =>
      audit(trx).record({
        actor: person.id,
        actedAs,
        action: 'sensitive.read',
        caseId: row.id,
        object: `case:${row.id}`,
        payload: { fields: [...new Set(fields.flat())] },
      }),
    )
  }

  /** Own cases, or all that this person may see; newest first. */
  async function list(person: Person, query: CaseListQuery, language?: Language): Promise<Page<CaseSummary>> {
    const { mine = false, flow, status, search, cursor, limit = 20 } = query
    const visible = mine ? undefined : visibilityOf(person, library)
    const wanted = {
      ...(mine && { requesterId: person.id }),
      ...(visible && { visible }),
      ...(flow && { flow }),
      ...(status && { status }),
      ...(search && { search }),
    }
    const [created, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'id'])
    const cases = caseRepository(db)
    const [rows, count] = await Promise.all([
      cases.list({ ...wanted, ...(created && id && { after: { created, id } }), limit: limit + 1 }),
      cases.count(wanted, COUNT_LIMIT + 1),
    ])
    const words = wordsOf(library, language)
    const page = rows.slice(0, limit)
    const waits = await waiting(
      page.map((row) => row.id),
      language,
    )
    const items = await Promise.all(
      page.map(async (row) => caseSummary(row, await presentManifest(row), waits.get(row.id) ?? [], words)),
    )
    const last = page.at(-1)
    return {
      items,
      next: rows.length > limit && last ? cursorOf([last.created, last.id]) : null,
      count: counted(count),
    }
  }

  return {
    submit,
    withdraw,
    get,
    list,

    /** What happened to a case, in words, oldest first. */
    async history(person: Person, id: string, language?: Language): Promise<HistoryEntry[]> {
      const row = await find(person, id)
      return historyOf(db, row, definitions, wordsOf(library, language), person)
    },

    /** The way that a case took through its diagram, and where it is. */
    async path(person: Person, id: string) {
      const row = await find(person, id)
      const activities = await caseRepository(db).listActivities(id)
      return {
        definitionId: row.process_definition_id,
        visited: activities.map(({ element, started_at, ended_at, canceled }) => ({
          element,
          startedAt: started_at.toISOString(),
          endedAt: ended_at?.toISOString() ?? null,
          canceled,
        })),
        present: [...new Set(activities.filter(({ ended_at }) => ended_at === null).map(({ element }) => element))],
      }
    },

    /** The process variables of a case, as the engine has them. */
    async variables(person: Person, id: string): Promise<VariableInstance[]> {
      const row = await find(person, id)
      if (row.process_instance_id === null) return []
      const found = await engine.variables(row.process_instance_id)
      return found.toSorted((a, b) => a.name.localeCompare(b.name))
    },

    /** Which of these cases somebody may see. */
    async visible(person: Person, ids: readonly string[]): Promise<string[]> {
      const rows = await caseRepository(db).listSome(ids)
      const seen = await Promise.all(
        rows.map(async (row) => ((await rightToSee(db, person, row, await presentManifest(row))) ? [row.id] : [])),
      )
      return seen.flat()
    },

    /** Refuses, as if it did not exist, a case that this person may not see. */
    async check(person: Person, id: string): Promise<void> {
      await find(person, id)
    },
  }
}

function refuse(wrong: FieldError[]): void {
  if (wrong.length > 0) throw new BusinessError('platform.form-invalid', {}, wrong)
}
