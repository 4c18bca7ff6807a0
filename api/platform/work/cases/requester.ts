import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { NIC, longNic } from '../../../../forms/platform/nic.ts'
import { known } from '../../kernel/known.ts'
import { dayAway, dayInColombo, endOfDay } from '../../kernel/colombo.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/thrown.ts'
import { type Manifest, REQUESTER, type RequesterRecord } from '../../model/definitions/manifest.ts'
import type { Library } from '../../model/library/library.ts'
import { readUnits } from '../../people/access/units.ts'
import { findOwnEntry, getPerson } from '../../people/identity/accounts.ts'
import { admits } from '../../people/persons/person.ts'
import { type FieldSchema, type RegisterDefinition, at, inUse } from '../../model/definitions/register.ts'
import {
  type FindItem,
  type NamedItem,
  type NamedItems,
  referencesOf,
  resolve,
  valueAt,
} from '../../model/definitions/named.ts'
import { type Excepting, type ExceptionsAsked, exceptingEntry } from './excepted.ts'
import { itemsNamed, refuse } from './sent.ts'
import { asCertified } from '../../records/registers/last-in-use.ts'
import { findAnyItem } from '../rows/items.ts'
import { placeOf } from '../registers/places.ts'

/** The key of every case in a flow that allows one case per requester. */
const SINGLE_CASE_KEY = 'one'

/** What is requested, the requester, and what it may name. */
interface Asked {
  manifest: Manifest
  schema: FieldSchema
  data: JsonObject
  requesterId: string
  registers: Library['registers']
}

/**
 * The entries that a form names, and under `requester` the requester's own entry if the flow needs one. Throws if they
 * have no entry in a status of those who may ask, or if the request is not meant for them. Entries that `fixed` fields
 * name are as they were certified last: nobody chooses them again, and a change may wait.
 */
export async function itemsAsked(
  trx: Transaction<DB>,
  asked: Asked,
  fixed: readonly string[] = [],
): Promise<NamedItems> {
  const { manifest, schema, data, requesterId, registers } = asked
  const named = new Map(await itemsNamed(trx, schema, data))
  for (const field of fixed) {
    const entry = named.get(field)
    const certified = entry && (await asCertified(trx, registers, entry.id))
    if (certified) named.set(field, certified)
  }
  const entry = await entryAsked(trx, { manifest, requesterId, registers })
  if (!entry) return named
  const items: NamedItems = new Map([...named, [REQUESTER, entry]])
  const find: FindItem = (id) => findAnyItem(trx, id)
  const meant = await isMeant(manifest, data, items, find)
  refuse(meant ? [] : [{ field: fieldOf(manifest), code: 'platform.requester-not-meant' }])
  const excepting = await exceptingEntry(trx, { registers, manifest, data, items, find })
  if (excepting !== undefined) {
    const { entry: title, code = 'platform.requester-excepted' } = excepting
    refuse([{ field: fieldOf(manifest), code, values: { entry: title } }])
  }
  return items
}

/** Throws if an entry excepts the requester of a running case, in whatever status they are. */
export async function refuseExcepted(trx: Transaction<DB>, asked: Asked): Promise<void> {
  const own = await findOwnEntry(trx, asked.requesterId)
  if (own) refuseExcepting(await exceptingEntry(trx, await askedNow(trx, asked, own)))
}

/**
 * Throws if the requester of a running case could not ask now: their status differs, an entry excepts them, or, where the
 * flow says so, the request is not meant for them any more.
 */
export async function refuseNoLonger(trx: Transaction<DB>, asked: Asked): Promise<void> {
  const { manifest, requesterId, registers } = asked
  const requester = known(manifest.requester, 'what the requester has to meet')
  const own = await findOwnEntry(trx, requesterId)
  const definition = known(registers.get(requester.register), 'the register of requesters')
  if (own?.register !== requester.register || !mayRequest(requester, definition, own))
    return refuse([{ field: '/outcome', code: 'platform.requester-no-longer' }])
  const now = await askedNow(trx, asked, own)
  const meant = !requester.refusesUnmatched || (await isMeant(manifest, now.data, now.items, now.find))
  refuse(meant ? [] : [{ field: '/outcome', code: 'platform.requester-not-meant-now' }])
  const excepting = await exceptingEntry(trx, now)
  if (excepting === undefined) return
  const values = { entry: excepting.entry }
  refuse([{ field: '/outcome', code: 'platform.requester-excepted-now', values }])
}

/** What a running case asks for, with the entries that it names and this one of its requester as they are now. */
async function askedNow(
  trx: Transaction<DB>,
  { manifest, schema, data, registers }: Asked,
  own: NamedItem,
): Promise<ExceptionsAsked> {
  const items: NamedItems = new Map([...(await itemsNamed(trx, schema, data)), [REQUESTER, own]])
  return { registers, manifest, data, items, find: (id) => findAnyItem(trx, id) }
}

/**
 * The requester's own entry, if the flow needs one; throws if they have none in a status of those who may ask, or an
 * entry excepts them whatever they ask for.
 */
export async function entryAsked(
  db: Kysely<DB> | Transaction<DB>,
  { manifest, requesterId, registers }: Pick<Asked, 'manifest' | 'requesterId' | 'registers'>,
): Promise<NamedItem | undefined> {
  const { requester } = manifest
  if (!requester) return undefined
  const entry = await findOwnEntry(db, requesterId)
  if (entry?.register !== requester.register) throw new BusinessError('platform.requester-unknown')
  const definition = known(registers.get(requester.register), 'the register of requesters')
  if (!mayRequest(requester, definition, entry))
    throw new BusinessError(
      requester.statuses === undefined ? 'platform.requester-out-of-use' : 'platform.requester-status-differs',
    )
  const always = {
    ...manifest,
    requester: { ...requester, unless: requester.unless?.filter(({ where }) => !where) ?? [] },
  }
  const items: NamedItems = new Map([[REQUESTER, entry]])
  const find: FindItem = (id) => findAnyItem(db, id)
  refuseExcepting(await exceptingEntry(db, { registers, manifest: always, data: {}, items, find }))
  return entry
}

/** Throws if there is an entry that excepts the requester. */
function refuseExcepting(excepting: Excepting | undefined): void {
  if (excepting === undefined) return
  const { entry, code = 'platform.requester-excepted' } = excepting
  throw new BusinessError(code, { entry })
}

/** Whether an entry has a status in which its person may ask. */
export function mayRequest(
  { statuses }: RequesterRecord,
  definition: Pick<RegisterDefinition, 'statuses'>,
  { status }: { status: string },
): boolean {
  return (statuses ?? [inUse(definition)]).includes(status)
}

/** Whether the request is meant for the requester, whose entry is among the entries. */
async function isMeant(manifest: Manifest, data: unknown, items: NamedItems, find: FindItem): Promise<boolean> {
  const wanted = await expected(manifest, data, items, find)
  return [...wanted].every(([pointer, value]) => at(items.get(REQUESTER)?.data, pointer) === value)
}

/** Whether the request is meant for the requester, and no entry excepts them. */
export async function isForRequester(db: Kysely<DB>, asked: ExceptionsAsked): Promise<boolean> {
  const { manifest, data, items, find } = asked
  return (await isMeant(manifest, data, items, find)) && (await exceptingEntry(db, asked)) === undefined
}

/** The values that the requester's entry must have according to the form: pointer → value. */
export async function expected(
  manifest: Manifest,
  data: unknown,
  items: NamedItems,
  find: FindItem,
): Promise<Map<string, unknown>> {
  const wanted = Object.entries(manifest.requester?.match ?? {})
  const values = await Promise.all(
    wanted.map(async ([pointer, lookup]) => [pointer, await valueAt(lookup, data, items, find)] as const),
  )
  return new Map(values.filter(([, value]) => value !== undefined && value !== null && value !== ''))
}

/** When requests are open; the last day ends at midnight in Colombo. */
export function openTimes(
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
): { from: string; until: string } | undefined {
  if (!manifest.open) return undefined
  const day = (pointer: string): string => {
    const value = resolve(pointer, data, items)
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new Error(`${pointer} is not a date`)
    return value
  }
  const { from, until, before = 0, after = 0 } = manifest.open
  return { from: dayAway(day(from), -before), until: dayAway(day(until), after) }
}

/** The field that names the entry whose days decide; undefined if they are those of the form itself. */
export function openFieldOf({ open }: Manifest): string | undefined {
  const [field, inEntry] = open?.from.split('#') ?? []
  return inEntry === undefined ? undefined : field
}

/** Why it is not open now: too early, or too late. */
export function closedNow(
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
  now: Date,
): { code: string; values: { from: string; until: string } } | undefined {
  const values = openTimes(manifest, data, items)
  if (!values) return undefined
  const today = dayInColombo(now)
  if (today < values.from) return { code: 'platform.not-open-yet', values }
  return today > values.until ? { code: 'platform.closed', values } : undefined
}

/** When requests close, and until when those may still send who had begun before. */
export interface Closing {
  at: Date
  /** Null if the flow lets nobody finish. */
  finishUntil: Date | null
  /** The entry whose days these are, if they are those of one. */
  item: string | null
}

/** Milliseconds after closing in which people may finish what they had begun. */
const FINISHING_MS = 10 * 60_000

export function closingOf(manifest: Manifest, data: JsonObject, items: NamedItems): Closing | undefined {
  const times = openTimes(manifest, data, items)
  if (!times) return undefined
  // The last day ends with its last second.
  const closes = Date.parse(endOfDay(times.until)) + 1000
  const field = openFieldOf(manifest)
  return {
    at: new Date(closes),
    finishUntil: manifest.open?.finish ? new Date(closes + FINISHING_MS) : null,
    item: field === undefined ? null : String(at(data, field)),
  }
}

/**
 * Throws if it is too early or too late to ask. Within the time to finish, the database knows who had begun before
 * closing.
 */
export function refuseClosed(manifest: Manifest, data: JsonObject, items: NamedItems, now: Date): void {
  const closed = closedNow(manifest, data, items, now)
  if (!closed) return
  const finishUntil = closingOf(manifest, data, items)?.finishUntil
  if (closed.code === 'platform.closed' && finishUntil && now < finishUntil) return
  refuse([{ field: fieldOf(manifest), ...closed }])
}

/** Says that it has closed, if the database refused the case for that; else throws the error as it is. */
export function refuseLate(error: unknown, manifest: Manifest, data: JsonObject, items: NamedItems): never {
  const late = textOf(error, 'constraint') === 'flow_case_in_time'
  const values = openTimes(manifest, data, items)
  if (late && values) refuse([{ field: fieldOf(manifest), code: 'platform.closed', values }])
  throw error
}

/** Variables of a new case beside its form: how it began, and when requests close. */
export function beginningVariablesOf(
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
  byBatch: boolean,
): Variables {
  const times = openTimes(manifest, data, items)
  return { ...(manifest.batch && { byBatch }), ...(times && { closesAt: endOfDay(times.until) }) }
}

/** The key by which a requester has at most one case; null if the flow has no such limit. */
export function onceKeyOf({ once }: Manifest, data: JsonObject): string | null {
  if (!once) return null
  return once.per === undefined ? SINGLE_CASE_KEY : String(at(data, once.per))
}

/**
 * The key of the values of which the flow allows one case, no matter who sends it; null if it has no such limit. It is
 * a hash, because the values may be sensitive.
 */
export function soleKeyOf({ sole }: Manifest, data: JsonObject, items: NamedItems): string | null {
  if (!sole) return null
  const values = sole.by.map((pointer) => {
    const value = String(resolve(pointer, data, items) ?? '').trim()
    return NIC.test(value) ? longNic(value) : value.toUpperCase()
  })
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url')
}

/** The entries that a case of the flow keeps for itself while it runs, with the fields that name them. */
export function claimedBy({ claims }: Manifest, items: NamedItems): { path: string; id: string }[] {
  if (claims === undefined) return []
  return [...items].filter(([path]) => anyRow(path) === claims).map(([path, { id }]) => ({ path, id }))
}

/** A pointer with `*` for the number of each row. */
const anyRow = (path: string) => path.replaceAll(/\/[0-9]+(?=\/|$)/g, '/*')

/**
 * What is wrong where the requester holds no role of `startedBy` at the units of an entry that they start it for. Who
 * may start a flow is said by its present manifest, on whatever version a case runs.
 */
export async function startedElsewhere(
  trx: Transaction<DB>,
  { startedBy, startedAt }: Pick<Manifest, 'startedBy' | 'startedAt'>,
  { schema, data, requesterId }: Pick<Asked, 'schema' | 'data' | 'requesterId'>,
  items: NamedItems,
): Promise<FieldError[]> {
  if (startedAt === undefined) return []
  const [units, person] = [await readUnits(trx), await getPerson(trx, requesterId)]
  return referencesOf(schema, data).flatMap(({ path, register, id }): FieldError[] => {
    const entry = items.get(path)
    if (!entry || anyRow(path) !== startedAt.item) return []
    const isThere = admits(person, startedBy, placeOf(units, entry.data, { register, id })) !== undefined
    return isThere ? [] : [{ field: path, code: startedAt.code }]
  })
}

/** The field that shows the error when a request is not for this person, or not open now. */
function fieldOf(manifest: Manifest): string {
  return manifest.batch?.item ?? manifest.once?.per ?? openFieldOf(manifest) ?? ''
}
