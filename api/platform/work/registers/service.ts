import type { Kysely, Transaction } from 'kysely'
import { type Settled, beginAccessChange, settleAccess } from '../access/settle.ts'
import { type UnitEntry, isOfUnits, postTrouble, refuseUnit, shiftsUnits } from '../access/unit-rules.ts'
import { type Scope, UNIT_KINDS, type Units, readUnits, unitOf } from '../../people/access/units.ts'
import { inOurWords, invalid } from '../../people/access/refusals.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { definitionStore } from '../../model/deployed/definitions.ts'
import { type Language, type Library, registerOfBatch } from '../../model/library/library.ts'
import { type Person, admits, grantsMeant } from '../../people/persons/person.ts'
import type { Page } from '../../kernel/paging.ts'
import { type RegisterDefinition, inUse, sensitiveFields } from '../../model/definitions/register.ts'
import type { ImportResult } from '../../records/registers/csv.ts'
import { importCsv } from '../../records/registers/import.ts'
import { importable, templateOf } from '../../records/registers/import-columns.ts'
import { type Item, isFinal } from '../../records/registers/item.ts'
import type { ItemQuery } from '../../records/registers/read.ts'
import { registers } from '../../records/registers/registers.ts'
import { referencedIds } from '../../records/registers/values.ts'
import { listView, publicView } from '../../records/registers/views.ts'

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

/**
 * Registers as people use them: who may see and change what. A register or item that somebody may not see does not
 * exist for them.
 */
export function registersService({
  db,
  library,
}: {
  db: Kysely<DB>
  library: Pick<Library, 'registers' | 'roles' | 'text' | 'flows' | 'forms' | 'reports'>
}) {
  const offers = { definitions: definitionStore(db), roles: library.roles }

  const within = <T>(act: (own: ReturnType<typeof registers>, trx: Transaction<DB>) => Promise<T>): Promise<T> =>
    db.transaction().execute((trx: Transaction<DB>) => act(registers(trx, library), trx))

  /** As `within`, for what writes. Where units and posts change, so may who stands in for whom: the tasks follow. */
  async function writing<T>(
    register: string,
    act: (own: ReturnType<typeof registers>, trx: Transaction<DB>, shifted: () => void) => Promise<T>,
  ): Promise<T> {
    if (!isOfUnits(register))
      return inOurWords(() => within((own, trx) => act(own, trx, () => undefined)), {
        // Nothing else that is done to an item takes a slot than making it a part of another.
        allocation_no_overlap: () => invalid([{ field: '/parent', code: 'platform.item-part-booked' }]),
      })
    let settled: Settled | undefined
    const result = await inOurWords(() =>
      within(async (own, trx) => {
        await beginAccessChange(trx)
        let shifts = false
        const done = await act(own, trx, () => void (shifts = true))
        if (shifts) settled = await settleAccess(trx, { accounts: [], principals: [] }, offers)
        return done
      }),
    )
    if (settled) await announce(db, settled)
    return result
  }

  function definitionOf(register: string): RegisterDefinition {
    const definition = library.registers.get(register)
    if (!definition) throw new BusinessError('platform.not-found')
    return definition
  }

  function seen(person: Person, register: string): RegisterDefinition {
    const definition = definitionOf(register)
    if (!visible(person, definition)) throw new BusinessError('platform.not-found')
    return definition
  }

  function viewOf(person: Person, register: string, definition: RegisterDefinition): RegisterView {
    const creates = mayCreate(person, definition)
    const related = (definition.related ?? []).filter((one) => visible(person, definitionOf(one.register)))
    const mayImport = creates && importable(definition)
    const reports = (definition.reports ?? []).flatMap(({ report, field }) => {
      const told = library.reports.get(report)
      return told && admits(person, told.seenBy) !== undefined ? [{ report, field, title: told.title }] : []
    })
    const batches = batchesOf(person, register)
    return { register, definition, mayCreate: creates, mayImport, related, batches, reports }
  }

  function batchesOf(person: Person, register: string): string[] {
    return [...library.flows].flatMap(([flow, { manifest }]) => {
      const { batch, seenBy } = manifest
      if (!batch || registerOfBatch(library, manifest) !== register) return []
      return admits(person, [...batch.by, ...seenBy]) ? [flow] : []
    })
  }

  async function withTitles(definition: RegisterDefinition, page: Page<Item>): Promise<ItemPage> {
    const ids = page.items.flatMap((item) => referencedIds(definition, item))
    return { ...page, titles: await within((own) => own.titles(ids)) }
  }

  /**
   * An item for its page. Who may not read what is sensitive gets the rest; where it is shown to somebody who has not
   * just written it, the audit says so.
   */
  async function view(
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

  /** Changes an item: only by who may, as it is and as it becomes, and only on the version they know. */
  async function changing(
    person: Person,
    register: string,
    id: string,
    version: number | undefined,
    becomes: { data?: JsonObject; status?: string },
    act: (own: ReturnType<typeof registers>, current: Item) => Promise<Item>,
  ): Promise<ItemView> {
    const definition = seen(person, register)
    if (becomes.data && definition.fixed) throw new BusinessError('platform.not-allowed')
    return writing(register, async (own, trx, shifted) => {
      const current = await own.lock(register, id)
      const units = await readUnits(trx)
      for (const data of [current.data, ...(becomes.data ? [becomes.data] : [])])
        if (admits(person, definition.changedBy, placeOf(units, data, current)) === undefined)
          throw new BusinessError('platform.not-allowed')
      if (version !== undefined) refuseOther(current, version)
      const after: UnitEntry = { id, data: current.data, status: current.status, ...becomes }
      if (isOfUnits(register)) await refuseUnit(trx, person, register, { before: current, after, units })
      const changed = await act(own, current)
      if (isOfUnits(register) && shiftsUnits(register, current, changed)) shifted()
      return view(trx, person, definition, changed, becomes.data ? 'written' : 'left-out')
    })
  }

  return {
    /** The registers that a person sees. */
    list(person: Person): RegisterView[] {
      return [...library.registers]
        .filter(([, definition]) => visible(person, definition))
        .map(([register, definition]) => viewOf(person, register, definition))
        .toSorted((a, b) => (a.register < b.register ? -1 : 1))
    },

    /** A register; also for whoever sees nothing of it but their own entry. */
    async get(person: Person, register: string): Promise<RegisterView> {
      const definition = definitionOf(register)
      if (!visible(person, definition)) {
        const own = await within((_, trx) => ownRecord(trx, person))
        if (own?.register !== register) throw new BusinessError('platform.not-found')
      }
      return viewOf(person, register, definition)
    },

    async items(person: Person, register: string, query: ItemQuery): Promise<ItemPage> {
      const definition = seen(person, register)
      const page = await within(async (all, trx) => {
        const own = scopesSeen(person, definition)
        if (!own) return all.list(register, query)
        const units = await readUnits(trx)
        const ids = own.flatMap((scope) => units.below(scope))
        return all.list(register, { ...query, within: UNIT_KINDS.map((kind) => ({ field: `/${kind}`, values: ids })) })
      })
      return withTitles(definition, { ...page, items: page.items.map((item) => listView(definition, item)) })
    },

    /** An item; `sensitive: false` leaves out what only its own page needs. */
    async item(
      person: Person,
      register: string,
      id: string,
      { sensitive = true }: { sensitive?: boolean } = {},
    ): Promise<ItemView> {
      const definition = definitionOf(register)
      return within(async (own, trx) => {
        const item = await own.item(register, id)
        const place = definition.seenAnywhere ? undefined : placeOf(await readUnits(trx), item.data, item)
        const sees = admits(person, definition.seenBy, place)
        if (sees === undefined && !(await isOwn(trx, person, id))) throw new BusinessError('platform.not-found')
        return view(trx, person, definition, item, sensitive ? 'read' : 'left-out')
      })
    },

    async create(person: Person, register: string, data: JsonObject, status?: string): Promise<ItemView> {
      const definition = seen(person, register)
      if (definition.fixed) throw new BusinessError('platform.not-allowed')
      return writing(register, async (own, trx, shifted) => {
        const units = await readUnits(trx)
        if (admits(person, definition.changedBy, placeOf(units, data)) === undefined)
          throw new BusinessError('platform.not-allowed')
        if (isOfUnits(register))
          await refuseUnit(trx, person, register, {
            after: { id: '', status: status ?? inUse(definition), data },
            units,
          })
        const made = await own.create(register, data, person.id, status ? { status } : {})
        if (isOfUnits(register) && shiftsUnits(register, undefined, made)) shifted()
        return view(trx, person, definition, made, 'written')
      })
    },

    /** Puts new data in place of the old; `version` is the one the person had before them. */
    async change(person: Person, register: string, id: string, version: number, data: JsonObject): Promise<ItemView> {
      return changing(person, register, id, version, { data }, (own, current) => {
        const gone = Object.fromEntries(Object.keys(current.data).map((field) => [field, null]))
        return own.change(current, { ...gone, ...data }, person.id)
      })
    },

    async setStatus(
      person: Person,
      register: string,
      id: string,
      version: number | undefined,
      status: string,
    ): Promise<ItemView> {
      return changing(person, register, id, version, { status }, (own, current) =>
        own.setStatus(current, status, person.id),
      )
    },

    /** A file with nothing but the columns that an import takes. */
    template(person: Person, register: string): string {
      const definition = seen(person, register)
      if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
      return templateOf(definition)
    },

    /** Reads a CSV file of items, tells what is wrong with it, and makes all of them if nothing is and it is wanted. */
    async import(
      person: Person,
      register: string,
      csv: string,
      commit: boolean,
      language: Language,
    ): Promise<ImportResult> {
      const definition = seen(person, register)
      if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
      const run = (write: boolean) =>
        writing(register, async (own, trx, shifted) => {
          const units = await readUnits(trx)
          const refusal = (data: JsonObject) => {
            if (admits(person, definition.changedBy, placeOf(units, data)) === undefined)
              return 'platform.import.elsewhere'
            if (register !== 'platform/post') return undefined
            return postTrouble(person, undefined, unitOf({ id: '', register, status: inUse(definition), data }), units)
          }
          if (register === 'platform/post') shifted()
          return importCsv({ trx, library, own, register, csv, by: person.id, commit: write, refusal, language })
        })
      try {
        return await run(commit)
      } catch (error) {
        // Somebody took a value while this was being written: another look names the line.
        if (commit && error instanceof BusinessError && error.code === 'platform.form-invalid') return run(false)
        throw error
      }
    },

    /** What anybody sees of a register. */
    async publicItems(register: string, query: ItemQuery): Promise<ItemPage> {
      const definition = definitionOf(register)
      const page = await within((own) => own.list(register, { ...query, public: true }))
      return withTitles(definition, { ...page, items: page.items.map((item) => publicView(definition, item)) })
    },

    async publicItem(register: string, id: string): Promise<Item & { titles: Record<string, string> }> {
      const definition = definitionOf(register)
      const { items } = await within((own) => own.list(register, { id, public: true }))
      const [item] = items.map((one) => publicView(definition, one))
      if (!item) throw new BusinessError('platform.not-found')
      return { ...item, titles: await within((own) => own.titles(referencedIds(definition, item))) }
    },
  }
}

/** The entry that is about the person themselves. */
function ownRecord(trx: Transaction<DB>, { id }: Person): Promise<{ id: string; register: string } | undefined> {
  return trx
    .selectFrom('account as a')
    .innerJoin('register_item as i', 'i.id', 'a.record_id')
    .select(['i.id', 'i.register'])
    .where('a.id', '=', id)
    .executeTakeFirst()
}

async function isOwn(trx: Transaction<DB>, person: Person, item: string): Promise<boolean> {
  return (await ownRecord(trx, person))?.id === item
}

function refuseOther(current: Item, version: number): void {
  if (current.version !== version) throw new BusinessError('platform.changed-meanwhile')
}

function visible(person: Person, definition: RegisterDefinition): boolean {
  const own = scopesSeen(person, definition)
  return own === undefined || own.length > 0
}

/** The units whose items somebody sees, with all below them; undefined: all items. */
function scopesSeen(person: Person, definition: RegisterDefinition): Scope[] | undefined {
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

function mayCreate(person: Person, definition: RegisterDefinition): boolean {
  return !definition.fixed && admits(person, definition.changedBy) !== undefined
}
