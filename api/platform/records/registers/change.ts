import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type RegisterDefinition, at, inUse } from '../../model/definitions/register.ts'
import { known } from '../../kernel/known.ts'
import { keepBooks } from './books.ts'
import { certifiedStatus, certifies, uncertified } from './certifying.ts'
import { refuseDemanded } from './demands.ts'
import { type RegistersContext, definitionOf } from './context.ts'
import { disagreeingFields, frozenFields } from './frozen.ts'
import { noteEntryChanged } from './entry-names.ts'
import {
  type By,
  type Item,
  type ItemAt,
  boundsOf,
  byPeople,
  caseOf,
  entered,
  isFinal,
  itemOf,
  titleOf,
} from './item.ts'
import { lockItem } from './read.ts'
import { type ItemError, refuseWrong, wrongWith } from './refusals.ts'
import { roleStays } from './role.ts'
import { withTitleFields } from './title-fields.ts'
import { recordWritten } from './written.ts'

/** Changes fields of an entry; null removes a field. `from` is the version that the change is based on. */
export async function changeItem(context: RegistersContext, from: ItemAt, patch: JsonObject, by: By): Promise<Item> {
  const current = await lockedAt(context, from)
  const definition = definitionOf(context, current.register)
  const wanted = byPeople(definition, patch, by)
  const after = { data: entered(definition, merged(current.data, wanted)) }
  const { data } = known((await withTitleFields(context, definition, [after]))[0], 'the changed entry')
  const told = { action: 'register-item.changed', payload: { patch: wanted } }
  return write(context, current, { data, status: current.status }, by, told)
}

/** Sets an entry to another status of its register. */
export async function setItemStatus(context: RegistersContext, from: ItemAt, status: string, by: By): Promise<Item> {
  const definition = definitionOf(context, from.register)
  const reason = status === inUse(definition) ? null : (definition.follows?.byPeople ?? null)
  return moveItem(context, from, { status, reason }, by)
}

/** Sets an entry to another status; a register that follows others says why, and since which day. */
export async function moveItem(
  context: RegistersContext,
  from: ItemAt,
  { status, reason }: { status: string; reason: string | null },
  by: By,
): Promise<Item> {
  const current = await lockedAt(context, from)
  const { follows } = definitionOf(context, from.register)
  const since = reason === null ? null : dayInColombo(Date.now())
  const noted = follows ? { [nameOf(follows.reason)]: reason, [nameOf(follows.since)]: since } : {}
  const told = { action: 'register-item.status-changed', payload: { status, ...(follows && { reason }) } }
  return write(context, current, { data: merged(current.data, noted), status }, by, told)
}

/** The name of a field of the first level. */
const nameOf = (pointer: string) => pointer.slice(1)

function merged(data: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null && value !== undefined),
  )
}

async function lockedAt(context: RegistersContext, { register, id, version }: ItemAt): Promise<Item> {
  const current = await lockItem(context, register, id)
  // An internal error and not a business error: callers that retry read the entry again.
  if (current.version !== version) throw new Error(`${register} ${id} is at version ${current.version}, not ${version}`)
  return current
}

/** Of an entry that does not fit to another one, the values say to which. */
const isSame = (one: ItemError, other: ItemError) =>
  one.field === other.field && one.code === other.code && isDeepStrictEqual(one.values, other.values)

/** What was wrong with an entry before, at fields that stay as they are: older than the rule, and kept until changed. */
async function wrongSince(
  context: RegistersContext,
  definition: RegisterDefinition,
  current: Item,
  data: JsonObject,
): Promise<ItemError[]> {
  const wrong = await wrongWith(context, definition, current.register, [current])
  return wrong.filter(({ field }) => isDeepStrictEqual(at(data, field), at(current.data, field)))
}

async function write(
  context: RegistersContext,
  current: Item,
  wanted: Pick<Item, 'data' | 'status'>,
  by: By,
  told: { action: string; payload: object },
): Promise<Item> {
  const { trx } = context
  const { register, id } = current
  const { data } = wanted
  const definition = definitionOf(context, register)
  const status = await certifiedStatus(trx, definition, current, { ...wanted, by })
  if (isFinal(definition, current)) throw new BusinessError('platform.item-final')
  if (by !== null && certifies(definition, current, status)) await refuseDemanded(context, definition, current)
  const wrong = await wrongWith(context, definition, register, [{ id, status, data }])
  const earlier = wrong.length > 0 ? await wrongSince(context, definition, current, data) : []
  refuseWrong(wrong.filter((one) => !earlier.some((other) => isSame(one, other))))
  if (by !== null) refuseWrong(await uncertified(trx, definition, { data, status }, current))
  refuseWrong(await frozenFields(trx, id, { before: current.data, after: data }))
  refuseWrong(await disagreeingFields(trx, id, data))
  refuseWrong(await roleStays(trx, definition, { id, before: current.data, after: data }))
  const bounds = boundsOf(definition)
  const row = await trx
    .updateTable('register_item')
    .set({
      data: JSON.stringify(data),
      ...(earlier.length === 0 && { bounds: bounds && JSON.stringify(bounds) }),
      status,
      title: titleOf(definition, data),
      of_case: caseOf(definition, data),
      final: isFinal(definition, { status }),
      version: current.version + 1,
      changed_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const written = {
    register,
    library: context.library,
    definition,
    rows: [row],
    by,
    told: () => told,
    before: current.data,
    earlier,
  }
  refuseWrong(await recordWritten(trx, written))
  await noteEntryChanged(trx, { id, by, before: current.data['full_name'], now: data['full_name'] })
  const unbooked = await keepBooks(trx, register, definition, {
    id,
    version: row.version,
    before: current,
    after: { data, status },
  })
  refuseWrong(unbooked.map((error) => ({ ...error, index: 0 })))
  return itemOf(row)
}
