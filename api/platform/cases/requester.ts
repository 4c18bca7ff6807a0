import type { Transaction } from 'kysely'
import { dayInColombo, endOfDay } from '../calendar/colombo.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import type { Variables } from '../engine/port.ts'
import { BusinessError } from '../errors.ts'
import { type Manifest, REQUESTER } from '../flows/manifest.ts'
import type { Library } from '../flows/library.ts'
import { accounts } from '../identity/accounts.ts'
import { type FieldSchema, at, inUse } from '../registers/definition.ts'
import { caseRepository } from './repository.ts'
import { type FindItem, type NamedItems, resolve, valueAt } from './routing.ts'
import { itemsNamed, refuse } from './sent.ts'

/** What is asked for, by whom it is asked for, and what it may name. */
interface Asked {
  manifest: Manifest
  schema: FieldSchema
  data: JsonObject
  requesterId: string
  registers: Library['registers']
}

/**
 * The items that a form names, and under `requester` the requester's own entry where the flow asks for one. Throws where
 * they have none in use, and where what is asked for is not meant for them.
 */
export async function itemsAsked(trx: Transaction<DB>, asked: Asked): Promise<NamedItems> {
  const { manifest, schema, data, requesterId, registers } = asked
  const { requester } = manifest
  const named = await itemsNamed(trx, schema, data)
  if (!requester) return named
  const entry = await accounts(trx).findOwnEntry(requesterId)
  if (entry?.register !== requester.register) throw new BusinessError('platform.requester-unknown')
  if (entry.status !== inUse(registers.get(requester.register)!))
    throw new BusinessError('platform.requester-out-of-use')
  const items: NamedItems = new Map([...named, [REQUESTER, entry]])
  const wanted = await expected(manifest, data, items, caseRepository(trx).findAnyItem)
  const differs = [...wanted].some(([pointer, value]) => at(entry.data, pointer) !== value)
  refuse(differs ? [{ field: fieldOf(manifest), code: 'platform.requester-not-meant' }] : [])
  return items
}

/** What has to stand in the entry of whomever a case can be for, as far as its form says: pointer → value. */
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

/** From when and until when something can be asked for; the last day ends at midnight of the house. */
export function openTimes(
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
): { from: string; until: string } | undefined {
  if (!manifest.open) return undefined
  const day = (pointer: string): string => {
    const value = resolve(pointer, data, items)
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new Error(`${pointer} names no day`)
    return value
  }
  return { from: day(manifest.open.from), until: day(manifest.open.until) }
}

/** Throws where it is too early or too late to ask. */
export function refuseClosed(manifest: Manifest, data: JsonObject, items: NamedItems, now: Date): void {
  const times = openTimes(manifest, data, items)
  if (!times) return
  const today = dayInColombo(now)
  const values = { from: times.from, until: times.until }
  if (today < times.from) refuse([{ field: fieldOf(manifest), code: 'platform.not-open-yet', values }])
  if (today > times.until) refuse([{ field: fieldOf(manifest), code: 'platform.closed', values }])
}

/** What a diagram may read beside the form: how the case began, and when asking for it ends. */
export function beginningVariablesOf(
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
  byBatch: boolean,
): Variables {
  const times = openTimes(manifest, data, items)
  return { ...(manifest.batch && { byBatch }), ...(times && { closesAt: endOfDay(times.until) }) }
}

/** By what a requester has one case at most; null where the flow does not ask for that. */
export function onceKeyOf({ once }: Manifest, data: JsonObject): string | null {
  return once ? String(at(data, once.per)) : null
}

/** The field at which it is told that something is not for somebody, or not now. */
function fieldOf({ once, batch }: Manifest): string {
  return batch?.item ?? once?.per ?? ''
}
