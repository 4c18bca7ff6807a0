import type { Transaction } from 'kysely'
import type { Scope } from '../../people/access/units.ts'
import { type AuditRecord, audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { registerOfBatch } from '../../model/library/library.ts'
import { type Person, type Place, admits, admitsToStart, grantsMeant } from '../../people/persons/person.ts'
import type { Page } from '../../kernel/paging.ts'
import type { Choice, RegisterDefinition } from '../../model/definitions/register.ts'
import { sensitiveFields } from '../../model/definitions/sensitive.ts'
import { importable } from '../../records/registers/import-columns.ts'
import { type Item, caseOf, isFinal } from '../../records/registers/item.ts'
import { registers } from '../../records/registers/registers.ts'
import { sealedFields } from '../../records/registers/sealed.ts'
import { referencedIds } from '../../records/registers/values.ts'
import { listView } from '../../records/registers/views.ts'
import { type RegistersContext, inTransaction } from './context.ts'
import { endingAmong } from './expiring.ts'
import { isAboutReader, isRestricted, openUntil, recordOf } from './opening.ts'
import { correctsOwn, isOwn, writesOwn } from './own.ts'
import { readerOf } from './reader.ts'
import { placesOf, withOwners } from './places.ts'
import { type Told, namedOf } from './told.ts'
import { known } from '../../kernel/known.ts'
import { listClaimingCases, findLeadingCase } from '../rows/cases.ts'

/** A register with what the reader may do to it. */
export interface RegisterView {
  register: string
  definition: RegisterDefinition
  mayCreate: boolean
  mayImport: boolean
  /** The reader adds and changes entries about themselves, and no others. */
  writesOwn: boolean
  /** Statuses that the reader may set. */
  settable: string[]
  /** Those of them that the reader may set for many entries at once, and for entries in which statuses. */
  inBulk: Record<string, string[]>
  /** Lists on an entry's page that the reader may see. */
  related: NonNullable<RegisterDefinition['related']>
  /** Flows that can be opened for everybody an entry is meant for, if the reader may see anything of that. */
  batches: string[]
  /** Flows that the reader may open for each of many entries. */
  entryFlows: { flow: string; title: string }[]
  /** Flows that the reader may start for many entries at once, and the fields of their forms that the entries fill in. */
  gatherFlows: { flow: string; title: string; fills: string[] }[]
  /** Reports on an entry that the reader may open. */
  reports: { report: string; field: string; title: string }[]
}

/** Entries with the titles of the entries they refer to. */
export type ItemPage = Page<Owned> & { titles: Record<string, string> }

/** An entry with the title of the entry that it belongs to, and whether it ends soon or has ended. */
type Owned = Item & { owner?: string; ends?: true }

export type ItemView = Owned & {
  titles: Record<string, string>
  mayChange: boolean
  /** Fields that alone the reader changes; null: all. */
  corrects: string[] | null
  ledBy: LeadingCase | null
  sealed: Sealed | null
  /** The selections of the register that the entry is among. */
  selections: string[]
  /** The entries to which it leads. */
  tells: Told[]
}

/** Of an entry with encrypted fields: until when the reader has opened them, or null if they are closed. */
export interface Sealed {
  openUntil: string | null
  /** The reader may open them. */
  mayOpen: boolean
  /** They are open, and nobody can read them any more: their key is lost. */
  lost: boolean
  /** What the person shows does not open them; only a reason does. */
  restricted: boolean
  /** What opens them without the person. */
  reasons: Choice[]
}

/** The case whose status an entry has; its title is a text key. */
export interface LeadingCase {
  id: string
  reference: string
  title: string
}

/** A register by its name; throws if there is none. */
export function definitionOf({ library }: RegistersContext, register: string): RegisterDefinition {
  const definition = library.registers.get(register)
  if (!definition) throw new BusinessError('platform.not-found')
  return definition
}

/** Like `definitionOf`, for people who may see the register; throws 404 for others. */
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
  const reader = readerOf(person, definition)
  const { byHand = definition.statuses, inBulk = {} } = definition
  const settable = admits(reader, definition.changedBy) === undefined ? [] : [...byHand]
  const related = (definition.related ?? []).flatMap(({ wanted, ...one }) => {
    const other = definitionOf(context, one.register)
    const sees = visible(person, other)
    return other.own !== undefined || sees ? [{ ...one, ...(wanted && sees && { wanted }) }] : []
  })
  const mayImport = creates && importable(definition)
  const reports = (definition.reports ?? []).flatMap(({ report, field }) => {
    const told = library.reports.get(report)
    return told && admits(person, told.seenBy) !== undefined ? [{ report, field, title: told.title }] : []
  })
  const batches = batchesOf(context, person, register)
  const entryFlows = entryFlowsOf(context, person, register)
  const gatherFlows = gatherFlowsOf(context, person, register)
  return {
    register,
    definition,
    mayCreate: creates,
    writesOwn: false,
    mayImport,
    settable,
    inBulk: Object.fromEntries(Object.entries(inBulk).filter(([status]) => settable.includes(status))),
    related,
    batches,
    entryFlows,
    gatherFlows,
    reports,
  }
}

function batchesOf({ library }: RegistersContext, person: Person, register: string): string[] {
  return [...library.flows].flatMap(([flow, { manifest }]) => {
    const { batch, seenBy } = manifest
    if (!batch || registerOfBatch(library, manifest) !== register) return []
    return admits(person, [...batch.by, ...seenBy]) ? [flow] : []
  })
}

function entryFlowsOf({ library }: RegistersContext, person: Person, register: string): RegisterView['entryFlows'] {
  return [...library.flows].flatMap(([flow, { manifest }]) => {
    const { entries, start, title } = manifest
    const field = entries && library.forms.get(start)?.schema.properties?.[entries.item.slice(1)]
    if (!entries || field?.['x-register'] !== register || admits(person, entries.by) === undefined) return []
    return [{ flow, title }]
  })
}

function gatherFlowsOf({ library }: RegistersContext, person: Person, register: string): RegisterView['gatherFlows'] {
  return [...library.flows].flatMap(([flow, { manifest }]) => {
    const { gathers, start, title } = manifest
    if (!gathers || admitsToStart(person, manifest) === undefined) return []
    const [list = '', , field = ''] = gathers.items.slice(1).split('/')
    const named = library.forms.get(start)?.schema.properties?.[list]?.items?.properties?.[field]
    if (named?.['x-register'] !== register) return []
    return [{ flow, title, fills: [list, ...Object.keys(gathers.alike).map((pointer) => pointer.slice(1))] }]
  })
}

async function withEnds<T extends Item>(trx: Transaction<DB>, definition: RegisterDefinition, items: readonly T[]) {
  const ending = await endingAmong(trx, definition, items, new Date())
  return items.map((item) => (ending.has(item.id) ? { ...item, ends: true as const } : item))
}

/** A page of entries with the titles of the entries they refer to. */
export async function withTitles(
  context: RegistersContext,
  definition: RegisterDefinition,
  page: Page<Item>,
): Promise<ItemPage> {
  const ids = page.items.flatMap((item) => referencedIds(definition, item))
  return inTransaction(context, async (own, trx) => ({
    ...page,
    items: await withEnds(trx, definition, await withOwners(trx, definition, page.items)),
    titles: await own.titles(ids),
  }))
}

/**
 * An entry for its page, without sensitive fields if the reader may not see them. Showing them is logged in the audit
 * trail, except to a person who has just written the entry.
 */
export async function itemView(
  context: Pick<RegistersContext, 'library' | 'fieldKeys'>,
  trx: Transaction<DB>,
  who: Person,
  definition: RegisterDefinition,
  item: Item,
  sensitive: 'read' | 'written' | 'left-out',
): Promise<ItemView> {
  const { library } = context
  const person = readerOf(who, definition)
  const place = known((await placesOf(trx, definition, [item]))[0], 'the units of an entry')
  const changes = admits(person, definition.changedBy, place)
  const fields = sensitiveFields(definition.item, item.data)
  let shown = listView(definition, item)
  if (fields.length > 0 && sensitive !== 'left-out') {
    const own = await isOwn(trx, person, definition, item)
    const reads = changes ?? admits(person, definition.sensitiveTo ?? [], place)
    if (reads !== undefined || own) shown = item
    if (reads !== undefined && !own && sensitive === 'read')
      await audit(trx).record(sensitiveRead(person, reads, item, fields))
  }
  const { sealed, data } = await unsealed(context, trx, person, definition, item, sensitive)
  shown = { ...shown, data: { ...shown.data, ...data } }
  const titles = await registers(trx, library).titles(referencedIds(definition, shown))
  const ledBy = await leadingCase(library, trx, person, item, place)
  const [owned = shown] = await withEnds(trx, definition, await withOwners(trx, definition, [shown]))
  const corrects = await correctsOwn(trx, person, definition, item)
  const writes = changes !== undefined || corrects !== null || (await writesOwn(trx, person, definition, item.data))
  const isClosed = sealed !== null && sealed.openUntil === null
  const mayChange = writes && !isFinal(definition, item) && !isClosed && caseOf(definition, item.data) === null
  return {
    ...owned,
    titles,
    mayChange,
    corrects,
    ledBy,
    sealed,
    ...(await namedOf(library, trx, who, definition, item)),
  }
}

/** The encrypted fields of an entry, if the reader has opened them; reading them is logged. */
async function unsealed(
  { fieldKeys, library }: Pick<RegistersContext, 'library' | 'fieldKeys'>,
  trx: Transaction<DB>,
  person: Person,
  definition: RegisterDefinition,
  item: Item,
  sensitive: 'read' | 'written' | 'left-out',
): Promise<{ sealed: Sealed | null; data: JsonObject }> {
  if (!definition.sealed || !fieldKeys) return { sealed: null, data: {} }
  const own = await isAboutReader(trx, person, definition, item)
  const right = own ? undefined : admits(person, definition.sealed.to)
  const record = recordOf(definition, item)
  const isOpen = right !== undefined && record !== undefined ? await openUntil(trx, person, record) : undefined
  const opensWith = await opensWithOf(library, trx, item, record)
  const sealed = { openUntil: isOpen?.toISOString() ?? null, mayOpen: right !== undefined, lost: false, ...opensWith }
  if (right === undefined || sensitive === 'left-out' || !(isOpen ?? sensitive === 'written')) {
    // Also that the record is there, and what is not encrypted, says something about a person.
    if (right !== undefined && sensitive === 'read')
      await audit(trx).record(
        sensitiveRead(
          person,
          right,
          item,
          Object.keys(item.data).map((name) => `/${name}`),
        ),
      )
    return { sealed, data: {} }
  }
  const fieldsOf = sealedFields(trx, fieldKeys)
  const whole = (await fieldsOf.read(item.register, [item.id])).get(item.id)
  if (!whole) return { sealed: { ...sealed, lost: await fieldsOf.isLost(item.id) }, data: {} }
  const { properties = {} } = definition.item
  const data = Object.fromEntries(Object.entries(whole).filter(([name]) => properties[name]?.['x-shown'] !== 'never'))
  const fields = Object.keys(data).map((name) => `/${name}`)
  if (sensitive === 'read' && fields.length > 0) await audit(trx).record(sensitiveRead(person, right, item, fields))
  return { sealed, data }
}

/** What opens the record of an entry. */
async function opensWithOf(
  { registers: all }: Pick<RegistersContext['library'], 'registers'>,
  trx: Transaction<DB>,
  item: Item,
  record: string | undefined,
): Promise<Pick<Sealed, 'restricted' | 'reasons'>> {
  const row =
    record === undefined || record === item.id
      ? item
      : await trx.selectFrom('register_item').select(['register', 'data']).where('id', '=', record).executeTakeFirst()
  const sealed = row && all.get(row.register)?.sealed
  if (!row || !sealed) return { restricted: false, reasons: [] }
  return { restricted: await isRestricted(trx, sealed, row), reasons: sealed.reasons ?? [] }
}

/** The newest case that leads an entry, or a running one that keeps it for itself, for people who see its flow's cases. */
async function leadingCase(
  { flows }: Pick<RegistersContext['library'], 'flows'>,
  trx: Transaction<DB>,
  person: Person,
  { id }: Item,
  place: Place,
): Promise<LeadingCase | null> {
  const leading = await findLeadingCase(trx, id)
  for (const found of leading ? [leading] : await listClaimingCases(trx, id)) {
    const manifest = flows.get(found.flow)?.manifest
    if (manifest && admits(person, manifest.seenBy, place) !== undefined)
      return { id: found.id, reference: found.reference, title: manifest.title }
  }
  return null
}

/** The audit entry of somebody who reads these sensitive fields of an entry, by this right. */
export function sensitiveRead(
  { id: actor }: Person,
  actedAs: string,
  item: Pick<Item, 'id' | 'register' | 'version'>,
  fields: readonly string[],
): AuditRecord {
  const { id, register, version } = item
  return {
    actor,
    actedAs,
    action: 'register-item.sensitive-read',
    object: `${register}:${id}`,
    payload: { fields, version },
  }
}

export function visible(person: Person, definition: RegisterDefinition): boolean {
  const own = scopesSeen(person, definition)
  return own === undefined || own.length > 0
}

/** The units whose entries a person sees, with all units below them; undefined means all entries. */
export function scopesSeen(who: Person, definition: RegisterDefinition): Scope[] | undefined {
  const person = readerOf(who, definition)
  if (person.seesAll || definition.seenBy.includes('*')) return undefined
  if (definition.seenAnywhere && admits(person, definition.seenBy) !== undefined) return undefined
  const grants = definition.seenBy.flatMap((entry) => grantsMeant(person, entry))
  if (grants.some(({ scopeKind }) => scopeKind === null)) return undefined
  return grants.map(({ scopeKind, scopeId }) => ({
    kind: known(scopeKind, 'the kind of a scope'),
    id: known(scopeId, 'the unit of a scope'),
  }))
}

export function mayCreate(person: Person, definition: RegisterDefinition): boolean {
  return !definition.fixed && admits(readerOf(person, definition), definition.changedBy) !== undefined
}
