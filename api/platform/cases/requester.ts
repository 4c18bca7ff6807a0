import type { Transaction } from 'kysely'
import { dayInColombo } from '../calendar/colombo.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import type { Variables } from '../engine/port.ts'
import { BusinessError } from '../errors.ts'
import { type Manifest, REQUESTER } from '../flows/manifest.ts'
import { accounts } from '../identity/accounts.ts'
import type { RegisterDefinition } from '../registers/definition.ts'
import { at, inUse } from '../registers/definition.ts'
import { caseRepository } from './repository.ts'
import { type FindItem, type NamedItem, type NamedItems, valueAt } from './routing.ts'
import { refuse } from './sent.ts'

/** The entry that somebody's account is about, where the manifest asks for one of a register. */
async function entryOf(
  trx: Transaction<DB>,
  { requester }: Manifest,
  requesterId: string,
): Promise<NamedItem | undefined> {
  if (!requester) return undefined
  const own = await accounts(trx).findOwnEntry(requesterId)
  return own?.register === requester.register ? own : undefined
}

/** The items that a form names, and the requester's own entry under `requester`. Throws where they have none in use. */
export async function withRequester(
  trx: Transaction<DB>,
  manifest: Manifest,
  { requesterId, items, registers }: Whose,
): Promise<NamedItems> {
  if (!manifest.requester) return items
  const entry = await entryOf(trx, manifest, requesterId)
  if (!entry) throw new BusinessError('platform.requester-unknown')
  if (entry.status !== inUse(registers.get(manifest.requester.register)!))
    throw new BusinessError('platform.requester-out-of-use')
  return new Map([...items, [REQUESTER, entry]])
}

interface Whose {
  requesterId: string
  items: NamedItems
  registers: ReadonlyMap<string, RegisterDefinition>
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

/** Throws where what a form asks for is not meant for its requester. */
export async function refuseStrangers(
  trx: Transaction<DB>,
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
): Promise<void> {
  const wanted = await expected(manifest, data, items, caseRepository(trx).findAnyItem)
  const entry = items.get(REQUESTER)
  const differs = [...wanted].some(([pointer, value]) => at(entry?.data, pointer) !== value)
  refuse(differs ? [{ field: fieldOf(manifest), code: 'platform.requester-not-meant' }] : [])
}

/** From when and until when something can be asked for; the last day ends at midnight of the house. */
export function openTimes(
  manifest: Manifest,
  data: JsonObject,
  items: NamedItems,
): { from: string; until: string } | undefined {
  if (!manifest.open) return undefined
  const day = (pointer: string): string => {
    const [field, within] = pointer.split('#') as [string, string | undefined]
    const value = within === undefined ? at(data, field) : at(items.get(field), within)
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
  return { ...(manifest.batch && { byBatch }), ...(times && { closesAt: `${times.until}T23:59:59+05:30` }) }
}

/** By what a requester has one case at most; null where the flow does not ask for that. */
export function onceKeyOf({ once }: Manifest, data: JsonObject): string | null {
  return once ? String(at(data, once.per)) : null
}

/** The field at which it is told that something is not for somebody, or not now. */
function fieldOf({ once, batch }: Manifest): string {
  return batch?.item ?? once?.per ?? ''
}
