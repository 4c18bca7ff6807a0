import type { Kysely, Transaction } from 'kysely'
import type { DB, JsonObject } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'
import { type Person, admits } from '../identity/person.ts'
import type { Page } from '../paging.ts'
import { type RegisterDefinition, at } from './definition.ts'
import { type Item, type ItemQuery, publicView, referencedIds, registers } from './registers.ts'

/** A register with what the person who asks may do to it. */
export interface RegisterView {
  register: string
  definition: RegisterDefinition
  mayCreate: boolean
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
  library: { registers: ReadonlyMap<string, RegisterDefinition> }
}) {
  const within = <T>(act: (own: ReturnType<typeof registers>) => Promise<T>): Promise<T> =>
    db.transaction().execute((trx: Transaction<DB>) => act(registers(trx, library)))

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

  function mayChange(person: Person, definition: RegisterDefinition, data: JsonObject): boolean {
    return admits(person, definition.changedBy, scopeOf(data)) !== undefined
  }

  function refuseUnlessMayChange(person: Person, definition: RegisterDefinition, data: JsonObject): void {
    if (!mayChange(person, definition, data)) throw new BusinessError('platform.not-allowed')
  }

  async function withTitles(definition: RegisterDefinition, page: Page<Item>): Promise<ItemPage> {
    const ids = page.items.flatMap((item) => referencedIds(definition, item))
    return { ...page, titles: await within((own) => own.titles(ids)) }
  }

  async function view(person: Person, definition: RegisterDefinition, item: Item): Promise<ItemView> {
    const titles = await within((own) => own.titles(referencedIds(definition, item)))
    return { ...item, titles, mayChange: mayChange(person, definition, item.data) }
  }

  return {
    /** The registers that a person sees. */
    list(person: Person): RegisterView[] {
      return [...library.registers]
        .filter(([, definition]) => visible(person, definition))
        .map(([register, definition]) => ({ register, definition, mayCreate: mayCreate(person, definition) }))
        .toSorted((a, b) => (a.register < b.register ? -1 : 1))
    },

    get(person: Person, register: string): RegisterView {
      const definition = seen(person, register)
      return { register, definition, mayCreate: mayCreate(person, definition) }
    },

    async items(person: Person, register: string, query: ItemQuery): Promise<ItemPage> {
      const definition = seen(person, register)
      const own = scopesSeen(person, definition)
      const page = await within((all) => all.list(register, { ...query, ...(own ? { within: own } : {}) }))
      return withTitles(definition, page)
    },

    async item(person: Person, register: string, id: string): Promise<ItemView> {
      const definition = seen(person, register)
      const item = await within((own) => own.item(register, id))
      if (admits(person, definition.seenBy, scopeOf(item.data)) === undefined)
        throw new BusinessError('platform.not-found')
      return view(person, definition, item)
    },

    async create(person: Person, register: string, data: JsonObject, status?: string): Promise<ItemView> {
      const definition = seen(person, register)
      refuseUnlessMayChange(person, definition, data)
      return view(
        person,
        definition,
        await within((own) => own.create(register, data, person.id, status ? { status } : {})),
      )
    },

    /** Puts new data in place of the old; `version` is the one the person had before them. */
    async change(person: Person, register: string, id: string, version: number, data: JsonObject): Promise<ItemView> {
      const definition = seen(person, register)
      const changed = await within(async (own) => {
        const current = await own.lock(register, id)
        refuseUnlessMayChange(person, definition, current.data)
        refuseUnlessMayChange(person, definition, data)
        refuseOther(current, version)
        const gone = Object.fromEntries(Object.keys(current.data).map((field) => [field, null]))
        return own.change(current, { ...gone, ...data }, person.id)
      })
      return view(person, definition, changed)
    },

    async setStatus(
      person: Person,
      register: string,
      id: string,
      version: number | undefined,
      status: string,
    ): Promise<ItemView> {
      const definition = seen(person, register)
      const changed = await within(async (own) => {
        const current = await own.lock(register, id)
        refuseUnlessMayChange(person, definition, current.data)
        if (version !== undefined) refuseOther(current, version)
        return own.setStatus(current, status, person.id)
      })
      return view(person, definition, changed)
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

function refuseOther(current: Item, version: number): void {
  if (current.version !== version) throw new BusinessError('platform.changed-meanwhile')
}

/** An item belongs to the units that its data name. */
function scopeOf(data: JsonObject): Record<string, unknown> {
  return Object.fromEntries(['faculty', 'department', 'division', 'unit'].map((kind) => [kind, at(data, `/${kind}`)]))
}

function visible(person: Person, definition: RegisterDefinition): boolean {
  const own = scopesSeen(person, definition)
  return own === undefined || own.some(({ values }) => values.length > 0)
}

/** The units whose items somebody sees; undefined: all items. */
function scopesSeen(person: Person, definition: RegisterDefinition): { field: string; values: string[] }[] | undefined {
  const unscoped = definition.seenBy.filter((entry) => !entry.includes('@'))
  if (admits(person, unscoped) !== undefined) return undefined
  return definition.seenBy
    .filter((entry) => entry.includes('@'))
    .map((entry) => {
      const [role, kind] = entry.split('@')
      const grants = person.grants.filter((grant) => grant.role === role && grant.scopeKind === kind)
      return { field: `/${kind}`, values: grants.map((grant) => grant.scopeId!) }
    })
}

function mayCreate(person: Person, definition: RegisterDefinition): boolean {
  const roles = definition.changedBy.map((entry) => entry.split('@')[0]!)
  return admits(person, roles) !== undefined
}
