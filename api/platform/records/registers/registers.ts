import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { checkForm } from '../../model/forms/check.ts'
import { noteEntryChanged } from './entry-names.ts'
import { containing } from '../../kernel/like.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import { keepBooks } from './books.ts'
import { beginningStatus, certifiedStatus } from './certifying.ts'
import {
  type RegisterDefinition,
  at,
  inUse,
  leaves,
  pathOf,
  withMadeIds,
  withoutSensitive,
} from '../../model/definitions/register.ts'

/** One entry of a register at one of its versions. */
export interface Item {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: JsonObject
  createdAt: string
  changedAt: string
}

/** What to list; filters are equalities of fields that the register allows to filter by. */
export interface ItemQuery {
  id?: string
  ids?: readonly string[]
  search?: string
  /** By field name or JSON pointer. */
  filters?: Record<string, string>
  status?: string
  /** Only items that may be referred to. */
  inUse?: boolean
  /** Further conditions: field → allowed values. Any one of the entries has to hold. */
  within?: { field: string; values: string[] }[]
  /** What else has to hold of a row `register_item`. */
  also?: RawBuilder<boolean>
  /** Only what the register shows to the public. */
  public?: boolean
  cursor?: string
  limit?: number
}

/** Who changes an item: an account id, or null for the product itself (first contents). */
type By = string | null

/** An item to be made; without a status it is in use. */
export interface NewItem {
  id?: string
  status?: string
  data: JsonObject
}

/** What is wrong with a field of the item at that place of a list. */
export interface ItemError extends FieldError {
  index: number
}

type Draft = Required<NewItem>
type Placed = Draft & { index: number }

/** A row of `register_item`. */
interface ItemRow {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: unknown
  created_at: Date
  changed_at: Date
}

/**
 * Master data. Items are checked against the register's schema, versioned with every change and never deleted;
 * references are foreign keys and `x-unique` values are unique in the database. Permission is the caller's matter.
 */
export function registers(trx: Transaction<DB>, library: { registers: ReadonlyMap<string, RegisterDefinition> }) {
  function definitionOf(register: string): RegisterDefinition {
    const definition = library.registers.get(register)
    if (!definition) throw new BusinessError('platform.not-found')
    return definition
  }

  function itemsOf(register: string) {
    return trx.selectFrom('register_item').selectAll().where('register', '=', register)
  }

  async function item(register: string, id: string): Promise<Item> {
    const row = await itemsOf(register).where('id', '=', id).executeTakeFirst()
    if (!row) throw new BusinessError('platform.not-found')
    return itemOf(row)
  }

  async function list(register: string, query: ItemQuery = {}): Promise<Page<Item>> {
    const definition = definitionOf(register)
    const limit = query.limit ?? 20
    let wanted = itemsOf(register).where((eb) => eb.and(conditions(eb, definition, query)))
    const { count } = await trx
      .selectFrom(wanted.limit(COUNT_LIMIT + 1).as('some'))
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (query.cursor !== undefined) {
      const [title, id] = readCursor(query.cursor, ['text', 'id'])
      wanted = wanted.where(sql<boolean>`(title, id) > (${title}, ${id}::uuid)`)
    }
    const page = await wanted
      .orderBy('title')
      .orderBy('id')
      .limit(limit + 1)
      .execute()
    const items = page.slice(0, limit).map(itemOf)
    const last = items.at(-1)
    return {
      items,
      next: page.length > limit && last ? cursorOf([last.title, last.id]) : null,
      count: counted(count),
    }
  }

  /** Titles (and codes) of items that others refer to, by id. */
  async function titles(ids: readonly string[]): Promise<Record<string, string>> {
    if (ids.length === 0) return {}
    const found = await trx
      .selectFrom('register_item')
      .select(['id', 'title'])
      .where('id', 'in', [...new Set(ids)])
      .execute()
    return Object.fromEntries(found.map((row) => [row.id, row.title]))
  }

  async function create(
    register: string,
    data: JsonObject,
    by: By,
    { id, status }: { id?: string; status?: string } = {},
  ): Promise<Item> {
    const [made] = await insert(register, [{ data, ...(id !== undefined && { id }), ...(status && { status }) }], by)
    return made!
  }

  /** Makes any number of items with a few statements, or none of them; errors name the place of an item: `/3/name`. */
  async function createMany(register: string, items: readonly NewItem[], by: By): Promise<Item[]> {
    return insert(register, items, by, (index, field) => `/${index}${field}`)
  }

  /** What keeps items from being made, each with the item's place in the list. */
  async function examine(register: string, items: readonly NewItem[]): Promise<ItemError[]> {
    const definition = definitionOf(register)
    return wrongWith(definition, register, drafts(definition, items))
  }

  /** Changes fields of an item; a field set to null goes. `from` says which version the change was made on. */
  async function change(from: Pick<Item, 'id' | 'register' | 'version'>, patch: JsonObject, by: By): Promise<Item> {
    const current = await locked(from)
    const data = entered(definitionOf(current.register), merged(current.data, patch))
    return write(current, { data, status: current.status }, by, 'register-item.changed', { patch })
  }

  /** Puts an item into another of its register's statuses. */
  async function setStatus(from: Pick<Item, 'id' | 'register' | 'version'>, status: string, by: By): Promise<Item> {
    const current = await locked(from)
    return write(current, { data: current.data, status }, by, 'register-item.status-changed', { status })
  }

  /** The item, locked until the transaction ends and at its newest version. */
  async function lock(register: string, id: string): Promise<Item> {
    const row = await itemsOf(register).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!row) throw new BusinessError('platform.not-found')
    return itemOf(row)
  }

  return { definitionOf, item, list, titles, create, createMany, examine, change, setStatus, lock }

  async function insert(
    register: string,
    items: readonly NewItem[],
    by: By,
    pointer: (index: number, field: string) => string = (_, field) => field,
  ): Promise<Item[]> {
    const definition = definitionOf(register)
    const made = drafts(definition, items).map((one) => ({
      ...one,
      status: beginningStatus(definition, one.status, by),
    }))
    const refuse = (wrong: readonly ItemError[]) => refuseWrong(wrong, pointer)
    refuse(await wrongWith(definition, register, made))
    const rows = made.map((one) => ({ ...one, title: titleOf(definition, one.data), final: isFinal(definition, one) }))
    const inserted = await sql<ItemRow>`
      insert into register_item (id, register, status, title, data, final)
      select id, ${register}, status, title, data, final
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id uuid, status text, title text, data jsonb, final boolean)
      returning *`.execute(trx)
    const byId = new Map(inserted.rows.map((row) => [row.id, row]))
    const inOrder = made.map(({ id }) => byId.get(id)!)
    const told = (row: ItemRow) => ({ action: 'register-item.created', payload: { data: row.data } })
    refuse(await note(definition, register, inOrder, by, told))
    const written = inOrder.map(itemOf)
    for (const [index, { id, version, status, data }] of written.entries()) {
      const wrong = await keepBooks(trx, register, definition, { id, version, after: { status, data } })
      refuse(wrong.map((error) => ({ ...error, index })))
    }
    return written
  }

  async function locked({ register, id, version }: Pick<Item, 'id' | 'register' | 'version'>): Promise<Item> {
    const current = await lock(register, id)
    // A fault and not a business error: whoever retries reads the item anew.
    if (current.version !== version)
      throw new Error(`${register} ${id} is at version ${current.version}, not ${version}`)
    return current
  }

  async function write(
    current: Item,
    { data, status: wanted }: { data: JsonObject; status: string },
    by: By,
    action: string,
    payload: object,
  ): Promise<Item> {
    const { register, id } = current
    const definition = definitionOf(register)
    const status = await certifiedStatus(trx, definition, current, { data, status: wanted, by })
    if (isFinal(definition, current)) throw new BusinessError('platform.item-final')
    // What was stored before lines were looked at for what cannot be seen stays until somebody changes it.
    const wrong = (await wrongWith(definition, register, [{ id, status, data }])).filter(
      ({ code, field }) => code !== 'platform.check-name' || at(data, field) !== at(current.data, field),
    )
    refuseWrong(wrong)
    const row = await trx
      .updateTable('register_item')
      .set({
        data: JSON.stringify(data),
        status,
        title: titleOf(definition, data),
        final: isFinal(definition, { status }),
        version: current.version + 1,
        changed_at: sql`now()`,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    refuseWrong(await note(definition, register, [row], by, () => ({ action, payload }), current.data))
    const [before, now] = [current.data['full_name'], data['full_name']]
    await noteEntryChanged(trx, { id, by, before, now })
    const { version } = row
    const after = { status, data }
    const unbooked = await keepBooks(trx, register, definition, { id, version, before: current, after })
    refuseWrong(unbooked.map((error) => ({ ...error, index: 0 })))
    return itemOf(row)
  }

  async function wrongWith(
    definition: RegisterDefinition,
    register: string,
    items: readonly Draft[],
  ): Promise<ItemError[]> {
    const wrong = items.flatMap(({ status, data }, index): ItemError[] => [
      ...checkForm(definition.item, data).map((error) => ({ ...error, index })),
      ...(definition.statuses.includes(status) ? [] : [{ index, field: '/status', code: 'platform.check-enum' }]),
    ])
    // Everything is looked at, so that all that is wrong is told at once.
    const placed = items.map((one, index) => ({ ...one, index }))
    const told = new Set(wrong.map(({ index, field }) => `${index}${field}`))
    const found = [...(await taken(definition, register, placed)), ...(await danglingReferences(definition, placed))]
    return [...wrong, ...found.filter(({ index, field }) => !told.has(`${index}${field}`))].toSorted(
      (a, b) => a.index - b.index,
    )
  }

  /** Unique values that another item has, or an earlier one of the list. */
  async function taken(
    definition: RegisterDefinition,
    register: string,
    items: readonly Placed[],
  ): Promise<ItemError[]> {
    const wanted = items.flatMap(({ id, index, data }) =>
      uniqueValues(definition, data).map(({ path, value }) => ({ id, index, path, value })),
    )
    if (wanted.length === 0) return []
    const { rows } = await sql<{ index: number; path: string }>`
      select index, path from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w(id uuid, index integer, path text, value text)
      where exists (select from register_unique u where u.register = ${register} and u.field = w.path
        and u.value = w.value and u.item_id <> w.id)`.execute(trx)
    const seen = new Set<string>()
    const doubled = wanted.filter(({ path, value }) => {
      const name = JSON.stringify([path, value])
      return seen.has(name) || !seen.add(name)
    })
    const places = new Map([...rows, ...doubled].map(({ index, path }) => [`${index}${path}`, { index, path }]))
    return [...places.values()].map(({ index, path }) => ({ index, field: path, code: 'platform.value-taken' }))
  }

  async function danglingReferences(definition: RegisterDefinition, items: readonly Placed[]): Promise<ItemError[]> {
    const named = items.flatMap(({ id, index, data }) =>
      references(definition, data).map(({ path, register, target }) => ({ id, index, path, register, target })),
    )
    if (named.length === 0) return []
    const { rows } = await sql<{ index: number; path: string; register: string; status: string | null; kept: boolean }>`
      select n.index, n.path, n.register, i.status, r.item_id is not null as kept
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as n(id uuid, index integer, path text, register text, target text)
      left join register_item i on i.id::text = lower(n.target) and i.register = n.register
      left join register_reference r on r.target_id = i.id and r.item_id = n.id and r.path = n.path
      order by n.index, n.path`.execute(trx)
    return rows.flatMap(({ index, path, register, status, kept }): ItemError[] => {
      if (status === null) return [{ index, field: path, code: 'platform.item-unknown' }]
      // What has been put out of use since stays where it is already named.
      const usable = kept || status === inUse(definitionOf(register))
      return usable ? [] : [{ index, field: path, code: 'platform.item-inactive' }]
    })
  }

  /**
   * Everything that goes with written rows: their versions, unique values, references, files and audit entries. Gives
   * the unique values that somebody else took at the same moment; whoever called must then give up.
   */
  async function note(
    definition: RegisterDefinition,
    register: string,
    rows: readonly ItemRow[],
    by: By,
    told: (row: ItemRow) => { action: string; payload: object },
    before: JsonObject = {},
  ): Promise<ItemError[]> {
    const ids = rows.map(({ id }) => id)
    await sql`
      insert into register_item_version (item_id, version, status, data, changed_by)
      select id, version, status, data, ${by}::uuid from register_item where id = any(${ids}::uuid[])`.execute(trx)

    const values = rows.flatMap((row, index) =>
      uniqueValues(definition, row.data as JsonObject).map(({ path, value }) => ({ index, path, value, id: row.id })),
    )
    await trx.deleteFrom('register_unique').where('item_id', 'in', ids).execute()
    const kept = await sql<{ item_id: string; field: string }>`
      insert into register_unique (register, field, value, item_id)
      select ${register}, path, value, id
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(path text, value text, id uuid)
      order by path, value
      on conflict do nothing
      returning item_id, field`.execute(trx)
    const mine = new Set(kept.rows.map(({ item_id, field }) => `${item_id}${field}`))
    const lost = values.filter(({ id, path }) => !mine.has(`${id}${path}`))
    if (lost.length > 0) return lost.map(({ index, path }) => ({ index, field: path, code: 'platform.value-taken' }))

    await trx.deleteFrom('register_reference').where('item_id', 'in', ids).execute()
    const targets = rows.flatMap((row) =>
      references(definition, row.data as JsonObject).map(({ path, target }) => ({ id: row.id, path, target })),
    )
    await sql`
      insert into register_reference (item_id, path, target_id)
      select id, path, target
      from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as t(id uuid, path text, target uuid)`.execute(trx)

    for (const row of rows) await publishFiles(definition, row.data as JsonObject, before, by)
    const actor = by ?? 'system:registers'
    await audit(trx).recordAll(rows.map((row) => ({ actor, object: `${register}:${row.id}`, ...told(row) })))
    return []
  }

  /** Files in fields that the public sees become public; a person can only put files there that are their own. */
  async function publishFiles(
    definition: RegisterDefinition,
    data: JsonObject,
    before: JsonObject,
    by: By,
  ): Promise<void> {
    const known = new Set(files(definition, before).map((leaf) => leaf.value))
    for (const { path, value } of files(definition, data).filter((leaf) => !known.has(leaf.value))) {
      const shown = definition.public?.fields.some((field) => path === field || path.startsWith(`${field}/`)) ?? false
      let own = trx.updateTable('file').where('id', '=', String(value))
      if (by !== null) own = own.where('owner_id', '=', by)
      const { numUpdatedRows } = await own
        .set({ public: sql<boolean>`public or ${shown}`, attached_at: sql`coalesce(attached_at, now())` })
        .executeTakeFirst()
      if (numUpdatedRows !== 1n)
        throw new BusinessError('platform.form-invalid', {}, [{ field: path, code: 'platform.file-unknown' }])
    }
  }
}

function conditions(
  eb: ExpressionBuilder<DB, 'register_item'>,
  definition: RegisterDefinition,
  query: ItemQuery,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  if (query.id !== undefined) all.push(eb('id', '=', query.id))
  if (query.ids !== undefined) all.push(eb('id', 'in', query.ids))
  if (query.status !== undefined) all.push(eb('status', '=', query.status))
  if (query.also) all.push(query.also)
  if (query.inUse) all.push(eb('status', '=', inUse(definition)))
  for (const [name, value] of Object.entries(query.filters ?? {})) {
    const field = name.startsWith('/') ? name : `/${name}`
    if (!definition.filters?.includes(field))
      throw new BusinessError('platform.filter-unknown', { field: name }, [
        { field: `filter.${name}`, code: 'platform.filter-unknown', values: { field: name } },
      ])
    all.push(eb(text(field), '=', value))
  }
  if (query.search) {
    const like = containing(query.search)
    const fields = (definition.search ?? []).map((field) => eb(text(field), 'ilike', like))
    all.push(eb.or([eb('title', 'ilike', like), ...fields]))
  }
  if (query.within) {
    const scopes = query.within.filter(({ values }) => values.length > 0)
    all.push(eb.or(scopes.map(({ field, values }) => eb(text(field), 'in', values))))
  }
  if (query.public) {
    if (!definition.public) throw new BusinessError('platform.not-found')
    for (const [name, value] of Object.entries(definition.public.where ?? {})) {
      const field = name.startsWith('data.')
        ? text(`/${name.slice('data.'.length).replaceAll('.', '/')}`)
        : sql<string>`status`
      all.push(eb(field, '=', String(value)))
    }
  }
  return all
}

function text(pointer: string) {
  return sql<string>`register_item.data #>> ${pathOf(pointer)}::text[]`
}

/** An item as lists show it: without what is sensitive. */
export function listView<T extends Pick<Item, 'data'>>(definition: RegisterDefinition, item: T): T {
  return { ...item, data: withoutSensitive(definition.item, item.data) }
}

/** An item as the public sees it: the listed fields and no others, and nothing sensitive. */
export function publicView(definition: RegisterDefinition, whole: Item): Item {
  const item = listView(definition, whole)
  const data: JsonObject = {}
  for (const field of definition.public?.fields ?? []) {
    const [name, ...deeper] = pathOf(field)
    const value = at(item.data, field)
    if (name === undefined || value === undefined) continue
    if (deeper.length > 0) throw new Error(`public fields are top-level ones: ${field}`)
    data[name] = value as JsonObject[string]
  }
  return { ...item, data }
}

/** Ids of the items that an item refers to. */
export function referencedIds(definition: RegisterDefinition, item: Pick<Item, 'data'>): string[] {
  return references(definition, item.data).map((reference) => reference.target)
}

function references(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).flatMap(({ path, schema, value }) =>
    schema['x-register'] && typeof value === 'string' ? [{ path, register: schema['x-register'], target: value }] : [],
  )
}

function files(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data).filter(
    ({ schema, value }) => schema['x-widget'] === 'file' && typeof value === 'string',
  )
}

/**
 * Values that no other item of the register may have, each with those that it is unique together with; case and width
 * of letters make no difference.
 */
function uniqueValues(definition: RegisterDefinition, data: JsonObject) {
  const plain = (value: unknown) => String(value).normalize('NFKC').trim().toLowerCase()
  return leaves(definition.item, data).flatMap(({ path, schema, value }) => {
    const unique = schema['x-unique']
    if (!unique) return []
    const beside = unique === true ? [] : unique.map((name) => plain(data[name] ?? ''))
    return [{ path, value: [plain(value), ...beside].join('\n') }]
  })
}

/** What an item is called. */
export function titleOf({ titleField, titleWith = [] }: RegisterDefinition, data: JsonObject): string {
  return [...titleWith, titleField].map((field) => String(at(data, field) ?? '')).join(' ')
}

/** Whether an item is in a status after which it is never changed again. */
export function isFinal({ final }: RegisterDefinition, { status }: { status: string }): boolean {
  return final?.includes(status) ?? false
}

function merged(data: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null && value !== undefined),
  )
}

function drafts(definition: RegisterDefinition, items: readonly NewItem[]): Draft[] {
  return items.map(({ id = uuid(), status = inUse(definition), data }) => ({
    id,
    status,
    data: entered(definition, data),
  }))
}

/** What of an item's data counts, with the ids that its register gives. */
function entered({ item }: RegisterDefinition, data: JsonObject): JsonObject {
  return withMadeIds(item, effectiveAnswers(item, data), uuid)
}

function refuseWrong(wrong: readonly ItemError[], pointer = (_index: number, field: string) => field): void {
  if (wrong.length === 0) return
  const fields = wrong.map(({ index, field, ...rest }) => ({ ...rest, field: pointer(index, field) }))
  throw new BusinessError('platform.form-invalid', {}, fields)
}

function itemOf(row: ItemRow): Item {
  const { id, register, version, status, title } = row
  return {
    id,
    register,
    version,
    status,
    title,
    data: row.data as JsonObject,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  }
}
