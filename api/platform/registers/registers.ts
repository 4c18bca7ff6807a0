import { type Expression, type ExpressionBuilder, type SqlBool, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../audit/audit.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import { BusinessError, type FieldError } from '../errors.ts'
import { checkForm } from '../forms/check.ts'
import { containing } from '../like.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../paging.ts'
import { type RegisterDefinition, at, leaves, pathOf } from './definition.ts'

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
  search?: string
  /** By field name or JSON pointer. */
  filters?: Record<string, string>
  status?: string
  /** Further conditions: field → allowed values. Any one of the entries has to hold. */
  within?: { field: string; values: string[] }[]
  /** Only what the register shows to the public. */
  public?: boolean
  cursor?: string
  limit?: number
}

/** Who changes an item: an account id, or null for the product itself (first contents). */
type By = string | null

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

  function rows(register: string) {
    return trx.selectFrom('register_item').selectAll().where('register', '=', register)
  }

  async function item(register: string, id: string): Promise<Item> {
    const row = await rows(register).where('id', '=', id).executeTakeFirst()
    if (!row) throw new BusinessError('platform.not-found')
    return itemOf(row)
  }

  async function list(register: string, query: ItemQuery = {}): Promise<Page<Item>> {
    const definition = definitionOf(register)
    const limit = query.limit ?? 20
    let wanted = rows(register).where((eb) => eb.and(conditions(eb, definition, query)))
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
    { id = uuid(), status }: { id?: string; status?: string } = {},
  ): Promise<Item> {
    const definition = definitionOf(register)
    const first = status ?? definition.statuses[0] ?? 'Active'
    await check(definition, register, id, first, data)
    const row = await trx
      .insertInto('register_item')
      .values({ id, register, status: first, title: titleOf(definition, data), data: JSON.stringify(data) })
      .returningAll()
      .executeTakeFirstOrThrow()
    await note(definition, row, by, {}, 'register-item.created', { data })
    return itemOf(row)
  }

  /** Changes fields of an item; a field set to null goes. `from` says which version the change was made on. */
  async function change(from: Pick<Item, 'id' | 'register' | 'version'>, patch: JsonObject, by: By): Promise<Item> {
    const current = await locked(from)
    const data = merged(current.data, patch)
    return write(current, { data, status: current.status }, by, 'register-item.changed', { patch })
  }

  /** Puts an item into another of its register's statuses. */
  async function setStatus(from: Pick<Item, 'id' | 'register' | 'version'>, status: string, by: By): Promise<Item> {
    const current = await locked(from)
    return write(current, { data: current.data, status }, by, 'register-item.status-changed', { status })
  }

  /** The item, locked until the transaction ends and at its newest version. */
  async function lock(register: string, id: string): Promise<Item> {
    const row = await rows(register).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!row) throw new BusinessError('platform.not-found')
    return itemOf(row)
  }

  return { definitionOf, item, list, titles, create, change, setStatus, lock }

  async function locked({ register, id, version }: Pick<Item, 'id' | 'register' | 'version'>): Promise<Item> {
    const current = await lock(register, id)
    // A fault and not a business error: whoever retries reads the item anew.
    if (current.version !== version)
      throw new Error(`${register} ${id} is at version ${current.version}, not ${version}`)
    return current
  }

  async function write(
    current: Item,
    { data, status }: { data: JsonObject; status: string },
    by: By,
    action: string,
    payload: object,
  ): Promise<Item> {
    const definition = definitionOf(current.register)
    await check(definition, current.register, current.id, status, data)
    const row = await trx
      .updateTable('register_item')
      .set({
        data: JSON.stringify(data),
        status,
        title: titleOf(definition, data),
        version: current.version + 1,
        changed_at: sql`now()`,
      })
      .where('id', '=', current.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await note(definition, row, by, current.data, action, payload)
    return itemOf(row)
  }

  async function check(
    definition: RegisterDefinition,
    register: string,
    id: string,
    status: string,
    data: JsonObject,
  ): Promise<void> {
    const wrong = checkForm(definition.item, data)
    if (!definition.statuses.includes(status)) wrong.push({ field: '/status', code: 'platform.check-enum' })
    if (wrong.length === 0) wrong.push(...(await taken(definition, register, id, data)))
    if (wrong.length === 0) wrong.push(...(await danglingReferences(definition, id, data)))
    if (wrong.length > 0) throw new BusinessError('platform.form-invalid', {}, wrong)
  }

  async function taken(
    definition: RegisterDefinition,
    register: string,
    id: string,
    data: JsonObject,
  ): Promise<FieldError[]> {
    const wrong: FieldError[] = []
    for (const { path, value } of uniqueValues(definition, data)) {
      const other = await trx
        .selectFrom('register_unique')
        .select('item_id')
        .where('register', '=', register)
        .where('field', '=', path)
        .where('value', '=', value)
        .where('item_id', '<>', id)
        .executeTakeFirst()
      if (other) wrong.push({ field: path, code: 'platform.value-taken' })
    }
    return wrong
  }

  async function danglingReferences(
    definition: RegisterDefinition,
    id: string,
    data: JsonObject,
  ): Promise<FieldError[]> {
    const wrong: FieldError[] = []
    for (const { path, register, target } of references(definition, data)) {
      const found = await trx
        .selectFrom('register_item as i')
        .leftJoin('register_reference as r', (join) =>
          join.onRef('r.target_id', '=', 'i.id').on('r.item_id', '=', id).on('r.path', '=', path),
        )
        .select(['i.status', 'r.item_id as kept'])
        .where('i.id', '=', target)
        .where('i.register', '=', register)
        .executeTakeFirst()
      if (!found) wrong.push({ field: path, code: 'platform.item-unknown' })
      // What has been deactivated since stays where it is already named.
      else if (found.status !== 'Active' && found.kept === null)
        wrong.push({ field: path, code: 'platform.item-inactive' })
    }
    return wrong
  }

  /** Everything that goes with a written row: its version, unique values, references, files and audit entry. */
  async function note(
    definition: RegisterDefinition,
    row: { id: string; register: string; version: number; status: string; data: unknown },
    by: By,
    before: JsonObject,
    action: string,
    payload: object,
  ): Promise<void> {
    const data = row.data as JsonObject
    await trx
      .insertInto('register_item_version')
      .values({ item_id: row.id, version: row.version, status: row.status, data: JSON.stringify(data), changed_by: by })
      .execute()
    await trx.deleteFrom('register_unique').where('item_id', '=', row.id).execute()
    for (const { path, value } of uniqueValues(definition, data)) {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('register_unique')
        .values({ register: row.register, field: path, value, item_id: row.id })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n)
        throw new BusinessError('platform.form-invalid', {}, [{ field: path, code: 'platform.value-taken' }])
    }
    await trx.deleteFrom('register_reference').where('item_id', '=', row.id).execute()
    const targets = references(definition, data).map(({ path, target }) => ({
      item_id: row.id,
      path,
      target_id: target,
    }))
    if (targets.length > 0) await trx.insertInto('register_reference').values(targets).execute()
    await publishFiles(definition, data, before, by)
    await audit(trx).record({ actor: by ?? 'system:registers', action, object: `${row.register}:${row.id}`, payload })
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
      const { numUpdatedRows } = await own.set({ public: sql<boolean>`public or ${shown}` }).executeTakeFirst()
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
  if (query.status !== undefined) all.push(eb('status', '=', query.status))
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

/** An item as the public sees it: the listed fields and no others. */
export function publicView(definition: RegisterDefinition, item: Item): Item {
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

/** Values that no other item of the register may have; case and width of letters make no difference. */
function uniqueValues(definition: RegisterDefinition, data: JsonObject) {
  return leaves(definition.item, data)
    .filter(({ schema }) => schema['x-unique'])
    .map(({ path, value }) => ({ path, value: String(value).normalize('NFKC').trim().toLowerCase() }))
}

function titleOf(definition: RegisterDefinition, data: JsonObject): string {
  return String(at(data, definition.titleField) ?? '')
}

function merged(data: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null && value !== undefined),
  )
}

function itemOf(row: {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: unknown
  created_at: Date
  changed_at: Date
}): Item {
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
