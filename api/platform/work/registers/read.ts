import { type RawBuilder, type Transaction, sql } from 'kysely'
import { type AuditRecord, audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Scope, UNIT_KINDS, readUnits } from '../../people/access/units.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'
import { type RegisterDefinition, inUse } from '../../model/definitions/register.ts'
import { sensitiveFields } from '../../model/definitions/sensitive.ts'
import { type ItemQuery, foundByWhole } from '../../records/registers/read.ts'
import type { registers } from '../../records/registers/registers.ts'
import { referencedIds } from '../../records/registers/values.ts'
import { listView, publicView } from '../../records/registers/views.ts'
import { whereAddressed } from './addressed.ts'
import { type RegistersContext, inTransaction } from './context.ts'
import { endsBy, soonest } from './expiring.ts'
import { asOwn, isOwn, readableBy, whereEntrusted, whereOwn, writesOwn } from './own.ts'
import { entriesSeen } from './seen.ts'
import {
  type ItemPage,
  type ItemView,
  type RegisterView,
  definitionOf,
  findSeen,
  sensitiveRead,
  itemView,
  scopesSeen,
  viewOf,
  visible,
  withTitles,
} from './views.ts'

/** The registers that a person sees. */
export function listRegisters(context: RegistersContext, person: Person): RegisterView[] {
  const { library } = context
  return [...library.registers]
    .filter(([, definition]) => visible(person, definition))
    .map(([register, definition]) => viewOf(context, person, register, definition))
    .toSorted((a, b) => (a.register < b.register ? -1 : 1))
}

/** A register; also for people who see only their own entries in it. */
export async function readRegister(context: RegistersContext, person: Person, register: string): Promise<RegisterView> {
  const definition = definitionOf(context, register)
  if (!visible(person, definition)) {
    const readable = await readableBy(context.db, context.library, person)
    if (!readable.theirs(register)) throw new BusinessError('platform.not-found')
  }
  const view = viewOf(context, person, register, definition)
  if (!definition.own?.changed && !definition.own?.madeBy) return view
  const writes = await inTransaction(context, async (_, trx) =>
    writesOwn(trx, person, definition, await asOwn(trx, person, definition, {})),
  )
  return { ...view, writesOwn: writes }
}

export async function listRegisterItems(
  context: RegistersContext,
  person: Person,
  register: string,
  every: ItemQuery,
  {
    whole = false,
    mine = false,
    entrusted = false,
    ending = false,
    lacks,
  }: Partial<Record<'whole' | 'mine' | 'entrusted' | 'ending', boolean | undefined>> & {
    lacks?: string | undefined
  } = {},
): Promise<ItemPage> {
  const definition = definitionOf(context, register)
  const all = lacks === undefined ? every : onlyLacking(context, person, definition, every, lacks)
  const asked = ending ? onlyEnding(definition, all) : all
  // Forms list what people may choose; of a register about people they choose from their own.
  if (mine || (definition.own && !visible(person, definition)))
    return listLimited(context, person, register, asked, whereOwn)
  if (entrusted) return listLimited(context, person, register, asked, whereEntrusted)
  findSeen(context, person, register)
  const { fields = [], by = [] } = (whole && definition.searchWhole) || {}
  const right = admits(person, by)
  const query = right === undefined ? asked : { ...asked, whole: fields }
  const page = await inTransaction(context, async (items, trx) => {
    const own = scopesSeen(person, definition)
    const units = own && (await readUnits(trx))
    const ids = own?.flatMap((scope) => units?.below(scope) ?? [])
    const within = ids && { fields: UNIT_KINDS.map((kind) => `/${kind}`), units: ids }
    const also = both(query.also, await whereAddressed(trx, person, definition))
    const found = await items.list(register, { ...query, ...(within && { within }), ...(also && { also }) })
    if (right !== undefined) await noteFoundByWhole(trx, { person, right, definition, query, items: found.items })
    if (definition.sealed) await noteListed(trx, { person, register, definition, items: found.items })
    return found
  })
  return withTitles(context, definition, { ...page, items: page.items.map((item) => listView(definition, item)) })
}

/** Writes to the audit trail who somebody has seen in a list of records that open for a few; one entry for the list. */
async function noteListed(
  trx: Transaction<DB>,
  {
    person,
    register,
    definition,
    items,
  }: { person: Person; register: string; definition: RegisterDefinition; items: readonly Item[] },
): Promise<void> {
  if (items.length === 0) return
  await audit(trx).record({
    actor: person.id,
    actedAs: admits({ ...person, seesAll: false }, definition.seenBy) ?? null,
    action: 'register.sealed-listed',
    object: register,
    payload: { shown: items.length, items: items.map(({ id }) => id) },
  })
}

/** Both conditions, as far as there are any. */
function both(one: RawBuilder<boolean> | undefined, other: RawBuilder<boolean> | undefined) {
  return one && other ? sql<boolean>`(${one}) and ${other}` : (one ?? other)
}

/** Only entries in use that end soon, or have ended; none if the entries of a register do not end. */
function onlyEnding({ expires }: RegisterDefinition, { also, ...query }: ItemQuery): ItemQuery {
  const ends = expires ? endsBy(expires, new Date(), soonest(expires)) : sql<boolean>`false`
  return { ...query, inUse: true, also: both(also, ends) ?? ends }
}

/** Whether somebody sees one register wherever they see another. */
function seesAsMuch(person: Person, of: RegisterDefinition, other: RegisterDefinition): boolean {
  const units = scopesSeen(person, other)
  if (units === undefined) return true
  const isSeen = ({ kind, id }: Scope) => units.some((unit) => unit.kind === kind && unit.id === id)
  return scopesSeen(person, of)?.every(isSeen) ?? false
}

/** Only entries that no entry in use of one of their wanted lists names; the reader sees that list. */
function onlyLacking(
  context: RegistersContext,
  person: Person,
  definition: RegisterDefinition,
  query: ItemQuery,
  register: string,
): ItemQuery {
  const { related = [] } = definition
  const list = related.find((one) => one.wanted && one.register === register)
  const other = list && definitionOf(context, register)
  if (!other || !visible(person, other) || !seesAsMuch(person, definition, other))
    throw new BusinessError('platform.filter-unknown', { field: 'lacks' })
  const named = sql<boolean>`not exists (select from register_reference r join register_item n on n.id = r.item_id
    where r.target_id = register_item.id and r.path = ${list.field} and n.register = ${register} and n.status = ${inUse(other)})
    and (${list.wantedIn ?? null}::text[] is null or register_item.status = any(${list.wantedIn ?? null}::text[]))`
  return { ...query, also: both(query.also, named) ?? named }
}

/** The entries about the person, or entrusted to them, whatever else they may see of the register. */
async function listLimited(
  context: RegistersContext,
  person: Person,
  register: string,
  query: ItemQuery,
  whereTheirs: typeof whereOwn,
): Promise<ItemPage> {
  const definition = definitionOf(context, register)
  const page = await inTransaction(context, async (all, trx) => {
    const own = await whereTheirs(trx, person, definition)
    return all.list(register, { ...query, also: both(query.also, own) ?? own })
  })
  return withTitles(context, definition, { ...page, items: page.items.map((item) => listView(definition, item)) })
}

/** Logs that somebody found entries by sensitive values: they have learnt whose these are, as by reading them. */
async function noteFoundByWhole(
  trx: Transaction<DB>,
  {
    person,
    right,
    definition,
    query,
    items,
  }: { person: Person; right: string; definition: RegisterDefinition; query: ItemQuery; items: readonly Item[] },
): Promise<void> {
  const read: AuditRecord[] = []
  for (const item of items) {
    const sensitive = sensitiveFields(definition.item, item.data)
    const fields = foundByWhole(query, item).filter((field) => sensitive.includes(field))
    if (fields.length > 0 && !(await isOwn(trx, person, definition, item)))
      read.push(sensitiveRead(person, right, item, fields))
  }
  await audit(trx).recordAll(read)
}

/** An entry; `sensitive: false` leaves out what only its own page needs. */
export async function readItem(
  context: RegistersContext,
  person: Person,
  register: string,
  id: string,
  { sensitive = true }: { sensitive?: boolean } = {},
): Promise<ItemView> {
  const definition = definitionOf(context, register)
  return inTransaction(context, async (own, trx) => {
    const item = await seenItem(own, trx, person, { register, id, definition })
    return itemView(context, trx, person, definition, item, sensitive ? 'read' : 'left-out')
  })
}

/** An entry with all its data, if the person sees it; throws 404 for others. */
export async function seenItem(
  own: ReturnType<typeof registers>,
  trx: Transaction<DB>,
  person: Person,
  { register, id, definition }: { register: string; id: string; definition: RegisterDefinition },
): Promise<Item> {
  const item = await own.item(register, id)
  const [sees] = await entriesSeen(trx, person, definition, [item])
  if (!sees) throw new BusinessError('platform.not-found')
  return item
}

/** What everybody sees of a register. */
export async function listPublicItems(
  context: RegistersContext,
  register: string,
  query: ItemQuery,
): Promise<ItemPage> {
  const definition = definitionOf(context, register)
  const page = await inTransaction(context, (own) => own.list(register, { ...query, public: true }))
  return withTitles(context, definition, { ...page, items: page.items.map((item) => publicView(definition, item)) })
}

export async function readPublicItem(
  context: RegistersContext,
  register: string,
  id: string,
): Promise<Item & { titles: Record<string, string> }> {
  const definition = definitionOf(context, register)
  const { items } = await inTransaction(context, (own) => own.list(register, { id, public: true }))
  const [item] = items.map((one) => publicView(definition, one))
  if (!item) throw new BusinessError('platform.not-found')
  return { ...item, titles: await inTransaction(context, (own) => own.titles(referencedIds(definition, item))) }
}
