import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { type RegisterDefinition, at, inUse, pathOf } from '../../model/definitions/register.ts'
import { lookUp } from '../../model/definitions/named.ts'
import { known } from '../../kernel/known.ts'
import { type RegistersContext, definitionOf } from './context.ts'

interface Stored {
  id: string
  status: string
  data: JsonObject
}

/**
 * The status of a new entry: one that needs certification is not active yet, except in the initial data of a register.
 */
export function beginningStatus(
  { certified, statuses }: RegisterDefinition,
  status: string,
  by: string | null,
): string {
  return certified && by !== null && status === statuses[0]
    ? known(statuses[1], 'the status of a certified entry')
    : status
}

/** Whether somebody certifies an entry by changing it to this status. */
export function certifies(definition: RegisterDefinition, current: Pick<Stored, 'status'>, status: string): boolean {
  return definition.certified !== undefined && status === inUse(definition) && current.status !== status
}

/**
 * The status of a changed entry: changes of certified fields need a new certification. Throws
 * `platform.certified-by-changer` if the person who last changed them would certify them, and `platform.status-of-case` if
 * the entry is one whose status is not set by hand now: nobody would certify the change.
 */
export async function certifiedStatus(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  current: Stored,
  { data, status, by }: { data: JsonObject; status: string; by: string | null },
): Promise<string> {
  const { certified, statuses } = definition
  if (!certified || by === null) return status
  const isChanged = certified.some((field) => !isDeepStrictEqual(at(data, field), at(current.data, field)))
  if (isChanged && definition.held?.includes(current.status)) throw new BusinessError('platform.status-of-case')
  if (isChanged) return status === inUse(definition) ? known(statuses[1], 'the status of a certified entry') : status
  if (certifies(definition, current, status) && (await lastChangedBy(trx, current.id, certified)) === by)
    throw new BusinessError('platform.certified-by-changer')
  return status
}

/** The data of an entry as it was last certified; undefined if it never was. */
export async function certifiedData(
  context: RegistersContext,
  register: string,
  id: string,
): Promise<JsonObject | undefined> {
  const row = await context.trx
    .selectFrom('register_item_version')
    .select('data')
    .where('item_id', '=', id)
    .where('status', '=', inUse(definitionOf(context, register)))
    .orderBy('version', 'desc')
    .executeTakeFirst()
  return row?.data
}

/** What keeps an entry from being written so: fields that are filled in too early, and lists too short to certify it. */
export async function uncertified(
  trx: Transaction<DB>,
  { certified, statuses, onceCertified = [], certifiedWith = {} }: RegisterDefinition,
  after: Pick<Stored, 'status' | 'data'>,
  before?: Stored,
): Promise<(FieldError & { index: number })[]> {
  if (!certified) return []
  const { status, data } = after
  if (status === statuses[1]) {
    const filled = onceCertified.filter((field) => (at(data, field) ?? null) !== (at(before?.data, field) ?? null))
    return filled
      .filter((field) => at(data, field) !== undefined)
      .map((field) => ({ index: 0, field, code: 'platform.not-certified-yet' }))
  }
  if (status !== statuses[0] || before?.status !== statuses[1]) return []
  const find = (id: string) =>
    trx
      .selectFrom('register_item')
      .select(['id', 'title', 'status', 'version', 'data'])
      .where('id', '=', id)
      .executeTakeFirst()
  const lists = Object.entries(certifiedWith).map(async ([field, lookup]) => {
    const rows = at(data, field)
    const least = Number((await lookUp(lookup, data, find)) ?? 0)
    return (Array.isArray(rows) ? rows.length : 0) < least
      ? [{ index: 0, field, code: 'platform.too-few-rows', values: { least } }]
      : []
  })
  return (await Promise.all(lists)).flat()
}

/** An entry that waits for certification. */
export interface WaitingEntry {
  id: string
  register: string
  data: JsonObject
  /** Who may not certify it, because they wrote it. */
  by: string | null
}

/** The entries of a register that wait to be certified, at most so many; only those that came to wait in this time. */
export async function waitingEntries(
  trx: Transaction<DB>,
  register: string,
  { certified = [], statuses }: RegisterDefinition,
  { limit, from, until }: { limit: number; from?: Date; until?: Date },
): Promise<WaitingEntry[]> {
  const { rows } = await sql<WaitingEntry>`
    select i.id, i.register, i.data, (${lastChanger(sql.ref('i.id'), certified)}) as by from register_item i
    where i.register = ${register} and i.status = ${statuses[1] ?? null}
      and (${from ?? null}::timestamptz is null or i.changed_at >= ${from ?? null})
      and (${until ?? null}::timestamptz is null or i.changed_at < ${until ?? null})
    order by i.id limit ${limit}`.execute(trx)
  return rows
}

async function lastChangedBy(trx: Transaction<DB>, id: string, fields: readonly string[]): Promise<string | null> {
  const { rows } = await lastChanger(sql`${id}::uuid`, fields).execute(trx)
  return rows[0]?.changed_by ?? null
}

/** Who created the entry, or last changed one of these fields; what the product itself changed is nobody's. */
function lastChanger(id: RawBuilder<unknown>, fields: readonly string[]): RawBuilder<{ changed_by: string | null }> {
  const of = (version: string) =>
    sql.join(fields.map((field) => sql`${sql.ref(`${version}.data`)} #> ${pathOf(field)}::text[]`))
  return sql<{ changed_by: string | null }>`
    select v.changed_by from register_item_version v
    left join register_item_version earlier on earlier.item_id = v.item_id and earlier.version = v.version - 1
    where v.item_id = ${id} and v.changed_by is not null
      and (earlier.item_id is null or (${of('v')}) is distinct from (${of('earlier')}))
    order by v.version desc limit 1`
}
