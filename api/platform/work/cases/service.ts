import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { allocations } from '../allocations/allocations.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import { commandRepository } from '../rows/commands.ts'
import type { Sender } from '../commands/sender.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Engine, VariableInstance } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type IssuedDocument, documentsOf } from '../../records/documents/documents.ts'
import type { Definition, Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language, Library, Manifest } from '../../model/library/library.ts'
import type { RuleInput, Rules } from '../../model/deployed/rules.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { checkForm } from '../../model/forms/check.ts'
import { once } from '../../kernel/db/idempotency.ts'
import { accounts } from '../../people/identity/accounts.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { numbers } from '../../records/numbers/numbers.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import { at, pathOf } from '../../model/definitions/register.ts'
import { questionRepository } from '../rows/questions.ts'
import { taskRepository } from '../rows/tasks.ts'
import { type HistoryEntry, historyOf } from './history.ts'
import { type CaseRow, caseRepository } from '../rows/cases.ts'
import { type Standing, caseActs, waitsFor } from './acts.ts'
import { noAgreement } from './agreement.ts'
import { corrections } from './correction.ts'
import {
  amountOf,
  deadlinesOf,
  derivedVariablesOf,
  filesOf,
  filtersOf,
  knownVariablesOf,
  periodOf,
  referenceOf,
  scopeOf,
  serverVariablesOf,
  subjectOf,
  variablesOf,
} from './routing.ts'
import { beginningVariablesOf, itemsAsked, onceKeyOf, refuseClosed } from './requester.ts'
import { guestRequester, refuse, refuseInactive, ruleRequester, slotsWanted, versionsOf } from './sent.ts'
import { noteSensitiveRead } from './sensitive-reads.ts'
import { dropStartDraft } from './start-drafts.ts'
import { rightToSee, visibilityOf } from './visibility.ts'
import { type CaseSummary, type CaseView, type SubmissionView, type WaitingTask, caseSummary } from './view.ts'
import { type Named, desksOf, wordsOf } from '../../model/library/words.ts'

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
  /** For whom, where that is somebody else. */
  for?: { accountId: string } | undefined
  /** Chosen by the sender: the same key with the same request begins one case only. */
  key?: string
}

/** A case to begin, after all that can be asked without a transaction. */
interface Beginning {
  definition: Definition
  form: FrozenForm
  data: JsonObject
  requesterId: string
  /** Who sends it for the requester, and by what right. */
  sentBy: { id: string; actedAs: string } | null
  /** Whose hold of the slot it is, while they have no account. */
  guest?: string
  /** The batch that opens it: what is asked for is sent later, at a desk of the requester. */
  batch?: string
}

/** One case of a batch. */
export interface BatchMember {
  flow: string
  /** The register item that it is about. */
  item: string
  requesterId: string
  /** Whose batch it is, and by what right. */
  by: { id: string; actedAs: string }
  batch: string
}

/** A case that has begun, in a transaction that may not be committed yet. */
export interface Begun {
  caseId: string
  commandId: string
  reference: string
  /** Whose it is, and who sent it. */
  people: string[]
}

export interface CaseListQuery {
  mine?: boolean
  flow?: string
  /** Those in any of these states. */
  status?: readonly string[]
  /** Of the flow's other status lists: list → state. */
  statuses?: Readonly<Record<string, string>>
  /** Those that name this register item. */
  item?: string
  search?: string
  cursor?: string
  limit?: number
}

/** What came before a case; `id` is null where the reader may not see it. */
export interface EarlierCase {
  id: string | null
  reference: string
  status: Named
  /** In cents. */
  amount: number | null
  createdAt: string
  alike: boolean
}

/** So many stand beside a case; the rest is on the page of the item. */
const MOST_EARLIER = 10

export type Cases = ReturnType<typeof casesService>

/**
 * Cases: beginning one, withdrawing it, and everything that can be read of it. A change is one transaction with its
 * command to the engine; an engine that is away refuses nobody.
 */
export function casesService(dependencies: CasesDependencies) {
  const { db, library, definitions, sender, engine, rules, clock = () => new Date() } = dependencies
  const acts = caseActs({ definitions, rules, clock })

  /**
   * Begins a case, for whoever sends it or for somebody else. Throws what is wrong with the form field by field, and the
   * allocation's own error if a slot is taken.
   */
  async function submit(
    person: Person,
    { flow, data, for: other, key }: NewCaseRequest,
    language?: Language,
  ): Promise<{ case: CaseView; repeated: boolean }> {
    const definition = await definitions.latest(flow)
    const { actedAs, requesterId } = await mayBegin(person, definition.manifest, other?.accountId)
    const form = await startFormOf(definition)
    const filled = effectiveAnswers(form.schema, data as JsonObject)
    refuse(checkForm(form.schema, filled))
    const sentBy = requesterId === person.id ? null : { id: person.id, actedAs }
    const given = { definition, form, data: filled, requesterId, sentBy }
    const { result, repeated } = await db.transaction().execute(async (trx) => {
      const first = () => begin(trx, given)
      if (key === undefined) return { result: await first(), repeated: false }
      const request = { flow, data, ...(other && { for: other }) }
      return once(trx, { accountId: person.id, key, request }, first)
    })
    await deliver(result, { announced: repeated })
    return { case: await get(person, result.caseId, language), repeated }
  }

  /** By what right somebody begins a case, and for whom. */
  async function mayBegin(
    person: Person,
    manifest: Manifest,
    other: string | undefined,
  ): Promise<{ actedAs: string; requesterId: string }> {
    const requesterId = other ?? person.id
    const forSomebodyElse = requesterId !== person.id
    if (forSomebodyElse && !manifest.onBehalf) throw new BusinessError('platform.not-allowed')
    const actedAs = admits(person, forSomebodyElse ? manifest.onBehalf!.by : manifest.startedBy)
    if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
    if (forSomebodyElse) {
      const requester = await accounts(db).findPerson(requesterId)
      const field = '/for/accountId'
      if (!requester) refuse([{ field, code: 'platform.person-unknown' }])
      else if (!admits(requester, manifest.startedBy)) refuse([{ field, code: 'platform.not-allowed' }])
    }
    return { actedAs, requesterId }
  }

  async function startFormOf({ manifest, forms }: Definition): Promise<FrozenForm> {
    return definitions.form(forms[manifest.start]!)
  }

  /** Everything that a submission writes. Slots and number come late, because their rows are locked until the commit. */
  async function begin(
    trx: Transaction<DB>,
    { definition, form, data, requesterId, sentBy, guest, batch }: Beginning,
  ): Promise<Begun> {
    const { manifest } = definition
    const now = clock()
    const caseId = uuid()
    const cases = caseRepository(trx)
    const { registers } = library
    const items = await itemsAsked(trx, { manifest, schema: form.schema, data, requesterId, registers })
    if (batch === undefined) refuseClosed(manifest, data, items, now)
    const own = rules.get(definition.flow)
    const requester = guest === undefined ? await ruleRequester(trx, requesterId) : guestRequester(guest)
    // Who sends it for somebody vouches for them.
    if (sentBy) requester.confirmed = true
    const input: RuleInput = { data, items, now, requester, trx, caseId }
    refuse((await own?.check?.(input)) ?? [])
    refuseInactive(library, form.schema, data, items)
    const derived = (await own?.derive?.(input)) ?? { facts: {}, variables: {} }
    const scope = await scopeOf(manifest, data, items, cases.findAnyItem)
    const by = sentBy?.id ?? requesterId
    const deadlines = await deadlinesOf(trx, now)
    const wanted = await slotsWanted(manifest.allocations ?? [], data, {
      plan: own?.slots && (() => own.slots!(input)),
    })
    for (const slot of wanted)
      await allocations(trx).claim({ ...slot, holder: by, caseId, ...(guest !== undefined && { guest }) })
    const sequence = await numbers(trx).next(definition.flow, periodOf(manifest.reference, now))
    const reference = referenceOf(manifest.reference, now, sequence)

    await cases.create({
      id: caseId,
      reference,
      flow: definition.flow,
      flowHash: definition.flowHash,
      definitionId: definition.id,
      requesterId,
      // Whoever opens a batch asks for nothing themselves: they may have a desk on the way.
      sentBy: batch === undefined ? (sentBy?.id ?? null) : null,
      data,
      statuses: manifest.firstStatus,
      scope,
      subject: subjectOf(manifest, data, items),
      facts: derived.facts,
      filters: filtersOf(form.schema, data),
      amount: amountOf(manifest, data, derived.variables),
      once: onceKeyOf(manifest, data),
      again: manifest.once?.again ?? [],
    })
    await cases.addItems(caseId, versionsOf(items))
    const { id: submissionId, sealed } = await cases.addSubmission({
      caseId,
      formKey: manifest.start,
      formHash: form.hash,
      data,
      by,
      actedAs: sentBy?.actedAs ?? null,
    })
    const foreign = await cases.addFiles(caseId, submissionId, by, filesOf(form.schema, data))
    refuse(foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
    await audit(trx).record({
      actor: by,
      actedAs: sentBy?.actedAs ?? null,
      action: 'case.submitted',
      caseId,
      object: `case:${caseId}`,
      payload: {
        reference,
        flow: definition.flow,
        flowHash: definition.flowHash,
        ...sealed,
        ...(sentBy && { for: requesterId }),
        ...(guest !== undefined && { guest: true }),
        ...(batch !== undefined && { batch }),
      },
    })
    if (guest === undefined && batch === undefined) await dropStartDraft(trx, by, definition.flow)
    const commandId = await commandRepository(trx).add({
      kind: 'start',
      caseId,
      submissionId,
      actingUser: by,
      ...(batch !== undefined && { lane: 'bulk' as const }),
      payload: {
        definitionId: definition.id,
        variables: {
          ...variablesOf(form.schema, data),
          ...knownVariablesOf(manifest, data, items),
          ...derivedVariablesOf(manifest, derived.variables),
          ...beginningVariablesOf(manifest, data, items, batch !== undefined),
          ...noAgreement(manifest),
          ...serverVariablesOf(manifest, { caseId, requesterId, scope }),
          ...deadlines,
        },
      },
    })
    return { caseId, commandId, reference, people: [requesterId, ...(sentBy ? [sentBy.id] : [])] }
  }

  /** After the commit: sends the start to the engine and tells the browsers of those whose case it is. */
  async function deliver({ caseId, commandId, people }: Begun, { announced = false } = {}): Promise<void> {
    await sender.deliver(commandId)
    const principals = people.map((id) => `user:${id}`)
    if (!announced) await announce(db, { principals, cases: [caseId], tasks: [] })
  }

  /** Begins a case of somebody who has no account until this very transaction; afterwards comes `deliver`. */
  async function beginForGuest(
    trx: Transaction<DB>,
    { flow, data, requesterId, guest }: { flow: string; data: unknown; requesterId: string; guest: string },
  ): Promise<Begun> {
    const definition = await definitions.latest(flow)
    if (!definition.manifest.public) throw new BusinessError('platform.not-allowed')
    const form = await startFormOf(definition)
    const filled = effectiveAnswers(form.schema, data as JsonObject)
    refuse(checkForm(form.schema, filled))
    return begin(trx, { definition, form, data: filled, requesterId, sentBy: null, guest })
  }

  /**
   * Opens a case for somebody whom an item is meant for, as one of a batch; its command is sent by its job. What the form
   * asks for beside the item, its requester sends at a desk.
   */
  async function beginInBatch(
    trx: Transaction<DB>,
    { flow, item, requesterId, by, batch }: BatchMember,
  ): Promise<Begun> {
    const definition = await definitions.latest(flow)
    const form = await startFormOf(definition)
    const data = { [definition.manifest.batch!.item.slice(1)]: item }
    const requester = await accounts(db).findPerson(requesterId)
    if (!requester || !admits(requester, definition.manifest.startedBy)) throw new BusinessError('platform.not-allowed')
    return begin(trx, { definition, form, data, requesterId, sentBy: by, batch })
  }

  /** Ends a case at its requester's wish, as long as something in the diagram waits for that. */
  async function withdraw(person: Person, id: string, reason: string, language?: Language): Promise<CaseView> {
    const seen = await find(person, id)
    if (seen.requester_id !== person.id) throw new BusinessError('platform.not-allowed')
    const commandId = await db.transaction().execute(async (trx) => {
      const cases = caseRepository(trx)
      const row = await cases.lock(id)
      if (!(await isWithdrawable(trx, row))) throw new BusinessError('platform.not-withdrawable')
      const { manifest } = await definitions.get(row.process_definition_id)
      await cases.setWithdrawn(id, true)
      await audit(trx).record({
        actor: person.id,
        actedAs: person.through ?? null,
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

  async function isWithdrawable(on: Kysely<DB>, row: Standing): Promise<boolean> {
    const definition = await definitions.get(row.process_definition_id)
    const { manifest } = definition
    const open = await caseRepository(on).listOpenElements(row.id)
    // A case that has just begun has no open element yet as far as we have heard: the engine decides.
    return (
      manifest.withdraw !== undefined && waitsFor(row, definition, manifest.withdraw, open.length > 0 ? open : 'early')
    )
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
    const own = row.requester_id === person.id
    const words = wordsOf(library, language)
    const [questions, submissions, files, documents, waits, withdrawable, open] = await Promise.all([
      questionRepository(db).listOfCase(id),
      cases.listSubmissions(id),
      cases.listFiles(id),
      documentsOf(db, id),
      waiting([id], language),
      own ? isWithdrawable(db, row) : false,
      own ? acts.open(db, row) : [],
    ])
    const actOf = (formKey: string) => manifest.acts?.find(({ form }) => form === formKey)
    const sent = submissions.map((one): SubmissionView => ({
      id: one.id,
      formKey: one.form_key,
      formHash: one.form_hash,
      data: one.data as JsonObject,
      by: { id: one.submitted_by, name: one.submitter_name },
      for: one.stood_in_for === null ? null : { id: one.stood_in_for, name: one.stood_in_for_name! },
      actedAs: one.acted_as,
      at: one.at.toISOString(),
      effect: one.effect as SubmissionView['effect'],
      voidReason: one.void_reason,
      taskId: one.task_id,
      desk: one.desk,
      outcome: (one.data as { outcome?: string }).outcome ?? null,
      act: one.task_id === null ? (actOf(one.form_key)?.name ?? null) : null,
    }))
    await noteRead(person, row, sent)
    return {
      ...caseSummary(row, manifest, waits.get(id) ?? [], words),
      processDefinitionId: row.process_definition_id,
      data: row.data as JsonObject,
      sentBy: row.sent_by === null ? null : { id: row.sent_by, name: row.sender_name! },
      withdrawable,
      acts: await Promise.all(
        open.map(async (one) => ({
          name: one.name,
          title: words.text(one.title),
          confirm: one.confirm === undefined ? null : words.text(one.confirm),
          form: one.form,
          formHash: (await definitions.get(row.process_definition_id)).forms[one.form]!,
        })),
      ),
      questions: questions.map((one) => ({
        id: one.id,
        task: words.element(row.flow, one.desk, one.task),
        question: one.question,
        askedBy: { id: one.asked_by, name: one.asker },
        askedAt: one.asked_at.toISOString(),
        answer: one.answer,
        answeredAt: one.answered_at?.toISOString() ?? null,
        open: one.open === true,
      })),
      submissions: sent,
      files: files.map((file) => ({
        id: file.id,
        name: file.name,
        contentType: file.content_type,
        size: Number(file.size),
        path: file.path,
        submissionId: file.submission_id,
      })),
      documents: documents
        .filter(({ kind }) => mayHave(person, kind))
        .map(({ id: document, kind, number, ...moments }) => ({
          id: document,
          kind,
          number,
          issuedAt: moments.issuedAt.toISOString(),
          endedAt: moments.endedAt?.toISOString() ?? null,
        })),
    }
  }

  /** Some documents are not for all who see their case. */
  function mayHave(person: Person, kind: string): boolean {
    const seenBy = library.documents.get(kind)?.seenBy
    return seenBy === undefined || admits(person, seenBy) !== undefined
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
      name: words.element(task.flow, task.desk, task.name),
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
  async function noteRead(person: Person, row: CaseRow, submissions: readonly SubmissionView[]): Promise<void> {
    const others = submissions.filter(
      // What was sent for somebody is theirs.
      (one) => one.by.id !== person.id && !(one.taskId === null && row.requester_id === person.id),
    )
    const actedAs = async () => (await rightToSee(db, person, row, await presentManifest(row))) ?? null
    await noteSensitiveRead({ db, definitions }, { reader: person.id, caseId: row.id, submissions: others, actedAs })
  }

  /** States of a flow's further lists, to be found where people are told of them. */
  function statusesSaid(flow: string | undefined, statuses: Readonly<Record<string, string>>) {
    const manifest = flow === undefined ? undefined : library.flows.get(flow)?.manifest
    const said = Object.entries(statuses).map(([name, state]) => {
      const desks = manifest && desksOf(library, manifest, name, state)
      return [name, { state, ...(desks && { desks }) }] as const
    })
    return Object.fromEntries(said)
  }

  /** Own cases, or all that this person may see; newest first. */
  async function list(person: Person, query: CaseListQuery, language?: Language): Promise<Page<CaseSummary>> {
    const { mine = false, flow, status, statuses, item, search, cursor, limit = 20 } = query
    const visible = mine ? undefined : visibilityOf(person, library)
    const wanted = {
      ...(mine && { requesterId: person.id }),
      ...(visible && { visible }),
      ...(flow && { flow }),
      ...(status && { status }),
      ...(statuses && { statuses: statusesSaid(flow, statuses) }),
      ...(item && { item }),
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

  /** Does what the requester asks for while something in the diagram waits for it. */
  async function act(
    person: Person,
    id: string,
    name: string,
    { data, key }: { data: unknown; key?: string },
    language?: Language,
  ): Promise<CaseView> {
    const seen = await find(person, id)
    if (seen.requester_id !== person.id) throw new BusinessError('platform.not-allowed')
    const asked = await acts.check(seen, name, data)
    const { result: commandId } = await db.transaction().execute(async (trx) => {
      const perform = () => acts.perform(trx, id, asked, person.through)
      if (key === undefined) return { result: await perform() }
      return once(trx, { accountId: person.id, key, request: { case: id, act: name, data } }, perform)
    })
    if ((await sender.deliver(commandId)) === 'refused') throw new BusinessError('platform.act-not-possible')
    await announce(db, { principals: [`user:${person.id}`], cases: [id], tasks: [] })
    return get(person, id, language)
  }

  return {
    submit,
    beginForGuest,
    beginInBatch,
    deliver,
    withdraw,
    act,
    get,
    list,
    ...corrections({ library, definitions, rules, clock }),

    /** What happened to a case, in words, oldest first. */
    async history(person: Person, id: string, language?: Language): Promise<HistoryEntry[]> {
      const row = await find(person, id)
      return historyOf(db, row, definitions, wordsOf(library, language), person)
    },

    /**
     * What came before a case that concerns the same item, as its flow says: those that somebody may see, and, to whoever
     * decides about the case, by reference, status and amount also those that are alike in all that counts. Never to whose
     * case it is: they would learn from what they ask for what others have asked for.
     */
    async earlier(person: Person, id: string, language?: Language): Promise<EarlierCase[]> {
      const row = await find(person, id)
      const manifest = await presentManifest(row)
      const { by, alike = [] } = manifest.earlier ?? {}
      const item = by === undefined ? undefined : at(row.data, by)
      if (by === undefined || typeof item !== 'string') return []
      const own = person.id === row.requester_id || person.id === row.sent_by
      const rows = await caseRepository(db).listEarlier({
        but: id,
        flow: row.flow,
        by,
        item,
        like: alike.map((pointer) => ({ path: pathOf(pointer), value: at(row.data, pointer) })),
        reader: person,
        visible: visibilityOf(person, library),
        handles: !own && (await caseRepository(db).findTaskRight(id, person)) !== undefined,
        limit: MOST_EARLIER,
      })
      const words = wordsOf(library, language)
      return rows.map(({ id: of, seen, alike: same, reference, status, amount, created_at: created, ...ended }) => ({
        id: seen ? of : null,
        reference,
        status: words.status(manifest, 'status', status, ended.ended_at && ended.end_reason),
        alike: same,
        amount: amount === null ? null : Number(amount),
        createdAt: created.toISOString(),
      }))
    },

    /** A document that was issued in a case which this person may see. */
    async document(person: Person, id: string, document: string): Promise<IssuedDocument> {
      const row = await find(person, id)
      const [found] = await documentsOf(db, row.id, document)
      if (!found || !mayHave(person, found.kind)) throw new BusinessError('platform.not-found')
      return found
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
