import type { Transaction } from 'kysely'
import { type Scope, type Units, UNIT_KINDS, readUnits } from '../../people/access/units.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { registerOfBatch } from '../../model/library/library.ts'
import { type Person, admits, grantsMeant } from '../../people/persons/person.ts'
import type { Page } from '../../kernel/paging.ts'
import { type RegisterDefinition, sensitiveFields } from '../../model/definitions/register.ts'
import { importable } from '../../records/registers/import-columns.ts'
import { type Item, isFinal } from '../../records/registers/item.ts'
import { registers } from '../../records/registers/registers.ts'
import { referencedIds } from '../../records/registers/values.ts'
import { listView } from '../../records/registers/views.ts'
import { type RegistersContext, inTransaction } from './context.ts'

/** A register with what the person who asks may do to it. */
export interface RegisterView {
  register: string
  definition: RegisterDefinition
  mayCreate: boolean
  mayImport: boolean
  /** Lists on an item's page that the person may see. */
  related: NonNullable<RegisterDefinition['related']>
  /** Flows that can be opened for all whom an item is meant for, where the person may see anything of that. */
  batches: string[]
  /** Reports on an item that the person may read. */
  reports: { report: string; field: string; title: string }[]
}

/** Items with the titles of what they refer to, so that a list can be read. */
export type ItemPage = Page<Item> & { titles: Record<string, string> }

export type ItemView = Item & { titles: Record<string, string>; mayChange: boolean }

/** A register by its name; throws where there is none. */
export function definitionOf({ library }: RegistersContext, register: string): RegisterDefinition {
  const definition = library.registers.get(register)
  if (!definition) throw new BusinessError('platform.not-found')
  return definition
}

/** As `definitionOf`, for who may see the register; for everybody else it does not exist. */
export function findSeen(context: RegistersContext, person: Person, register: string): RegisterDefinition {
  const definition = definitionOf(context, register)
  if (!visible(person, definition)) throw new BusinessError('platform.not-found')
  return definition
}

/** A register with what this person may do to it. */
export function viewOf(
  context: RegistersContext,
  person: Person,
  register: string,
  definition: RegisterDefinition,
): RegisterView {
  const { library } = context
  const creates = mayCreate(person, definition)
  const related = (definition.related ?? []).filter((one) => visible(person, definitionOf(context, one.register)))
  const mayImport = creates && importable(definition)
  const reports = (definition.reports ?? []).flatMap(({ report, field }) => {
    const told = library.reports.get(report)
    return told && admits(person, told.seenBy) !== undefined ? [{ report, field, title: told.title }] : []
  })
  const batches = batchesOf(context, person, register)
  return { register, definition, mayCreate: creates, mayImport, related, batches, reports }
}

function batchesOf({ library }: RegistersContext, person: Person, register: string): string[] {
  return [...library.flows].flatMap(([flow, { manifest }]) => {
    const { batch, seenBy } = manifest
    if (!batch || registerOfBatch(library, manifest) !== register) return []
    return admits(person, [...batch.by, ...seenBy]) ? [flow] : []
  })
}

/** A page of items with the titles of what they refer to. */
export async function withTitles(
  context: RegistersContext,
  definition: RegisterDefinition,
  page: Page<Item>,
): Promise<ItemPage> {
  const ids = page.items.flatMap((item) => referencedIds(definition, item))
  return { ...page, titles: await inTransaction(context, (own) => own.titles(ids)) }
}

/**
 * An item for its page. Who may not read what is sensitive gets the rest; where it is shown to somebody who has not
 * just written it, the audit says so.
 */
export async function itemView(
  { library }: RegistersContext,
  trx: Transaction<DB>,
  person: Person,
  definition: RegisterDefinition,
  item: Item,
  sensitive: 'read' | 'written' | 'left-out',
): Promise<ItemView> {
  const place = placeOf(await readUnits(trx), item.data, item)
  const changes = admits(person, definition.changedBy, place)
  const fields = sensitiveFields(definition.item, item.data)
  let shown = listView(definition, item)
  if (fields.length > 0 && sensitive !== 'left-out') {
    const own = await isOwn(trx, person, item.id)
    const reads = changes ?? admits(person, definition.sensitiveTo ?? [], place)
    if (reads !== undefined || own) shown = item
    if (reads !== undefined && !own && sensitive === 'read')
      await audit(trx).record({
        actor: person.id,
        actedAs: reads,
        action: 'register-item.sensitive-read',
        object: `${item.register}:${item.id}`,
        payload: { fields, version: item.version },
      })
  }
  const titles = await registers(trx, library).titles(referencedIds(definition, item))
  return { ...shown, titles, mayChange: changes !== undefined && !isFinal(definition, item) }
}

/** The entry that is about the person themselves. */
export function ownRecord(trx: Transaction<DB>, { id }: Person): Promise<{ id: string; register: string } | undefined> {
  return trx
    .selectFrom('account as a')
    .innerJoin('register_item as i', 'i.id', 'a.record_id')
    .select(['i.id', 'i.register'])
    .where('a.id', '=', id)
    .executeTakeFirst()
}

/** Whether an item is the entry that is about the person themselves. */
export async function isOwn(trx: Transaction<DB>, person: Person, item: string): Promise<boolean> {
  return (await ownRecord(trx, person))?.id === item
}

export function visible(person: Person, definition: RegisterDefinition): boolean {
  const own = scopesSeen(person, definition)
  return own === undefined || own.length > 0
}

/** The units whose items somebody sees, with all below them; undefined: all items. */
export function scopesSeen(person: Person, definition: RegisterDefinition): Scope[] | undefined {
  if (person.seesAll || definition.seenBy.includes('*')) return undefined
  if (definition.seenAnywhere && admits(person, definition.seenBy) !== undefined) return undefined
  const grants = definition.seenBy.flatMap((entry) => grantsMeant(person, entry))
  if (grants.some(({ scopeKind }) => scopeKind === null)) return undefined
  return grants.map(({ scopeKind, scopeId }) => ({ kind: scopeKind!, id: scopeId! }))
}

/** The units that an item belongs to, by kind: those that its data name, those above them, and itself where it is one. */
export function placeOf(units: Units, data: JsonObject, item?: Pick<Item, 'register' | 'id'>): Record<string, string> {
  const named = UNIT_KINDS.flatMap((kind) => {
    const id = data[kind]
    return typeof id === 'string' ? [{ kind, id }] : []
  })
  const all = [...named.flatMap((scope) => units.chain(scope)), ...named]
  const own = UNIT_KINDS.find((kind) => item?.register === `platform/${kind}`)
  return Object.fromEntries([...all.map(({ kind, id }) => [kind, id]), ...(own ? [[own, item!.id]] : [])])
}

export function mayCreate(person: Person, definition: RegisterDefinition): boolean {
  return !definition.fixed && admits(person, definition.changedBy) !== undefined
}
