import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { eachItem } from '../../kernel/paging.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { Language, Library, Manifest } from '../../model/library/library.ts'
import { itemStatusText, wordsOf } from '../../model/library/words.ts'
import { readUnits } from '../../people/access/units.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type Outsider, previewLetter } from '../../records/mail/mail.ts'
import type { ItemQuery } from '../../records/registers/read.ts'
import type { Item } from '../../records/registers/item.ts'
import { subjectOf } from '../../work/cases/routing.ts'
import { outsiderOf } from '../../work/cases/asking.ts'
import { unanswerable } from '../../work/cases/answerable.ts'
import { placeOf } from '../../work/registers/places.ts'
import { registersService } from '../../work/registers/service.ts'
import { findAnyItem } from '../../work/rows/items.ts'
import {
  createBatch,
  endBatch,
  findLatestBatch,
  listBatchEntries,
  refuseSecondBatch,
  scheduleBatch,
} from './repository.ts'
import { type BatchDependencies, type Progress, progressOf } from './service.ts'

/** Most entries of one batch. */
const MAX_ENTRIES = 2000
const PAGE = 100
/** Mails, and entries that are left out, shown in a preview. */
const MAX_SHOWN = 100

export interface EntryDependencies extends Omit<BatchDependencies, 'rules'> {
  publicUrl: string
}

/** Entries that somebody chose one by one, or by the search and filters of their list. */
export interface Choice extends Pick<ItemQuery, 'search' | 'status' | 'filters'> {
  ids?: readonly string[] | undefined
}

/** A mail as its recipient will get it. */
export interface EntryMail {
  id: string
  title: string
  to: string
  language: Language
  subject: string
  body: string
}

/** What opening a flow for the chosen entries would do. */
export interface EntryPreview {
  total: number
  ready: number
  /** Changes when another entry is ready, or one has changed. */
  stamp: string
  mails: EntryMail[]
  /** Entries that get no case, and why. */
  leftOut: { id: string; title: string; message: string }[]
}

export interface EntryBatchView {
  latest: Progress | null
  entries: {
    id: string
    title: string
    state: 'waiting' | 'done' | 'refused' | 'stopped'
    case: { id: string; reference: string } | null
    message: string | null
  }[]
}

interface Looked {
  manifest: Manifest
  opens: string
  ready: { item: Item; to: Outsider }[]
  leftOut: { item: Item; error: FieldError }[]
}

/*
 * Opens a flow for each of many chosen entries, as one batch: preview with the mails, start, progress and stop.
 * `work.ts` performs it.
 */

/** The flow's manifest, for those who may open it for many entries; 404 for everybody else. */
async function openable({ definitions, library }: EntryDependencies, person: Person, flow: string): Promise<Manifest> {
  const shipped = library.flows.get(flow)?.manifest.entries
  if (!shipped || admits(person, shipped.by) === undefined) throw new BusinessError('platform.not-found')
  const { manifest } = await definitions.latest(flow)
  if (!manifest.entries) throw new BusinessError('platform.not-found')
  return manifest
}

function registerOfEntries(library: Pick<Library, 'forms'>, manifest: Manifest): string {
  const field = known(manifest.entries, 'what opens the flow for chosen entries').item.slice(1)
  return known(
    library.forms.get(manifest.start)?.schema.properties?.[field]?.['x-register'],
    `the register of ${field}`,
  )
}

/** All chosen entries that the person sees. */
export async function chosenItems(
  { db, library }: Pick<EntryDependencies, 'db' | 'library'>,
  person: Person,
  register: string,
  { ids, ...query }: Choice,
  most = MAX_ENTRIES,
): Promise<Item[]> {
  const service = registersService({ db, library })
  const found: Item[] = []
  for await (const item of eachItem((from) =>
    service.items(person, register, { ...query, ...(ids && { ids }), limit: PAGE, ...from }),
  )) {
    found.push(item)
    if (found.length > most) throw new BusinessError('platform.entries-too-many', { most })
  }
  return found
}

/** The chosen entries: those for which a case can begin, and the others with the reason. */
async function look(context: EntryDependencies, person: Person, flow: string, choice: Choice): Promise<Looked> {
  const manifest = await openable(context, person, flow)
  const { by, item: field } = known(manifest.entries, 'what opens the flow for chosen entries')
  const register = registerOfEntries(context.library, manifest)
  const definition = known(context.library.registers.get(register), register)
  const items = await chosenItems(context, person, register, choice)
  const [question] = Object.values(manifest.asks ?? {})
  const at = { find: (id: string) => findAnyItem(context.db, id), now: new Date() }
  const units = await readUnits(context.db)
  const looked: Looked = { manifest, opens: known(admits(person, by), 'the right to open it'), ready: [], leftOut: [] }
  for (const item of items) {
    const data = { [field.slice(1)]: item.id }
    const outOfUse = item.status !== inUse(definition)
    const values = { status: item.status, wanted: inUse(definition) }
    const [error] =
      admits(person, by, placeOf(units, item.data, item)) === undefined
        ? [{ field, code: 'platform.not-allowed' }]
        : outOfUse
          ? [{ field, code: 'platform.item-not-in-use', values }]
          : await unanswerable(manifest, data, at)
    const to = question && !error ? await outsiderOf(question, data, at.find) : undefined
    if (error || !to) looked.leftOut.push({ item, error: error ?? { field, code: 'platform.answer-no-address' } })
    else looked.ready.push({ item, to })
  }
  return looked
}

function mailOf(
  { library, publicUrl }: EntryDependencies,
  { manifest }: Looked,
  { item, to }: Looked['ready'][number],
  requester: string,
): EntryMail {
  const { item: field, mail } = known(manifest.entries, 'what opens the flow for chosen entries')
  const words = wordsOf(library, to.language)
  const subject = subjectOf(manifest, { [field.slice(1)]: item.id }, new Map([[field, item]]))
  const values = {
    ...subject,
    reference: '…',
    requester,
    title: words.flowTitle(manifest),
    status: words.status(manifest, 'status', manifest.firstStatus['status'] ?? '').text,
    link: `${publicUrl}/answer/…`,
  }
  const letter = previewLetter({ library, publicUrl }, mail, to, values)
  return { id: item.id, title: item.title, to: to.email, ...letter }
}

/** What would be sent, to which people, and who is left out and why. */
export async function previewEntries(
  context: EntryDependencies,
  person: Person,
  flow: string,
  choice: Choice,
  language: Language = 'en',
): Promise<EntryPreview> {
  const { library } = context
  const looked = await look(context, person, flow, choice)
  const { ready, leftOut } = looked
  return {
    total: ready.length + leftOut.length,
    ready: ready.length,
    stamp: stampOf(looked),
    mails: ready.slice(0, MAX_SHOWN).map((one) => mailOf(context, looked, one, person.name)),
    leftOut: leftOut.slice(0, MAX_SHOWN).map(({ item: { id, title }, error: { code, values = {} } }) => ({
      id,
      title,
      message: library.text(code, inWords(library, values, language), language),
    })),
  }
}

/** Stands for what somebody has seen. */
export const stampOfAll = (seen: unknown) => createHash('sha256').update(JSON.stringify(seen)).digest('base64url')

/** What somebody has seen of the entries that are ready. */
const stampOf = ({ ready }: Pick<Looked, 'ready'>) =>
  stampOfAll(ready.map(({ item: { id, version }, to }) => [id, version, to.email, to.language]))

/** Statuses of entries as people read them. */
function inWords(library: Pick<Library, 'text' | 'texts'>, values: object, language: Language) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, itemStatusText(library, String(value), language)]),
  )
}

/** Starts the batch, if those entries are ready that its reader has seen; its job does the rest. */
export async function openEntries(
  context: EntryDependencies,
  person: Person,
  flow: string,
  { choice, stamp }: { choice: Choice; stamp: string },
  language?: Language,
): Promise<EntryBatchView> {
  const { ready, opens } = await look(context, person, flow, choice)
  if (ready.length === 0) throw new BusinessError('platform.entries-none')
  if (stampOf({ ready }) !== stamp) throw new BusinessError('platform.entries-changed', { count: ready.length })
  await context.db
    .transaction()
    .execute(async (trx) => {
      const id = uuid()
      const records = ready.map(({ item }) => item.id)
      await createBatch(trx, id, { flow, item: null, accountId: person.id, actedAs: opens }, records)
      await scheduleBatch(trx, id)
      await noteBatch(trx, person, {
        id,
        actedAs: opens,
        action: 'batch.started',
        payload: { flow, total: records.length },
      })
    })
    .catch(refuseSecondBatch)
  return readEntries(context, person, flow, language)
}

function noteBatch(
  trx: Transaction<DB>,
  { id: actor }: Person,
  { id, ...entry }: { id: string; actedAs: string; action: string; payload: JsonObject },
): Promise<void> {
  return audit(trx).record({ actor, object: `batch:${id}`, ...entry })
}

/** The newest batch of chosen entries, with the result of each. */
export async function readEntries(
  context: EntryDependencies,
  person: Person,
  flow: string,
  language: Language = 'en',
): Promise<EntryBatchView> {
  const { db, library } = context
  await openable(context, person, flow)
  const latest = await findLatestBatch(db, flow, null)
  if (!latest) return { latest: null, entries: [] }
  const entries = await listBatchEntries(db, latest.id, MAX_SHOWN)
  return {
    latest: progressOf(latest),
    entries: entries.map(({ id, title, state, code, case_id, reference }) => ({
      id,
      title,
      state: known(
        ENTRY_STATES.find((one) => one === state),
        'the state of an entry',
      ),
      case: case_id !== null && reference !== null ? { id: case_id, reference } : null,
      message: code === null ? null : library.text(code, {}, language),
    })),
  }
}

const ENTRY_STATES = ['waiting', 'done', 'refused', 'stopped'] as const

/** Stops the running batch; cases that are open stay open. */
export async function stopEntries(
  context: EntryDependencies,
  person: Person,
  flow: string,
  language?: Language,
): Promise<EntryBatchView> {
  const { db } = context
  const { entries } = await openable(context, person, flow)
  await db.transaction().execute(async (trx) => {
    const latest = await findLatestBatch(trx, flow, null)
    if (!latest || !(await endBatch(trx, latest.id, 'stopped'))) return
    const actedAs = known(admits(person, entries?.by ?? []), 'the right to stop it')
    await noteBatch(trx, person, { id: latest.id, actedAs, action: 'batch.stopped', payload: {} })
  })
  await announce(db, { principals: [`user:${person.id}`], cases: [], tasks: [] })
  return readEntries(context, person, flow, language)
}
