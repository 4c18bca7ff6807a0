import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import {
  type FollowRule,
  type RegisterDefinition,
  at,
  inUse,
  pathOf,
  textAt,
} from '../../model/definitions/register.ts'
import { moveItem } from './change.ts'
import type { RegistersContext } from './context.ts'
import { type Item, type ItemAt, isFinal } from './item.ts'

/** The state that a rule demands of an entry. */
interface Demand {
  status: string
  reason: string
}

type Follower = ItemAt & { status: string; data: JsonObject }

/**
 * Gives entries of other registers the status that these written entries demand of them (`follows` of a register), with
 * the reason. Entries that people have put out of use stay so, and those with a final status stay as they are. Entries
 * that change here are not followed by others.
 */
export async function followWritten(context: RegistersContext, written: readonly Item[]): Promise<void> {
  const source = written[0]?.register
  for (const [register, definition] of context.library.registers) {
    const { rules = [] } = definition.follows ?? {}
    for (const rule of rules.filter((one) => one.register === source)) {
      const named = written.flatMap(({ id, data }) => ('same' in rule ? (textAt(data, rule.same) ?? []) : id))
      for (const entry of await followersOf(context, register, definition, { rule, named }))
        await follow(context, definition, entry, rule)
    }
  }
}

/** The entries that name one of these by the field of the rule, locked in the order of their ids. */
async function followersOf(
  { trx }: RegistersContext,
  register: string,
  { final = [] }: RegisterDefinition,
  { rule, named }: { rule: FollowRule; named: readonly string[] },
): Promise<Follower[]> {
  if (named.length === 0) return []
  const { rows } = await sql<Follower>`
    select i.id, i.register, i.version, i.status, i.data from register_item i
    where i.register = ${register} and i.status <> all(${final}::text[]) and exists (select from register_reference r
      where r.item_id = i.id and r.path = ${rule.at} and r.target_id = any(${[...named]}::uuid[]))
    order by i.id for no key update of i`.execute(trx)
  return rows
}

async function follow(
  context: RegistersContext,
  definition: RegisterDefinition,
  entry: Follower,
  written: FollowRule,
): Promise<void> {
  const { rules, reason } = known(definition.follows, 'the registers that are followed')
  const isUsed = entry.status === inUse(definition)
  const isByRule = rules.some((rule) => rule.reason === textAt(entry.data, reason))
  // People may use an entry despite another rule; only what was written now puts it out of use again.
  const demand = await firstDemand(context, isUsed ? [written] : rules, entry)
  if (demand === undefined) {
    if (!isUsed && isByRule) await moveItem(context, entry, { status: inUse(definition), reason: null }, null)
  } else if (isUsed || isByRule || isFinal(definition, demand)) {
    const isSame = demand.status === entry.status && demand.reason === textAt(entry.data, reason)
    if (!isSame) await moveItem(context, entry, demand, null)
  }
}

async function firstDemand(
  context: RegistersContext,
  rules: readonly FollowRule[],
  entry: Follower,
): Promise<Demand | undefined> {
  for (const rule of rules) {
    const target = textAt(entry.data, rule.at)
    if (target === undefined) continue
    const status = await ('same' in rule ? belowMinimum(context, rule, entry, target) : statusOf(context, rule, target))
    if (status !== undefined) return { status, reason: rule.reason }
  }
  return undefined
}

type StatusRule = Extract<FollowRule, { statuses: object }>
type ValueRule = Extract<FollowRule, { minimum: string }>

async function statusOf({ trx }: RegistersContext, { statuses }: StatusRule, id: string): Promise<string | undefined> {
  const row = await trx.selectFrom('register_item').select('status').where('id', '=', id).executeTakeFirst()
  return row && statuses[row.status]
}

interface Newest {
  register: string
  status: string
  /** JSON pointer of the field that names the entry. */
  same: string
  /** JSON pointer of the text by which they are ordered. */
  newest: string
}

/** The data of the newest entry in this status that names another one. */
async function newestNaming(
  trx: Transaction<DB>,
  { register, status, same, newest }: Newest,
  named: string,
): Promise<JsonObject | undefined> {
  const { rows } = await sql<{ data: JsonObject }>`
    select i.data from register_item i
    join register_reference r on r.item_id = i.id and r.path = ${same} and r.target_id = ${named}::uuid
    where i.register = ${register} and i.status = ${status}
    order by i.data #>> ${pathOf(newest)}::text[] desc limit 1`.execute(trx)
  return rows[0]?.data
}

/** The status that the rule gives if the newest value in use is below the minimum; without either, none. */
async function belowMinimum(
  { trx, library }: RegistersContext,
  rule: ValueRule,
  entry: Follower,
  named: string,
): Promise<string | undefined> {
  const [own = '', further] = rule.minimum.split('#/data')
  const holder =
    further === undefined
      ? undefined
      : await trx
          .selectFrom('register_item')
          .select('data')
          .where('id', '=', textAt(entry.data, own) ?? null)
          .executeTakeFirst()
  const minimum = further === undefined ? at(entry.data, own) : at(holder?.data, further)
  if (typeof minimum !== 'number') return undefined
  const source = known(library.registers.get(rule.register), `the register ${rule.register}`)
  const newest = await newestNaming(trx, { ...rule, status: inUse(source) }, named)
  const value = at(newest, rule.value)
  return typeof value === 'number' && value < minimum ? rule.becomes : undefined
}
