import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { recordOf } from '../../kernel/objects.ts'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { exceptionsTo } from '../../work/cases/excepted.ts'
import { expected, mayRequest, openTimes } from '../../work/cases/requester.ts'
import type { NamedItems } from '../../model/definitions/named.ts'
import { wordsOf } from '../../model/library/words.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import { type Language, type Library, type Manifest, registerOfBatch } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type Sheet, writeSheet } from '../../kernel/sheets/sheet.ts'
import { type RegisterDefinition, at } from '../../model/definitions/register.ts'
import { placesOf } from '../../work/registers/places.ts'
import {
  type BatchRow,
  type MemberRow,
  createBatch,
  endBatch,
  findLatestBatch,
  listBatchMembers,
  listBatchRefusals,
  refuseSecondBatch,
  scheduleBatch,
} from './repository.ts'

/**
 * The state of a person in a batch. `to-open`: no case yet; `out-of-use`, `no-account`: no case possible; `left-out`: the
 * flow's rules give them none; `asked`: it waits for the person; `under-way`: it waits for others; `done`; `ended`: it
 * ended unsuccessfully.
 */
export const memberStates = [
  'to-open',
  'out-of-use',
  'no-account',
  'left-out',
  'asked',
  'under-way',
  'done',
  'ended',
] as const
export type MemberState = (typeof memberStates)[number]

/** A person that an entry is meant for. */
export interface Member {
  /** Id of their register entry. */
  id: string
  title: string
  code: string | null
  state: MemberState
  /** The status of the case, or of the entry if that is why no case can be opened. */
  status: string | null
  case: { id: string; reference: string } | null
  /** Why the newest batch opened no case for them. */
  message: string | null
}

/** Progress of the newest batch. */
export interface Progress {
  id: string
  state: BatchRow['state']
  total: number
  done: number
  refused: number
  by: string
  createdAt: string
  endedAt: string | null
}

/** The state of an entry for everybody it is meant for. */
export interface BatchView {
  /** Text key of the flow. */
  title: string
  counts: Record<MemberState, number>
  mayOpen: boolean
  latest: Progress | null
}

/** People in one state, or all. */
export interface MemberPage {
  members: Member[]
  total: number
}

export interface BatchDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  rules: ReadonlyMap<string, Rules>
}

/** Maximum people shown per state; a file has all. */
const MAX_SHOWN = 100

interface Seen {
  manifest: Manifest
  /** The register of the requesters. */
  people: RegisterDefinition
  items: NamedItems
  members: MemberRow[]
  /** The right by which this person may open it. */
  opens: string | undefined
  refusals: ReadonlyMap<string, string>
  /** Who is left out by the flow's rules, and why. */
  leftOut: ReadonlyMap<string, string>
  latest: BatchRow | undefined
}

/*
 * Opens a flow, as one batch, for everybody that a register entry is meant for: preview, start, progress and stop.
 * `work.ts` performs it. It is visible only to people who may open it, or who may see a case in it.
 */

async function see(
  { library, definitions, rules }: BatchDependencies,
  trx: Transaction<DB>,
  person: Person,
  flow: string,
  id: string,
): Promise<Seen> {
  const shipped = library.flows.get(flow)?.manifest
  const register = shipped && registerOfBatch(library, shipped)
  const item = register && (await itemRepository(trx).findItem(register, id))
  if (!item) throw new BusinessError('platform.not-found')
  const { manifest } = await definitions.latest(flow)
  const batch = known(manifest.batch, 'the batch of a flow that is opened in batches')
  const requester = known(manifest.requester, 'the requester of a flow that is opened in batches')
  const items: NamedItems = new Map([[batch.item, item]])
  const [place] = await placesOf(trx, known(library.registers.get(register), register), [item])
  const opens = admits(person, batch.by, place)
  const find = itemRepository(trx).findAnyItem
  const given = { [batch.item.slice(1)]: id }
  const values = await expected(manifest, given, items, find)
  const exceptions = await exceptionsTo({ registers: library.registers, manifest, data: given, items, find })
  // Before the people: what a batch that is done has opened is then among their cases.
  const latest = await findLatestBatch(trx, flow, id)
  const refusals = latest ? await listBatchRefusals(trx, latest.id) : new Map<string, string>()
  const all = await listBatchMembers(trx, flow, id, { register: requester.register, expected: values, exceptions })
  const without = all.filter((row) => mayOpenFor(manifest, row)).map((row) => row.id)
  const byRules = (await rules.get(flow)?.leftOut?.({ trx, records: without })) ?? []
  const unfit = (await rules.get(flow)?.unfitFor?.({ db: trx, records: without, item })) ?? []
  const excepted = all.flatMap((row) => (row.excepted ? [[row.id, 'platform.batch.excepted'] as const] : []))
  const leftOut = new Map([...excepted, ...unfit, ...byRules])
  const seesAll = opens !== undefined || manifest.seenBy.some((one) => !one.includes('@') && admits(person, [one]))
  const members = seesAll
    ? all
    : all.filter(({ data }) => admits(person, manifest.seenBy, unitsOf(data as Record<string, unknown>)) !== undefined)
  if (opens === undefined && members.length === 0) throw new BusinessError('platform.not-found')
  // The totals cover everybody, so only people who see all cases get them.
  const people = known(library.registers.get(requester.register), requester.register)
  return { manifest, people, items, members, opens, latest: seesAll ? latest : undefined, refusals, leftOut }
}

function inTransaction<T>({ db }: BatchDependencies, act: (trx: Transaction<DB>) => Promise<T>): Promise<T> {
  return db.transaction().execute(act)
}

function memberStateOf(
  { library }: BatchDependencies,
  { manifest, people, leftOut }: Seen,
  row: MemberRow,
): MemberState {
  if (!mayOpenFor(manifest, row)) {
    const meaning = library.statusMeanings.get(manifest.statusLists['status'] ?? '')?.[row.case_status]
    if (meaning === 'done') return 'done'
    if (row.withdrawn || row.case_state === 'ended' || row.case_state === 'failed') return 'ended'
    return row.asked ? 'asked' : 'under-way'
  }
  const requester = known(manifest.requester, 'the requester of a flow that is opened in batches')
  if (!mayRequest(requester, people, row)) return 'out-of-use'
  if (leftOut.has(row.id)) return 'left-out'
  return row.account === null ? 'no-account' : 'to-open'
}

/** Whether a person has no case, or only one after which the flow is opened for them again. */
function mayOpenFor({ batch }: Manifest, row: MemberRow): row is MemberRow & { case_id: null } {
  if (row.case_id === null) return true
  if (batch?.again === undefined || row.case_state !== 'ended') return false
  return row.withdrawn || batch.again.includes(row.case_status)
}

function memberOf(context: BatchDependencies, seen: Seen, row: MemberRow, language?: Language): Member {
  const { library } = context
  const { manifest, people, refusals, leftOut } = seen
  const state = memberStateOf(context, seen, row)
  const { codeField } = people
  const code = codeField === undefined ? undefined : at(row.data, codeField)
  const refusal =
    state === 'left-out' ? leftOut.get(row.id) : mayOpenFor(manifest, row) ? refusals.get(row.id) : undefined
  return {
    id: row.id,
    title: row.title,
    code: typeof code === 'string' ? code : null,
    state,
    status:
      row.case_id !== null
        ? wordsOf(library, language).status(manifest, 'status', row.case_status).text
        : state === 'out-of-use'
          ? row.status
          : null,
    case: row.case_id === null ? null : { id: row.case_id, reference: row.reference },
    message: refusal === undefined ? null : library.text(refusal, {}, language),
  }
}

function viewOf(context: BatchDependencies, seen: Seen, now: Date): BatchView {
  const counts = recordOf(memberStates, () => 0)
  for (const row of seen.members) counts[memberStateOf(context, seen, row)] += 1
  const { latest, manifest, items } = seen
  return {
    title: manifest.title,
    counts,
    mayOpen: seen.opens !== undefined && !isOver(manifest, items, now),
    latest: latest ? progressOf(latest) : null,
  }
}

export function progressOf({ created_at, ended_at, ...row }: BatchRow): Progress {
  const { id, state, total, done, refused, by } = row
  const [createdAt, endedAt] = [created_at.toISOString(), ended_at?.toISOString() ?? null]
  return { id, state, total, done, refused, by, createdAt, endedAt }
}

export async function readBatch(
  context: BatchDependencies,
  person: Person,
  flow: string,
  item: string,
): Promise<BatchView> {
  return inTransaction(context, async (trx) => viewOf(context, await see(context, trx, person, flow, item), new Date()))
}

/** People in one state, or all; `not-done` means all states except `done`. */
export async function listMembers(
  context: BatchDependencies,
  person: Person,
  flow: string,
  item: string,
  state: MemberState | 'not-done' | undefined,
  language?: Language,
): Promise<MemberPage> {
  const all = await inTransaction(context, async (trx) => {
    const seen = await see(context, trx, person, flow, item)
    return seen.members.map((row) => memberOf(context, seen, row, language))
  })
  const wanted = all.filter((one) => isOf(one, state))
  return { members: wanted.slice(0, MAX_SHOWN), total: wanted.length }
}

/** The complete list as a file. */
export async function exportMembers(
  context: BatchDependencies,
  person: Person,
  flow: string,
  item: string,
  { format, state }: { format: Sheet['format']; state?: MemberState | 'not-done' },
  language: Language = 'en',
): Promise<Sheet> {
  const { library } = context
  const word = (key: string) => library.text(`platform.batch.${key}`, {}, language)
  const columns = ['name', 'code', 'state', 'status', 'reference', 'message'].map((one) => word(`column.${one}`))
  return inTransaction(context, async (trx) => {
    const seen = await see(context, trx, person, flow, item)
    const rows = seen.members.map((row) => memberOf(context, seen, row, language)).filter((one) => isOf(one, state))
    await audit(trx).record({
      actor: person.id,
      action: 'batch.exported',
      object: `item:${item}`,
      payload: { flow, format, rows: rows.length, ...(state && { state }) },
    })
    const body = rows.map((one) => [
      one.title,
      one.code,
      word(`state.${one.state}`),
      one.status,
      one.case?.reference ?? null,
      one.message,
    ])
    return writeSheet(format, columns, body, `${flow.slice(flow.indexOf('/') + 1)}-${dayInColombo(Date.now())}`)
  })
}

/** Starts the batch for everybody who can have a case; its job does the rest. */
export async function openBatch(
  context: BatchDependencies,
  person: Person,
  flow: string,
  item: string,
): Promise<BatchView> {
  await inTransaction(context, async (trx) => {
    const seen = await see(context, trx, person, flow, item)
    if (seen.opens === undefined) throw new BusinessError('platform.not-allowed')
    if (isOver(seen.manifest, seen.items, new Date())) throw new BusinessError('platform.batch-empty')
    if (seen.latest?.state === 'running') throw new BusinessError('platform.batch-running')
    const records = seen.members.filter((row) => memberStateOf(context, seen, row) === 'to-open').map(({ id }) => id)
    if (records.length === 0) throw new BusinessError('platform.batch-empty')
    const id = uuid()

    await createBatch(trx, id, { flow, item, accountId: person.id, actedAs: seen.opens }, records)
    await scheduleBatch(trx, id)
    const payload = { flow, item, total: records.length }
    const entry = { actor: person.id, actedAs: seen.opens, action: 'batch.started', object: `batch:${id}`, payload }
    await audit(trx).record(entry)
  }).catch(refuseSecondBatch)
  return readBatch(context, person, flow, item)
}

/** Stops the batch; cases that are open stay open. */
export async function stopBatch(
  context: BatchDependencies,
  person: Person,
  flow: string,
  item: string,
): Promise<BatchView> {
  const { db } = context
  await inTransaction(context, async (trx) => {
    const seen = await see(context, trx, person, flow, item)
    if (seen.opens === undefined) throw new BusinessError('platform.not-allowed')
    if (!seen.latest || !(await endBatch(trx, seen.latest.id, 'stopped'))) return
    const object = `batch:${seen.latest.id}`
    await audit(trx).record({ actor: person.id, actedAs: seen.opens, action: 'batch.stopped', object, payload: {} })
  })
  await announce(db, { principals: [`user:${person.id}`], cases: [], tasks: [] })
  return readBatch(context, person, flow, item)
}

/** Whether requests have closed. */
function isOver(manifest: Manifest, items: NamedItems, now: Date): boolean {
  const times = openTimes(manifest, {}, items)
  return times !== undefined && dayInColombo(now) > times.until
}

function isOf({ state }: Member, wanted: MemberState | 'not-done' | undefined): boolean {
  return wanted === undefined || (wanted === 'not-done' ? state !== 'done' : state === wanted)
}

/** The units that a person's register entry names. */
function unitsOf(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(['faculty', 'department', 'division'].map((kind) => [kind, data[kind]]))
}
