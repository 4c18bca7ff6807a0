import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, type Transaction, sql } from 'kysely'
import { isNic, allNicForms } from '../../../../forms/platform/nic.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { containing } from '../../kernel/like.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import { type RegisterDefinition, at, inUse, pathOf } from '../../model/definitions/register.ts'
import { type RegistersContext, definitionOf } from './context.ts'
import { type Item, itemOf } from './item.ts'
import { isOwnerField, naming, namingInRows } from './naming.ts'

/** A query; filters are equalities of fields that the register permits. */
export interface ItemQuery {
  id?: string
  ids?: readonly string[]
  search?: string
  /** Fields whose whole value the search may be. */
  whole?: readonly string[]
  /** By field name or JSON pointer. */
  filters?: Record<string, string>
  /** Only those in one of these. */
  statuses?: readonly string[]
  status?: string
  /** Only active entries. */
  inUse?: boolean
  /** Only those of a selection of the register. */
  selection?: string
  /** Only entries that name one of these units in one of the fields, or belong to an entry that does (`belongsTo`). */
  within?: { fields: readonly string[]; units: readonly string[] }
  /** An additional condition on a row `register_item`. */
  also?: RawBuilder<boolean>
  /** The newest first, instead of by title; only the first page can be asked for. */
  newest?: boolean
  /** Only public entries and fields. */
  public?: boolean
  cursor?: string
  limit?: number
}

/** An entry as it is now. */
export async function getItem({ trx }: RegistersContext, register: string, id: string): Promise<Item> {
  const row = await itemsOf(trx, register).where('id', '=', id).executeTakeFirst()
  if (!row) throw new BusinessError('platform.not-found')
  return itemOf(row)
}

/** The fields of `whole` by whose value an entry was found. */
export function foundByWhole(query: ItemQuery, { data }: Item): string[] {
  return query.search ? (query.whole ?? []).filter((field) => wholeValues(query).includes(String(at(data, field)))) : []
}

/** A page of matching entries. */
export async function listItems(
  context: RegistersContext,
  register: string,
  query: ItemQuery = {},
): Promise<Page<Item>> {
  const { trx } = context
  const definition = definitionOf(context, register)
  const limit = query.limit ?? 20
  const owners = await ownersFound(trx, definition, query)
  let wanted = itemsOf(trx, register).where((eb) => eb.and(conditions(eb, definition, register, { ...query, owners })))
  const { count } = await trx
    .selectFrom(wanted.limit(COUNT_LIMIT + 1).as('some'))
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const { newestBy } = definition
  const key = newestBy === undefined ? sql.ref<string>('title') : sql<string>`coalesce(${text(newestBy)}, '')`
  if (query.cursor !== undefined) {
    const [after, id] = readCursor(query.cursor, ['text', 'id'])
    const isLater = newestBy === undefined ? sql`>` : sql`<`
    wanted = wanted.where(sql<boolean>`(${key}, id) ${isLater} (${after}, ${id}::uuid)`)
  }
  const direction = newestBy === undefined ? 'asc' : 'desc'
  const ordered = query.newest
    ? wanted.orderBy('created_at', 'desc').orderBy('id')
    : wanted.orderBy(key, direction).orderBy('id', direction)
  const page = await ordered.limit(limit + 1).execute()
  const items = page.slice(0, limit).map(itemOf)
  const last = items.at(-1)
  const keyOf = ({ title, data }: Item) => (newestBy === undefined ? title : String(at(data, newestBy) ?? ''))
  return {
    items,
    next: page.length > limit && last && !query.newest ? cursorOf([keyOf(last), last.id]) : null,
    count: counted(count),
  }
}

/** Titles (and codes) of entries that others refer to, by id. */
export async function titlesOf({ trx }: RegistersContext, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {}
  const found = await trx
    .selectFrom('register_item')
    .select(['id', 'title'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return Object.fromEntries(found.map((row) => [row.id, row.title]))
}

/** The newest version of an entry, locked until the transaction ends. */
export async function lockItem({ trx }: RegistersContext, register: string, id: string): Promise<Item> {
  const row = await itemsOf(trx, register).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new BusinessError('platform.not-found')
  return itemOf(row)
}

function itemsOf(trx: Transaction<DB>, register: string) {
  return trx.selectFrom('register_item').selectAll().where('register', '=', register)
}

function conditions(
  eb: ExpressionBuilder<DB, 'register_item'>,
  definition: RegisterDefinition,
  register: string,
  query: ItemQuery & { owners: readonly string[] | undefined },
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  if (query.id !== undefined) all.push(eb('id', '=', query.id))
  if (query.ids !== undefined) all.push(eb('id', 'in', query.ids))
  if (query.status !== undefined) all.push(eb('status', '=', query.status))
  if (query.statuses !== undefined) all.push(eb('status', 'in', query.statuses))
  if (query.also) all.push(query.also)
  if (query.inUse) all.push(eb('status', '=', inUse(definition)))
  if (query.selection !== undefined) all.push(eb(...selected(definition, query.selection)))
  for (const [name, value] of Object.entries(query.filters ?? {})) {
    const field = name.startsWith('/') ? name : `/${name}`
    if (!definition.filters?.includes(field) || (query.public && !definition.public?.fields.includes(field)))
      throw new BusinessError('platform.filter-unknown', { field: name }, [
        { field: `filter.${name}`, code: 'platform.filter-unknown', values: { field: name } },
      ])
    if (field.includes('/*/')) all.push(eb('id', 'in', namingInRows(field, value)))
    else
      all.push(isOwnerField(definition, field) ? eb('id', 'in', naming([field], [value])) : eb(text(field), '=', value))
  }
  if (query.search) all.push(matches(eb, definition, register, { ...query, search: query.search }))
  if (query.within) all.push(within(eb, definition, query.within, isOfOne(definition, query)))
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

/** Whether an entry, or the one that it belongs to, has the search in its title or a field that is searched. */
function matches(
  eb: ExpressionBuilder<DB, 'register_item'>,
  definition: RegisterDefinition,
  register: string,
  query: ItemQuery & { search: string; owners: readonly string[] | undefined },
): Expression<SqlBool> {
  const { search: fields = [], public: shown } = definition
  const like = containing(query.search)
  const searched = query.public ? fields.filter((field) => shown?.fields.includes(field)) : fields
  const named = [eb('title', 'ilike', like), ...searched.map((field) => eb(text(field), 'ilike', like))]
  // Its words are the index; they have more than may be searched.
  const found = [eb.and([eb('words', 'ilike', like), eb.or(named)])]
  for (const value of query.whole?.length ? wholeValues(query) : [])
    found.push(
      eb.and([
        eb('words', 'ilike', containing(value)),
        eb.or((query.whole ?? []).map((field) => eb(text(field), '=', value))),
      ]),
    )
  if (definition.belongsTo === undefined || query.owners?.length === 0) return eb.or(found)
  if (query.owners === undefined) {
    const [field, owners] = ownersAt(definition.belongsTo, titled(like))
    return eb.or([...found, sql<boolean>`coalesce((${text(field)})::uuid in ${owners}, false)`])
  }
  const [field, owners] = ownersAt(definition.belongsTo, query.owners)
  return sql<boolean>`register_item.id in (
    select id from register_item where register = ${register} and ${eb.or(found)} union ${naming([field], owners)})`
}

/** Entries of any register with such a title. */
const titled = (like: string) =>
  sql<string>`(select id from register_item where words ilike ${like} and title ilike ${like})`

/** With at most this many owners, their entries are looked up; with more, the entries are read in order instead. */
const FEW_OWNERS = 1000

/** The entries that others may belong to and whose title matches a search; undefined if there are many. */
async function ownersFound(
  trx: Transaction<DB>,
  { belongsTo }: RegisterDefinition,
  { search, public: isPublic }: ItemQuery,
): Promise<string[] | undefined> {
  if (!search || belongsTo === undefined || isPublic) return []
  const { rows } = await sql<{ id: string }>`${titled(containing(search))} limit ${FEW_OWNERS + 1}`.execute(trx)
  return rows.length > FEW_OWNERS ? undefined : rows.map(({ id }) => id)
}

/** The search as whole values are stored; the old and the new number of an identity card find the same person. */
function wholeValues({ search = '' }: ItemQuery): string[] {
  const value = search.trim().toUpperCase()
  return isNic(value) ? [value, ...allNicForms(value)] : [value]
}

/** Whether only entries of one owner are wanted, so that this one is looked up instead of all of the units. */
function isOfOne(definition: RegisterDefinition, { filters = {} }: ItemQuery): boolean {
  return Object.keys(filters).some((name) => isOwnerField(definition, name.startsWith('/') ? name : `/${name}`))
}

/** Whether an entry, or the one that it belongs to, names one of the units. */
function within(
  eb: ExpressionBuilder<DB, 'register_item'>,
  { item: { properties = {} }, belongsTo }: RegisterDefinition,
  { fields, units }: NonNullable<ItemQuery['within']>,
  ofOne: boolean,
): Expression<SqlBool> {
  if (units.length === 0) return sql<boolean>`false`
  const own = fields.filter((field) => properties[field.slice(1)]).map((field) => eb(text(field), 'in', units))
  if (belongsTo === undefined) return eb.or(own)
  if (ofOne)
    return eb.or([
      ...own,
      sql<boolean>`exists (select from register_reference r where r.item_id = (${followed(belongsTo)})::uuid
        and r.path = any(${[...fields]}::text[]) and r.target_id = any(${[...units]}::uuid[]))`,
    ])
  const [field, owners] = ownersAt(belongsTo, naming(fields, units))
  // `coalesce` keeps it a set that is built once and looked up: as a join it would sort all entries for each page.
  return eb.or([...own, sql<boolean>`coalesce((${text(field)})::uuid in ${owners}, false)`])
}

/** From the last entries of a pointer back to the field of an entry, and the set of those that it may name. */
function ownersAt<T extends readonly string[] | RawBuilder<string>>(
  pointer: string,
  last: T,
): [field: string, owners: T | RawBuilder<string>] {
  const [field = pointer, ...further] = pointer.split('#/data')
  return [field, further.reduceRight<T | RawBuilder<string>>((named, path) => naming([path], named), last)]
}

/** The operands of the condition that an entry is one of a selection. */
function selected({ selections }: RegisterDefinition, name: string): [RawBuilder<string>, 'in', string[]] {
  const selection = selections?.[name]
  if (!selection) throw new BusinessError('platform.filter-unknown', { field: 'selection' })
  return [followed(selection.at), 'in', selection.is]
}

/** The value at a pointer that leads from entry to entry. */
function followed(pointer: string): RawBuilder<string> {
  const [field = pointer, ...further] = pointer.split('#')
  return further.reduce(
    (named, hop) =>
      sql`(select n.data #>> ${pathOf(hop).slice(1)}::text[] from register_item n where n.id = (${named})::uuid)`,
    text(field),
  )
}

function text(pointer: string): RawBuilder<string> {
  return sql<string>`register_item.data #>> ${pathOf(pointer)}::text[]`
}
