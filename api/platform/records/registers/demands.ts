import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import {
  type FollowRule,
  type RegisterDefinition,
  at,
  inUse,
  pathOf,
  textAt,
} from '../../model/definitions/register.ts'
import type { RegistersContext } from './context.ts'
import type { ItemAt } from './item.ts'

/** The state that a rule demands of an entry. */
interface Demand {
  status: string
  reason: string
}

/** An entry that follows others. */
export type Follower = ItemAt & { status: string; data: JsonObject }

/** Throws `platform.followed-elsewhere` if entries that this one follows demand that it is not in use. */
export async function refuseDemanded(
  context: RegistersContext,
  { follows }: RegisterDefinition,
  entry: Follower,
): Promise<void> {
  if (follows && (await firstDemand(context, follows.rules, entry)) !== undefined)
    throw new BusinessError('platform.followed-elsewhere')
}

/** The state that the first of these rules with something to demand demands of an entry. */
export async function firstDemand(
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
